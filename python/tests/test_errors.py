"""Whatever is wrong is said, as an exception of the package; nothing panics."""

import inspect
import random
import string

import numpy as np
import pytest
from conftest import walk

import gryphonzero as gz

START = gz.Position("chess")


def test_every_exception_is_a_value_error() -> None:
    raised = [
        item
        for item in vars(gz).values()
        if inspect.isclass(item) and issubclass(item, BaseException)
    ]
    assert len(raised) == 7
    for exception in raised:
        assert issubclass(exception, gz.GryphonError) and issubclass(exception, ValueError)
        assert exception.__module__ == "gryphonzero" and exception.__doc__


@pytest.mark.parametrize(
    "action",
    [
        -1,
        1880,
        10**30,
        -(10**30),
        1.0,
        True,
        None,
        b"e2e4",
        [3],
        np.float32(1),
        np.zeros(2),
        object(),
    ],
)
def test_what_is_no_action_is_refused(action: object) -> None:
    with pytest.raises(gz.ActionError, match="index from 0 to 1879"):
        START.play(action)  # type: ignore[arg-type]


def test_illegal_actions_are_named_with_the_position() -> None:
    with pytest.raises(
        gz.ActionError, match=r"action 5 \(`a1g1`\) is not legal in `rnbq.* 20 legal"
    ):
        START.play(5)
    with pytest.raises(gz.ActionError, match=r"`e2e5` is not a legal action in .*; legal: a2a3"):
        START.play("e2e5")
    with pytest.raises(gz.ActionError, match="is not a legal action"):
        START.play("")


def test_nothing_can_be_done_after_the_end() -> None:
    over = gz.Position("chess", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")
    assert over.outcome == gz.Outcome("white", "checkmate")
    for do in [
        lambda: over.play("g8f8"),
        lambda: over.play(3),
        lambda: gz.Opponent("chess", "random").choose(over),
        lambda: gz.search([over], lambda planes: None, 4),  # type: ignore[arg-type, return-value]
    ]:
        with pytest.raises(
            gz.GameOverError, match=r"the game is over \(white:checkmate\) in `R5k1"
        ):
            do()
    assert over.roll(3) == over


def test_the_die_comes_first() -> None:
    start = gz.Position("grant-acedrex-dice")
    for do in [
        lambda: start.play(3),
        lambda: gz.Opponent("grant-acedrex-dice", "greedy").choose(start),
        lambda: gz.search([start], lambda planes: None, 4),  # type: ignore[arg-type, return-value]
    ]:
        with pytest.raises(gz.ActionError, match="the die is rolled next"):
            do()
    with pytest.raises(gz.ActionError, match="roll:9"):
        start.play("roll:9")


def test_wrong_arguments_are_named() -> None:
    for do, message in [
        (lambda: gz.Position("chess", 3), "`fen`: found `3`, expected a str"),
        (lambda: gz.Position("chess", actions="e2e4"), "`actions`: found `'e2e4'`"),
        (lambda: gz.Position("chess", actions=3), "`actions`: found `3`"),
        (lambda: START.svg("red"), "`view`: found `'red'`, expected `white` or `black`"),
        (lambda: START.observation(0), "`side`: found `0`, expected `white` or `black`"),
        (lambda: START.roll(-1), "`seed`: found `-1`, expected a whole number from 0"),
        (lambda: START.roll(2**64), "`seed`: found `18446744073709551616`"),
        (lambda: START.roll("x" * 1000), "`seed`: found `'xxxx"),
        (lambda: gz.Opponent("chess", "gredy"), "`name`: found `gredy`, expected `random`"),
        (lambda: gz.Opponent("chess", "alphabeta:depth=0"), "found option `depth=0`"),
        (lambda: gz.Opponent("chess", "random").choose(gz.Position("toulousain")), "`toulousain`"),
        (lambda: gz.Variant("chess").action_text(1880, "white"), "`index`: found `1880`"),
        (lambda: gz.raw_env(render_mode="rgb_array"), "`render_mode`: found `'rgb_array'`"),
        (lambda: gz.raw_env(max_plies=0), "`max_plies`: found `0`"),
        (lambda: gz.SingleAgentEnv(side="red"), "`side`: found `'red'`"),
        (lambda: gz.SingleAgentEnv(illegal="maybe"), "`illegal`: found `'maybe'`"),
        (lambda: gz.SingleAgentEnv(opponent="gredy"), "`name`: found `gredy`"),
    ]:
        with pytest.raises(gz.ArgumentError) as error:
            do()
        assert message in str(error.value) and len(str(error.value)) < 300


def test_garbage_fens_are_refused_or_give_a_sound_position(variant: gz.Variant) -> None:
    """Whatever a FEN says, its position can be asked everything."""
    rng = random.Random(1)
    seeds = [position.fen for position in walk(variant, 1, 120)]
    letters = "".join(letter for letter, _ in variant.kinds)
    alphabet = letters + letters.lower() + "0123456789/ -wb" + "abcdefgh" + "é\0~"
    n_read = 0
    for _ in range(400):
        fen = list(rng.choice(seeds))
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(fen))
            fen[at : at + rng.randint(0, 2)] = rng.choices(alphabet, k=rng.randint(0, 2))
        try:
            position = gz.Position(variant, "".join(fen))
        except gz.FenError as error:
            assert "expected" in str(error)
            continue
        n_read += 1
        position.svg(), position.observation("black"), str(position), position.is_check
        if not position.is_over:
            position = position.roll(1)
            position.play(position.legal_actions()[0])
    assert n_read > 5


def test_random_texts_are_refused() -> None:
    rng = random.Random(2)
    for _ in range(300):
        text = "".join(rng.choices(string.printable, k=rng.randint(0, 40)))
        with pytest.raises(gz.FenError):
            gz.Position("chess", text)
        with pytest.raises(gz.ActionError):
            START.play(text + "!")
        with pytest.raises(gz.GryphonError):
            gz.Variant.from_text(text + "\n[")
