//! FEN: positions as text, both ways.

mod board;
mod write;

pub(crate) use self::board::read_board;
pub(crate) use self::write::letter;
use self::write::{right_letter, write_passed, write_squares};
use super::FenError;
use super::state::State;
use crate::bits::Bits;
use crate::variant::{Rules, kinds_of};
use crate::{Color, Excerpt, PieceKind, Square};

/// Which field is wrong, and what it should be.
fn error(field: &'static str, found: &str, expected: impl Into<String>) -> FenError {
    FenError::Field { field, found: Excerpt(found).to_string(), expected: expected.into() }
}

/// Which sides must have a royal unit.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) enum Kings {
    /// Both, where the rules need them.
    AsRules,
    /// None: for boards on which something is measured.
    Optional,
}

impl<const N: usize, const K: usize> State<N, K> {
    /// Reads and checks a FEN.
    pub(crate) fn from_fen(rules: &Rules<N, K>, fen: &str, kings: Kings) -> Result<Self, FenError> {
        let (state, wrong) = Self::read(rules, fen, kings);
        wrong.into_iter().next().map_or(Ok(state), Err)
    }

    /// Reads a FEN and gives everything that is wrong with it; only without that the state is
    /// whole.
    pub(crate) fn read(rules: &Rules<N, K>, fen: &str, kings: Kings) -> (Self, Vec<FenError>) {
        let mut state = Self::EMPTY;
        let fields: Vec<&str> = fen.split(' ').collect();
        let has_extra = rules.n_several_turns != 0 || rules.has_exchange || !rules.faces.is_empty();
        let (expected, names) = if has_extra {
            (7, "board side rights ep halfmove fullmove extra")
        } else {
            (6, "board side rights ep halfmove fullmove")
        };
        let found = fields.len();
        if found != expected {
            let fen = Excerpt(fen).to_string();
            return (state, vec![FenError::FieldCount { fen, found, expected, names }]);
        }
        let mut wrong = Vec::new();
        match read_board(rules, fields[0]) {
            Ok(units) => units
                .into_iter()
                .for_each(|(square, kind, color)| state.put(rules, square, kind, color)),
            Err(errors) => wrong.extend(errors),
        }
        let is_drawn = wrong.is_empty();
        match fields[1] {
            "w" => state.side = Color::White,
            "b" => state.side = Color::Black,
            found => wrong.push(error("side", found, "`w` or `b`")),
        }
        match number(fields[4]) {
            Some(plies) => state.halfmove = plies,
            None => {
                wrong.push(error("halfmove", fields[4], "a number of plies from 0 to 65535"));
            }
        }
        match number(fields[5]).filter(|&number| number > 0) {
            Some(number) => state.fullmove = number,
            None => wrong.push(error("fullmove", fields[5], "a turn number from 1 to 65535")),
        }
        // What follows needs the units.
        if is_drawn {
            let is_begun = wrong.is_empty();
            match state.read_rights(rules, fields[2]) {
                Ok(rights) => state.rights = rights,
                Err(error) => wrong.push(error),
            }
            if is_begun {
                wrong.extend(state.read_turn(rules, &fields, has_extra).err());
            }
            if wrong.is_empty() {
                wrong.extend(state.check(rules, &fields, kings));
            }
        }
        state.key = state.computed_key(rules);
        (state, wrong)
    }

    /// Reads what belongs to the side to move and the number of its turn.
    fn read_turn(
        &mut self,
        rules: &Rules<N, K>,
        fields: &[&str],
        has_extra: bool,
    ) -> Result<(), FenError> {
        if has_extra {
            self.read_extra(rules, fields[6])?;
        }
        self.read_en_passant(rules, fields[3])
    }

    fn read_rights(&self, rules: &Rules<N, K>, text: &str) -> Result<u8, FenError> {
        let mut rights = 0;
        if text == "-" {
            return Ok(rights);
        }
        let letters: Vec<char> =
            if self.is_orthodox(rules) && text.chars().all(|c| "KQkq".contains(c)) {
                let file = |letter| match letter {
                    'K' => 'H',
                    'Q' => 'A',
                    'k' => 'h',
                    _ => 'a',
                };
                text.chars().map(file).collect()
            } else {
                text.chars().collect()
            };
        for letter in letters {
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            let file = (letter.to_ascii_lowercase() as u32).wrapping_sub('a' as u32);
            let index = rules.rights.iter().position(|right| {
                right.color == color && u32::from(rules.size.file_of(right.square).0) == file
            });
            let expected = || {
                let known: String =
                    rules.rights.iter().map(|right| right_letter(rules, right)).collect();
                if known.is_empty() {
                    "`-`: this variant has no first-move rights".into()
                } else {
                    format!(
                        "`-`, or letters of {known} whose units stand on their first squares, each once"
                    )
                }
            };
            let Some(index) = index else { return Err(error("rights", text, expected())) };
            let right = rules.rights[index];
            let holds = |square, kind| self.piece_at(square) == Some((kind, color));
            let king_is_home = rules.sides[color].castlings.iter().all(|castling| {
                castling.right != 1 << index
                    || self
                        .piece_at(castling.king_from)
                        .is_some_and(|(kind, owner)| owner == color && rules.is_royal(kind))
            });
            if rights >> index & 1 != 0 || !holds(right.square, right.kind) || !king_is_home {
                return Err(error("rights", text, expected()));
            }
            rights |= 1 << index;
        }
        if rights == 0 { Err(error("rights", text, "`-` if there are none")) } else { Ok(rights) }
    }

    /// Whether rights may be written `KQkq`: partners in the corners of an 8×8 board.
    fn is_orthodox(&self, rules: &Rules<N, K>) -> bool {
        rules.rights.len() == 4
            && rules.size.files() == 8
            && rules.rights.iter().all(|right| matches!(rules.size.file_of(right.square).0, 0 | 7))
    }

    fn read_en_passant(&mut self, rules: &Rules<N, K>, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        if !rules.has_en_passant {
            return Err(error("ep", text, "`-`: this variant has no en passant"));
        }
        if self.is_setup {
            return Err(error("ep", text, "`-` before the game"));
        }
        let squares = read_squares(rules, text, "ep")?;
        for &square in &squares {
            if self.occupied().contains(square) {
                return Err(error("ep", text, "empty squares"));
            }
            let is_own = self.moved.any() && self.is_own_passed(rules, square);
            let (passed, color) = if is_own {
                (&mut self.own_en_passant, self.side)
            } else {
                (&mut self.en_passant, self.side.opponent())
            };
            passed.insert(square);
            // In an unfinished turn the pawn may have been captured since.
            let is_possible = rules.sides[color].passed.contains(square)
                && (self.moved.any() || self.has_passed(rules, square));
            if !is_possible {
                let name = rules.size.square_name(square);
                let expected =
                    format!("squares that a pawn of {color} has just passed over, unlike {name}");
                return Err(error("ep", text, expected));
            }
        }
        if write_passed(rules, self.en_passant | self.own_en_passant) != text {
            return Err(error("ep", text, "squares sorted by text, each once"));
        }
        Ok(())
    }

    /// Whether a unit of the enemy stands where a pawn may have gone over `square`. Where a turn has
    /// one move, the pawn's first square is empty.
    fn has_passed(&self, rules: &Rules<N, K>, square: Square) -> bool {
        let is_left = |at: &Square| rules.n_several_turns != 0 || self.is_empty_at(*at);
        let enemy = self.side.opponent();
        let size = rules.size;
        let pawns = kinds_of(rules.pawns);
        let on_file = |at: &Square| size.file_of(*at) == size.file_of(square);
        pawns.into_iter().any(|kind| {
            let table = &rules.sides[enemy].moves[kind.index()];
            size.squares().filter(on_file).filter(is_left).any(|from| {
                let goals = table.reach(from) & self.enemy();
                goals.into_iter().filter(on_file).any(|to| {
                    let (low, high) = (from.min(to), from.max(to));
                    low < square && square < high
                })
            })
        })
    }

    /// Whether a pawn of the side to move passed over `square` in its unfinished turn.
    fn is_own_passed(&self, rules: &Rules<N, K>, square: Square) -> bool {
        let up = if self.side == Color::White { 1 } else { -1 };
        (1..=2).filter_map(|n| rules.size.offset(square, 0, n * up)).any(|at| {
            self.moved.contains(at)
                && self.piece_at(at).is_some_and(|(kind, _)| rules.is_pawn(kind))
        })
    }

    fn read_extra(&mut self, rules: &Rules<N, K>, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        if !rules.faces.is_empty() {
            let face =
                number(text).filter(|&face| face > 0 && usize::from(face) <= rules.faces.len());
            self.face = face.ok_or_else(|| {
                error("extra", text, format!("`-` or a face from 1 to {}", rules.faces.len()))
            })? as u8;
            return Ok(());
        }
        if let Some(setup) = text.strip_prefix("setup") {
            return self.read_setup(rules, text, setup);
        }
        let expected = "`-`, or the squares of units moved in this turn, sorted by rank";
        self.moved = read_squares(rules, text, "extra")?.into_iter().collect();
        let home = rules.sides[self.side].home;
        let is_possible = self.is_several(rules)
            && self.moved.and_not(self.own() & home).is_empty()
            && self.moved.len() < rules.n_several_units
            && write_squares(rules, self.moved) == text;
        if is_possible { Ok(()) } else { Err(error("extra", text, expected)) }
    }

    fn read_setup(
        &mut self,
        rules: &Rules<N, K>,
        text: &str,
        squares: &str,
    ) -> Result<(), FenError> {
        let expected = "`setup`, or `setup:` and the squares exchanged by the side to move";
        if !rules.has_exchange {
            return Err(error("extra", text, "`-`: this variant has no exchange"));
        }
        self.is_setup = true;
        if let Some(squares) = squares.strip_prefix(':') {
            self.moved = read_squares(rules, squares, "extra")?.into_iter().collect();
            let (homes, others) = rules.sides[self.side].exchange;
            let is_possible = self.moved.and_not(homes | others).is_empty()
                && (self.moved & homes).len() == (self.moved & others).len()
                && homes.and_not(self.moved).any()
                && others.and_not(self.moved).any()
                && write_squares(rules, self.moved) == squares;
            if !is_possible {
                return Err(error("extra", text, expected));
            }
        } else if !squares.is_empty() {
            return Err(error("extra", text, expected));
        }
        self.check_exchanges(rules, text, self.side, self.moved)?;
        if self.side == Color::White {
            self.check_exchanges(rules, text, Color::Black, Bits::EMPTY)?;
        }
        self.check_unmoved(rules, text)
    }

    /// During the set-up all units stand where the game starts, but for exchanged ones.
    fn check_unmoved(&self, rules: &Rules<N, K>, text: &str) -> Result<(), FenError> {
        let sides = &rules.sides;
        let exchangeable = |color: Color| sides[color].exchange.0 | sides[color].exchange.1;
        let stands = |&(square, kind, color): &(Square, PieceKind, Color)| {
            let found = self.piece_at(square);
            let is_exchanged = exchangeable(color).contains(square)
                && found.is_some_and(|(kind, owner)| {
                    owner == color && rules.exchange_kinds.contains(&kind)
                });
            found == Some((kind, color)) || is_exchanged
        };
        let is_whole = self.occupied().len() as usize == rules.start_units.len();
        if is_whole && rules.start_units.iter().all(stands) {
            Ok(())
        } else {
            Err(error("extra", text, "units as at the start of the game, but for exchanges"))
        }
    }

    /// During the set-up every exchangeable unit stands on a home square, exchanged or not.
    fn check_exchanges(
        &self,
        rules: &Rules<N, K>,
        text: &str,
        color: Color,
        moved: Bits<N>,
    ) -> Result<(), FenError> {
        let (homes, others) = rules.sides[color].exchange;
        let swapped = [moved & homes, moved & others];
        let still = [homes.and_not(moved), others.and_not(moved)];
        let fits = |set: Bits<N>, kind: PieceKind| {
            set.into_iter().all(|square| self.piece_at(square) == Some((kind, color)))
        };
        let [first, second] = rules.exchange_kinds;
        if fits(swapped[0], second)
            && fits(swapped[1], first)
            && fits(still[0], first)
            && fits(still[1], second)
        {
            Ok(())
        } else {
            Err(error("extra", text, "exchangeable units on their first squares, or exchanged"))
        }
    }

    /// What breaks the rules in a position whose fields can be read.
    fn check(&self, rules: &Rules<N, K>, fields: &[&str], kings: Kings) -> Option<FenError> {
        let wrong = |expected: String| Some(error("board", fields[0], expected));
        for color in Color::ALL {
            let royal = self.of_kinds(rules.royal) & self.colors[color.index()];
            if kings == Kings::AsRules && rules.needs_royal && royal.is_empty() {
                let letters: Vec<String> = kinds_of(rules.royal)
                    .map(|kind| letter(rules, kind, color).to_string())
                    .collect();
                return wrong(format!("a king of {color} ({})", letters.join(" or ")));
            }
            for kind in 0..rules.n_kinds {
                let stuck = self.kinds[kind]
                    & self.colors[color.index()]
                    & rules.sides[color].promotes[kind];
                if let Some(square) = stuck.first() {
                    let (letter, name) = (rules.letters[kind], rules.size.square_name(square));
                    return wrong(format!(
                        "no {color} {letter} on a rank where it promotes, as on {name}"
                    ));
                }
            }
        }
        let (mover, waiting) = (self.side, self.side.opponent());
        if self.moved.is_empty() && self.is_attacked(rules, waiting) {
            return wrong(format!("no king of {waiting} attacked while {mover} moves"));
        }
        if self.moved.any() && !self.is_setup && self.is_attacked(rules, mover) {
            return wrong(format!("no king of {mover} attacked in its unfinished turn"));
        }
        if self.face != 0 && self.kinds_to_move(rules) & self.all_movable(rules) == 0 {
            let expected = "`-`, or a face whose kind has a legal action";
            return Some(error("extra", fields[6], expected));
        }
        None
    }
}

/// A number without sign or leading zero.
fn number(text: &str) -> Option<u16> {
    let is_plain =
        text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    if is_plain { text.parse().ok() } else { None }
}

fn read_squares<const N: usize, const K: usize>(
    rules: &Rules<N, K>,
    text: &str,
    field: &'static str,
) -> Result<Vec<Square>, FenError> {
    let read = |name: &str| {
        let expected = || error(field, text, "squares of the board, separated by commas");
        rules.size.parse_square(name).ok_or_else(expected)
    };
    text.split(',').map(read).collect()
}
