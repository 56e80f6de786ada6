"""What the PettingZoo and Gymnasium environments share."""

from typing import Any

import numpy as np
from gymnasium import spaces

from ._core import ArgumentError, Position, Variant

RENDER_MODES = ["human", "ansi", "svg"]


def observation_space(variant: Variant) -> spaces.Dict:
    """Planes float32 ``[C, H, W]`` in [0, 1] and the mask of legal actions, int8 ``[A]``."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0.0, 1.0, variant.observation_shape, np.float32),
            "action_mask": spaces.Box(0, 1, (variant.n_actions,), np.int8),
        }
    )


def check_render_mode(render_mode: Any) -> None:
    """Raises unless `render_mode` is known."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ArgumentError(
            f"`render_mode`: found `{render_mode!r}`, expected None, `human`, `ansi` or `svg`"
        )


def ply_limit(variant: Variant, max_plies: Any) -> int:
    """The number of plies after which a game is truncated."""
    if max_plies is None:
        return variant.max_plies
    if isinstance(max_plies, bool) or not isinstance(max_plies, int) or max_plies < 1:
        raise ArgumentError(
            f"`max_plies`: found `{max_plies!r}`, expected a whole number of at least 1"
        )
    return max_plies


def draw(position: Position, render_mode: str | None) -> str | None:
    """The board as text or as an SVG picture; `human` prints the text."""
    text = f"{position}\n{position.fen}"
    if render_mode == "ansi":
        return text
    if render_mode == "svg":
        return position.svg()
    if render_mode == "human":
        print(text)
    return None


def reward(position: Position, side: str) -> float:
    """The result for `side`: 1, 0 or -1; 0 while the game goes on."""
    winner = position.outcome.winner if position.outcome else None
    if winner is None:
        return 0.0
    return 1.0 if winner == side else -1.0
