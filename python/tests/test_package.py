"""The package itself: stubs, documentation, contents."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import gryphonzero as gz
from gryphonzero import _core

FOLDER = Path(gz.__file__).parent
STUBS = ast.parse((FOLDER / "_core.pyi").read_text())
CLASSES = [node for node in STUBS.body if isinstance(node, ast.ClassDef)]
FUNCTIONS = [node for node in STUBS.body if isinstance(node, ast.FunctionDef)]
# Every object has these, whatever a stub says.
COMMON = set(dir(object)) | {"__module__", "__weakref__", "__doc__"}


def is_shown(name: str) -> bool:
    return not name.startswith("_") or name == "_repr_svg_"


def check_parameters(stub: ast.FunctionDef, real: Any) -> None:
    stubbed = {
        argument.arg
        for argument in stub.args.posonlyargs + stub.args.args + stub.args.kwonlyargs
        if argument.arg not in ("self", "cls")
    }
    found = {name for name in inspect.signature(real).parameters if name != "self"}
    assert stubbed == found, stub.name


def test_stubs_name_everything_that_is_there() -> None:
    shown = {name for name in vars(_core) if is_shown(name)}
    assert {node.name for node in CLASSES + FUNCTIONS} == shown
    assert shown <= set(gz.__all__) and "__version__" in gz.__all__
    assert all(hasattr(gz, name) for name in gz.__all__)


def test_stubs_agree_with_functions_and_methods() -> None:
    for function in FUNCTIONS:
        check_parameters(function, getattr(_core, function.name))
    for node in CLASSES:
        real = getattr(_core, node.name)
        if issubclass(real, BaseException):
            continue
        members = {item.name: item for item in node.body if isinstance(item, ast.FunctionDef)}
        found = {name for name in vars(real) if is_shown(name)}
        assert {name for name in members if is_shown(name)} == found, node.name
        for name, member in members.items():
            if name == "__new__":
                check_parameters(member, real)
            elif not member.decorator_list and name not in COMMON:
                check_parameters(member, getattr(real, name))


def test_everything_public_is_documented() -> None:
    for name in gz.__all__:
        item = getattr(gz, name)
        assert inspect.getdoc(item), name
        if inspect.isclass(item) and item.__module__ == "gryphonzero":
            for member in filter(is_shown, vars(item)):
                assert member == "_repr_svg_" or inspect.getdoc(getattr(item, member)), (
                    name,
                    member,
                )


def test_the_package_is_typed_and_has_no_libtorch() -> None:
    assert (FOLDER / "py.typed").exists()
    libraries = list(FOLDER.glob("*.so"))
    assert len(libraries) == 1 and libraries[0].name == "_core.abi3.so"
    assert b"libtorch" not in libraries[0].read_bytes()


def test_numpy_is_all_it_needs() -> None:
    """PettingZoo and Gymnasium are imported only when they are asked for."""
    code = (
        "import sys, gryphonzero as gz; gz.Position('chess').play('e2e4'); "
        "assert not {'pettingzoo', 'gymnasium'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
