//! Betza notation: how a kind of piece moves, as text.
//!
//! An atom in capitals is a leap; modifiers in front of it choose directions (`f b l r v s`) and
//! ways (`m` moves only, `c` captures only, `e` also en passant, `n` only if the squares between
//! are empty, `p` over exactly one unit). `B`, `R` and `Q` slide; a digit or a doubled atom repeats a leap.
//! `t[FR]` leaps as the first atom and, if that square is empty, may go on outward as the second.

mod directions;

use std::fmt;

use self::directions::{choose, is_straight};

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

/// Reads the moves of a kind; an empty text is a kind that never moves.
pub(crate) fn parse(text: &str) -> Result<Vec<Part>, BetzaError> {
    let mut reader = Reader { text: text.as_bytes(), at: 0 };
    let mut parts = Vec::new();
    while reader.at < reader.text.len() {
        reader.part(&mut parts)?;
    }
    Ok(parts)
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
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

    fn part(&mut self, parts: &mut Vec<Part>) -> Result<(), BetzaError> {
        let start = self.at;
        let modifiers = self.lower_case();
        let (directions, modes, path, bent) = self.modifiers(start, &modifiers)?;
        if bent {
            return self.bent(start, &directions, modes, path, parts);
        }
        let atom_at = self.at;
        let atom = self.atom()?;
        if self.text[self.at..].starts_with(b"yafs") {
            return self.toggled(atom_at, &directions, modes, parts);
        }
        for (base, range) in atom.rides {
            let leaps = choose(base, &directions);
            if leaps.is_empty() {
                return Err(self.error(start, format!("`{directions}` leaves no direction")));
            }
            if path == Path::Lame && (range != 1 || !is_straight(base)) {
                return Err(self.error(start, "`n` needs a straight leap such as `D`, `A` or `H`"));
            }
            if path == Path::Hop && range == 1 {
                return Err(self.error(start, "`p` needs a slider or rider such as `R`"));
            }
            parts.push(Part { leaps, range, modes, path, then: None });
        }
        Ok(())
    }

    fn modifiers(
        &self,
        start: usize,
        modifiers: &str,
    ) -> Result<(String, Modes, Path, bool), BetzaError> {
        let mut directions = String::new();
        let (mut moves, mut captures, mut en_passant) = (false, false, false);
        let mut path = Path::Free;
        let mut bent = false;
        for (index, letter) in modifiers.char_indices() {
            match letter {
                'f' | 'b' | 'l' | 'r' | 'v' | 's' => directions.push(letter),
                'm' => moves = true,
                'c' => captures = true,
                'e' => en_passant = true,
                'n' => path = Path::Lame,
                'p' => path = Path::Hop,
                't' if index + 1 == modifiers.len() && self.peek() == Some(b'[') => bent = true,
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
        if en_passant && !captures {
            return Err(self.error(start, "`e` needs `c`: en passant is a capture"));
        }
        if !moves && !captures {
            (moves, captures) = (true, true);
        }
        Ok((directions, Modes { moves, captures, en_passant }, path, bent))
    }

    /// `t[AB]`: a leap of `A`, then outward as `B`.
    fn bent(
        &mut self,
        start: usize,
        outer: &str,
        modes: Modes,
        path: Path,
        parts: &mut Vec<Part>,
    ) -> Result<(), BetzaError> {
        if path != Path::Free {
            return Err(self.error(start, "`n` and `p` do not go with `t[…]`"));
        }
        self.at += 1;
        let inner_at = self.at;
        let inner = self.lower_case();
        let (inner, _, _, _) = self.modifiers(inner_at, &inner)?;
        let directions = if inner.is_empty() { outer.to_owned() } else { inner };
        let gate = self.atom()?;
        let ride = self.atom()?;
        if self.peek() != Some(b']') {
            return Err(self.error(self.at, "expected `]` after two atoms"));
        }
        self.at += 1;
        for (base, range) in gate.rides {
            if range != 1 {
                return Err(self.error(inner_at, "the first atom in `t[…]` must be a leap"));
            }
            let leaps = choose(base, &directions);
            if leaps.is_empty() {
                return Err(self.error(start, format!("`{directions}` leaves no direction")));
            }
            for &(step, range) in &ride.rides {
                let then = Some((choose(step, ""), range));
                parts.push(Part { leaps: leaps.clone(), range: 1, modes, path, then });
            }
        }
        Ok(())
    }

    /// `FyafsF` and `WyafsW`: other names of `t[FR]` and `t[WB]`.
    fn toggled(
        &mut self,
        atom_at: usize,
        directions: &str,
        modes: Modes,
        parts: &mut Vec<Part>,
    ) -> Result<(), BetzaError> {
        let first = self.text[atom_at];
        self.at += 4;
        let ride = match (first, self.peek()) {
            (b'F', Some(b'F')) => (1, 0),
            (b'W', Some(b'W')) => (1, 1),
            _ => {
                return Err(self.error(atom_at, "`yafs` is read in `FyafsF` and `WyafsW` only"));
            }
        };
        self.at += 1;
        let leaps = choose(if first == b'F' { (1, 1) } else { (1, 0) }, directions);
        let then = Some((choose(ride, ""), UNLIMITED));
        parts.push(Part { leaps, range: 1, modes, path: Path::Free, then });
        Ok(())
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
        match digits.parse::<u8>() {
            Ok(0) => Ok(UNLIMITED),
            Ok(range) => Ok(range),
            Err(_) if digits.is_empty() => Ok(if slides { UNLIMITED } else { 1 }),
            Err(_) => Err(self.error(start, "a range is a number up to 255")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaps(text: &str) -> Vec<Offset> {
        let parts = parse(text).unwrap();
        let mut all: Vec<_> = parts.into_iter().flat_map(|part| part.leaps).collect();
        all.sort_unstable();
        all
    }

    #[track_caller]
    fn check_rejects(text: &str, message: &str) {
        let error = parse(text).unwrap_err().to_string();
        assert!(error.contains(message), "unexpected message: {error}");
    }

    #[test]
    fn directions_choose_leaps() {
        assert_eq!(leaps("K").len(), 8);
        assert_eq!(leaps("KNAD").len(), 24);
        assert_eq!(leaps("fWfFbW"), [(-1, 1), (0, -1), (0, 1), (1, 1)]);
        assert_eq!(leaps("bN"), [(-2, -1), (-1, -2), (1, -2), (2, -1)]);
        assert_eq!(leaps("ffN"), [(-1, 2), (1, 2)]);
        assert_eq!(leaps("fsN"), [(-2, 1), (2, 1)]);
        assert_eq!(leaps("flF"), [(-1, 1)]);
        assert_eq!(leaps("fsW"), [(-1, 0), (0, 1), (1, 0)]);
    }

    #[test]
    fn both_names_of_a_gryphon_agree() {
        assert_eq!(parse("FyafsF"), parse("t[FR]"));
        assert_eq!(parse("WyafsW"), parse("t[WB]"));
    }

    #[test]
    fn modes_are_read() {
        let pawn = parse("fmWfmnDfceF").unwrap();
        assert_eq!(pawn.len(), 3);
        assert_eq!(pawn[1].path, Path::Lame);
        assert_eq!(pawn[2].modes, Modes { moves: false, captures: true, en_passant: true });
        let cannon = parse("mRcpR").unwrap();
        assert_eq!(cannon[1].path, Path::Hop);
        assert_eq!(cannon[0].range, UNLIMITED);
        assert_eq!(parse("R4").unwrap()[0].range, 4);
        assert_eq!(parse("NN").unwrap()[0].range, UNLIMITED);
    }

    #[test]
    fn mistakes_are_explained() {
        check_rejects("X", "unknown atom `X`");
        check_rejects("é", "unknown atom `é`");
        check_rejects("fq", "unknown modifier `q`");
        check_rejects("f", "expected an atom");
        check_rejects("feF", "`e` needs `c`");
        check_rejects("t[FR", "expected `]`");
        check_rejects("t[RB]", "must be a leap");
        check_rejects("pN", "`p` needs a slider");
        check_rejects("nN", "`n` needs a straight leap");
        check_rejects("R999", "up to 255");
    }
}
