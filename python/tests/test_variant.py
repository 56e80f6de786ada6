"""Variants: names, files, shapes."""

import pickle
from pathlib import Path

import numpy as np
import pytest

import gryphonzero as gz


def test_shapes_agree_with_arrays(variant: gz.Variant) -> None:
    position = gz.Position(variant).roll()
    planes, files, ranks = variant.planes, variant.files, variant.ranks
    assert variant.observation_shape == (len(planes), ranks, files)
    assert position.observation().shape == variant.observation_shape
    assert position.action_mask().shape == (variant.n_actions,)
    assert len({letter for letter, _ in variant.kinds}) == len(variant.kinds)


def test_indices_and_texts_are_inverse(variant: gz.Variant) -> None:
    for side in ["white", "black"]:
        for index in np.linspace(0, variant.n_actions - 1, 20, dtype=np.int64):
            text = variant.action_text(index, side)
            assert variant.action_index(text, side) == index


def test_indices_are_seen_by_the_side_that_acts() -> None:
    chess = gz.Variant("chess")
    assert chess.action_index("e2e4", "white") == chess.action_index("e7e5", "black")


def test_mirrored_actions_are_an_involution() -> None:
    mirrored = gz.Variant("complicacious").mirrored_actions
    assert mirrored is not None and mirrored.dtype == np.int64
    assert (mirrored[mirrored] == np.arange(len(mirrored))).all()
    assert gz.Variant("chess").mirrored_actions is None


def test_a_file_is_accepted_wherever_a_name_is(user_file: Path) -> None:
    for name in [user_file, str(user_file), gz.Variant(user_file)]:
        assert gz.Variant(name).name == "gardner"
        assert gz.Position(name).variant == gz.Variant(user_file)
        assert gz.Opponent(name, "random").variant.name == "gardner"
        assert gz.env(name).metadata["name"] == "gryphonzero_gardner_v0"
        assert gz.SingleAgentEnv(name).variant.name == "gardner"
        assert gz.BatchEnv(name, 2).variant.name == "gardner"


def test_texts_compile_to_the_same_variant(variant: gz.Variant) -> None:
    assert gz.Variant.from_text(variant.text) == variant
    assert hash(gz.Variant(variant.name)) == hash(variant)
    assert "Pieces" in variant.rules_text()


def test_pickling_keeps_a_variant_of_a_file(user_file: Path) -> None:
    for made in [gz.Variant("toulousain"), gz.Variant(user_file)]:
        again = pickle.loads(pickle.dumps(made))
        assert again == made and again.hash == made.hash


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ches", "unknown variant `ches`, expected one of: chess, complicacious"),
        ("no-such-file.toml", "cannot read variant file `no-such-file.toml`"),
        ("\0.toml", "cannot read variant file"),
        (3, "`variant`: found `3`, expected a name, a path or a Variant"),
        (None, "`variant`: found `None`"),
    ],
)
def test_unknown_variants_are_named(name: object, message: str) -> None:
    for make in [gz.Variant, gz.Position, gz.raw_env, gz.SingleAgentEnv]:
        with pytest.raises(gz.GryphonError) as error:
            make(name)
        assert message in str(error.value)


def test_mistakes_of_a_file_are_named() -> None:
    with pytest.raises(
        gz.VariantError, match=r"file `mine.toml`, line 2, key `piecs`: unknown key"
    ):
        gz.Variant.from_text('name = "mine"\npiecs = 3\n', "mine.toml")
