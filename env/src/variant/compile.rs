//! From a variant file to tables.

use std::sync::OnceLock;

use super::file::VariantFile;
use super::mistakes::{Mistakes, nearest};
use super::read::read;
use super::rules::Rules;
use super::spec::{MAX_KINDS, PieceSpec, Spec};
use super::{PossibleMove, Variant, VariantError, VariantHash, registry};
use crate::bits::Bits;
use crate::position::core::Core;
use crate::position::fen::{Kings, read_board};
use crate::position::state::State;
use crate::{
    ActionSpace, Color, FenError, FirstMove, FirstMoveRight, ObservationLayout, PieceKind, Square,
};

/// A file with all that it extends.
pub(crate) struct FullFile {
    keys: VariantFile,
    /// The keys as TOML.
    pub(crate) text: String,
}

/// Reads a file and fills in what it extends; `None` if nothing comes of it but mistakes.
pub(crate) fn read_full(text: &str, mistakes: &mut Mistakes) -> Option<FullFile> {
    let keys = resolve(read(text, mistakes)?, mistakes)?;
    match toml::to_string(&keys) {
        Ok(text) => Some(FullFile { keys, text }),
        Err(failure) => {
            mistakes.add("", failure.to_string());
            None
        }
    }
}

fn resolve(mut file: VariantFile, mistakes: &mut Mistakes) -> Option<VariantFile> {
    let Some(name) = file.extends.take() else {
        if !file.without.is_empty() {
            mistakes.add("without", "needs `extends`");
            file.without.clear();
        }
        // A file that tries to extend another one lacks the other's keys.
        return (!mistakes.concern("extends")).then_some(file);
    };
    let parent_name = match registry::built_in(&name) {
        Ok(_) => name.as_str(),
        Err(unknown) => {
            mistakes.add("extends", unknown.to_string());
            // The rest is checked on top of what was probably meant.
            nearest(&name, registry::names())?
        }
    };
    let text = registry::built_in(parent_name).ok()?;
    let mut none = Mistakes::new(parent_name);
    let parent = resolve(read(text, &mut none)?, &mut none)?;
    Some(file.over(parent, mistakes))
}

/// Compiles a text, with all checks.
pub(crate) fn compile(source: &str, text: &str) -> Result<Variant, Vec<VariantError>> {
    let mut mistakes = Mistakes::new(source);
    match read_full(text, &mut mistakes) {
        Some(file) => compile_file(file, mistakes),
        None => Err(mistakes.into_sorted()),
    }
}

/// Compiles a file in which `mistakes` were found so far.
pub(crate) fn compile_file(
    file: FullFile,
    mut mistakes: Mistakes,
) -> Result<Variant, Vec<VariantError>> {
    let FullFile { keys, text } = file;
    let variant = Spec::new(&keys, &mut mistakes)
        .and_then(|spec| compile_spec(&keys, spec, text, &mut mistakes));
    variant.filter(|_| mistakes.is_empty()).ok_or_else(|| mistakes.into_sorted())
}

fn compile_spec(
    keys: &VariantFile,
    spec: Spec,
    text: String,
    mistakes: &mut Mistakes,
) -> Option<Variant> {
    let is_whole = !["piece", "promotion", "board"].iter().any(|key| mistakes.concern(key));
    let tables = Tables::new(&spec, mistakes)?;
    if let Some(flaw) = tables.mirror_flaw().filter(|_| spec.mirror && is_whole) {
        mistakes.add("mirror", format!("found `true`, expected `false`: {flaw}"));
    }
    if let Some(key) = tables.idle_en_passant(&spec).filter(|_| is_whole) {
        mistakes.add(&key, "captures en passant (`e`), but no pawn takes more than one step");
    }
    if !mistakes.is_empty() {
        return None;
    }
    let action_space = ActionSpace::of_rules(&tables, &spec)
        .map_err(|reason| mistakes.add(reason.key(), reason.to_string()))
        .ok()?;
    let hash = VariantHash(*blake3::hash(play_text(keys).as_bytes()).as_bytes());
    let rights = tables.rights();
    let observation = ObservationLayout::new(&spec);
    let start = OnceLock::new();
    Some(Variant { spec, text, hash, tables, start, rights, action_space, observation })
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
    fn new(spec: &Spec, mistakes: &mut Mistakes) -> Option<Self> {
        let n_kinds = spec.pieces.len();
        Some(match spec.size.n_squares() {
            ..=64 if n_kinds <= 8 => Self::Small(Box::new(rules_of(spec, mistakes)?)),
            ..=192 if n_kinds <= 8 => Self::Medium(Box::new(rules_of(spec, mistakes)?)),
            ..=192 if n_kinds <= 16 => Self::Wide(Box::new(rules_of(spec, mistakes)?)),
            _ => Self::Large(Box::new(rules_of(spec, mistakes)?)),
        })
    }

    /// Reads a FEN.
    pub(crate) fn read(&'static self, fen: &str, kings: Kings) -> Result<Core, FenError> {
        Ok(match self {
            Self::Small(rules) => Core::Small(rules, State::from_fen(rules, fen, kings)?),
            Self::Medium(rules) => Core::Medium(rules, State::from_fen(rules, fen, kings)?),
            Self::Wide(rules) => Core::Wide(rules, State::from_fen(rules, fen, kings)?),
            Self::Large(rules) => Core::Large(rules, Box::new(State::from_fen(rules, fen, kings)?)),
        })
    }

    /// Reads the start position, which was checked when the variant was compiled.
    pub(crate) fn start(&'static self, fen: &str) -> Core {
        self.read(fen, Kings::AsRules).expect("a checked start position")
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

    /// The moves with an en passant capture, if no pawn of the variant can be captured so.
    fn idle_en_passant(&self, spec: &Spec) -> Option<String> {
        let is_passed = with_tables!(self, rules => {
            Color::ALL.iter().any(|&color| rules.sides[color].passed.any())
        });
        let takes = |piece: &&PieceSpec| piece.parts.iter().any(|part| part.modes.en_passant);
        let piece = spec.pieces.iter().find(takes).filter(|_| !is_passed)?;
        Some(format!("piece.{}.moves", piece.letter))
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
    spec: &Spec,
    mistakes: &mut Mistakes,
) -> Option<Rules<N, K>> {
    let mut note = |(key, reason): (String, String)| mistakes.add(&key, reason);
    let mut rules =
        Rules::new(spec).map_err(|misfits| misfits.into_iter().for_each(&mut note)).ok()?;
    let board = spec.start.split(' ').next().unwrap_or_default();
    let mut has_rights = false;
    if let Ok(units) = read_board(&rules, board) {
        match rules.add_start(spec, &units) {
            Ok(()) => has_rights = true,
            Err((key, reason)) => note((key.into(), reason)),
        }
    }
    let (state, wrong) = State::read(&rules, &spec.start, Kings::AsRules);
    if has_rights
        && wrong.is_empty()
        && let Some(outcome) = state.outcome(&rules)
    {
        note((
            "start".into(),
            format!("expected a position to play from, found a game that is over ({outcome})"),
        ));
    }
    for wrong in wrong {
        // Without first squares no right can be checked.
        let is_of_rights = matches!(wrong, FenError::Field { field: "rights", .. });
        if has_rights || !is_of_rights {
            note(("start".into(), wrong.to_string()));
        }
    }
    Some(rules)
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
