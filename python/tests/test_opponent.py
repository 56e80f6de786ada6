"""Fixed opponents."""

import pickle

import pytest
from conftest import walk

import gryphonzero as gz


@pytest.mark.parametrize("name", ["random", "greedy", "alphabeta:nodes=50", "alphabeta:depth=1"])
def test_opponents_choose_legal_actions(variant: gz.Variant, name: str) -> None:
    opponent = gz.Opponent(variant, name)
    assert opponent.name == name and opponent.variant == variant
    again = pickle.loads(pickle.dumps(opponent))
    for position in list(walk(variant, 7, 60))[::15]:
        if position.is_over:
            continue
        chosen = opponent.choose(position, 3)
        assert chosen in position.legal_actions()
        assert chosen == again.choose(position, 3)


def test_random_choices_depend_on_the_seed() -> None:
    opponent = gz.Opponent("chess", "random")
    chosen = {opponent.choose(gz.Position("chess"), seed) for seed in range(60)}
    assert len(chosen) > 12


def test_the_baseline_sees_a_mate() -> None:
    position = gz.Position("chess", "6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1")
    assert gz.Opponent("chess", "alphabeta:depth=2").choose(position) == "d1d8"
