//! Positions: board, side, rights and clocks, and the rules that act on them.

mod attack;
pub(crate) mod core;
mod error;
pub(crate) mod fen;
mod generate;
mod king;
mod outcome;
mod perft;
mod play;
mod sink;
pub(crate) mod state;
#[cfg(test)]
mod tests;
mod text;
mod turn;
mod win;

use self::core::{Core, with_core};
pub use self::error::{ActionError, FenError};
use self::fen::Kings;
use self::perft::Leaves;
use self::sink::Indices;
pub use self::turn::{ChanceOutcome, FirstMove, FirstMoveRight, Phase, ZobristKey};
use crate::{
    Action, ActionIndex, ActionKind, Actor, Color, Excerpt, Face, Outcome, Piece, PieceKind,
    Square, Variant,
};

/// A position of some variant. Cheap to clone; holds no history.
#[derive(Clone, Debug)]
pub struct Position {
    variant: &'static Variant,
    core: Core,
}

impl Position {
    /// Reads a FEN.
    ///
    /// # Errors
    /// If a field is malformed or the position breaks the variant's rules.
    pub fn from_fen(variant: &'static Variant, fen: &str) -> Result<Self, FenError> {
        Ok(Self { variant, core: variant.tables().read(fen, Kings::AsRules)? })
    }

    /// Like [`Position::from_fen`], but a side may lack the king that the rules need: for boards on
    /// which moves are counted, not for games.
    ///
    /// # Errors
    /// As [`Position::from_fen`].
    pub fn from_fen_without_kings(variant: &'static Variant, fen: &str) -> Result<Self, FenError> {
        Ok(Self { variant, core: variant.tables().read(fen, Kings::Optional)? })
    }

    pub(crate) const fn from_core(variant: &'static Variant, core: Core) -> Self {
        Self { variant, core }
    }

    pub(crate) const fn core(&self) -> &Core {
        &self.core
    }

    /// The FEN, byte for byte what [`Position::from_fen`] read.
    #[must_use]
    pub fn fen(&self) -> String {
        with_core!(&self.core, (rules, state) => state.fen(rules))
    }

    /// The rules it is played by.
    #[must_use]
    pub const fn variant(&self) -> &'static Variant {
        self.variant
    }

    /// Who acts next. Chance also in finished games of dice variants, where no roll is possible.
    #[must_use]
    pub fn actor(&self) -> Actor {
        with_core!(&self.core, (rules, state) => {
            if !rules.faces.is_empty() && state.face == 0 {
                Actor::Chance
            } else {
                Actor::Player(state.side)
            }
        })
    }

    /// Whose turn it is, also while the die is about to be rolled.
    #[must_use]
    pub fn side_to_move(&self) -> Color {
        with_core!(&self.core, (_rules, state) => state.side)
    }

    /// The unit on `square`.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let unit = with_core!(&self.core, (_rules, state) => state.piece_at(square));
        unit.map(|(kind, color)| Piece { kind, color })
    }

    /// Number of units of `color` and `kind`.
    #[must_use]
    pub fn count(&self, color: Color, kind: PieceKind) -> u32 {
        with_core!(&self.core, (_rules, state) => state.count(color, kind))
    }

    /// Calls `visit` with every unit of `color`, kind by kind and then by square.
    pub fn for_each_unit(&self, color: Color, mut visit: impl FnMut(PieceKind, Square)) {
        with_core!(&self.core, (rules, state) => {
            for kind in 0..rules.n_kinds {
                for square in state.kinds[kind] & state.colors[color.index()] {
                    visit(PieceKind(kind as u8), square);
                }
            }
        });
    }

    /// Plies since the last capture or pawn move.
    #[must_use]
    pub fn halfmove_clock(&self) -> u16 {
        with_core!(&self.core, (_rules, state) => state.halfmove)
    }

    /// Number of the turn, from 1, raised after Black's.
    #[must_use]
    pub fn fullmove_number(&self) -> u16 {
        with_core!(&self.core, (_rules, state) => state.fullmove)
    }

    /// First-move rights that are still held.
    pub fn rights(&self) -> impl Iterator<Item = FirstMoveRight> + use<> {
        let held = with_core!(&self.core, (_rules, state) => state.rights);
        let all = self.variant.first_move_rights().iter().copied().enumerate();
        all.filter(move |(bit, _)| held >> bit & 1 != 0).map(|(_, right)| right)
    }

    /// Squares listed for en passant: those that pawns passed over in the enemy's last turn and, in
    /// an unfinished turn, in this one. In ascending order.
    pub fn en_passant_squares(&self) -> impl Iterator<Item = Square> + use<> {
        let words = with_core!(&self.core, (_rules, state) => {
            (state.en_passant | state.own_en_passant).widened()
        });
        words.into_iter()
    }

    /// Squares of the units that moved in this unfinished turn, or were exchanged by the side to
    /// move in its set-up. In ascending order.
    pub fn moved_this_turn(&self) -> impl Iterator<Item = Square> + use<> {
        with_core!(&self.core, (_rules, state) => (state.moved).widened()).into_iter()
    }

    /// Where the turn stands.
    #[must_use]
    pub fn phase(&self) -> Phase {
        with_core!(&self.core, (rules, state) => {
            if state.is_setup {
                Phase::Setup
            } else if state.is_several(rules) {
                let moved = state.moved.len() as u8;
                Phase::MultiMove { moved, limit: rules.n_several_units as u8 }
            } else {
                Phase::Normal
            }
        })
    }

    /// The rolled face, if there is a die and it has been rolled.
    #[must_use]
    pub fn die(&self) -> Option<Face> {
        let face = with_core!(&self.core, (_rules, state) => state.face);
        (face != 0).then_some(Face(face))
    }

    /// Replaces the content of `actions` with the legal actions of the side to move. Their order is
    /// fixed for a given position. Empty if the game is over by mate, stalemate or bare king, or if
    /// the die must be rolled first.
    pub fn legal_actions(&self, actions: &mut Vec<Action>) {
        actions.clear();
        if self.actor() != Actor::Chance {
            with_core!(&self.core, (rules, state) => state.legal_actions(rules, actions));
        }
    }

    /// Whether `action` is among [`Position::legal_actions`] or, before a roll, the possible rolls.
    /// Any action may be asked about; cheaper than the whole list.
    #[must_use]
    pub fn is_legal(&self, action: Action) -> bool {
        with_core!(&self.core, (rules, state) => state.is_legal(rules, action))
    }

    /// Does the work of [`Position::legal_actions`] and [`Position::outcome`] in one pass.
    ///
    /// `actions` may be filled although the game is drawn by rule; before a roll it is empty.
    pub fn legal_actions_and_outcome(&self, actions: &mut Vec<Action>) -> Option<Outcome> {
        actions.clear();
        if self.actor() == Actor::Chance {
            return self.outcome();
        }
        with_core!(&self.core, (rules, state) => state.actions_and_outcome(rules, actions))
    }

    /// Like [`Position::legal_actions_and_outcome`], with the indices of the actions.
    pub(crate) fn legal_indices_and_outcome(
        &self,
        indices: &mut Vec<ActionIndex>,
    ) -> Option<Outcome> {
        indices.clear();
        if self.actor() == Actor::Chance {
            return self.outcome();
        }
        let mut sink = Indices::new(self.variant.action_space(), self.side_to_move(), indices);
        with_core!(&self.core, (rules, state) => state.actions_and_outcome(rules, &mut sink))
    }

    /// Replaces the content of `outcomes` with the results of the chance event that comes next;
    /// empty unless [`Position::actor`] is [`Actor::Chance`].
    pub fn chance_outcomes(&self, outcomes: &mut Vec<ChanceOutcome>) {
        outcomes.clear();
        if self.actor() != Actor::Chance {
            return;
        }
        let faces = with_core!(&self.core, (rules, state) => state.usable_faces(rules));
        let probability = 1.0 / faces.count_ones() as f32;
        outcomes.extend(
            (0..32u8).filter(|face| faces >> face & 1 != 0).map(|face| ChanceOutcome {
                action: Action::new_roll(Face(face + 1)),
                probability,
            }),
        );
    }

    /// Plays a legal action or a roll.
    ///
    /// # Panics
    /// May panic, or leave a position that no rule covers, if `action` is not legal here.
    #[inline]
    pub fn play(&mut self, action: Action) {
        with_core!(&mut self.core, (rules, state) => state.play(rules, action));
    }

    /// Passes the turn, for null-move search. `None` where passing makes no sense: in check, in an
    /// unfinished turn or the set-up, or in variants with dice.
    #[must_use]
    pub fn after_null_move(&self) -> Option<Self> {
        let makes_sense = with_core!(&self.core, (rules, state) => {
            rules.faces.is_empty() && !state.is_setup && state.moved.is_empty()
        });
        if !makes_sense || self.is_check() {
            return None;
        }
        let mut next = self.clone();
        with_core!(&mut next.core, (rules, state) => state.pass(rules));
        Some(next)
    }

    /// Whether any king of the side to move is attacked.
    #[must_use]
    pub fn is_check(&self) -> bool {
        with_core!(&self.core, (rules, state) => state.is_attacked(rules, state.side))
    }

    /// Whether any unit of `by` attacks `square`: a king of the other side that stood there could be
    /// taken.
    #[must_use]
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        with_core!(&self.core, (rules, state) => {
            state.attacks(rules, by, square, state.occupied(), state.colors[by.index()])
        })
    }

    /// What `action` captures, en passant included.
    #[must_use]
    pub fn captured(&self, action: Action) -> Option<Piece> {
        let ActionKind::Move { from, to, .. } = action.kind() else { return None };
        let square =
            with_core!(&self.core, (rules, state) => state.captured_square(rules, from, to))?;
        self.piece_at(square)
    }

    /// The result by mate, stalemate, bare king, clock or material; repetition needs a
    /// [`Game`](crate::Game).
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        with_core!(&self.core, (rules, state) => state.outcome(rules))
    }

    /// The first of the legal `actions` that ends the game at once in favor of the side to move, by
    /// mate or by baring the enemy's kings. A stalemate that counts as a win is not looked for.
    #[must_use]
    pub fn winning_action(&self, actions: &[Action]) -> Option<Action> {
        with_core!(&self.core, (rules, state) => state.winning_action(rules, actions))
    }

    /// Hash of everything that decides the future of the game but the clocks.
    #[must_use]
    pub fn key(&self) -> ZobristKey {
        with_core!(&self.core, (rules, state) => {
            let turn = if state.is_several(rules) { rules.keys.turn(state.fullmove) } else { 0 };
            let face = if state.face == 0 { 0 } else { rules.keys.face(state.face) };
            ZobristKey(state.key ^ turn ^ face)
        })
    }

    /// The hash that [`Position::key`] should give, worked out from nothing but the board: for tests.
    #[must_use]
    pub fn computed_key(&self) -> ZobristKey {
        let difference =
            with_core!(&self.core, (rules, state) => state.key ^ state.computed_key(rules));
        ZobristKey(self.key().0 ^ difference)
    }

    /// Hash of what counts for repetition: units, side, rights, en passant, extra field without die.
    #[must_use]
    pub fn repetition_key(&self) -> ZobristKey {
        ZobristKey(with_core!(&self.core, (_rules, state) => state.key))
    }

    /// Whether the last action was such that no earlier position can come back.
    #[must_use]
    pub fn is_irreversible(&self) -> bool {
        self.halfmove_clock() == 0
    }

    /// Reads a legal action, or a possible roll.
    ///
    /// # Errors
    /// If `text` is not the text of a legal action here.
    pub fn parse_action(&self, text: &str) -> Result<Action, ActionError> {
        let mut actions = Vec::new();
        with_core!(&self.core, (rules, state) => state.all_actions(rules, &mut actions));
        let found = actions.iter().find(|&&action| self.variant.action_text(action) == text);
        found.copied().ok_or_else(|| ActionError::Illegal {
            found: Excerpt(text).to_string(),
            fen: self.fen(),
            legal: text::shortened(self.variant, &actions),
        })
    }

    /// Number of action sequences of length `depth`, rolls included; draws by rule do not shorten
    /// them. The last ply is counted without being played.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        self.count_sequences(depth, Leaves::Counted)
    }

    /// Like [`Position::perft`], with every last action played: for measuring speed.
    #[must_use]
    pub fn perft_played(&self, depth: u32) -> u64 {
        self.count_sequences(depth, Leaves::Played)
    }

    fn count_sequences(&self, depth: u32, leaves: Leaves) -> u64 {
        let mut lists = vec![Vec::new(); depth as usize];
        with_core!(&self.core, (rules, state) => {
            state.perft(rules, depth as usize, leaves, &mut lists)
        })
    }

    /// The board as drawn text, rank 1 at the bottom, with files and ranks named.
    #[must_use]
    pub fn board_text(&self) -> String {
        with_core!(&self.core, (rules, state) => text::board(rules, state))
    }
}
