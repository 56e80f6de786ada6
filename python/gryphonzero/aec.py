"""The games as PettingZoo environments."""

from typing import Any, Literal

import numpy as np
import pettingzoo
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ._core import Position, Variant, variants
from ._spaces import RENDER_MODES, check_render_mode, draw, observation_space, ply_limit, reward

SIDES: dict[str, Literal["white", "black"]] = {"player_0": "white", "player_1": "black"}


class raw_env(AECEnv):
    """One game between `player_0`, who is White and moves first, and `player_1`, who is Black.

    A turn may be several actions: `agent_selection` says who acts. Dice are rolled by the
    environment, from the seed of `reset`.

    Observation: a dict of ``observation``, float32 ``[C, H, W]`` in [0, 1], and ``action_mask``,
    int8 ``[A]``. Both are seen by the agent that observes; the mask of whoever does not act is all
    zero. Action: an index in ``[0, A)``. Reward: 1, 0 or -1 when the game ends by the rules, 0
    otherwise. After `max_plies` actions a game is truncated.
    """

    metadata = {
        "name": "gryphonzero_v0",
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        variant: Any = "chess",
        *,
        max_plies: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        check_render_mode(render_mode)
        self.variant = Variant(variant)
        self.metadata = {**self.metadata, "name": f"gryphonzero_{self.variant.name}_v0"}
        self.max_plies = ply_limit(self.variant, max_plies)
        self.render_mode = render_mode
        self.possible_agents = list(SIDES)
        self.agents: list[str] = []
        self._observation_spaces = {
            agent: observation_space(self.variant) for agent in self.possible_agents
        }
        self._action_spaces = {
            agent: spaces.Discrete(self.variant.n_actions) for agent in self.possible_agents
        }
        self._np_random, self._np_random_seed = seeding.np_random()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game. `options={"fen": …}` begins at that position."""
        if seed is not None:
            self._np_random, self._np_random_seed = seeding.np_random(seed)
        self._game_seed = int(self._np_random.integers(2**63))
        start = Position(self.variant, (options or {}).get("fen"))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._arrive(start)

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._arrive(self.position.play(action))
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        side = SIDES[agent]
        acts = self.position.actor == side and not self.truncations.get(agent, False)
        mask = (
            self.position.action_mask() if acts else np.zeros(self.variant.n_actions, dtype=np.int8)
        )
        return {"observation": self.position.observation(side), "action_mask": mask}

    def render(self) -> str | None:
        return draw(self.position, self.render_mode)

    def close(self) -> None:
        pass

    def _arrive(self, position: Position) -> None:
        """Rolls the die if it is its turn, and takes over what `position` means."""
        self.position = position.roll(self._game_seed)
        is_over = self.position.is_over
        is_cut = not is_over and self.position.ply >= self.max_plies
        for agent, side in SIDES.items():
            self.rewards[agent] = reward(self.position, side)
            self.terminations[agent] = is_over
            self.truncations[agent] = is_cut
        self.agent_selection = "player_0" if self.position.side_to_move == "white" else "player_1"
        if self.render_mode == "human":
            self.render()


def env(variant: Any = "chess", **options: Any) -> AECEnv:
    """`raw_env` with PettingZoo's usual wrappers."""
    wrapped: Any = wrappers.TerminateIllegalWrapper(raw_env(variant, **options), illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


def _register() -> None:
    for name in variants():
        pettingzoo.register(
            "aec",
            f"gryphonzero/{name}-v0",
            entry_point="gryphonzero.aec:env",
            kwargs={"variant": name},
        )


_register()
