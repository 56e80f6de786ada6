"""Many games at once."""

import multiprocessing
import pickle
import threading
from pathlib import Path

import numpy as np
import pytest
from conftest import walk

import gryphonzero as gz

N = 16


def test_arrays_have_the_promised_shapes_and_types(variant: gz.Variant) -> None:
    c, h, w = variant.observation_shape
    for planes in ["uint8", "float32", "bits"]:
        env = gz.BatchEnv(variant, N, planes=planes)
        assert (env.n_games, len(env), env.n_actions) == (N, N, variant.n_actions)
        assert env.planes == planes and env.observation_shape == (c, h, w)
        step = env.step(env.random_actions())
        if planes == "bits":
            assert step.constants is not None and step.constants.dtype == np.float32
            n_constants = step.constants.shape[1]
            assert step.observations.shape == (N, c - n_constants, -(-h * w // 8))
            assert step.observations.dtype == np.uint8
        else:
            assert step.constants is None
            assert step.observations.shape == (N, c, h, w)
            assert step.observations.dtype == np.dtype(planes)
        expected = {
            "mask": ((N, variant.n_actions), bool),
            "rewards": ((N, 2), np.float32),
            "terminated": ((N,), bool),
            "truncated": ((N,), bool),
            "actor": ((N,), np.uint8),
        }
        for name, (shape, dtype) in expected.items():
            array = getattr(step, name)
            assert (array.shape, array.dtype) == (shape, np.dtype(dtype)), name
            assert array.flags.c_contiguous and array.flags.writeable


def test_a_batch_shows_what_single_games_show(variant: gz.Variant) -> None:
    """Every row is checked against a position that was played by itself."""
    env = gz.BatchEnv(variant, N, planes="float32", auto_reset=False, max_plies=200, seed=3)
    step = env.reset(3)
    games = [env.position(game) for game in range(N)]
    for _ in range(60):
        for game, position in enumerate(games):
            assert env.position(game) == position
            assert (step.mask[game].view(np.int8) == position.action_mask()).all()
            assert step.actor[game] == (position.side_to_move == "black")
            ended = position.is_over
            assert step.terminated[game] == ended
            if not ended:
                assert (step.observations[game] == position.observation()).all()
        alive = [game for game in range(N) if not games[game].is_over]
        if len(alive) < N:
            return
        actions = env.random_actions()
        step = env.step(actions)
        for game in alive:
            after = games[game].play(actions[game])
            if after.actor == "chance" and not after.is_over:
                face = env.position(game).fen.split()[-1]
                after = after.play(f"roll:{face}")
            games[game] = after
            outcome = after.outcome
            winner = outcome.winner if outcome else None
            reward = {None: [0, 0], "white": [1, -1], "black": [-1, 1]}[winner]
            assert step.rewards[game].tolist() == reward


def test_all_ways_to_store_planes_agree(variant: gz.Variant) -> None:
    envs = {
        planes: gz.BatchEnv(variant, N, planes=planes, seed=1)
        for planes in ("uint8", "float32", "bits")
    }
    for _ in range(40):
        steps = {planes: env.step(env.random_actions()) for planes, env in envs.items()}
    numbers = steps["float32"].observations
    scales = envs["uint8"].full_scales.astype(np.float32)[:, None, None]
    assert scales.shape[0] == numbers.shape[1]
    assert (steps["uint8"].observations / scales == numbers).all()
    assert (envs["bits"].unpack(steps["bits"]) == numbers).all()
    for name in ["mask", "rewards", "terminated", "truncated", "actor"]:
        arrays = [getattr(step, name) for step in steps.values()]
        assert all((array == arrays[0]).all() for array in arrays)


def test_games_end_and_begin_again(variant: gz.Variant) -> None:
    env = gz.BatchEnv(variant, N, max_plies=40)
    n_ended = 0
    for _ in range(100):
        step = env.step(env.random_actions())
        ended = step.terminated | step.truncated
        assert not (step.terminated & step.truncated).any()
        assert (step.rewards[~step.terminated] == 0).all()
        assert step.mask.any(axis=1).all()
        n_ended += ended.sum()
        for game in np.flatnonzero(ended):
            assert env.position(game).fen.split()[0] == variant.start_fen.split()[0]
    assert n_ended >= N


def test_without_automatic_reset_games_wait() -> None:
    env = gz.BatchEnv("chess", 3, auto_reset=False)
    mate = gz.Position("chess", "6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1")
    step = env.reset_games({1: mate})
    assert env.position(1) == mate
    start = gz.Position("chess")
    actions = [start.action_index("e2e4"), mate.action_index("d1d8"), start.action_index("a2a3")]
    step = env.step(actions)
    assert step.terminated.tolist() == [False, True, False]
    assert step.rewards.tolist() == [[0, 0], [1, -1], [0, 0]]
    assert step.mask.any(axis=1).tolist() == [True, False, True]
    with pytest.raises(gz.GameOverError, match="game 1: .* expected a reset before"):
        env.step(actions)
    with pytest.raises(gz.GameOverError, match="game 1"):
        env.random_actions()
    step = env.reset_ended()
    assert env.position(1) == start and step.mask.any(axis=1).all()
    assert env.position(0) == start.play("e2e4")


def test_seeds_and_threads() -> None:
    def play(seed: int, n_threads: int) -> np.ndarray:
        env = gz.BatchEnv("grant-acedrex-dice", 64, seed=seed, n_threads=n_threads)
        for _ in range(30):
            step = env.step(env.random_actions())
        return step.observations

    first = play(1, 1)
    assert (first == play(1, 1)).all() and (first == play(1, 3)).all()
    assert not (first == play(2, 1)).all()


def test_reset_begins_the_same_games_again() -> None:
    env = gz.BatchEnv("grant-acedrex-dice", 8, seed=5)
    first = env.observe().observations
    env.step(env.random_actions())
    assert (env.reset(5).observations == first).all()
    assert not (env.reset().observations == first).all()


def test_arrays_are_never_touched_again() -> None:
    env = gz.BatchEnv("chess", 8)
    steps = [env.observe()]
    copies = [steps[0].mask.copy()]
    for _ in range(10):
        steps.append(env.step(env.random_actions()))
        copies.append(steps[-1].mask.copy())
    for step, mask in zip(steps, copies):
        assert (step.mask == mask).all()
    steps[-1].observations[:] = 7
    assert env.observe().observations.max() < 7


@pytest.mark.parametrize(
    "actions",
    [
        np.zeros(3, np.float32),
        np.zeros((4, 1), np.int64),
        np.zeros(3, np.int64),
        np.zeros(4, bool),
        [1.0, 2.0, 3.0, 4.0],
        ["e2e4"] * 4,
        [[1], [2, 3], [4], [5]],
        None,
        7,
    ],
)
def test_wrong_arrays_of_actions_are_named(actions: object) -> None:
    env = gz.BatchEnv("chess", 4)
    with pytest.raises(gz.ArgumentError, match=r"`actions`: found .* expected"):
        env.step(actions)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (-1, "game 2: found action -1, expected an index from 0 to 1879"),
        (1880, "game 2: found action 1880"),
        (2**40, "game 2: found action 1099511627776"),
        (5, "game 2: found action 5 (`a1g1`), which is not legal in `rnbq"),
    ],
)
def test_wrong_actions_are_named_and_change_nothing(action: int, message: str) -> None:
    env = gz.BatchEnv("chess", 4)
    actions = env.random_actions()
    before = env.observe().observations
    actions[2] = action
    with pytest.raises(gz.ActionError) as error:
        env.step(actions)
    assert message in str(error.value)
    assert (env.observe().observations == before).all()


def test_any_integers_will_do() -> None:
    for dtype in [np.int8, np.uint16, np.int32, np.uint64]:
        env = gz.BatchEnv("complicacious", 4)
        legal = np.flatnonzero(env.observe().mask[0])
        index = legal[legal < 128][0]
        env.step(np.full(8, index, dtype)[::2])
        gz.BatchEnv("complicacious", 4).step([int(index)] * 4)


def test_wrong_settings_are_named() -> None:
    for options, message in [
        ({"n_games": 0}, "`n_games`: found `0`, expected a whole number from 1 to 65536"),
        ({"n_games": 10**9}, "`n_games`: found `1000000000`"),
        ({"n_games": 2.5}, "`n_games`: found `2.5`"),
        ({"n_threads": 0}, "`n_threads`: found `0`"),
        ({"planes": "int8"}, "`planes`: found `'int8'`, expected `uint8`, `float32` or `bits`"),
        ({"max_plies": 0}, "`max_plies`: found `0`"),
        ({"seed": -1}, "`seed`: found `-1`"),
    ]:
        with pytest.raises(gz.ArgumentError) as error:
            gz.BatchEnv(**{"variant": "chess", "n_games": 2, **options})
        assert message in str(error.value)
    env = gz.BatchEnv("chess", 2)
    for positions, message in [
        ({2: gz.Position("chess")}, "found `2`, expected a whole number from 0 to 1"),
        ({0: "x"}, "`positions[0]`: found `'x'`, expected a Position"),
        ({0: gz.Position("toulousain")}, "`toulousain`"),
        ([3], "expected a dict"),
    ]:
        with pytest.raises(gz.GryphonError) as error:
            env.reset_games(positions)  # type: ignore[arg-type]
        assert message in str(error.value)
    with pytest.raises(gz.ArgumentError, match="`game`: found `2`"):
        env.position(2)
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(env)


def test_several_threads_may_use_one_environment() -> None:
    """The interpreter is free while games advance, and steps do not mix."""
    env = gz.BatchEnv("chess", 64, n_threads=2)
    failures: list[BaseException] = []

    def use() -> None:
        try:
            for _ in range(20):
                env.observe()
        except BaseException as failure:  # noqa: BLE001
            failures.append(failure)

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(20):
        env.step(env.random_actions())
    for thread in threads:
        thread.join()
    assert failures == []


def after_fork(env: gz.BatchEnv, answers: "multiprocessing.SimpleQueue[str]") -> None:
    try:
        env.observe()
        answers.put("no error")
    except gz.GryphonError as error:
        answers.put(str(error))


@pytest.mark.filterwarnings("ignore:This process")
def test_a_fork_is_refused_instead_of_hanging() -> None:
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    env = gz.BatchEnv("chess", 8, n_threads=2)
    child = context.Process(target=after_fork, args=(env, answers))
    child.start()
    child.join(60)
    assert "expected a process started with `spawn`" in answers.get()


def test_a_position_of_the_batch_can_be_searched(user_file: Path) -> None:
    env = gz.BatchEnv(user_file, 4)
    env.step(env.random_actions())
    positions = [env.position(game) for game in range(4)]
    n_actions = env.n_actions
    found = gz.search(
        positions, lambda planes: (np.zeros((len(planes), n_actions)), np.zeros(len(planes))), 8
    )
    env.step(found.actions)


def test_positions_of_games_are_those_of_walks() -> None:
    env = gz.BatchEnv("toulousain", 2)
    for position in list(walk("toulousain", 3, 40))[::10]:
        step = env.reset_games({0: position, 1: position})
        assert env.position(1) == position
        assert (step.mask[0].view(np.int8) == position.action_mask()).all()
