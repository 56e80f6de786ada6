"""The environments as Gymnasium wants them."""

import pickle
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import gryphonzero as gz


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"opponent": "greedy", "side": "random", "max_plies": 20},
        {"opponent": "alphabeta:nodes=20", "side": "black"},
    ],
)
def test_check_env(variant: gz.Variant, options: dict[str, Any]) -> None:
    env = gymnasium.make(f"gryphonzero.single:gryphonzero/{variant.name}-v0", **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


def test_check_env_of_a_file(user_file: Path) -> None:
    check_env(gz.SingleAgentEnv(user_file), skip_render_check=True)


@pytest.mark.parametrize("side", ["white", "black", "random"])
def test_whole_games_are_played(variant: gz.Variant, side: str) -> None:
    env = gz.SingleAgentEnv(variant, "greedy", side=side)
    env.action_space.seed(1)
    observation, info = env.reset(seed=2)
    assert side in ("random", info["side"])
    terminated = truncated = False
    while not (terminated or truncated):
        assert env.position.actor == env.side
        action = env.action_space.sample(observation["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        assert env.observation_space.contains(observation)
    assert terminated != truncated
    assert observation["action_mask"].sum() == 0
    if truncated:
        assert reward == 0.0 and env.position.ply >= variant.max_plies
    else:
        assert env.position.outcome is not None
        winner = env.position.outcome.winner
        assert reward == {None: 0.0, env.side: 1.0}.get(winner, -1.0)
    with pytest.raises(gz.GameOverError, match="expected `reset`"):
        env.step(0)


def test_seeds_repeat_games() -> None:
    def game(seed: int) -> str:
        env = gz.SingleAgentEnv("grant-acedrex-dice", "random", side="random")
        observation, _ = env.reset(seed=seed)
        for _ in range(15):
            action = int(np.flatnonzero(observation["action_mask"])[0])
            observation, *_ = env.step(action)
        return env.position.fen

    assert game(1) == game(1) != game(2)


def test_an_illegal_action_loses_or_raises() -> None:
    env = gz.SingleAgentEnv("chess")
    env.reset()
    assert env.step(5)[1:4] == (-1.0, True, False)
    env = gz.SingleAgentEnv("chess", illegal="raises")
    env.reset()
    with pytest.raises(gz.ActionError, match="action 5"):
        env.step(5)
    for action in [-1, 1880, "x", None]:
        with pytest.raises(gz.ActionError):
            env.step(action)  # type: ignore[arg-type]


def test_the_opponent_may_be_a_function() -> None:
    env = gz.SingleAgentEnv(
        "chess", lambda position, seed: position.legal_actions()[0], side="black"
    )
    env.reset(seed=1)
    assert env.position.ply == 1
    env = gz.SingleAgentEnv("chess", lambda position, seed: "e2e5", side="black")
    with pytest.raises(gz.ActionError, match="e2e5"):
        env.reset(seed=1)


def test_environments_can_be_pickled() -> None:
    env = gz.SingleAgentEnv("toulousain", "greedy")
    env.reset(seed=3)
    again = pickle.loads(pickle.dumps(env))
    for each in (env, again):
        each.step(int(each.position.legal_indices()[3]))
    assert again.position == env.position
