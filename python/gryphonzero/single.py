"""The games as Gymnasium environments: one side against a fixed opponent."""

from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces

from ._core import ActionError, ArgumentError, GameOverError, Opponent, Position, Variant, variants
from ._spaces import RENDER_MODES, check_render_mode, draw, observation_space, ply_limit, reward


class SingleAgentEnv(gymnasium.Env):
    """One side of a game against `opponent`.

    `opponent` is `random`, `greedy`, `alphabeta:nodes=1000`, `alphabeta:depth=3` or a function of
    (:class:`Position`, seed) that gives an action as text or index. `side` is `white`, `black` or
    `random`, drawn anew for every game. Opponent and dice act inside `step` and `reset`.

    Observation: a dict of ``observation``, float32 ``[C, H, W]`` in [0, 1], and ``action_mask``,
    int8 ``[A]``. Action: an index in ``[0, A)``; legal ones are sampled by
    ``env.action_space.sample(observation["action_mask"])``. An illegal one ends the game with a
    reward of -1, or raises `ActionError` with ``illegal="raises"``. Reward: 1, 0 or -1 when the
    game ends by the rules, 0 otherwise. After `max_plies` actions of both sides it is truncated.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 2}

    def __init__(
        self,
        variant: Any = "chess",
        opponent: Any = "random",
        *,
        side: str = "white",
        illegal: str = "ends",
        max_plies: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode)
        if side not in ("white", "black", "random"):
            raise ArgumentError(f"`side`: found `{side!r}`, expected `white`, `black` or `random`")
        if illegal not in ("ends", "raises"):
            raise ArgumentError(f"`illegal`: found `{illegal!r}`, expected `ends` or `raises`")
        self.variant = Variant(variant)
        self.max_plies = ply_limit(self.variant, max_plies)
        self.render_mode = render_mode
        self.observation_space = observation_space(self.variant)
        self.action_space = spaces.Discrete(self.variant.n_actions)
        self._choose = opponent if callable(opponent) else Opponent(self.variant, opponent).choose
        self._wanted_side = side
        self._illegal = illegal
        self._is_ended = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Begins a game. `options={"fen": …}` begins at that position."""
        super().reset(seed=seed)
        self._game_seed = int(self.np_random.integers(2**63))
        self.side: Literal["white", "black"] = "black" if self._wanted_side == "black" else "white"
        if self._wanted_side == "random" and self.np_random.integers(2) == 1:
            self.side = "black"
        self.position = Position(self.variant, (options or {}).get("fen"))
        self._is_ended = False
        self._let_others_act()
        return self._observe(), self._info()

    def step(self, action: int) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        if self._is_ended:
            raise GameOverError("the game is over, expected `reset` before another `step`")
        try:
            self.position = self.position.play(action)
        except ActionError:
            # Beyond the action space it is a mistake of the program, not of the policy.
            if self._illegal == "raises" or not self.action_space.contains(action):
                raise
            self._is_ended = True
            return self._observe(), -1.0, True, False, self._info()
        self._let_others_act()
        is_over = self.position.is_over
        return (
            self._observe(),
            reward(self.position, self.side),
            is_over,
            self._is_ended and not is_over,
            self._info(),
        )

    def render(self) -> str | None:
        return draw(self.position, self.render_mode)

    def _let_others_act(self) -> None:
        """Plays for the opponent and rolls the die until it is this side's turn, or the end."""
        self.position = self.position.roll(self._game_seed)
        while not self._is_at_end() and self.position.actor != self.side:
            chosen = self._choose(self.position, self._game_seed)
            self.position = self.position.play(chosen).roll(self._game_seed)
        self._is_ended = self._is_at_end()
        if self.render_mode == "human":
            self.render()

    def _is_at_end(self) -> bool:
        return self.position.is_over or self.position.ply >= self.max_plies

    def _observe(self) -> dict[str, np.ndarray]:
        acts = not self._is_ended
        mask = (
            self.position.action_mask() if acts else np.zeros(self.variant.n_actions, dtype=np.int8)
        )
        return {"observation": self.position.observation(self.side), "action_mask": mask}

    def _info(self) -> dict[str, Any]:
        return {"fen": self.position.fen, "side": self.side}


def _register() -> None:
    for name in variants():
        gymnasium.register(
            f"gryphonzero/{name}-v0",
            entry_point="gryphonzero.single:SingleAgentEnv",
            kwargs={"variant": name},
        )


_register()
