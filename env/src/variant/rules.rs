//! Compiled rules: dense tables for one board width and number of kinds.

use super::spec::{EndingsSpec, Spec};
use super::tables::{KindMoves, Shape};
use super::zobrist::Keys;
use crate::bits::Bits;
use crate::{BoardSize, ByColor, Color, PieceKind, Square};

/// Which units can capture on one square: for every kind the squares they would come from.
#[derive(Clone, Debug)]
pub(crate) struct Incoming<const N: usize, const K: usize> {
    pub(crate) leaps: [Bits<N>; K],
    pub(crate) rays: [Bits<N>; K],
}

/// A king's leap on its first move.
#[derive(Clone, Debug)]
pub(crate) struct KingLeap {
    pub(crate) to: Square,
    /// Squares of which one must be safe to pass over.
    pub(crate) over: Vec<Square>,
}

/// One way of castling.
#[derive(Clone, Debug)]
pub(crate) struct Castling<const N: usize> {
    pub(crate) right: u8,
    pub(crate) king_from: Square,
    pub(crate) king_to: Square,
    pub(crate) partner_from: Square,
    pub(crate) partner_to: Square,
    /// Squares that must be empty.
    pub(crate) between: Bits<N>,
    /// Squares the king crosses, without its start and goal.
    pub(crate) over: Vec<Square>,
}

/// A right to a first move: of a king to leap, or to castle with one partner.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) struct Right {
    pub(crate) color: Color,
    /// Where the unit stands that holds the right: a castling partner, or the king that may leap.
    pub(crate) square: Square,
    pub(crate) kind: PieceKind,
    pub(crate) is_leap: bool,
}

/// How the generator treats units of a kind.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) enum Role {
    King,
    /// Becomes royal by moving.
    NewKing,
    Leaps,
    Slides,
    Steps,
    Disjoint,
    Mixed,
}

/// A key of the variant file that the tables cannot hold, and why.
pub(crate) type Misfit = (String, String);

/// What belongs to one side.
#[derive(Clone, Debug)]
pub(crate) struct SideRules<const N: usize, const K: usize> {
    pub(crate) moves: Vec<KindMoves<N>>,
    /// By target square: where this side's units capture from.
    pub(crate) incoming: Vec<Incoming<N, K>>,
    /// By a square of an enemy king: where this side's units of each kind could attack a square in
    /// the king's reach from.
    pub(crate) reaching_around: Vec<[Bits<N>; K]>,
    /// Squares on which each kind promotes.
    pub(crate) promotes: [Bits<N>; K],
    /// For kind and file: the choices, for kinds that promote.
    pub(crate) choices: Vec<Vec<Vec<PieceKind>>>,
    /// Squares within which moves of one turn may be combined.
    pub(crate) home: Bits<N>,
    pub(crate) leaps: Vec<KingLeap>,
    /// The right to leap, if the variant has leaps: bit and the king's square.
    pub(crate) leap_right: Option<(u8, Square)>,
    pub(crate) castlings: Vec<Castling<N>>,
    /// Where a restricted king may step from each square.
    pub(crate) king_forward: Vec<Bits<N>>,
    pub(crate) n_start_units: u32,
    /// Squares that pawns can pass over, to be captured there en passant.
    pub(crate) passed: Bits<N>,
    /// Home squares of exchangeable units and of those they change places with.
    pub(crate) exchange: (Bits<N>, Bits<N>),
}

/// A variant's rules as tables, for boards of up to `64 * N` squares and `K` kinds.
#[derive(Clone, Debug)]
pub(crate) struct Rules<const N: usize, const K: usize> {
    pub(crate) size: BoardSize,
    pub(crate) n_kinds: usize,
    pub(crate) letters: Vec<char>,
    pub(crate) becomes: [PieceKind; K],
    /// Greatest number of a kind that a side may reach by moving; 255 for no limit.
    pub(crate) limit: [u8; K],
    pub(crate) roles: [Role; K],
    /// Bit sets of kinds.
    pub(crate) royal: u32,
    /// Whether a side without royal units is refused: where some kind becomes royal by moving, a
    /// side may have none.
    pub(crate) needs_royal: bool,
    pub(crate) pawns: u32,
    pub(crate) promoting: u32,
    pub(crate) leapers: u32,
    pub(crate) riders: u32,
    pub(crate) has_en_passant: bool,
    pub(crate) has_hops: bool,
    pub(crate) king_restriction: bool,
    pub(crate) leap_captures: bool,
    /// Opening turns of several moves, and units moved in one; 0 if there are none.
    pub(crate) n_several_turns: u16,
    pub(crate) n_several_units: u32,
    pub(crate) has_exchange: bool,
    /// The kind that may be exchanged, and the kind it changes places with.
    pub(crate) exchange_kinds: [PieceKind; 2],
    /// The kind every face names; empty without dice.
    pub(crate) faces: Vec<PieceKind>,
    pub(crate) endings: EndingsSpec,
    /// Kinds of which one alone draws, and kinds that draw on squares of one shade.
    pub(crate) alone_draws: u32,
    pub(crate) one_shade_draws: u32,
    /// The units of the start position.
    pub(crate) start_units: Vec<(Square, PieceKind, Color)>,
    pub(crate) rights: Vec<Right>,
    /// Rights lost when a unit leaves or reaches a square.
    pub(crate) rights_lost: Vec<u8>,
    pub(crate) sides: ByColor<SideRules<N, K>>,
    pub(crate) keys: Keys,
    /// Squares of the shade of a1.
    pub(crate) dark: Bits<N>,
}

/// Kinds of a bit set, lowest first.
pub(crate) fn kinds_of(mut set: u32) -> impl Iterator<Item = PieceKind> {
    std::iter::from_fn(move || {
        let kind = (set != 0).then(|| PieceKind(set.trailing_zeros() as u8))?;
        set &= set - 1;
        Some(kind)
    })
}

impl<const N: usize, const K: usize> Rules<N, K> {
    /// Compiles `spec`. Rights wait for [`Rules::add_start`].
    pub(crate) fn new(spec: &Spec) -> Result<Self, Vec<Misfit>> {
        let size = spec.size;
        let set = |fits: &dyn Fn(usize) -> bool| {
            (0..spec.pieces.len()).filter(|&kind| fits(kind)).map(|kind| 1 << kind).sum::<u32>()
        };
        let mut becomes = [PieceKind(0); K];
        let mut limit = [u8::MAX; K];
        for (kind, piece) in spec.pieces.iter().enumerate() {
            becomes[kind] = piece.becomes;
            limit[kind] = piece.limit.unwrap_or(u8::MAX);
        }
        let sides = ByColor {
            white: SideRules::new(spec, Color::White)?,
            black: SideRules::new(spec, Color::Black)?,
        };
        let captures_by = |rays: bool| {
            set(&|kind| {
                Color::ALL.iter().any(|&color| {
                    sides[color].incoming.iter().any(|incoming: &Incoming<N, K>| {
                        if rays { incoming.rays[kind].any() } else { incoming.leaps[kind].any() }
                    })
                })
            })
        };
        let mut roles = [Role::Mixed; K];
        for (kind, piece) in spec.pieces.iter().enumerate() {
            roles[kind] = match sides.white.moves[kind].shape {
                _ if piece.royal => Role::King,
                _ if spec.piece(piece.becomes).royal => Role::NewKing,
                Shape::Steps => Role::Steps,
                // The quick ways know nothing of promotion and en passant.
                _ if sides.white.moves[kind].has_en_passant || spec.promotes(kind) => Role::Mixed,
                Shape::Leaps => Role::Leaps,
                Shape::Slides => Role::Slides,
                Shape::Disjoint => Role::Disjoint,
                Shape::Mixed => Role::Mixed,
            };
        }
        Ok(Self {
            size,
            roles,
            n_kinds: spec.pieces.len(),
            letters: spec.pieces.iter().map(|piece| piece.letter).collect(),
            becomes,
            limit,
            royal: set(&|kind| spec.pieces[kind].royal),
            needs_royal: spec.pieces.iter().any(|piece| piece.royal)
                && spec.pieces.iter().all(|piece| piece.royal || !spec.piece(piece.becomes).royal),
            pawns: set(&|kind| spec.pieces[kind].pawn),
            promoting: set(&|kind| spec.promotes(kind)),
            leapers: captures_by(false),
            riders: captures_by(true),
            has_en_passant: spec.has_en_passant(),
            has_hops: spec.has_hops(),
            king_restriction: spec.king_restriction,
            leap_captures: spec.leap.as_ref().is_some_and(|leap| leap.captures),
            n_several_turns: spec.turns.map_or(0, |turns| turns.turns),
            n_several_units: spec.turns.map_or(0, |turns| u32::from(turns.units)),
            has_exchange: spec.exchange.is_some(),
            exchange_kinds: spec
                .exchange
                .map_or([PieceKind(0); 2], |exchange| [exchange.first, exchange.second]),
            faces: spec.dice.clone().unwrap_or_default(),
            endings: spec.endings.clone(),
            alone_draws: set(&|kind| spec.endings.alone_draws.contains(&PieceKind(kind as u8))),
            one_shade_draws: set(&|kind| {
                spec.endings.one_shade_draws.contains(&PieceKind(kind as u8))
            }),
            start_units: Vec::new(),
            rights: Vec::new(),
            rights_lost: vec![0; size.n_squares()],
            sides,
            keys: Keys::new(size.n_squares()),
            dark: size
                .squares()
                .filter(|&square| {
                    (size.file_of(square).0 + size.rank_of(square).0).is_multiple_of(2)
                })
                .collect(),
        })
    }

    pub(crate) fn is_royal(&self, kind: PieceKind) -> bool {
        self.royal >> kind.0 & 1 != 0
    }

    pub(crate) fn is_pawn(&self, kind: PieceKind) -> bool {
        self.pawns >> kind.0 & 1 != 0
    }

    /// Whether `kind` promotes when it arrives on `to`.
    #[inline]
    pub(crate) fn promotes(&self, color: Color, kind: PieceKind, to: Square) -> bool {
        self.promoting >> kind.0 & 1 != 0 && self.sides[color].promotes[kind.index()].contains(to)
    }

    pub(crate) fn kind_of(&self, letter: char) -> Option<PieceKind> {
        let index = self.letters.iter().position(|&known| known == letter)?;
        Some(PieceKind(index as u8))
    }
}

impl<const N: usize, const K: usize> SideRules<N, K> {
    fn new(spec: &Spec, color: Color) -> Result<Self, Vec<Misfit>> {
        let size = spec.size;
        let (mut moves, mut misfits) = (Vec::new(), Vec::new());
        for piece in &spec.pieces {
            match KindMoves::<N>::new(piece, color, size) {
                Ok(kind) => moves.push(kind),
                Err(reason) => misfits.push((format!("piece.{}.moves", piece.letter), reason)),
            }
        }
        if !misfits.is_empty() {
            return Err(misfits);
        }
        let mut promotes = [Bits::EMPTY; K];
        let mut choices = vec![Vec::new(); spec.pieces.len()];
        for promotion in &spec.promotions {
            for kind in &promotion.pieces {
                promotes[kind.index()] = size
                    .squares()
                    .filter(|&square| own_rank(size, color, square) == promotion.rank)
                    .collect();
                choices[kind.index()].clone_from(&promotion.choices);
            }
        }
        let incoming = incoming(&moves, size);
        let enemy_kings: Vec<KindMoves<N>> = spec
            .pieces
            .iter()
            .filter(|piece| piece.royal)
            .filter_map(|piece| KindMoves::new(piece, color.opponent(), size).ok())
            .collect();
        let reaching_around = size
            .squares()
            .map(|from| {
                let reach =
                    enemy_kings.iter().fold(Bits::EMPTY, |all, king| all | king.reach(from));
                around(&incoming, reach)
            })
            .collect();
        let home_ranks = spec.turns.map_or(0, |turns| turns.home_ranks);
        Ok(Self {
            incoming,
            reaching_around,
            passed: passed(spec, &moves),
            moves,
            promotes,
            choices,
            home: size
                .squares()
                .filter(|&square| own_rank(size, color, square) < home_ranks)
                .collect(),
            leaps: Vec::new(),
            leap_right: None,
            castlings: Vec::new(),
            king_forward: size
                .squares()
                .map(|from| {
                    size.squares()
                        .filter(|&to| own_rank(size, color, to) > own_rank(size, color, from))
                        .collect()
                })
                .collect(),
            n_start_units: 0,
            exchange: (Bits::EMPTY, Bits::EMPTY),
        })
    }
}

/// The rank of `square` counted from `color`'s side, from 0.
pub(crate) const fn own_rank(size: BoardSize, color: Color, square: Square) -> u8 {
    match color {
        Color::White => size.rank_of(square).0,
        Color::Black => size.ranks() - 1 - size.rank_of(square).0,
    }
}

/// Squares strictly between start and goal of the pawns' long steps along a file.
fn passed<const N: usize>(spec: &Spec, moves: &[KindMoves<N>]) -> Bits<N> {
    let size = spec.size;
    let pawns = spec.pieces.iter().zip(moves).filter(|(piece, _)| piece.pawn);
    let mut res = Bits::EMPTY;
    for (_, table) in pawns {
        for from in size.squares() {
            let same_file = |to: &Square| size.file_of(*to) == size.file_of(from);
            for to in table.reach(from).into_iter().filter(same_file) {
                let (low, high) = (from.min(to), from.max(to));
                let files = usize::from(size.files());
                res |= (low.0..high.0).step_by(files).skip(1).map(Square).collect();
            }
        }
    }
    res
}

/// For every kind the squares from which it could attack one of `targets`.
fn around<const N: usize, const K: usize>(
    incoming: &[Incoming<N, K>],
    targets: Bits<N>,
) -> [Bits<N>; K] {
    let mut res = [Bits::EMPTY; K];
    for to in targets {
        let Incoming { leaps, rays } = &incoming[to.index()];
        for ((res, &leaps), &rays) in res.iter_mut().zip(leaps).zip(rays) {
            *res |= leaps | rays;
        }
    }
    res
}

fn incoming<const N: usize, const K: usize>(
    moves: &[KindMoves<N>],
    size: BoardSize,
) -> Vec<Incoming<N, K>> {
    let empty = Incoming { leaps: [Bits::EMPTY; K], rays: [Bits::EMPTY; K] };
    let mut res = vec![empty; size.n_squares()];
    for (kind, table) in moves.iter().enumerate() {
        for from in size.squares() {
            for to in table.leap_captures(from) {
                res[to.index()].leaps[kind].insert(from);
            }
            for to in table.ray_captures(from) {
                res[to.index()].rays[kind].insert(from);
            }
        }
    }
    res
}
