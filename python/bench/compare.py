"""Steps a second of chess and other environments, on one core, side by side.

Run by `scripts/bench_env`, which also gives the path of the Rust benchmark:

    python compare.py RUST_BENCH [ROUNDS]

Every contender is a process of its own, bound to one core, that is warmed up and then counts steps
a second of its own processor time. A step is what a learner needs: a random legal action, the next
state, its observation, its mask of legal actions, its result, and the next game where one ended.
Contenders take turns, so that a machine that slows down slows all; figures are medians of the
rounds, with the least and the most behind them.
"""

import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

N_GAMES = 1024
# Processor seconds that a contender counts in a round.
SECONDS = 2.0

VARIANTS = ["chess", "grant-acedrex", "toulousain", "gryphon-aanca"]


def rate(advance: Callable[[], int], warm_up: int) -> float:
    """Steps a processor second; `advance` gives the number of steps it made."""
    for _ in range(warm_up):
        advance()
    n_steps, start = 0, time.process_time()
    while (spent := time.process_time() - start) < SECONDS:
        n_steps += advance()
    return n_steps / spent


def batch_env(variant: str, planes: str) -> float:
    import gryphonzero as gz

    env = gz.BatchEnv(variant, N_GAMES, planes=planes, seed=1)

    def advance() -> int:
        env.step(env.random_actions())
        return N_GAMES

    # Until the games have come to differ.
    return rate(advance, 250)


def aec(env: object) -> float:
    """Any PettingZoo environment."""
    env.reset(seed=1)
    for agent in env.agents:
        env.action_space(agent).seed(1)

    def advance() -> int:
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.reset()
            return 0
        mask = observation["action_mask"]
        env.step(env.action_space(env.agent_selection).sample(mask))
        return 1

    return rate(advance, 50)


def our_aec(variant: str) -> float:
    import gryphonzero as gz

    return aec(gz.env(variant))


def pettingzoo_chess() -> float:
    from pettingzoo.classic import chess_v6

    return aec(chess_v6.env())


def open_spiel_chess() -> float:
    import random

    import pyspiel

    game = pyspiel.load_game("chess")
    rng = random.Random(1)
    state = game.new_initial_state()

    def advance() -> int:
        nonlocal state
        if state.is_terminal():
            state.returns()
            state = game.new_initial_state()
        player = state.current_player()
        state.observation_tensor(player)
        state.legal_actions_mask(player)
        state.apply_action(rng.choice(state.legal_actions()))
        return 1

    return rate(advance, 500)


def pgx_chess() -> float:
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    n_games = 256
    env = pgx.make("chess")
    advance_one = auto_reset(env.step, env.init)

    @jax.jit
    def step(state: object, key: object) -> object:
        to_choose, to_step = jax.random.split(key)
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        actions = jax.random.categorical(to_choose, logits, axis=1)
        return jax.vmap(advance_one)(state, actions, jax.random.split(to_step, n_games))

    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, n_games))

    def advance() -> int:
        nonlocal state, key
        key, now = jax.random.split(key)
        state = step(state, now)
        state.observation.block_until_ready()
        return n_games

    return rate(advance, 2)


def contenders() -> dict[str, Callable[[], float]]:
    ours = {
        f"{variant}, Python BatchEnv, {planes}": lambda v=variant, p=planes: batch_env(v, p)
        for variant in VARIANTS
        for planes in ("uint8", "bits", "float32")
    }
    return ours | {
        "chess, Python, one game through PettingZoo": lambda: our_aec("chess"),
        "chess, PettingZoo": pettingzoo_chess,
        "chess, OpenSpiel": open_spiel_chess,
        "chess, Pgx": pgx_chess,
    }


def rust_rates(bench: str, variant: str) -> dict[str, float]:
    """What the Rust benchmark prints for `variant`, in steps a second."""
    command = ["taskset", "-c", "0", bench, variant, f"games={N_GAMES}"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    line = next(line for line in text.splitlines() if line.split()[:1] == [variant])
    medians = re.findall(r"(\d+) \(", line)
    names = [f"{variant}, Rust BatchEnv, {planes}" for planes in ("uint8", "bits", "float32")]
    return {name: 1e3 * float(median) for name, median in zip(names, medians)}


def python_rate(name: str) -> float:
    """The rate of one contender, in a process of its own on one core."""
    # Idle threads of libraries would count as processor time.
    threads = dict.fromkeys(["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"], "1")
    alone = threads | {"JAX_PLATFORMS": "cpu", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    command = ["taskset", "-c", "0", sys.executable, __file__, "--only", name]
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env=os.environ | alone
    )
    return float(done.stdout.split()[-1])


def shown(rates: list[float]) -> str:
    def short(number: float) -> str:
        return f"{number / 1e3:,.0f} k" if number >= 1e4 else f"{number / 1e3:,.1f} k"

    return f"{short(statistics.median(rates))} ({short(min(rates))}–{short(max(rates))})"


def print_tables(rates: dict[str, list[float]]) -> None:
    print(f"\n{N_GAMES} games, one core, steps a processor second: median (least–most)\n")
    print("| variant | planes | Rust | Python | Python / Rust |")
    print("|---|---|--:|--:|--:|")
    for variant in VARIANTS:
        for planes in ("uint8", "bits", "float32"):
            rust = rates[f"{variant}, Rust BatchEnv, {planes}"]
            python = rates[f"{variant}, Python BatchEnv, {planes}"]
            # The two run one after the other in each round: their ratio suffers less from noise.
            ratio = statistics.median(p / r for p, r in zip(python, rust))
            print(f"| `{variant}` | {planes} | {shown(rust)} | {shown(python)} | {ratio:.0%} |")
    print("\n| chess | steps/s | of BatchEnv from Python, uint8 |")
    print("|---|--:|--:|")
    best = statistics.median(rates["chess, Python BatchEnv, uint8"])
    for name in ["chess, Python BatchEnv, uint8", *list(contenders())[-4:]]:
        title = name.removeprefix("chess, ").replace("Python", "gryphonzero")
        times = best / statistics.median(rates[name])
        print(f"| {title} | {shown(rates[name])} | 1 / {times:,.0f} |")


def main(bench: str, n_rounds: int) -> None:
    rates: dict[str, list[float]] = {}
    for number in range(n_rounds):
        for variant in VARIANTS:
            for name, found in rust_rates(bench, variant).items():
                rates.setdefault(name, []).append(found)
            for name in (name for name in contenders() if name.startswith(f"{variant}, ")):
                rates.setdefault(name, []).append(python_rate(name))
        print(f"round {number + 1} of {n_rounds} done", file=sys.stderr, flush=True)
    print_tables(rates)


if __name__ == "__main__":
    if sys.argv[1] == "--only":
        print(contenders()[sys.argv[2]]())
    else:
        main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3)
