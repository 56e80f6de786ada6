"""What the tests share. They test the installed package, not the source tree."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import gryphonzero as gz

SOURCE = Path(__file__).resolve().parents[1]

# The one file in the repository that is no built-in variant.
USER_FILE = SOURCE.parent / "configs" / "variants" / "gardner.toml"


def pytest_configure() -> None:
    installed = Path(gz.__file__).resolve()
    if SOURCE in installed.parents:
        pytest.exit(f"{installed} is the source tree: run the tests from another folder", 4)


def walk(variant: str | gz.Variant, seed: int, max_plies: int = 300) -> Iterator[gz.Position]:
    """Positions of a random game in which a side acts, and the last one."""
    rng = random.Random(seed)
    position = gz.Position(variant).roll(seed)
    while True:
        yield position
        if position.is_over or position.ply >= max_plies:
            return
        position = position.play(rng.choice(position.legal_actions())).roll(seed)


@pytest.fixture(params=gz.variants())
def variant(request: pytest.FixtureRequest) -> gz.Variant:
    """Every built-in variant."""
    return gz.Variant(request.param)


@pytest.fixture
def user_file() -> Path:
    """A variant file that is not built in."""
    return USER_FILE
