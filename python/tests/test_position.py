"""Positions: playing, text, pictures, past."""

import copy
import pickle
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from conftest import walk

import gryphonzero as gz


def test_games_survive_text_and_pickling(variant: gz.Variant) -> None:
    for position in list(walk(variant, 3))[::7]:
        assert gz.Position(variant, position.fen) == position
        replayed = gz.Position(variant, position.start_fen, position.actions)
        for again in [replayed, pickle.loads(pickle.dumps(position)), copy.deepcopy(position)]:
            assert again == position and hash(again) == hash(position)
            assert again.actions == position.actions
            assert again.outcome == position.outcome
            assert again.repetitions == position.repetitions


def test_both_forms_of_an_action_mean_the_same(variant: gz.Variant) -> None:
    for position in list(walk(variant, 4))[::9]:
        texts, indices = position.legal_actions(), position.legal_indices()
        assert len(texts) == len(indices) == position.action_mask().sum()
        assert set(np.flatnonzero(position.action_mask())) == set(indices)
        for text, index in zip(texts[:5], indices[:5]):
            assert position.action_index(text) == index
            assert position.action_text(index) == text
            assert position.play(text) == position.play(index)


def test_positions_never_change() -> None:
    start = gz.Position("chess")
    fen = start.fen
    start.play("e2e4")
    start.observation()[:] = 7
    start.action_mask()[:] = 7
    assert start.fen == fen and start.action_mask().sum() == 20
    assert not np.shares_memory(start.observation(), start.observation())
    with pytest.raises(AttributeError):
        start.fen = "x"  # type: ignore[misc]


def test_arrays_have_the_promised_types(variant: gz.Variant) -> None:
    position = gz.Position(variant).roll()
    assert position.observation().dtype == np.float32
    assert position.action_mask().dtype == np.int8
    assert position.legal_indices().dtype == np.int64
    for array in [position.observation(), position.action_mask()]:
        assert array.flags.c_contiguous and array.flags.writeable


def test_the_past_counts() -> None:
    shuffle = ["e1d1", "e8d8", "d1e1", "d8e8"]
    position = gz.Position("complicacious-simplified", actions=shuffle)
    assert position.repetitions == 1 and position.outcome is None
    position = gz.Position("complicacious-simplified", actions=shuffle * 2)
    assert position.outcome == gz.Outcome(None, "repetition")
    assert str(position.outcome) == "draw:repetition"
    # A FEN has no past.
    assert gz.Position("complicacious-simplified", position.fen).outcome is None


def test_mate_ends_the_game() -> None:
    moves = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"]
    position = gz.Position("chess", actions=moves)
    assert position.is_over and position.is_check
    assert position.outcome == gz.Outcome("white", "checkmate")
    assert position.legal_actions() == [] and position.action_mask().sum() == 0
    assert hash(position.outcome) == hash(gz.Outcome("white", "checkmate"))
    assert pickle.loads(pickle.dumps(position.outcome)) == position.outcome


def test_dice_are_rolled_from_the_seed() -> None:
    start = gz.Position("grant-acedrex-dice")
    assert start.actor == "chance" and start.side_to_move == "white"
    assert start.legal_actions() == []
    texts, probabilities = zip(*start.chance_outcomes())
    assert sum(probabilities) == pytest.approx(1.0)
    assert start.play(texts[0]).actor == "white"
    assert start.roll(7) == start.roll(7) == start.roll(7).roll(8)
    faces = {start.roll(seed).fen.split()[-1] for seed in range(100)}
    assert faces == {text.removeprefix("roll:") for text in texts}


def test_a_turn_may_be_several_actions() -> None:
    position = gz.Position("gryphon-aanca").play("end").play("end")
    after = position.play(position.legal_actions()[0])
    assert after.side_to_move == position.side_to_move
    assert "end" in after.legal_actions()


def test_both_sides_can_look(variant: gz.Variant) -> None:
    n_kinds = len(variant.kinds)
    for position in list(walk(variant, 5))[::11]:
        white, black = position.observation("white"), position.observation("black")
        assert (white[:n_kinds] == black[n_kinds : 2 * n_kinds, ::-1]).all()
        assert (black[:n_kinds] == white[n_kinds : 2 * n_kinds, ::-1]).all()
        own = white if position.side_to_move == "white" else black
        assert (own == position.observation()).all()
        assert own.min() >= 0.0 and own.max() <= 1.0


def test_boards_are_drawn(variant: gz.Variant) -> None:
    for position in list(walk(variant, 6, 40))[::13]:
        assert str(position).count("\n") == variant.ranks
        for picture in [position._repr_svg_(), position.svg("black")]:
            root = ET.fromstring(picture)
            space = "{http://www.w3.org/2000/svg}"
            units = root.findall(f"{space}g[@transform]")
            assert len(units) == sum(map(str.isalpha, position.fen.split()[0]))
            names = {unit.findtext(f"{space}title") for unit in units}
            assert names <= {
                f"{side} {name}" for side in ("white", "black") for _, name in variant.kinds
            }


def test_every_kind_looks_different(variant: gz.Variant) -> None:
    drawn: dict[str, str] = {}
    for position in walk(variant, 8, 60):
        root = ET.fromstring(position.svg())
        for unit in root.findall("{http://www.w3.org/2000/svg}g[@transform]"):
            name = unit[0].text or ""
            look = b"".join(ET.tostring(part) for part in unit[1:]).decode()
            drawn.setdefault(f"{name} {unit.get('fill')}", look)
    sides = [key.split()[0] for key in drawn]
    assert len({(side, look) for side, look in zip(sides, drawn.values())}) == len(drawn)
    assert len(drawn) >= len(
        {letter for letter in variant.start_fen.split()[0] if letter.isalpha()}
    )


def test_readme_lines() -> None:
    position = gz.Position("complicacious-simplified").play("e2e4")
    assert repr(position).startswith('Position("complicacious-simplified", "4k3/')
    assert position.ply == 1 and position.actor == "black"
