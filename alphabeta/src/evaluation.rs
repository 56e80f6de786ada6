//! Static evaluation: material, squares, and driving a bare side to the edge.

use gryphon_env::{BoardSize, ByColor, Color, PieceKind, Position, Square, Variant};

use crate::PieceWorth;
use crate::score::Score;

/// Bonus of the side to move, in hundredths of a pawn.
const TEMPO: i32 = 10;
/// Bonus of a promoting unit one step from the far side.
const ADVANCE: i32 = 90;
/// Penalty of a royal unit in the center while the enemy has all its pieces.
const EXPOSED_ROYAL: i32 = 50;
/// Bonus of a royal unit in the center when the enemy has none left.
const ACTIVE_ROYAL: i32 = 30;
/// Bonus for each step that a bare enemy king stands away from the center.
const DRIVEN: i32 = 25;

/// Evaluates positions of one variant by fixed tables.
#[derive(Clone, Debug)]
pub struct Evaluation {
    worth: PieceWorth,
    kinds: Vec<PieceKind>,
    n_squares: usize,
    squares: Vec<Square>,
    /// Worth of a kind on a square, White's view, `[kind, square]`; 0 for royal kinds.
    placed: Vec<i32>,
    /// Closeness to the center of a square, 0 at the corners to 100.
    centrality: Vec<i32>,
    /// Material of one side at the start, royal units excluded.
    full_material: i32,
    size: BoardSize,
    changes_on_moving: bool,
}

/// Material of both sides, royal units excluded.
type Material = ByColor<i32>;

impl Evaluation {
    /// The evaluation of `variant`, worth measured anew (some milliseconds).
    #[must_use]
    pub fn new(variant: &'static Variant) -> Self {
        let worth = PieceWorth::measure(variant);
        let size = variant.size();
        let squares: Vec<Square> = size.squares().collect();
        let centrality: Vec<i32> = squares.iter().map(|&square| centrality(size, square)).collect();
        let kinds: Vec<PieceKind> = variant.kinds().collect();
        let placed = kinds
            .iter()
            .flat_map(|&kind| squares.iter().map(move |&square| (kind, square)))
            .map(|(kind, square)| placed(&worth, size, kind, square))
            .collect();
        let changes_on_moving = kinds.iter().any(|&kind| variant.changes_to(kind) != kind);
        let mut evaluation = Self {
            worth,
            kinds,
            n_squares: squares.len(),
            squares,
            placed,
            centrality,
            full_material: 1,
            size,
            changes_on_moving,
        };
        let start = evaluation.material(&variant.start());
        evaluation.full_material = start.white.max(start.black).max(1);
        evaluation
    }

    /// What units are worth.
    #[must_use]
    pub const fn worth(&self) -> &PieceWorth {
        &self.worth
    }

    /// The evaluation of `position`, seen by the side whose turn it is.
    #[must_use]
    pub fn score(&self, position: &Position) -> Score {
        let material = self.material(position);
        let mut white = 0;
        for &square in &self.squares {
            let Some(piece) = position.piece_at(square) else { continue };
            let sign = sign(piece.color);
            if self.worth.is_royal(piece.kind) {
                let enemy = material[piece.color.opponent()];
                white += sign * (self.worth.of(piece.kind) + self.royal_placed(square, enemy));
            } else {
                let seen = match piece.color {
                    Color::White => square,
                    Color::Black => self.size.flip_rank(square),
                };
                white += sign * self.placed[piece.kind.index() * self.n_squares + seen.index()];
            }
        }
        white += self.drive(position, material);
        let mover = position.side_to_move();
        Score::centipawns(sign(mover) * white + TEMPO)
    }

    /// Whether a null move is a fair lower bound: moving must not harm by itself, and the side to
    /// move must have more than kings and promoting units.
    pub(crate) fn allows_null_move(&self, position: &Position) -> bool {
        let mover = position.side_to_move();
        !self.changes_on_moving
            && self.kinds.iter().any(|&kind| {
                !self.worth.is_royal(kind)
                    && !self.worth.promotes(kind)
                    && position.count(mover, kind) > 0
            })
    }

    /// Whether both sides together have at most `most` units that are not royal.
    pub(crate) fn has_few_fighters(&self, position: &Position, most: u32) -> bool {
        let mut n_fighters = 0;
        for &kind in self.kinds.iter().filter(|&&kind| !self.worth.is_royal(kind)) {
            n_fighters += position.count(Color::White, kind) + position.count(Color::Black, kind);
            if n_fighters > most {
                return false;
            }
        }
        true
    }

    fn material(&self, position: &Position) -> Material {
        let mut material = Material::default();
        for color in Color::ALL {
            for &kind in &self.kinds {
                if !self.worth.is_royal(kind) {
                    material[color] += position.count(color, kind) as i32 * self.worth.of(kind);
                }
            }
        }
        material
    }

    /// From hiding at the edge to the center, as the enemy's material goes.
    fn royal_placed(&self, square: Square, enemy_material: i32) -> i32 {
        let enemy = enemy_material.min(self.full_material);
        let gone = self.full_material - enemy;
        let weight = (ACTIVE_ROYAL * gone - EXPOSED_ROYAL * enemy) / self.full_material;
        weight * self.centrality[square.index()] / 100
    }

    /// For a side with material against a lone king: that king at the edge, one's own near it.
    fn drive(&self, position: &Position, material: Material) -> i32 {
        let stronger = match (material.white, material.black) {
            (1.., 0) => Color::White,
            (0, 1..) => Color::Black,
            _ => return 0,
        };
        let royals = |color: Color| {
            self.squares.iter().copied().filter(move |&square| {
                let is_royal = |kind| self.worth.is_royal(kind);
                position.piece_at(square).is_some_and(|it| it.color == color && is_royal(it.kind))
            })
        };
        let mut weaker = royals(stronger.opponent());
        let (Some(driven), None) = (weaker.next(), weaker.next()) else { return 0 };
        let to_edge = DRIVEN * (100 - self.centrality[driven.index()]) / 10;
        let reach = i32::from(self.size.files().max(self.size.ranks()));
        let distances = royals(stronger).map(|own| distance(self.size, own, driven));
        let near = distances.min().map_or(0, |nearest| DRIVEN * (reach - nearest) / 4);
        sign(stronger) * (to_edge + near)
    }
}

const fn sign(color: Color) -> i32 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

/// Steps of a king between two squares.
fn distance(size: BoardSize, a: Square, b: Square) -> i32 {
    let files = size.file_of(a).0.abs_diff(size.file_of(b).0);
    let ranks = size.rank_of(a).0.abs_diff(size.rank_of(b).0);
    i32::from(files.max(ranks))
}

fn centrality(size: BoardSize, square: Square) -> i32 {
    let closeness = |index: u8, count: u8| {
        let (index, last) = (i32::from(index), i32::from(count) - 1);
        let steps_to_edge = index.min(last - index);
        100 * steps_to_edge / (last / 2).max(1)
    };
    let files = closeness(size.file_of(square).0, size.files());
    let ranks = closeness(size.rank_of(square).0, size.ranks());
    (files + ranks) / 2
}

/// Worth of a White unit that stands on `square`; royal units are placed elsewhere.
fn placed(worth: &PieceWorth, size: BoardSize, kind: PieceKind, square: Square) -> i32 {
    if worth.is_royal(kind) {
        return 0;
    }
    let central = centrality(size, square);
    if worth.promotes(kind) {
        let rank = i32::from(size.rank_of(square).0);
        let last = i32::from(size.ranks()) - 1;
        return worth.of(kind) + ADVANCE * rank * rank / (last * last).max(1) + central / 10;
    }
    let weight = (3.0 * worth.mobility(kind)).min(25.0) as i32;
    worth.of(kind) + weight * central / 100
}
