//! Variants as text for people: rules, start board, moves as small diagrams.

use std::fmt::Write as _;

use super::spec::{PieceSpec, Spec};
use super::{Variant, VariantError};
use crate::{Color, PieceKind, Square};

/// Diagrams beside one another.
const PER_ROW: usize = 4;

impl Variant {
    /// The rules for people: board and start, every piece with its moves as small diagrams from
    /// the middle of an empty board, and the switches that are on.
    #[must_use]
    pub fn rules_text(&'static self) -> String {
        let spec = &self.spec;
        let mut text = format!(
            "{} ({}), {}x{}\n",
            spec.title,
            spec.name,
            spec.size.files(),
            spec.size.ranks()
        );
        let start = self.start();
        let _ = write!(text, "\nStart: {}\n{}\nPieces\n", start.fen(), start.board_text());
        for piece in &spec.pieces {
            let _ = writeln!(text, "  {}", describe(spec, piece));
        }
        text.push_str(
            "\nMoves of White's pieces from the square o, on some board: x moves or captures, m moves only,\n\
             c captures only. Squares behind units may be out of reach.\n",
        );
        let kinds: Vec<PieceKind> = self.kinds().collect();
        for row in kinds.chunks(PER_ROW) {
            text.push('\n');
            text.push_str(&self.diagrams(row));
        }
        text.push_str("\nRules\n");
        for line in switches(spec) {
            let _ = writeln!(text, "  {line}");
        }
        text
    }

    fn diagrams(&self, kinds: &[PieceKind]) -> String {
        let blocks: Vec<Vec<String>> = kinds.iter().map(|&kind| self.diagram(kind)).collect();
        let n_lines = blocks.iter().map(Vec::len).max().unwrap_or(0);
        let width = blocks.iter().flatten().map(String::len).max().unwrap_or(0) + 3;
        let mut text = String::new();
        for line in 0..n_lines {
            let cells = blocks.iter().map(|block| block.get(line).map_or("", String::as_str));
            let joined: String = cells.map(|cell| format!("{cell:width$}")).collect();
            text.push_str(joined.trim_end());
            text.push('\n');
        }
        text
    }

    /// The name of a kind and its moves from about the middle of the board.
    fn diagram(&self, kind: PieceKind) -> Vec<String> {
        let size = self.spec.size;
        let middle = Square(((size.ranks() - 1) / 2) * size.files() + (size.files() - 1) / 2);
        let (moves, captures) = self.tables.moves_and_captures(kind, Color::White, middle);
        let mut lines = vec![format!("{} {}", self.letter(kind), self.kind_name(kind))];
        for rank in (0..size.ranks()).rev() {
            let cells = (0..size.files()).map(|file| {
                let square = Square(rank * size.files() + file);
                match (moves.contains(square), captures.contains(square)) {
                    _ if square == middle => 'o',
                    (true, true) => 'x',
                    (true, false) => 'm',
                    (false, true) => 'c',
                    (false, false) => '.',
                }
            });
            lines.push(cells.collect());
        }
        lines
    }
}

fn describe(spec: &Spec, piece: &PieceSpec) -> String {
    let mut text = format!("{} {:12} {}", piece.letter, piece.name, piece.betza);
    if piece.royal {
        text.push_str(", royal");
    }
    if piece.pawn {
        text.push_str(", resets the clock");
    }
    for (rank, &n) in (1..).zip(&piece.steps).filter(|(_, n)| **n > 0) {
        let _ = write!(text, ", up to {n} steps from its rank {rank}");
    }
    let becomes = spec.piece(piece.becomes);
    if becomes.letter != piece.letter {
        let _ = write!(text, ", becomes {} by moving", becomes.letter);
    }
    if let Some(limit) = piece.limit {
        let _ = write!(text, ", at most {limit} a side");
    }
    text
}

fn letters(spec: &Spec, kinds: &[PieceKind]) -> String {
    kinds.iter().map(|&kind| spec.piece(kind).letter).collect()
}

fn switches(spec: &Spec) -> Vec<String> {
    let mut lines = Vec::new();
    for promotion in &spec.promotions {
        let (pieces, rank) = (letters(spec, &promotion.pieces), promotion.rank + 1);
        let is_same = promotion.choices.iter().all(|choices| *choices == promotion.choices[0]);
        let by_file = || promotion.choices.iter().map(|choices| letters(spec, choices)).collect();
        let (to, where_from): (String, _) = if is_same {
            (letters(spec, &promotion.choices[0]), "to one of")
        } else {
            (by_file(), "by file to")
        };
        lines.push(format!("{pieces} must promote on its rank {rank} {where_from} {to}"));
    }
    if let Some(castling) = &spec.castling {
        let steps: Vec<String> = castling.steps.iter().map(ToString::to_string).collect();
        let partner = spec.piece(castling.partner).letter;
        lines
            .push(format!("castling with {partner}: the king goes {} squares", steps.join(" or ")));
    }
    if let Some(leap) = &spec.leap {
        let captures = if leap.captures { "may capture" } else { "without capture" };
        lines.push(format!("the king's first move may be a leap of two squares, {captures}"));
    }
    if spec.king_restriction {
        lines.push("kings only go forward until their side has captured".into());
    }
    if let Some(turns) = spec.turns {
        lines.push(format!(
            "in its first {} turns a side may move up to {} units within its own {} ranks",
            turns.turns, turns.units, turns.home_ranks
        ));
    }
    if let Some(exchange) = spec.exchange {
        let (first, second) =
            (spec.piece(exchange.first).letter, spec.piece(exchange.second).letter);
        lines.push(format!("before the game {first} and {second} may change places"));
    }
    if let Some(faces) = &spec.dice {
        lines.push(format!(
            "a die names the kind to move: faces 1 to {} are {}",
            faces.len(),
            letters(spec, faces)
        ));
    }
    lines.push(format!(
        "stalemate: {}",
        if spec.endings.stalemate_loses { "loses" } else { "draw" }
    ));
    if spec.endings.bare_king_loses {
        lines.push("a side with nothing but kings loses".into());
    }
    if let Some(clock) = spec.endings.clock {
        lines.push(format!("draw after {clock} plies without capture or pawn move"));
    }
    if !spec.endings.alone_draws.is_empty() || !spec.endings.one_shade_draws.is_empty() {
        let (alone, shade) = (&spec.endings.alone_draws, &spec.endings.one_shade_draws);
        lines.push(format!(
            "draw if nothing but kings and one of {} is left, or only {} on one shade",
            letters(spec, alone),
            letters(spec, shade)
        ));
    }
    lines.push(format!("training cuts games after {} plies", spec.max_plies));
    lines
}

/// What `gryphon variants check` prints about a file: every mistake, or that there is none.
#[must_use]
pub fn check_report(source: &str, mistakes: &[VariantError]) -> String {
    if mistakes.is_empty() {
        return format!("variant file `{source}` has no mistakes");
    }
    let lines: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
    lines.join("\n")
}
