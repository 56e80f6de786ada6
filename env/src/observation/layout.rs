//! Which planes a variant has, in which order.

use crate::variant::Spec;
use crate::{BoardSize, ByColor, Color, PieceKind};

/// Hash of plane order and meaning; equal hashes mean interchangeable observations.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub struct LayoutHash(pub [u8; 32]);

/// What the numbers of a plane are.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub enum PlaneContent {
    /// 1 on some squares, 0 on the others.
    Squares,
    /// The same number on every square: a count, at most `whole`, divided by `whole`.
    Constant {
        /// The count that is shown as 1; at least 1.
        whole: u16,
    },
}

/// One plane.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PlaneSpec {
    /// What it shows, in words.
    pub name: String,
    /// What its numbers are.
    pub content: PlaneContent,
}

impl PlaneSpec {
    /// The number that stands for 1.0 in planes of bytes, so that a byte divided by it is the plane's
    /// number: 1 for squares, else what counts are divided by. That is exact up to 255; planes of
    /// greater counts are rounded to a 255th.
    #[must_use]
    pub fn full_scale(&self) -> u8 {
        match self.content {
            PlaneContent::Squares => 1,
            PlaneContent::Constant { whole } => whole.min(u16::from(u8::MAX)) as u8,
        }
    }
}

/// Planes `[C, H, W]` from the side to move's point of view: its own first rank is row 0 and its own
/// units come first.
///
/// A plane exists only if the variant's rules give it something to show.
#[derive(Debug)]
pub struct ObservationLayout {
    pub(super) size: BoardSize,
    planes: Vec<PlaneSpec>,
    /// For every plane its number among the planes with its kind of content.
    pub(super) numbered: Vec<u16>,
    pub(super) n_of_squares: usize,
    /// For every constant plane what its counts are divided by.
    pub(super) wholes: Vec<u16>,
    hash: LayoutHash,
    /// For every square its index on the mover's board.
    pub(super) seen_by: ByColor<Vec<u8>>,
    pub(super) n_kinds: usize,
    /// The limited kinds and the plane of the mover's count.
    pub(super) limits: Vec<(PieceKind, usize)>,
    /// Plane of the mover's first-move rights.
    pub(super) rights: Option<usize>,
    pub(super) en_passant: Option<usize>,
    pub(super) moved: Option<usize>,
    pub(super) turns: Option<TurnPlanes>,
    pub(super) set_up: Option<usize>,
    /// Plane of the first face.
    pub(super) die: Option<usize>,
    /// Plane of the first repetition.
    pub(super) repeated: usize,
    pub(super) clock: Option<usize>,
    /// Plane of the square the last action came from.
    pub(super) last_action: usize,
}

/// Counters of opening turns of several moves.
#[derive(Copy, Clone, Debug)]
pub(super) struct TurnPlanes {
    /// Plane of the turns left; the next shows the units moved in this one.
    pub(super) first: usize,
    pub(super) n_turns: u16,
}

/// Raised when planes change their meaning but not their names.
const VERSION: u32 = 1;

impl ObservationLayout {
    /// The planes of a variant.
    pub(crate) fn new(spec: &Spec) -> Self {
        let mut planes = Planes::default();
        for side in ["own", "enemy"] {
            for piece in &spec.pieces {
                planes.squares(format!("{side} {}", piece.name));
            }
        }
        let mut limits = Vec::new();
        for (index, piece) in spec.pieces.iter().enumerate() {
            if let Some(limit) = piece.limit {
                let shares = |side: &str| format!("{side} {} count / {limit}", piece.name);
                let own = planes.constant(shares("own"), u16::from(limit));
                planes.constant(shares("enemy"), u16::from(limit));
                limits.push((PieceKind(index as u8), own));
            }
        }
        let rights = (spec.castling.is_some() || spec.leap.is_some()).then(|| {
            let own = planes.squares("own units with a first-move right");
            planes.squares("enemy units with a first-move right");
            own
        });
        let en_passant =
            spec.has_en_passant().then(|| planes.squares("squares passed over by pawns"));
        let moved = (spec.turns.is_some() || spec.exchange.is_some())
            .then(|| planes.squares("own units moved in this turn or exchanged in this set-up"));
        let turns = spec.turns.map(|turns| {
            let left = format!("opening turns left, this one included / {}", turns.turns);
            let first = planes.constant(left, turns.turns);
            let moved = format!("units moved in this turn / {}", turns.units);
            planes.constant(moved, u16::from(turns.units));
            TurnPlanes { first, n_turns: turns.turns }
        });
        let set_up = spec.exchange.is_some().then(|| planes.constant("set-up", 1));
        let die = spec.dice.as_ref().map(|faces| {
            let named = |&kind: &PieceKind| format!("die shows {}", spec.piece(kind).name);
            let first = planes.specs.len();
            for face in faces {
                planes.constant(named(face), 1);
            }
            first
        });
        let repeated = planes.constant("position occurred before", 1);
        planes.constant("position occurred twice before", 1);
        let clock = spec.endings.clock.map(|limit| {
            planes.constant(format!("plies since the last capture or pawn move / {limit}"), limit)
        });
        let last_action = planes.squares("square the last action came from");
        planes.squares("square the last action went to");
        let size = spec.size;
        let Planes { specs: planes, numbered, n_of_squares, wholes } = planes;
        Self {
            size,
            hash: hash(size, &planes),
            planes,
            numbered,
            n_of_squares,
            wholes,
            seen_by: ByColor {
                white: seen_by(size, Color::White),
                black: seen_by(size, Color::Black),
            },
            n_kinds: spec.pieces.len(),
            limits,
            rights,
            en_passant,
            moved,
            turns,
            set_up,
            die,
            repeated,
            clock,
            last_action,
        }
    }

    /// Number of planes `C`.
    #[must_use]
    pub fn n_planes(&self) -> usize {
        self.planes.len()
    }

    /// The planes, in order.
    #[must_use]
    pub fn planes(&self) -> &[PlaneSpec] {
        &self.planes
    }

    /// Number of planes `P` that show squares.
    #[must_use]
    pub fn n_planes_of_squares(&self) -> usize {
        self.n_of_squares
    }

    /// Number of planes `K` with the same number everywhere; `C = P + K`.
    #[must_use]
    pub fn n_constants(&self) -> usize {
        self.wholes.len()
    }

    /// Bytes that one plane of squares takes when it is packed.
    #[must_use]
    pub fn packed_len(&self) -> usize {
        self.size.n_squares().div_ceil(8)
    }

    /// [`PlaneSpec::full_scale`] of every plane, `[C]`.
    #[must_use]
    pub fn full_scales(&self) -> Vec<u8> {
        self.planes.iter().map(PlaneSpec::full_scale).collect()
    }

    /// Hash of plane order and meaning.
    #[must_use]
    pub fn hash(&self) -> LayoutHash {
        self.hash
    }
}

/// The planes so far.
#[derive(Default)]
struct Planes {
    specs: Vec<PlaneSpec>,
    numbered: Vec<u16>,
    n_of_squares: usize,
    wholes: Vec<u16>,
}

impl Planes {
    fn squares(&mut self, name: impl Into<String>) -> usize {
        self.numbered.push(self.n_of_squares as u16);
        self.n_of_squares += 1;
        self.push(name.into(), PlaneContent::Squares)
    }

    fn constant(&mut self, name: impl Into<String>, whole: u16) -> usize {
        let whole = whole.max(1);
        self.numbered.push(self.wholes.len() as u16);
        self.wholes.push(whole);
        self.push(name.into(), PlaneContent::Constant { whole })
    }

    fn push(&mut self, name: String, content: PlaneContent) -> usize {
        self.specs.push(PlaneSpec { name, content });
        self.specs.len() - 1
    }
}

fn seen_by(size: BoardSize, color: Color) -> Vec<u8> {
    let seen = |square| match color {
        Color::White => square,
        Color::Black => size.flip_rank(square),
    };
    size.squares().map(|square| seen(square).index() as u8).collect()
}

fn hash(size: BoardSize, planes: &[PlaneSpec]) -> LayoutHash {
    let mut hasher = blake3::Hasher::new();
    let head = format!("observation {VERSION}\n{}x{}\n", size.files(), size.ranks());
    hasher.update(head.as_bytes());
    for plane in planes {
        let content = match plane.content {
            PlaneContent::Squares => "squares",
            PlaneContent::Constant { .. } => "constant",
        };
        hasher.update(format!("{content} {}\n", plane.name).as_bytes());
    }
    LayoutHash(hasher.finalize().into())
}
