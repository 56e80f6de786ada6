//! Betza notation: how a kind of piece moves, as text.
//!
//! An atom in capitals is a leap; modifiers in front of it choose directions (`f b l r v s`) and
//! ways (`m` moves only, `c` captures only, `e` also en passant, `n` only if the squares between
//! are empty, `p` over exactly one unit). `B`, `R` and `Q` slide; a digit or a doubled atom repeats a leap.
//! `t[FR]` leaps as the first atom and, if that square is empty, may go on outward as the second.

mod directions;
#[cfg(test)]
mod tests;

use std::fmt;

use self::directions::{choose, idle_letter, is_straight};
use crate::{BoardSize, Excerpt};

/// A step on the board: files to the right, ranks forward.
pub(crate) type Offset = (i8, i8);

/// How the squares before the target matter.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) enum Path {
    /// Squares that a repeated leap visits must be empty.
    Free,
    /// All squares of the straight line to the target must be empty.
    Lame,
    /// Exactly one unit must stand on the line before the target.
    Hop,
}

/// What an action of a part may do on its target.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) struct Modes {
    pub(crate) moves: bool,
    pub(crate) captures: bool,
    pub(crate) en_passant: bool,
}

impl Modes {
    /// It moves and captures alike.
    pub(crate) const BOTH: Self = Self { moves: true, captures: true, en_passant: false };
}

/// One part of a piece's moves: the same way of moving in several directions.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Part {
    /// The leaps, from White's side.
    pub(crate) leaps: Vec<Offset>,
    /// How often the leap may be repeated in a line.
    pub(crate) range: u8,
    pub(crate) modes: Modes,
    pub(crate) path: Path,
    /// Where a ride may go on after the first leap: steps and their greatest number.
    pub(crate) then: Option<(Vec<Offset>, u8)>,
}

/// Why a text is not Betza that this program reads.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct BetzaError {
    /// The byte the trouble begins at.
    pub(crate) at: usize,
    pub(crate) reason: String,
}

impl fmt::Display for BetzaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at character {}: {}", self.at + 1, self.reason)
    }
}

const UNLIMITED: u8 = u8::MAX;

/// The most atoms and `t[…]` of one text.
const MAX_PARTS: usize = 32;
/// The most letters in front of an atom.
const MAX_MODIFIERS: usize = 8;
/// No ride is longer on the largest board.
const MAX_RANGE: u8 = BoardSize::MAX_SIDE - 1;

/// Reads the moves of a kind; after a mistake it goes on with the next part, to find more.
pub(crate) fn parse(text: &str) -> Result<Vec<Part>, Vec<BetzaError>> {
    let mut reader = Reader { text: text.as_bytes(), at: 0 };
    let (mut parts, mut errors) = (Vec::new(), Vec::new());
    if text.is_empty() {
        errors.push(reader.error(0, "no moves, expected an atom such as `W`, `N` or `R`"));
    }
    let mut n_parts = 0;
    while reader.at < reader.text.len() {
        let start = reader.at;
        n_parts += 1;
        if n_parts > MAX_PARTS {
            errors = vec![reader.error(start, format!("more than {MAX_PARTS} parts"))];
            break;
        }
        match reader.part() {
            Ok(new) => {
                if new.iter().any(|part| parts.contains(part)) {
                    errors.push(reader.error(start, "the same moves a second time"));
                }
                parts.extend(new);
            }
            Err(error) => {
                errors.push(error);
                reader.skip_part(start);
            }
        }
    }
    if errors.is_empty() { Ok(parts) } else { Err(errors) }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

/// What the letters in front of an atom say.
struct Modifiers {
    directions: String,
    modes: Modes,
    path: Path,
}

/// What an atom stands for: leaps and their range.
struct Atom {
    rides: Vec<(Offset, u8)>,
}

impl Reader<'_> {
    fn error(&self, at: usize, reason: impl Into<String>) -> BetzaError {
        BetzaError { at, reason: reason.into() }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn lower_case(&mut self) -> String {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_lowercase()) {
            self.at += 1;
        }
        self.text[start..self.at].iter().map(|&byte| byte as char).collect()
    }

    /// Goes behind the part that begins at `start`: its modifiers, and `[…]` or an atom with what
    /// follows it.
    fn skip_part(&mut self, start: usize) {
        self.at = start;
        self.lower_case();
        if self.peek() == Some(b'[') {
            let rest = &self.text[self.at..];
            self.at += rest.iter().position(|&byte| byte == b']').map_or(rest.len(), |at| at + 1);
            return;
        }
        let atom = self.peek();
        let is_more =
            |byte: u8| Some(byte) == atom || !(byte.is_ascii_alphabetic() || byte == b'[');
        self.at = self.text.len().min(self.at + 1);
        while self.peek().is_some_and(is_more) {
            self.at += 1;
        }
        if self.text[self.at..].starts_with(b"yafs") {
            self.at = self.text.len().min(self.at + 5);
        }
    }

    fn part(&mut self) -> Result<Vec<Part>, BetzaError> {
        let start = self.at;
        let modifiers = self.lower_case();
        let is_bent = self.peek() == Some(b'[') && modifiers.ends_with('t');
        let modifiers = modifiers.strip_suffix('t').filter(|_| is_bent).unwrap_or(&modifiers);
        let Modifiers { directions, modes, path } = self.modifiers(start, modifiers)?;
        if is_bent {
            return self.bent(start, &directions, modes, path);
        }
        let atom_at = self.at;
        let atom = self.atom()?;
        if self.text[self.at..].starts_with(b"yafs") {
            if path != Path::Free || modes.en_passant || self.at != atom_at + 1 {
                return Err(self.error(start, "`yafs` goes with `m`, `c` and directions only"));
            }
            return self.toggled(atom_at, &directions, modes);
        }
        let mut parts = Vec::new();
        for (base, range) in atom.rides {
            let leaps = self.leaps(start, base, &directions)?;
            let is_short = base.0.max(base.1) == 1;
            if path == Path::Lame && (range != 1 || is_short || !is_straight(base)) {
                let reason = "`n` needs a straight leap over squares such as `D`, `A` or `H`";
                return Err(self.error(start, reason));
            }
            if path == Path::Hop && range == 1 {
                return Err(self.error(start, "`p` needs a slider or rider such as `R`"));
            }
            if modes.en_passant && (range != 1 || path != Path::Free) {
                return Err(self.error(start, "`e` needs a single leap such as `F`"));
            }
            parts.push(Part { leaps, range, modes, path, then: None });
        }
        Ok(parts)
    }

    /// The leaps that direction letters choose, each letter with an effect.
    fn leaps(
        &self,
        start: usize,
        base: Offset,
        directions: &str,
    ) -> Result<Vec<Offset>, BetzaError> {
        let leaps = choose(base, directions);
        if leaps.is_empty() {
            return Err(self.error(start, format!("`{directions}` leaves no direction")));
        }
        if let Some(letter) = idle_letter(base, directions) {
            let (x, y) = base;
            let reason =
                format!("`{letter}` of `{directions}` changes nothing for a leap ({x},{y})");
            return Err(self.error(start, reason));
        }
        Ok(leaps)
    }

    /// What the letters in front of an atom say.
    fn modifiers(&self, start: usize, letters: &str) -> Result<Modifiers, BetzaError> {
        if letters.len() > MAX_MODIFIERS {
            return Err(
                self.error(start, format!("more than {MAX_MODIFIERS} letters before an atom"))
            );
        }
        let mut directions = String::new();
        for (index, letter) in letters.char_indices() {
            match letter {
                'f' | 'b' | 'l' | 'r' | 'v' | 's' => directions.push(letter),
                'm' | 'c' | 'e' | 'n' | 'p' if letters[..index].contains(letter) => {
                    return Err(self.error(start + index, format!("`{letter}` a second time")));
                }
                'm' | 'c' | 'e' | 'n' | 'p' => {}
                _ => {
                    return Err(self.error(
                        start + index,
                        format!(
                            "unknown modifier `{letter}`, expected `f b l r v s m c e n p` or `t[`"
                        ),
                    ));
                }
            }
        }
        let has = |letter| letters.contains(letter);
        let (moves, captures, en_passant) = (has('m'), has('c'), has('e'));
        if en_passant && !captures {
            return Err(self.error(start, "`e` needs `c`: en passant is a capture"));
        }
        if moves && captures && !en_passant {
            let reason = "`m` and `c` together say nothing: without either a part does both";
            return Err(self.error(start, reason));
        }
        let path = match (has('n'), has('p')) {
            (true, true) => {
                let reason = "`n` and `p` contradict each other: no unit between, and one between";
                return Err(self.error(start, reason));
            }
            (true, false) => Path::Lame,
            (false, true) => Path::Hop,
            (false, false) => Path::Free,
        };
        let both = !moves && !captures;
        let modes = Modes { moves: moves || both, captures: captures || both, en_passant };
        Ok(Modifiers { directions, modes, path })
    }

    /// `t[AB]`: a leap of `A`, then outward as `B`.
    fn bent(
        &mut self,
        start: usize,
        outer: &str,
        modes: Modes,
        path: Path,
    ) -> Result<Vec<Part>, BetzaError> {
        if path != Path::Free || modes.en_passant {
            return Err(self.error(start, "`e`, `n` and `p` do not go with `t[…]`"));
        }
        self.at += 1;
        let inner_at = self.at;
        let inner = self.lower_case();
        if inner.chars().any(|letter| "mcenp".contains(letter)) {
            return Err(self.error(inner_at, "`m`, `c`, `e`, `n` and `p` stand before `t[…]`"));
        }
        let inner = self.modifiers(inner_at, &inner)?.directions;
        if !inner.is_empty() && !outer.is_empty() {
            return Err(self.error(start, "directions before `t[…]` and within it, expected one"));
        }
        let directions = if inner.is_empty() { outer } else { &inner };
        let gate = self.atom()?;
        let ride = self.atom()?;
        if self.peek() != Some(b']') {
            return Err(self.error(self.at, "expected `]` after two atoms"));
        }
        self.at += 1;
        let mut parts = Vec::new();
        for (base, range) in gate.rides {
            if range != 1 {
                return Err(self.error(inner_at, "the first atom in `t[…]` must be a leap"));
            }
            let leaps = self.leaps(start, base, directions)?;
            for &(step, range) in &ride.rides {
                let then = Some((choose(step, ""), range));
                parts.push(Part { leaps: leaps.clone(), range: 1, modes, path, then });
            }
        }
        Ok(parts)
    }

    /// `FyafsF` and `WyafsW`: other names of `t[FR]` and `t[WB]`.
    fn toggled(
        &mut self,
        atom_at: usize,
        directions: &str,
        modes: Modes,
    ) -> Result<Vec<Part>, BetzaError> {
        let first = self.text[atom_at];
        self.at += 4;
        let (base, ride) = match (first, self.peek()) {
            (b'F', Some(b'F')) => ((1, 1), (1, 0)),
            (b'W', Some(b'W')) => ((1, 0), (1, 1)),
            _ => {
                return Err(self.error(atom_at, "`yafs` is read in `FyafsF` and `WyafsW` only"));
            }
        };
        self.at += 1;
        let leaps = self.leaps(atom_at, base, directions)?;
        let then = Some((choose(ride, ""), UNLIMITED));
        Ok(vec![Part { leaps, range: 1, modes, path: Path::Free, then }])
    }

    fn atom(&mut self) -> Result<Atom, BetzaError> {
        let at = self.at;
        let Some(letter) = self.peek() else {
            return Err(self.error(at, "expected an atom such as `W`, `N` or `R`"));
        };
        let (bases, slides): (&[Offset], bool) = match letter {
            b'W' => (&[(1, 0)], false),
            b'F' => (&[(1, 1)], false),
            b'D' => (&[(2, 0)], false),
            b'N' => (&[(2, 1)], false),
            b'A' => (&[(2, 2)], false),
            b'H' => (&[(3, 0)], false),
            b'C' | b'L' => (&[(3, 1)], false),
            b'Z' | b'J' => (&[(3, 2)], false),
            b'G' => (&[(3, 3)], false),
            b'K' => (&[(1, 0), (1, 1)], false),
            b'R' => (&[(1, 0)], true),
            b'B' => (&[(1, 1)], true),
            b'Q' => (&[(1, 0), (1, 1)], true),
            _ => {
                let found = String::from_utf8_lossy(&self.text[at..]).chars().next();
                let found = found.unwrap_or(' ');
                return Err(self.error(
                    at,
                    format!("unknown atom `{found}`, expected one of `W F D N A H C L Z J G K R B Q` or `t[`"),
                ));
            }
        };
        self.at += 1;
        let range = self.range(letter, slides)?;
        Ok(Atom { rides: bases.iter().map(|&base| (base, range)).collect() })
    }

    fn range(&mut self, letter: u8, slides: bool) -> Result<u8, BetzaError> {
        if self.peek() == Some(letter) && !slides {
            self.at += 1;
            return Ok(UNLIMITED);
        }
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        let digits = String::from_utf8_lossy(&self.text[start..self.at]);
        if digits.is_empty() {
            return Ok(if slides { UNLIMITED } else { 1 });
        }
        let range = digits.parse::<u8>().ok().filter(|range| (1..=MAX_RANGE).contains(range));
        range.filter(|_| !digits.starts_with('0')).ok_or_else(|| {
            let (digits, letter) = (Excerpt(&digits), letter as char);
            let unlimited = if slides { format!("{letter}") } else { format!("{letter}{letter}") };
            let reason = format!(
                "found a range of `{digits}`, expected 1 to {MAX_RANGE}; `{unlimited}` goes on to the edge of the board"
            );
            self.error(start, reason)
        })
    }
}
