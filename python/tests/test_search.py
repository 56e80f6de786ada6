"""Search with an evaluator in Python."""

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest import walk

import gryphonzero as gz

Answer = tuple[Any, Any]


def uniform(variant: gz.Variant) -> Callable[[np.ndarray], Answer]:
    """Knows nothing."""

    def evaluate(planes: np.ndarray) -> Answer:
        n = len(planes)
        return np.zeros((n, variant.n_actions), np.float32), np.zeros(n, np.float32)

    return evaluate


def hashed(variant: gz.Variant) -> Callable[[np.ndarray], Answer]:
    """Senseless, sharp, and always the same."""
    rng = np.random.default_rng(3)
    to_values = rng.normal(size=int(np.prod(variant.observation_shape)))
    to_logits = rng.normal(size=(1, variant.n_actions))

    def evaluate(planes: np.ndarray) -> Answer:
        scores = planes.reshape(len(planes), -1) @ to_values
        return np.sin(scores)[:, None] * to_logits, np.tanh(scores / 10)

    return evaluate


def test_results_are_policies_over_legal_actions(variant: gz.Variant) -> None:
    positions = [it for it in list(walk(variant, 9, 100))[::12] if not it.is_over]
    found = gz.search(positions, hashed(variant), 24, noise=1.0, seed=5)
    shape = (len(positions), variant.n_actions)
    assert found.policies.shape == found.visits.shape == shape
    assert (found.actions.dtype, found.values.dtype) == (np.int64, np.float32)
    assert (found.policies.dtype, found.visits.dtype) == (np.float32, np.int32)
    assert np.abs(found.values).max() <= 1.0
    np.testing.assert_allclose(found.policies.sum(axis=1), 1.0, atol=1e-5)
    for row, position in enumerate(positions):
        legal = position.action_mask() == 1
        assert (found.policies[row][~legal] == 0).all() and (found.visits[row][~legal] == 0).all()
        position.play(found.actions[row])


def test_the_evaluator_sees_fresh_planes_of_the_position() -> None:
    chess = gz.Variant("chess")
    position = gz.Position(chess, actions=["e2e4", "c7c5"])
    batches: list[np.ndarray] = []

    def evaluate(planes: np.ndarray) -> Answer:
        batches.append(planes)
        return uniform(chess)(planes)

    gz.search([position, gz.Position(chess)], evaluate, 8)
    assert batches[0].dtype == np.float32
    assert (batches[0][0] == position.observation()).all()
    assert all(batch.shape[1:] == chess.observation_shape for batch in batches)
    assert all(1 <= len(batch) <= 2 for batch in batches)
    assert not any(np.shares_memory(batches[0], batch) for batch in batches[1:])


def test_mates_are_found_without_knowledge() -> None:
    chess = gz.Variant("chess")
    in_one = gz.Position(chess, "6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1")
    in_two = gz.Position(chess, "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1")
    for_black = gz.Position(chess, "3rk3/8/8/8/8/8/5PPP/6K1 b - - 0 1")
    found = gz.search([in_one, in_two, for_black], uniform(chess), 600)
    assert chess.action_text(found.actions[0], "white") == "d1d8"
    assert chess.action_text(found.actions[2], "black") == "d8d1"
    assert found.values[[0, 2]].tolist() == [1.0, 1.0]
    assert found.values[1] > 0.3


def test_values_are_those_of_the_side_to_move() -> None:
    chess = gz.Variant("chess")
    start = gz.Position(chess)

    def pessimist(planes: np.ndarray) -> Answer:
        return uniform(chess)(planes)[0], np.full(len(planes), -0.5)

    # White acts and hears that it loses; so does Black after any action.
    found = gz.search([start], pessimist, 1)
    assert -0.5 <= found.values[0] <= 0.5
    only = gz.Position(chess, "k7/8/1K6/8/8/8/8/1R6 b - - 0 1")
    assert len(only.legal_actions()) == 1
    assert gz.search([only], pessimist, 8).values[0] == pytest.approx(-0.5)


def test_the_same_arguments_give_the_same_result() -> None:
    toulousain = gz.Variant("toulousain")
    positions = list(walk(toulousain, 2, 20))[:6]
    run = lambda seed: gz.search(positions, hashed(toulousain), 40, noise=1.0, seed=seed)  # noqa: E731
    first, again, other = run(1), run(1), run(2)
    for name in ["actions", "values", "policies", "visits"]:
        assert (getattr(first, name) == getattr(again, name)).all()
    assert not (first.visits == other.visits).all()


def test_priors_steer_the_search() -> None:
    chess = gz.Variant("chess")
    start = gz.Position(chess)
    wanted = start.action_index("b1a3")

    def evaluate(planes: np.ndarray) -> Answer:
        logits = np.full((len(planes), chess.n_actions), -5.0)
        logits[:, wanted] = 5.0
        return logits, np.zeros(len(planes))

    found = gz.search([start], evaluate, 16)
    assert found.actions[0] == wanted and found.policies[0, wanted] > 0.9


def test_other_floats_and_subclasses_are_read() -> None:
    chess = gz.Variant("chess")
    reference = gz.search([gz.Position(chess)], hashed(chess), 12)

    def half(planes: np.ndarray) -> Answer:
        logits, values = hashed(chess)(planes)
        return np.asfortranarray(logits), values[::-1][::-1]

    found = gz.search([gz.Position(chess)], half, 12)
    assert (found.visits == reference.visits).all()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "gave `None`, expected a tuple of logits and values"),
        ((1, 2, 3), "expected a tuple of logits and values"),
        (
            (np.zeros((2, 1880)), np.zeros(1)),
            "logits of dtype float64 and shape [2, 1880], expected floats of shape [1, 1880]",
        ),
        ((np.zeros((1, 1880)), np.zeros((1, 1))), "values of dtype float64 and shape [1, 1]"),
        ((np.zeros((1, 1880), int), np.zeros(1)), "logits of dtype int64"),
        ((np.zeros((1, 1880), complex), np.zeros(1)), "logits of dtype complex128"),
        (("x", "y"), "logits of dtype <U1 and shape []"),
        ((np.full((1, 1880), np.nan), np.zeros(1)), "gave NaN as logits[0, "),
        ((np.zeros((1, 1880)), np.array([np.nan])), "gave NaN as values[0]"),
        (
            (np.zeros((1, 1880)), np.array([1.5])),
            "gave 1.5 as values[0], expected a number from -1",
        ),
    ],
)
def test_wrong_answers_are_explained(answer: object, message: str) -> None:
    with pytest.raises(gz.EvaluationError) as error:
        gz.search([gz.Position("chess")], lambda planes: answer, 4)  # type: ignore[arg-type, return-value]
    assert message in str(error.value)


def test_exceptions_of_the_evaluator_come_through() -> None:
    class Own(Exception):
        pass

    def evaluate(planes: np.ndarray) -> Answer:
        raise Own("mine")

    with pytest.raises(Own, match="mine"):
        gz.search([gz.Position("chess")], evaluate, 4)


def test_wrong_positions_are_named() -> None:
    chess = gz.Position("chess")
    for positions, message in [
        ([], "`positions`: found none, expected at least one Position"),
        (chess, "expected a sequence of Position objects"),
        ([chess, 3], "`positions[1]`: found `3`, expected a Position"),
        ([chess, gz.Position("toulousain")], "`positions[1]`: found a position of `toulousain`"),
    ]:
        with pytest.raises(gz.ArgumentError) as error:
            gz.search(positions, uniform(gz.Variant("chess")), 4)  # type: ignore[arg-type]
        assert message in str(error.value)
    for simulations in [0, -1, 10**9, 1.5, "x", None]:
        with pytest.raises(gz.ArgumentError, match="`simulations`: found"):
            gz.search([chess], uniform(gz.Variant("chess")), simulations)  # type: ignore[arg-type]


def test_other_threads_run_during_a_search() -> None:
    """The search computes without the interpreter's lock: a counter goes on meanwhile."""
    position = gz.Position(
        "chess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w AHah - 0 1"
    )
    opponent = gz.Opponent("chess", "alphabeta:nodes=300000")
    n_turns = 0
    is_searching = threading.Event()
    is_done = threading.Event()

    def think() -> None:
        is_searching.set()
        opponent.choose(position)
        is_done.set()

    thread = threading.Thread(target=think)
    thread.start()
    is_searching.wait()
    while not is_done.is_set():
        n_turns += 1
        time.sleep(0.001)
    thread.join()
    # With the lock held, the loop could not run before the search has ended.
    assert n_turns > 10
