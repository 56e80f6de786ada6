//! FEN: positions as text, both ways.

mod write;

pub(crate) use self::write::letter;
use self::write::{right_letter, write_passed, write_squares};
use super::FenError;
use super::state::State;
use crate::bits::Bits;
use crate::variant::Rules;
use crate::{Color, PieceKind, Square};

/// Which field is wrong, and what it should be.
fn error(field: &'static str, found: &str, expected: impl Into<String>) -> FenError {
    FenError::Field { field, found: found.into(), expected: expected.into() }
}

/// One unit of a FEN's board.
pub(crate) type Unit = (Square, PieceKind, Color);

/// Reads the units of a board field; needs no compiled start position.
pub(crate) fn read_board<const N: usize, const K: usize>(
    rules: &Rules<N, K>,
    text: &str,
) -> Result<Vec<Unit>, FenError> {
    let size = rules.size;
    let wrong = |expected: String| error("board", text, expected);
    let mut units = Vec::new();
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != usize::from(size.ranks()) {
        return Err(wrong(format!("{} ranks, not {}", size.ranks(), ranks.len())));
    }
    for (row, rank) in ranks.into_iter().enumerate() {
        let rank_number = usize::from(size.ranks()) - row;
        let mut file = 0;
        let mut letters = rank.chars().peekable();
        while let Some(letter) = letters.next() {
            if let Some(digit) = letter.to_digit(10) {
                let mut run = digit as usize;
                while let Some(digit) = letters.peek().and_then(|next| next.to_digit(10)) {
                    run = (run * 10 + digit as usize).min(1000);
                    letters.next();
                }
                if digit == 0 {
                    return Err(wrong(format!(
                        "a run of empty squares without leading zero in rank {rank_number}"
                    )));
                }
                file += run;
                continue;
            }
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            let kind = rules.kind_of(letter.to_ascii_uppercase()).ok_or_else(|| {
                let known: String = rules.letters.iter().collect();
                wrong(format!("the pieces {known}, not `{letter}` in rank {rank_number}"))
            })?;
            if file < usize::from(size.files()) {
                let index = (rank_number - 1) * usize::from(size.files()) + file;
                units.push((Square(index as u8), kind, color));
            }
            file += 1;
        }
        if file != usize::from(size.files()) {
            return Err(wrong(format!(
                "{} squares in rank {rank_number}, not {file}",
                size.files()
            )));
        }
    }
    Ok(units)
}

impl<const N: usize, const K: usize> State<N, K> {
    /// Reads and checks a FEN.
    pub(crate) fn from_fen(rules: &Rules<N, K>, fen: &str) -> Result<Self, FenError> {
        let fields: Vec<&str> = fen.split(' ').collect();
        let has_extra = rules.n_several_turns != 0 || rules.has_exchange || !rules.faces.is_empty();
        let (expected, names) = if has_extra {
            (7, "board side rights ep halfmove fullmove extra")
        } else {
            (6, "board side rights ep halfmove fullmove")
        };
        let found = fields.len();
        if found != expected {
            return Err(FenError::FieldCount { fen: fen.into(), found, expected, names });
        }
        let mut state = Self::EMPTY;
        for (square, kind, color) in read_board(rules, fields[0])? {
            state.put(rules, square, kind, color);
        }
        state.side = match fields[1] {
            "w" => Color::White,
            "b" => Color::Black,
            found => return Err(error("side", found, "`w` or `b`")),
        };
        state.rights = state.read_rights(rules, fields[2])?;
        state.halfmove = number(fields[4])
            .ok_or_else(|| error("halfmove", fields[4], "a number of plies from 0 to 65535"))?;
        state.fullmove = number(fields[5])
            .filter(|&number| number > 0)
            .ok_or_else(|| error("fullmove", fields[5], "a turn number from 1 to 65535"))?;
        if has_extra {
            state.read_extra(rules, fields[6])?;
        }
        state.read_en_passant(rules, fields[3])?;
        state.check(rules, fields[0])?;
        if state.face != 0 && state.kinds_to_move(rules) & state.all_movable(rules) == 0 {
            return Err(error("extra", fields[6], "`-`, or a face whose kind has a legal action"));
        }
        state.key = state.computed_key(rules);
        Ok(state)
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
        let squares = read_squares(rules, text, "ep")?;
        for &square in &squares {
            if self.occupied().contains(square) {
                return Err(error("ep", text, "empty squares"));
            }
            if self.moved.any() && self.is_own_passed(rules, square) {
                self.own_en_passant.insert(square);
            } else {
                self.en_passant.insert(square);
            }
        }
        if write_passed(rules, self.en_passant | self.own_en_passant) != text {
            return Err(error("ep", text, "squares sorted by text, each once"));
        }
        Ok(())
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

    fn check(&self, rules: &Rules<N, K>, board: &str) -> Result<(), FenError> {
        for color in Color::ALL {
            for kind in 0..rules.n_kinds {
                let stuck = self.kinds[kind]
                    & self.colors[color.index()]
                    & rules.sides[color].promotes[kind];
                if let Some(square) = stuck.first() {
                    let (letter, name) = (rules.letters[kind], rules.size.square_name(square));
                    let expected =
                        format!("no {color} {letter} on a rank where it promotes, as on {name}");
                    return Err(error("board", board, expected));
                }
            }
        }
        if self.moved.is_empty() && self.is_attacked(rules, self.side.opponent()) {
            let expected =
                format!("no king of {} attacked while {} moves", self.side.opponent(), self.side);
            return Err(error("board", board, expected));
        }
        if self.moved.any() && !self.is_setup && self.is_attacked(rules, self.side) {
            let expected = format!("no king of {} attacked in its unfinished turn", self.side);
            return Err(error("board", board, expected));
        }
        Ok(())
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
