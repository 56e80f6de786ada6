use std::time::Duration;

use indicatif::{InMemoryTerm, ProgressDrawTarget};

use super::*;

const fn seconds(n: u64) -> Duration {
    Duration::from_secs(n)
}

fn standing(generation: u32, phase: Phase, done: u64, positions: u64) -> Standing {
    Standing {
        generation,
        generations: 4,
        phase,
        done,
        total: 100,
        games: 10 * u64::from(generation) + done,
        positions,
        loss: None,
        score: None,
    }
}

#[test]
fn lines_come_with_each_phase_and_at_intervals() {
    let mut out = Vec::new();
    let mut lines = Lines::new(&mut out, seconds(30));
    for second in 0..70 {
        lines.show_at(&standing(0, Phase::SelfPlay, second, second * 200), seconds(second));
    }
    let learning = Standing { loss: Some(2.3456), ..standing(0, Phase::Learning, 5, 14_000) };
    lines.show_at(&learning, seconds(71));
    let score = Some(("greedy".into(), 0.925));
    let second = Standing { score, ..standing(1, Phase::SelfPlay, 0, 14_000) };
    lines.show_at(&second, seconds(100));
    lines.note("resumed");
    let text = String::from_utf8(out).unwrap();
    insta::assert_snapshot!(text, @r"
    generation 1/4: self-play 0/100 games; 0 games
    generation 1/4: self-play 30/100 games; 30 games, 200 positions/s
    generation 1/4: self-play 60/100 games; 60 games, 200 positions/s
    generation 1/4: learning 5/100 steps; 5 games, 200 positions/s, loss 2.346
    generation 2/4: self-play 0/100 games; 10 games, 200 positions/s, score 0.93 vs greedy, 5m 00s left
    resumed
    ");
}

#[test]
fn a_resumed_run_judges_the_time_left_by_its_own_generations() {
    let mut meter = meter::Meter::default();
    let left = |meter: &mut meter::Meter, generation, now| {
        let standing = Standing { generations: 10, ..standing(generation, Phase::Learning, 0, 0) };
        meter.observe(&standing, seconds(now)).left
    };
    assert_eq!(left(&mut meter, 6, 1000), None);
    assert_eq!(left(&mut meter, 7, 1060), Some(seconds(180)));
    assert_eq!(left(&mut meter, 7, 1070), Some(seconds(170)));
    assert_eq!(left(&mut meter, 8, 1200), Some(seconds(200)));
}

#[test]
fn bars_show_run_and_phase() {
    let term = InMemoryTerm::new(4, 100);
    let target = ProgressDrawTarget::term_like(Box::new(term.clone()));
    let mut bars = Bars::on(target, Colors::Off);
    bars.show(&standing(1, Phase::SelfPlay, 50, 1000));
    bars.note("a note");
    let text = term.contents();
    insta::assert_snapshot!(text, @r"
    a note
           run =======>---------------------- 1/4 generations; 60 games
     self-play ===============>-------------- 50/100 games
    ");
    bars.finish();
    assert!(!term.contents().contains("self-play"));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut lines = Lines::new(std::fs::File::open("/dev/null").unwrap(), seconds(1));
    lines.show(&standing(0, Phase::Evaluation, 1, 1));
    lines.note("lost");
}
