//! Direction letters: which of an atom's leaps are meant.

use super::Offset;

/// Whether a leap goes along a rank, a file or a diagonal.
pub(super) const fn is_straight((x, y): Offset) -> bool {
    x == 0 || y == 0 || x == y || x == -y
}

/// All leaps that are `base` turned and mirrored, in the wanted directions.
pub(super) fn choose((a, b): Offset, directions: &str) -> Vec<Offset> {
    let mut leaps = Vec::new();
    for (x, y) in [(a, b), (b, a)] {
        for (x, y) in [(x, y), (-x, y), (x, -y), (-x, -y)] {
            if is_wanted((x, y), directions) && !leaps.contains(&(x, y)) {
                leaps.push((x, y));
            }
        }
    }
    leaps
}

/// A direction letter without which the same leaps would be chosen.
pub(super) fn idle_letter(base: Offset, directions: &str) -> Option<char> {
    let chosen = choose(base, directions);
    if !directions.is_empty() && chosen == choose(base, "") {
        return directions.chars().next();
    }
    directions.char_indices().map(|(at, letter)| (at, at + letter.len_utf8(), letter)).find_map(
        |(start, end, letter)| {
            let others = format!("{}{}", &directions[..start], &directions[end..]);
            (!others.is_empty() && choose(base, &others) == chosen).then_some(letter)
        },
    )
}

fn is_wanted((x, y): Offset, directions: &str) -> bool {
    if directions.is_empty() {
        return true;
    }
    if x == 0 || y == 0 {
        return directions.chars().any(|letter| match letter {
            'f' => y > 0,
            'b' => y < 0,
            'l' => x < 0,
            'r' => x > 0,
            'v' => x == 0,
            _ => y == 0,
        });
    }
    if x.abs() == y.abs() {
        let fits = |plus: char, minus: char, value: i8| {
            let (has_plus, has_minus) = (directions.contains(plus), directions.contains(minus));
            has_plus == has_minus || if has_plus { value > 0 } else { value < 0 }
        };
        return fits('f', 'b', y) && fits('r', 'l', x);
    }
    oblique_tokens(directions).iter().any(|token| {
        let side = |letter: char| match letter {
            'f' => y > 0,
            'b' => y < 0,
            'l' => x < 0,
            'r' => x > 0,
            'v' => y.abs() > x.abs(),
            _ => x.abs() > y.abs(),
        };
        match *token {
            (first, None) => side(first),
            (first, Some(second)) if first == second => {
                side(first) && side(if matches!(first, 'f' | 'b') { 'v' } else { 's' })
            }
            (first, Some(second)) => side(first) && side(second),
        }
    })
}

/// Splits direction letters of an oblique leap: `ff` narrow forward, `fs` wide forward, `fl` a quarter.
fn oblique_tokens(directions: &str) -> Vec<(char, Option<char>)> {
    let letters: Vec<char> = directions.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&first) = letters.get(at) {
        let second = letters.get(at + 1).copied().filter(|&second| match first {
            'f' | 'b' => second == first || matches!(second, 's' | 'l' | 'r'),
            'l' | 'r' => second == first || second == 'v',
            _ => false,
        });
        at += if second.is_some() { 2 } else { 1 };
        tokens.push((first, second));
    }
    tokens
}
