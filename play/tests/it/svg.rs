//! Boards as pictures.

use gryphon_env::{Color, Game, Position, Variant};
use gryphon_play::svg_board;

fn game(variant: &str, fen: &str) -> Game {
    let variant = Variant::named(variant).expect("it is built in");
    Game::new(Position::from_fen(variant, fen).expect("a legal position"))
}

#[test]
fn every_unit_of_every_variant_is_drawn_under_its_name() {
    for name in Variant::names() {
        let variant = Variant::named(name).expect("it is built in");
        let start = Game::new(variant.start());
        for view in Color::ALL {
            let picture = svg_board(&start, view);
            for kind in variant.kinds() {
                for color in Color::ALL {
                    let title = format!("<title>{color} {}</title>", variant.kind_name(kind));
                    let n_drawn = picture.matches(&title).count();
                    let n_units = start.position().count(color, kind) as usize;
                    assert_eq!(n_drawn, n_units, "{title} in {name}");
                }
            }
        }
    }
}

#[test]
fn the_last_turn_is_tinted_and_an_attacked_king_ringed() {
    let mut game = game("chess", "6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1");
    let marks = |game: &Game| svg_board(game, Color::White).matches("fill-opacity=\"0.6\"").count();
    let rings = |game: &Game| svg_board(game, Color::White).matches("r=\"20\"").count();
    assert_eq!((marks(&game), rings(&game)), (0, 0));
    let mate = game.position().parse_action("d1d8").expect("a legal action");
    game.play(mate);
    assert_eq!((marks(&game), rings(&game)), (2, 1));
}

#[test]
fn the_other_side_sees_the_board_turned() {
    let game = game("chess", "6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1");
    // a1 is the lower left square for White and the upper right one for Black.
    let place = |view| {
        let picture = svg_board(&game, view);
        let at = picture.find("<title>white king").expect("there is a king");
        picture[..at].rsplit("translate(").next().map(|text| text[..7].to_owned())
    };
    assert_eq!(place(Color::White).as_deref(), Some("198 333"));
    assert_eq!(place(Color::Black).as_deref(), Some("153 18)"));
}
