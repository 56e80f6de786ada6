"""Orthodox chess against python-chess, over random games."""

import random

import chess

import gryphonzero as gz

N_POSITIONS = 20_000

# Where random games from the start hardly ever get to.
STARTS = [
    chess.STARTING_FEN,
    chess.STARTING_FEN,
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/3bk3/8/8/3BK3/8/2n5 w - - 60 90",
    "4k3/8/8/8/8/8/8/QR2K3 w - - 0 1",
]


def theirs(board: chess.Board, is_legal_move: bool) -> str | None:
    """The outcome by the rules that hold here: draws need no claim."""
    if not is_legal_move:
        if board.is_check():
            return "black:checkmate" if board.turn == chess.WHITE else "white:checkmate"
        return "draw:stalemate"
    if len(board.piece_map()) == 2:
        return "draw:only kings"
    if board.halfmove_clock >= 100:
        return "draw:clock"
    if board.is_insufficient_material():
        return "draw:insufficient material"
    return "draw:repetition" if board.is_repetition(3) else None


def test_legal_moves_check_and_outcome() -> None:
    rng = random.Random(1)
    n_seen, game = 0, 0
    outcomes: set[str] = set()
    while n_seen < N_POSITIONS:
        start = STARTS[game % len(STARTS)]
        game += 1
        board, position = chess.Board(start), gz.Position("chess", start)
        while True:
            n_seen += 1
            moves = {move.uci() for move in board.legal_moves}
            outcome = str(position.outcome) if position.outcome else None
            assert outcome == theirs(board, bool(moves)), board.fen()
            assert position.is_check == board.is_check(), board.fen()
            if outcome is not None:
                outcomes.add(outcome)
                break
            assert set(position.legal_actions()) == moves, board.fen()
            move = rng.choice(sorted(moves))
            board.push_uci(move)
            position = position.play(move)
    assert outcomes == {
        "white:checkmate",
        "black:checkmate",
        "draw:stalemate",
        "draw:only kings",
        "draw:clock",
        "draw:insufficient material",
        "draw:repetition",
    }
