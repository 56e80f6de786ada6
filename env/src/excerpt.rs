//! Text of a user in a message: never longer than a line.

use std::fmt;

/// The most characters that are shown.
const MAX_SHOWN: usize = 60;

/// Prints the beginning of a text, with an ellipsis where more follows; line breaks and other
/// control characters are escaped.
#[derive(Copy, Clone, Debug)]
pub struct Excerpt<'a>(pub &'a str);

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, letter) in self.0.chars().enumerate() {
            if index == MAX_SHOWN {
                return f.write_str("…");
            }
            if letter.is_control() {
                write!(f, "{}", letter.escape_default())?;
            } else {
                write!(f, "{letter}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, shown: &str) {
        assert_eq!(Excerpt(text).to_string(), shown);
    }

    #[test]
    fn long_texts_are_cut_and_control_characters_escaped() {
        check("", "");
        check("8/8 w", "8/8 w");
        check("a\nb\u{1b}", "a\\nb\\u{1b}");
        check(&"ä".repeat(60), &"ä".repeat(60));
        check(&"ä".repeat(61), &format!("{}…", "ä".repeat(60)));
    }
}
