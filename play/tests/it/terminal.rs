//! Whole sessions at the terminal, as transcripts.

use std::io::BufReader;

use gryphon_env::{Action, Color, Game, Position, RunSeed, Variant};
use gryphon_play::{
    BoardStyle, Glyphs, GreedyPlayer, Paint, Player, PlayerError, RandomPlayer, TerminalGame,
    draw_board, play_in_terminal,
};
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;

const PLAIN: BoardStyle = BoardStyle { glyphs: Glyphs::Letters, paint: Paint::Plain };

fn setup(variant: &str, person: Color) -> TerminalGame {
    let variant = Variant::named(variant).expect("it is built in");
    TerminalGame { start: variant.start(), person, style: PLAIN, seed: RunSeed(1) }
}

/// What a person sees who types `input`, with each typed line shown behind its prompt.
fn session(setup: &TerminalGame, input: &[u8]) -> String {
    let mut opponent = GreedyPlayer::new(setup.start.variant());
    let mut output = Vec::new();
    play_in_terminal(setup, &mut opponent, &mut BufReader::new(input), &mut output)
        .expect("the session ends well");
    let output = String::from_utf8(output).expect("the output is text");
    let mut typed = input.split(|&byte| byte == b'\n').map(String::from_utf8_lossy);
    let mut parts = output.split("> ");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        shown.push_str("> ");
        shown.push_str(&typed.next().unwrap_or_default().replace('\u{1b}', "ESC"));
        shown.push('\n');
        shown.push_str(part);
    }
    shown.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn a_session_with_every_command() {
    let setup = setup("complicacious-simplified-limited", Color::White);
    let input = "help\nmoves\nmoves e2\nmoves e5\nmoves z9\nhint\ne2e4\nfen\nflip\nundo\nundo\n\
                 save\nboard\nquit\n";
    insta::assert_snapshot!(session(&setup, input.as_bytes()));
}

#[test]
fn garbage_gets_a_helpful_line() {
    let setup = setup("grant-acedrex", Color::Black);
    let input = b"e2e9\nxyzzy\na9\na9a\nA9A8\nb1b2\ng6g7\nend\nquit please\n\xff\xfe\n\
                  \x1b[31mred\nhelp me\n\nmoves \xf0\x9f\x99\x82\n";
    insta::assert_snapshot!(session(&setup, input));
}

#[test]
fn endless_lines_and_random_bytes_are_survived() {
    let setup = setup("complicacious", Color::White);
    let mut input = vec![b'a'; 100_000];
    input.push(b'\n');
    input.extend((0..=255u8).cycle().take(5_000));
    input.extend(b"\nfen");
    let shown = session(&setup, &input);
    assert_eq!(shown.matches("aaaaa…` is neither an action nor a command").count(), 1);
    assert!(shown.contains("rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w - - 0 1"), "{shown}");
    assert!(shown.trim_end().ends_with("Input ended; goodbye."), "{shown}");
}

#[test]
fn a_game_won_can_be_taken_back() {
    let variant = Variant::named("chess").unwrap();
    let start = Position::from_fen(variant, "6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1").unwrap();
    let setup = TerminalGame { start, person: Color::White, style: PLAIN, seed: RunSeed(1) };
    let input = "d1d8\nmoves\nhint\ne1e2\nundo\nfen\n";
    insta::assert_snapshot!(session(&setup, input.as_bytes()));
}

#[test]
fn a_turn_of_several_actions_goes_on_until_end() {
    let setup = setup("gryphon-aanca", Color::White);
    let input = "end\nend\na3a5\nmoves a5\nb3b5\nundo\nend\n";
    insta::assert_snapshot!(session(&setup, input.as_bytes()));
}

#[test]
fn the_die_is_announced() {
    let setup = setup("grant-acedrex-dice", Color::White);
    let shown = session(&setup, b"quit\n");
    assert!(shown.contains("The die shows "), "{shown}");
}

#[test]
fn a_game_is_saved_whole_and_never_over_another() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my game.pgn");
    let setup = setup("complicacious-simplified", Color::White);
    let name = path.display();
    let input = format!("e2e4\nsave {name}\nsave {name}\nsave {name}/x.pgn\nquit\n");
    let shown = session(&setup, input.as_bytes()).replace(&folder.path().display().to_string(), "");
    assert!(shown.contains("Saved to /my game.pgn."), "{shown}");
    assert!(shown.contains("Not saved: `/my game.pgn` exists and is left as it is"), "{shown}");
    let reason = "Not saved: cannot write `/my game.pgn/x.pgn`: not a directory.";
    assert!(shown.lines().any(|line| line.ends_with(reason)), "{shown}");
    let saved = std::fs::read_to_string(&path).unwrap();
    assert!(saved.contains("[Variant \"complicacious-simplified\"]"), "{saved}");
    assert!(saved.contains("\n1. e2e4 "), "{saved}");
    let n_files = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(n_files, 1, "no temporary file is left");
}

/// Answers with an action of another game.
struct Confused;

impl Player for Confused {
    fn name(&self) -> String {
        "confused".to_owned()
    }

    fn choose(
        &mut self,
        _games: &[&Game],
        _rngs: &mut [ChaCha8Rng],
    ) -> Result<Vec<Action>, PlayerError> {
        Ok(vec![Action::END])
    }
}

#[test]
fn an_illegal_answer_ends_the_session_with_an_error() {
    let setup = setup("complicacious", Color::Black);
    let mut output = Vec::new();
    let error = play_in_terminal(&setup, &mut Confused, &mut &b""[..], &mut output).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("confused: no legal choice in `rnbq1bnr/"), "{text}");
}

#[test]
fn boards_in_every_style() {
    let variant = Variant::named("complicacious").unwrap();
    let mut game = Game::new(variant.start());
    for text in ["e2e4", "b8c6"] {
        game.play(game.position().parse_action(text).unwrap());
    }
    let plain = draw_board(&game, Color::White, PLAIN);
    let symbols = BoardStyle { glyphs: Glyphs::Unicode, paint: Paint::Plain };
    let symbols = draw_board(&game, Color::Black, symbols);
    insta::assert_snapshot!(format!("{plain}\n{symbols}"));
    let colored = BoardStyle { glyphs: Glyphs::Letters, paint: Paint::Colored };
    let colored = draw_board(&game, Color::White, colored);
    assert!(colored.contains("\x1b[48;5;65;38;5;16;1m[b]\x1b[0m"), "{colored}");
    assert!(colored.lines().all(|line| line.matches("\x1b[0m").count() % 8 == 0), "{colored}");
}

/// A line a person might type, sensible or not.
fn any_line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-l]([1-9]|1[0-2])[a-l]([1-9]|1[0-2])[a-z]?",
        2 => "(moves|hint|undo|flip|board|fen|help|save|end|MOVES [a-l][0-9]{1,2})",
        1 => "save /dev/null/.{0,5}",
        1 => ".{0,60}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn no_line_ends_the_session_but_quit(
        variant in prop::sample::select(Variant::names()),
        lines in prop::collection::vec(any_line(), 0..40),
    ) {
        let quits = ["quit", "exit", "q"];
        prop_assume!(lines.iter().all(|line| !quits.contains(&line.trim().to_lowercase().as_str())));
        let setup = setup(variant, Color::White);
        let mut output = Vec::new();
        let input = lines.join("\n");
        play_in_terminal(&setup, &mut RandomPlayer::new(), &mut input.as_bytes(), &mut output)
            .unwrap();
        let output = String::from_utf8(output).unwrap();
        prop_assert!(output.ends_with("Input ended; goodbye.\n"));
    }
}
