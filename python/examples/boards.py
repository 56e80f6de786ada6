"""Draws every variant: on the terminal, and as pictures if a folder is given.

    python boards.py [FOLDER]

In a notebook the last line of a cell is enough: ``gz.Position("toulousain")``.
"""

import sys
from pathlib import Path

import gryphonzero as gz

# %% Every variant at its start, after a few actions of a random game.
for name in gz.variants():
    position = gz.Position(name).roll(seed=1)
    opponent = gz.Opponent(name, "greedy")
    while position.ply < 12 and not position.is_over:
        position = position.play(opponent.choose(position, seed=1)).roll(seed=1)
    print(f"\n{position.variant.title}: {' '.join(position.actions)}\n{position}\n{position.fen}")
    if len(sys.argv) > 1:
        folder = Path(sys.argv[1])
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.svg").write_text(position.svg())

# %% What a network sees: planes from the side of whoever acts, and the legal actions.
position = gz.Position("complicacious-simplified").play("e2e4")
for number, (plane, name) in enumerate(zip(position.observation(), position.variant.planes)):
    if plane.any():
        print(f"\nplane {number}: {name}")
        print("\n".join("".join("#" if square else "." for square in row) for row in plane[::-1]))
print(f"\n{position.action_mask().sum()} of {position.variant.n_actions} actions are legal")
