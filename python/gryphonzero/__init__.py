"""Chess variants as fast reinforcement learning environments, with tree search.

>>> import gryphonzero as gz
>>> position = gz.Position("complicacious-simplified").play("e2e4")
>>> position.outcome is None
True

Everywhere a variant is named, a built-in name (see :func:`variants`), the path of a variant file of
your own, or a :class:`Variant` will do. All exceptions derive from :class:`ValueError`.

Shapes: ``N`` games, ``C`` planes, ``H`` ranks, ``W`` files, ``A`` action indices. Observations and
action indices are seen by the side that acts.
"""

from typing import TYPE_CHECKING, Any

from ._core import (
    ActionError,
    ArgumentError,
    BatchEnv,
    EvaluationError,
    FenError,
    GameOverError,
    GryphonError,
    Opponent,
    Outcome,
    Position,
    SearchResult,
    Step,
    Variant,
    VariantError,
    __version__,
    search,
    variants,
)

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from .single import SingleAgentEnv

__all__ = [
    "ActionError",
    "ArgumentError",
    "BatchEnv",
    "EvaluationError",
    "FenError",
    "GameOverError",
    "GryphonError",
    "Opponent",
    "Outcome",
    "Position",
    "SearchResult",
    "SingleAgentEnv",
    "Step",
    "Variant",
    "VariantError",
    "__version__",
    "env",
    "raw_env",
    "search",
    "variants",
]


def env(variant: Any = "chess", **options: Any) -> "AECEnv":
    """A PettingZoo AEC environment with PettingZoo's usual wrappers; see :class:`aec.raw_env`.

    An illegal action ends the game with -1 for whoever took it.
    """
    from .aec import env as make

    return make(variant, **options)


def raw_env(variant: Any = "chess", **options: Any) -> "AECEnv":
    """The PettingZoo AEC environment without wrappers: an illegal action raises `ActionError`."""
    from .aec import raw_env as make

    return make(variant, **options)


def __getattr__(name: str) -> Any:
    # Gymnasium is optional: its class is imported when somebody asks for it.
    if name == "SingleAgentEnv":
        from .single import SingleAgentEnv

        return SingleAgentEnv
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
