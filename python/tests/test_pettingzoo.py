"""The environments as PettingZoo wants them."""

import pickle
import re
import warnings
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import gryphonzero as gz

# What PettingZoo says of every observation that is a dict.
DICT_WARNINGS = re.compile(
    r"Observation is not a NumPy array"
    r"|Observation space for each agent probably should be gymnasium.spaces.box or .*discrete"
)


def check_api(env: pettingzoo.AECEnv) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(env, num_cycles=300)
    unexpected = [
        it for it in map(str, (it.message for it in caught)) if not DICT_WARNINGS.match(it)
    ]
    assert unexpected == []


def test_api(variant: gz.Variant) -> None:
    check_api(gz.env(variant))
    check_api(gz.raw_env(variant, max_plies=40))


def test_seeds(variant: gz.Variant) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seed_test(lambda: gz.env(variant), 100)
        seed_test(lambda: gz.raw_env(variant), 100)


def test_made_by_name() -> None:
    import gryphonzero.aec

    assert gryphonzero.aec.raw_env is not None
    env = pettingzoo.make("aec", "gryphonzero/toulousain-v0", max_plies=30)
    assert env.unwrapped.variant.name == "toulousain"
    assert env.unwrapped.max_plies == 30


def test_rendering() -> None:
    render_test(
        lambda render_mode: gz.env("chess", render_mode=render_mode),
        {"svg": lambda text: text.startswith("<svg")},
    )


def play(env: pettingzoo.AECEnv, actions: list[str]) -> None:
    for text in actions:
        env.step(env.unwrapped.position.action_index(text))


def test_a_mate_is_rewarded_and_seen_by_both() -> None:
    env = gz.env("chess")
    env.reset(seed=1)
    play(env, "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7".split())
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert env.terminations == {"player_0": True, "player_1": True}
    seen = {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        seen[agent] = (reward, terminated, truncated)
        assert observation["action_mask"].sum() == 0
        env.step(None)
    assert seen == {"player_0": (1.0, True, False), "player_1": (-1.0, True, False)}
    assert env.agents == []


def test_a_long_game_is_truncated() -> None:
    env = gz.env("chess", max_plies=3)
    env.reset()
    play(env, ["e2e4", "e7e5", "g1f3"])
    assert env.truncations == {"player_0": True, "player_1": True}
    assert env.terminations == {"player_0": False, "player_1": False}
    assert env.observe("player_1")["action_mask"].sum() == 0
    assert set(env.rewards.values()) == {0.0}


def test_any_agent_can_observe(variant: gz.Variant) -> None:
    env = gz.raw_env(variant)
    env.reset(seed=4)
    for _ in range(20):
        acting = env.agent_selection
        waiting = next(agent for agent in env.agents if agent != acting)
        assert env.observe(waiting)["action_mask"].sum() == 0
        legal = np.flatnonzero(env.observe(acting)["action_mask"])
        for agent in env.agents:
            assert env.observation_space(agent).contains(env.observe(agent))
            assert env.observation_space(agent) is env.observation_space(agent)
        env.step(legal[len(legal) // 2])
        if env.terminations[acting]:
            break


def test_an_illegal_action_loses_or_raises() -> None:
    env = gz.env("chess")
    env.reset()
    env.step(5)
    assert env.terminations["player_0"]
    assert env.rewards["player_0"] == -1
    raw = gz.raw_env("chess")
    raw.reset()
    with pytest.raises(gz.ActionError, match="action 5"):
        raw.step(5)
    with pytest.raises(gz.FenError):
        raw.reset(options={"fen": "x"})


def test_several_actions_a_turn_stay_with_one_agent() -> None:
    env = gz.raw_env("gryphon-aanca")
    env.reset()
    play(env, ["end", "end"])
    assert env.agent_selection == "player_0"
    env.step(int(env.position.legal_indices()[0]))
    assert env.agent_selection == "player_0"
    play(env, ["end"])
    assert env.agent_selection == "player_1"


def test_environments_can_be_pickled() -> None:
    env: Any = gz.raw_env("grant-acedrex-dice")
    env.reset(seed=9)
    env.step(int(env.position.legal_indices()[0]))
    again = pickle.loads(pickle.dumps(env))
    for each in (env, again):
        each.step(int(each.position.legal_indices()[-1]))
    assert again.position == env.position
