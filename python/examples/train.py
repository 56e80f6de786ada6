"""Trains a small PyTorch network on `complicacious-simplified` by self-play, in a few minutes.

    pip install torch
    python train.py [--minutes 5] [--variant NAME] [--out FILE]

The loop is AlphaZero's: search every position with the network, play what the search found, learn
the search's policy and the game's result. Rules and tree come from gryphonzero, everything else is
below. The network is then measured against opponents that never change.
"""

import argparse
import random
import time
from collections import deque

import numpy as np
import torch
from torch import nn
from torch.nn import functional

import gryphonzero as gz

GAMES = 64  # that are played at the same time
SIMULATIONS = 16  # of each search
MAX_PLIES = 120  # longer games count as drawn
BATCH = 256
WINDOW = 40_000  # samples that are remembered
STEPS = 1  # of learning for each ply of all games: every sample is seen four times
OPPONENTS = ["random", "greedy", "alphabeta:nodes=100"]


class Network(nn.Module):
    """Planes [M, C, H, W] to logits [M, A] and values [M] in [-1, 1]."""

    def __init__(self, variant: gz.Variant, width: int = 32, blocks: int = 2) -> None:
        super().__init__()
        planes, ranks, files = variant.observation_shape
        self.stem = nn.Conv2d(planes, width, 3, padding=1)
        self.blocks = nn.ModuleList(
            nn.Sequential(
                nn.Conv2d(width, width, 3, padding=1),
                nn.ReLU(),
                nn.Conv2d(width, width, 3, padding=1),
            )
            for _ in range(blocks)
        )
        self.heads = nn.Conv2d(width, 8, 1)
        features = 8 * ranks * files
        self.policy = nn.Linear(features, variant.n_actions)
        self.value = nn.Sequential(nn.Linear(features, 64), nn.ReLU(), nn.Linear(64, 1), nn.Tanh())
        # First guesses must be about equal, or the first searches look at a few actions only.
        nn.init.normal_(self.policy.weight, std=1e-3)

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        x = functional.relu(self.stem(planes))
        for block in self.blocks:
            x = functional.relu(x + block(x))
        x = functional.relu(self.heads(x)).flatten(1)
        return self.policy(x), self.value(x).squeeze(1)


class Evaluator:
    """The network as `gz.search` wants it."""

    def __init__(self, network: Network) -> None:
        self.network = network

    @torch.inference_mode()
    def __call__(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        self.network.eval()
        logits, values = self.network(torch.from_numpy(planes))
        return logits.numpy(), values.numpy()


class SelfPlay:
    """Games that go on, and the samples of those that have ended."""

    def __init__(self, variant: gz.Variant, evaluate: Evaluator) -> None:
        self.variant, self.evaluate = variant, evaluate
        self.n_ended = 0
        self.samples: deque[tuple[np.ndarray, np.ndarray, float]] = deque(maxlen=WINDOW)
        self.positions = [self.opening() for _ in range(GAMES)]
        self.records: list[list[tuple[np.ndarray, np.ndarray, str]]] = [[] for _ in range(GAMES)]

    def opening(self) -> gz.Position:
        """A few random actions, so that games differ."""
        position = gz.Position(self.variant).roll(self.n_ended)
        for _ in range(random.randrange(6)):
            position = position.play(random.choice(position.legal_actions())).roll(self.n_ended)
        return position

    def advance(self, seed: int) -> None:
        """One ply in every game."""
        found = gz.search(self.positions, self.evaluate, SIMULATIONS, noise=1.0, seed=seed)
        for game, position in enumerate(self.positions):
            sample = (position.observation(), found.policies[game], position.side_to_move)
            self.records[game].append(sample)
            position = position.play(found.actions[game]).roll(seed + game)
            if position.is_over or position.ply >= MAX_PLIES:
                self.end(game, position.outcome)
                position = self.opening()
            self.positions[game] = position

    def end(self, game: int, outcome: gz.Outcome | None) -> None:
        """Turns a game into samples: its result, seen by whoever was to move."""
        winner = outcome.winner if outcome else None
        for planes, policy, side in self.records[game]:
            value = 0.0 if winner is None else 1.0 if winner == side else -1.0
            self.samples.append((planes, policy, value))
        self.records[game] = []
        self.n_ended += 1


def learn(
    network: Network,
    optimizer: torch.optim.Optimizer,
    samples: deque[tuple[np.ndarray, np.ndarray, float]],
) -> tuple[float, float]:
    """One step on a random batch; the losses of policy and value."""
    planes, policies, values = zip(*random.sample(samples, BATCH))
    network.train()
    logits, guesses = network(torch.from_numpy(np.stack(planes)))
    policy_loss = functional.cross_entropy(logits, torch.from_numpy(np.stack(policies)))
    value_loss = functional.mse_loss(guesses, torch.tensor(values))
    optimizer.zero_grad()
    (policy_loss + value_loss).backward()
    optimizer.step()
    return policy_loss.item(), value_loss.item()


def score(variant: gz.Variant, evaluate: Evaluator, name: str, n_games: int = 50) -> float:
    """Points of `evaluate` in games against a fixed opponent, half with either side."""
    opponent = gz.Opponent(variant, name)
    points = 0.0
    positions = {game: gz.Position(variant).roll(game) for game in range(n_games)}
    while positions:
        ours = [
            game
            for game, position in positions.items()
            if position.side_to_move == ("white" if game % 2 == 0 else "black")
        ]
        actions: dict[int, str | int] = {
            game: opponent.choose(positions[game], game) for game in positions if game not in ours
        }
        if ours:
            boards = [positions[game] for game in ours]
            found = gz.search(boards, evaluate, SIMULATIONS, c_scale=1.0)
            actions.update(zip(ours, found.actions.tolist()))
        for game, action in actions.items():
            position = positions[game] = positions[game].play(action).roll(game)
            if position.is_over or position.ply >= MAX_PLIES:
                winner = position.outcome.winner if position.outcome else None
                side = "white" if game % 2 == 0 else "black"
                points += 0.5 if winner is None else float(winner == side)
                del positions[game]
    return points / n_games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--variant", default="complicacious-simplified", help="name or file")
    parser.add_argument("--minutes", type=float, default=5.0, help="of self-play and learning")
    parser.add_argument("--out", default=None, help="where the weights go")
    arguments = parser.parse_args()

    random.seed(1)
    torch.manual_seed(1)
    torch.set_num_threads(1)  # a network this small gains nothing by more
    variant = gz.Variant(arguments.variant)
    network = Network(variant)
    evaluate = Evaluator(network)
    optimizer = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=1e-4)
    play = SelfPlay(variant, evaluate)
    # Search alone beats random play, so only the others tell what was learnt.
    for name in OPPONENTS:
        print(f"before: {score(variant, evaluate, name):.0%} against {name}", flush=True)

    start = shown = time.monotonic()
    ply, losses = 0, (float("nan"), float("nan"))
    while time.monotonic() < start + 60 * arguments.minutes:
        play.advance(seed=ply * GAMES)
        ply += 1
        if len(play.samples) >= 4 * BATCH:
            for _ in range(STEPS):
                losses = learn(network, optimizer, play.samples)
        if time.monotonic() > shown + 30:
            shown = time.monotonic()
            print(
                f"{shown - start:4.0f} s: {play.n_ended} games, {ply * GAMES} positions, "
                f"policy loss {losses[0]:.2f}, value loss {losses[1]:.2f}",
                flush=True,
            )
    for name in OPPONENTS:
        print(f"after: {score(variant, evaluate, name):.0%} against {name}", flush=True)
    if arguments.out:
        torch.save(network.state_dict(), arguments.out)


if __name__ == "__main__":
    main()
