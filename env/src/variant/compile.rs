//! From a variant file to tables.

use std::sync::OnceLock;

use super::file::VariantFile;
use super::rules::Rules;
use super::spec::{MAX_KINDS, Spec};
use super::{PossibleMove, Variant, VariantError, VariantHash, registry};
use crate::bits::Bits;
use crate::position::core::Core;
use crate::position::fen::read_board;
use crate::position::state::State;
use crate::{
    ActionSpace, Color, FenError, FirstMove, FirstMoveRight, ObservationLayout, PieceKind, Square,
};

/// Reads a file's keys.
pub(crate) fn parse(source: &str, text: &str) -> Result<VariantFile, VariantError> {
    toml::from_str(text).map_err(|error: toml::de::Error| VariantError::Syntax {
        file: source.into(),
        reason: error.to_string().trim_end().into(),
    })
}

/// Fills in what the file extends; gives the full file and its text.
pub(crate) fn resolve(
    source: &str,
    mut file: VariantFile,
) -> Result<(VariantFile, String), VariantError> {
    let error = |key: &str, reason: String| VariantError::Key {
        file: source.into(),
        key: key.into(),
        reason,
    };
    if let Some(name) = file.extends.take() {
        let text =
            registry::built_in(&name).map_err(|unknown| error("extends", unknown.to_string()))?;
        let (parent, _) = resolve(&name, parse(&name, text)?)?;
        file = file.over(parent).map_err(|reason| error("without", reason))?;
    } else if !file.without.is_empty() {
        return Err(error("without", "needs `extends`".into()));
    }
    let text = toml::to_string(&file).map_err(|failure| error("", failure.to_string()))?;
    Ok((file, text))
}

/// Compiles a text, with all checks.
pub(crate) fn compile(source: &str, text: &str) -> Result<Variant, Vec<VariantError>> {
    let resolved = parse(source, text).and_then(|file| resolve(source, file));
    let (file, full_text) = resolved.map_err(|mistake| vec![mistake])?;
    compile_file(source, &file, full_text)
}

/// Compiles a file that extends nothing any more.
pub(crate) fn compile_file(
    source: &str,
    file: &VariantFile,
    text: String,
) -> Result<Variant, Vec<VariantError>> {
    let spec = Spec::new(source, file)?;
    compile_spec(source, file, spec, text).map_err(|mistake| vec![mistake])
}

fn compile_spec(
    source: &str,
    file: &VariantFile,
    spec: Spec,
    text: String,
) -> Result<Variant, VariantError> {
    let error = |key: &str, reason: String| VariantError::Key {
        file: source.into(),
        key: key.into(),
        reason,
    };
    let tables = Tables::new(source, &spec)?;
    if let Some(flaw) = tables.mirror_flaw().filter(|_| spec.mirror) {
        return Err(error("mirror", format!("expected `false`: {flaw}")));
    }
    let action_space = ActionSpace::of_rules(&tables, &spec)
        .map_err(|reason| error(reason.key(), reason.to_string()))?;
    let hash = VariantHash(*blake3::hash(play_text(file).as_bytes()).as_bytes());
    let rights = tables.rights();
    let observation = ObservationLayout::new(&spec);
    let start = OnceLock::new();
    Ok(Variant { spec, text, hash, tables, start, rights, action_space, observation })
}

/// The text without what cannot change play.
fn play_text(file: &VariantFile) -> String {
    let file = VariantFile { name: None, title: None, max_plies: None, ..file.clone() };
    // What was read as TOML can be written as TOML; an empty text would only make two hashes equal.
    toml::to_string(&file).unwrap_or_default()
}

/// Compiled rules in the smallest form that holds them.
#[derive(Debug)]
pub(crate) enum Tables {
    Small(Box<Rules<1, 8>>),
    Medium(Box<Rules<3, 8>>),
    Wide(Box<Rules<3, 16>>),
    Large(Box<Rules<4, 26>>),
}

const _: () = assert!(MAX_KINDS == 26);

macro_rules! with_tables {
    ($tables:expr, $rules:ident => $body:expr) => {
        match $tables {
            Tables::Small($rules) => $body,
            Tables::Medium($rules) => $body,
            Tables::Wide($rules) => $body,
            Tables::Large($rules) => $body,
        }
    };
}

impl Tables {
    fn new(source: &str, spec: &Spec) -> Result<Self, VariantError> {
        let n_kinds = spec.pieces.len();
        Ok(match spec.size.n_squares() {
            ..=64 if n_kinds <= 8 => Self::Small(Box::new(rules_of(source, spec)?)),
            ..=192 if n_kinds <= 8 => Self::Medium(Box::new(rules_of(source, spec)?)),
            ..=192 if n_kinds <= 16 => Self::Wide(Box::new(rules_of(source, spec)?)),
            _ => Self::Large(Box::new(rules_of(source, spec)?)),
        })
    }

    /// Reads a FEN.
    pub(crate) fn read(&'static self, fen: &str) -> Result<Core, FenError> {
        Ok(match self {
            Self::Small(rules) => Core::Small(rules, State::from_fen(rules, fen)?),
            Self::Medium(rules) => Core::Medium(rules, State::from_fen(rules, fen)?),
            Self::Wide(rules) => Core::Wide(rules, State::from_fen(rules, fen)?),
            Self::Large(rules) => Core::Large(rules, Box::new(State::from_fen(rules, fen)?)),
        })
    }

    /// Reads the start position, which was checked when the variant was compiled.
    pub(crate) fn start(&'static self, fen: &str) -> Core {
        self.read(fen).expect("a checked start position")
    }

    fn rights(&self) -> Vec<FirstMoveRight> {
        with_tables!(self, rules => rules.rights.iter().map(|right| FirstMoveRight {
            color: right.color,
            square: right.square,
            kind: if right.is_leap { FirstMove::Leap } else { FirstMove::Castling },
        }).collect())
    }

    pub(crate) fn possible_moves(&self, color: Color) -> Vec<PossibleMove> {
        with_tables!(self, rules => rules.possible_moves(color))
    }

    pub(crate) fn possible_swaps(&self, color: Color) -> Vec<(Square, Square)> {
        with_tables!(self, rules => {
            let (firsts, seconds) = rules.sides[color].exchange;
            firsts.into_iter().flat_map(|first| seconds.into_iter().map(move |second| (first, second))).collect()
        })
    }

    /// Squares that a unit on `from` can move to, and those it can capture on, on some board.
    pub(crate) fn moves_and_captures(
        &self,
        kind: PieceKind,
        color: Color,
        from: Square,
    ) -> (Bits<4>, Bits<4>) {
        with_tables!(self, rules => {
            let moves = &rules.sides[color].moves[kind.index()];
            (moves.move_reach(from).widened(), moves.capture_reach(from).widened())
        })
    }

    fn mirror_flaw(&self) -> Option<&'static str> {
        with_tables!(self, rules => rules.mirror_flaw())
    }

    pub(crate) fn mobility(&self, kind: PieceKind, color: Color) -> f32 {
        with_tables!(self, rules => {
            let moves = &rules.sides[color].moves[kind.index()];
            let n_moves: u32 = rules.size.squares().map(|from| moves.reach(from).len()).sum();
            n_moves as f32 / rules.size.n_squares() as f32
        })
    }
}

/// Compiles the tables and checks the start position.
fn rules_of<const N: usize, const K: usize>(
    source: &str,
    spec: &Spec,
) -> Result<Rules<N, K>, VariantError> {
    let error = |key: &str, reason: String| VariantError::Key {
        file: source.into(),
        key: key.into(),
        reason,
    };
    let mut rules = Rules::new(source, spec)?;
    let board = spec.start.split(' ').next().unwrap_or_default();
    let units = read_board(&rules, board).map_err(|wrong| error("start", wrong.to_string()))?;
    rules.add_start(spec, &units).map_err(|(key, reason)| error(key, reason))?;
    State::from_fen(&rules, &spec.start).map_err(|wrong| error("start", wrong.to_string()))?;
    Ok(rules)
}

impl<const N: usize, const K: usize> Rules<N, K> {
    fn possible_moves(&self, color: Color) -> Vec<PossibleMove> {
        let side = &self.sides[color];
        let mut moves = Vec::new();
        for (index, table) in side.moves.iter().enumerate() {
            let kind = PieceKind(index as u8);
            for from in self.size.squares().filter(|&from| !self.promotes(color, kind, from)) {
                for to in table.reach(from) {
                    let choices: &[PieceKind] = if self.promotes(color, kind, to) {
                        &side.choices[index][usize::from(self.size.file_of(to).0)]
                    } else {
                        moves.push(PossibleMove { from, to, promotion: None });
                        &[]
                    };
                    moves.extend(choices.iter().map(|&choice| PossibleMove {
                        from,
                        to,
                        promotion: Some(choice),
                    }));
                }
            }
        }
        let plain = |from, to| PossibleMove { from, to, promotion: None };
        moves.extend(
            side.castlings.iter().map(|castling| plain(castling.king_from, castling.king_to)),
        );
        if let Some((_, king)) = side.leap_right {
            moves.extend(side.leaps.iter().map(|leap| plain(king, leap.to)));
        }
        moves.sort_unstable();
        moves.dedup();
        moves
    }
}
