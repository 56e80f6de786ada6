//! Playing an action.

use super::sink::Sink;
use super::state::State;
use crate::bits::Bits;
use crate::variant::Rules;
use crate::{Action, ActionKind, Color, PieceKind, Square};

impl<const N: usize, const K: usize> State<N, K> {
    /// Plays a legal action or a roll.
    #[inline]
    pub(crate) fn play(&mut self, rules: &Rules<N, K>, action: Action) {
        match action.kind() {
            ActionKind::Move { from, to, promotion } => self.play_move(rules, from, to, promotion),
            ActionKind::Swap { first, second } => self.play_swap(rules, first, second),
            ActionKind::End if self.is_setup => self.end_setup(rules),
            ActionKind::End => self.end_turn(rules),
            ActionKind::Roll(face) => self.face = face.0,
        }
    }

    #[inline]
    fn play_move(
        &mut self,
        rules: &Rules<N, K>,
        from: Square,
        to: Square,
        promotion: Option<PieceKind>,
    ) {
        let Some((kind, color)) = self.piece_at(from) else { return };
        if self.rights != 0 {
            if rules.is_royal(kind) && self.castle(rules, from, to) {
                return;
            }
            self.lose_rights(
                rules,
                rules.rights_lost[from.index()] | rules.rights_lost[to.index()],
            );
        }
        let is_pawn = rules.is_pawn(kind);
        let mut is_quiet = !is_pawn;
        if !self.is_empty_at(to) || self.en_passant.contains(to) {
            is_quiet &= !self.capture(rules, from, to);
        }
        self.take(rules, from, kind, color);
        self.put(rules, to, promotion.unwrap_or(rules.becomes[kind.index()]), color);
        self.halfmove = if is_quiet { self.halfmove.saturating_add(1) } else { 0 };
        if rules.has_en_passant {
            if is_pawn {
                self.note_en_passant(rules, from, to);
            }
            if rules.n_several_turns != 0 {
                self.drop_en_passant(rules);
            }
        }
        self.close_move(rules, from, to, Bits::of(to));
    }

    /// Removes what a move captures; whether there is such a unit.
    fn capture(&mut self, rules: &Rules<N, K>, from: Square, to: Square) -> bool {
        let Some(square) = self.captured_square(rules, from, to) else { return false };
        let Some((kind, color)) = self.piece_at(square) else { return false };
        self.take(rules, square, kind, color);
        true
    }

    /// The square of the unit that a move captures.
    #[inline]
    pub(crate) fn captured_square(
        &self,
        rules: &Rules<N, K>,
        from: Square,
        to: Square,
    ) -> Option<Square> {
        if self.enemy().contains(to) {
            return Some(to);
        }
        if !self.en_passant.contains(to) || self.moved.any() {
            return None;
        }
        let (kind, color) = self.piece_at(from)?;
        let table = &rules.sides[color].moves[kind.index()];
        if table.en_passant(from).contains(to) { self.victim(rules, to) } else { None }
    }

    fn lose_rights(&mut self, rules: &Rules<N, K>, lost: u8) {
        let kept = self.rights & !lost;
        if kept != self.rights {
            self.key ^= rules.keys.rights(self.rights ^ kept);
            self.rights = kept;
        }
    }

    /// Castles if the king's move is that; `false` if it is not.
    fn castle(&mut self, rules: &Rules<N, K>, from: Square, to: Square) -> bool {
        let color = self.side;
        let side = &rules.sides[color];
        let wanted = side.castlings.iter().find(|castling| {
            castling.king_from == from
                && castling.king_to == to
                && self.rights & castling.right != 0
        });
        let Some(castling) = wanted else { return false };
        let (Some((kind, _)), Some((partner, _))) =
            (self.piece_at(from), self.piece_at(castling.partner_from))
        else {
            return false;
        };
        // Where a king may also step that far, the step comes first.
        if side.moves[kind.index()].reach(from).contains(to) {
            return false;
        }
        self.take(rules, from, kind, color);
        self.take(rules, castling.partner_from, partner, color);
        self.put(rules, to, kind, color);
        self.put(rules, castling.partner_to, rules.becomes[partner.index()], color);
        self.lose_rights(rules, rules.rights_lost[from.index()]);
        self.halfmove = self.halfmove.saturating_add(1);
        if rules.n_several_turns != 0 {
            self.drop_en_passant(rules);
        }
        self.close_move(rules, from, to, Bits::of(to) | Bits::of(castling.partner_to));
        true
    }

    /// Lists the squares that a pawn's long step passed over.
    #[inline]
    fn note_en_passant(&mut self, rules: &Rules<N, K>, from: Square, to: Square) {
        let files = rules.size.files();
        let distance = to.0.abs_diff(from.0);
        if distance < 2 * files || !distance.is_multiple_of(files) {
            return;
        }
        let last = from.0.max(to.0);
        let mut index = from.0.min(to.0) + files;
        while index < last {
            let square = Square(index);
            // A FEN may list the square already, as either side's; a square is hashed once.
            if !(self.en_passant | self.own_en_passant).contains(square) {
                self.key ^= rules.keys.en_passant(square);
            }
            self.en_passant.remove(square);
            self.own_en_passant.insert(square);
            index += files;
        }
    }

    /// Forgets squares that are no longer empty.
    fn drop_en_passant(&mut self, rules: &Rules<N, K>) {
        let gone = (self.en_passant | self.own_en_passant) & self.occupied();
        for square in gone {
            self.key ^= rules.keys.en_passant(square);
        }
        self.en_passant = self.en_passant.and_not(gone);
        self.own_en_passant = self.own_en_passant.and_not(gone);
    }

    /// After a move: goes on with the turn, or ends it.
    #[inline]
    fn close_move(&mut self, rules: &Rules<N, K>, from: Square, to: Square, arrived: Bits<N>) {
        if self.is_several(rules) {
            let home = rules.sides[self.side].home;
            let is_home = home.contains(from) && home.contains(to);
            let moved = self.moved | arrived;
            if is_home && moved.len() < rules.n_several_units {
                for square in arrived {
                    self.key ^= rules.keys.moved(square);
                }
                self.moved = moved;
                return;
            }
        }
        self.end_turn(rules);
    }

    #[inline]
    fn end_turn(&mut self, rules: &Rules<N, K>) {
        if rules.n_several_turns != 0 {
            for square in self.moved {
                self.key ^= rules.keys.moved(square);
            }
            self.moved = Bits::EMPTY;
        }
        if rules.has_en_passant && (self.en_passant | self.own_en_passant).any() {
            for square in self.en_passant {
                self.key ^= rules.keys.en_passant(square);
            }
            self.en_passant = self.own_en_passant;
            self.own_en_passant = Bits::EMPTY;
        }
        self.face = 0;
        if self.side == Color::Black {
            self.fullmove = self.fullmove.saturating_add(1);
        }
        self.side = self.side.opponent();
        self.key ^= rules.keys.black;
    }

    fn play_swap(&mut self, rules: &Rules<N, K>, first: Square, second: Square) {
        let (Some((kind_a, color_a)), Some((kind_b, color_b))) =
            (self.piece_at(first), self.piece_at(second))
        else {
            return;
        };
        self.take(rules, first, kind_a, color_a);
        self.take(rules, second, kind_b, color_b);
        self.put(rules, first, kind_b, color_b);
        self.put(rules, second, kind_a, color_a);
        for square in [first, second] {
            self.moved.insert(square);
            self.key ^= rules.keys.moved(square);
        }
        let (homes, others) = rules.sides[self.side].exchange;
        if homes.and_not(self.moved).is_empty() || others.and_not(self.moved).is_empty() {
            self.end_setup(rules);
        }
    }

    /// Passes the set-up to the other side, or begins the game.
    fn end_setup(&mut self, rules: &Rules<N, K>) {
        for square in self.moved {
            self.key ^= rules.keys.moved(square);
        }
        self.moved = Bits::EMPTY;
        if self.side == Color::Black {
            self.is_setup = false;
            self.key ^= rules.keys.setup;
        }
        self.side = self.side.opponent();
        self.key ^= rules.keys.black;
    }

    /// The exchanges that the side to move may still make, and `end`.
    pub(crate) fn setup_actions(&self, rules: &Rules<N, K>, actions: &mut impl Sink<N>) {
        let (homes, others) = rules.sides[self.side].exchange;
        for first in homes.and_not(self.moved) {
            for second in others.and_not(self.moved) {
                actions.action(Action::new_swap(first, second));
            }
        }
        actions.action(Action::END);
    }

    /// Passes the turn; only for searches, which ask for no rule about it.
    pub(crate) fn pass(&mut self, rules: &Rules<N, K>) {
        self.end_turn(rules);
    }
}
