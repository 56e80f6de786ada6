use std::time::Duration;

use indicatif::{InMemoryTerm, ProgressDrawTarget};

use super::*;

const fn seconds(n: u64) -> Duration {
    Duration::from_secs(n)
}

fn training(generation: u32, positions: u64, steps: u64) -> Standing {
    Standing {
        generation,
        generations: 4,
        activity: Activity::Training {
            positions: Parts { done: positions, total: 10_000 },
            steps: Parts { done: steps, total: 150 },
        },
        games: 100 * u64::from(generation),
        loss: None,
        score: None,
    }
}

fn evaluation(opponent: &str, done: u64) -> Standing {
    let games = Parts { done, total: 40 };
    let activity = Activity::Evaluation { opponent: opponent.into(), games };
    Standing { activity, ..training(1, 0, 0) }
}

#[test]
fn lines_come_with_each_activity_and_at_intervals() {
    let mut out = Vec::new();
    let mut lines = Lines::new(&mut out, seconds(30));
    for second in 0..70 {
        lines.show_at(&training(0, (second * 200).min(10_000), second), seconds(second));
    }
    let score = Some(("greedy".into(), 0.925));
    lines.show_at(&Standing { loss: Some(2.3456), ..training(1, 0, 0) }, seconds(71));
    lines.show_at(&evaluation("random", 1), seconds(72));
    lines.show_at(&evaluation("random", 40), seconds(73));
    lines.show_at(&evaluation("greedy", 1), seconds(74));
    lines.show_at(&Standing { score, ..training(2, 0, 0) }, seconds(75));
    lines.note("resumed");
    let text = String::from_utf8(out).unwrap();
    insta::assert_snapshot!(text, @r"
    generation 1/4: training 0/10000 positions, 0/150 steps; 0 games
    generation 1/4: training 6000/10000 positions, 30/150 steps; 0 games, 200 positions/s
    generation 1/4: training 10000/10000 positions, 60/150 steps; 0 games, 200 positions/s
    generation 2/4: training 0/10000 positions, 0/150 steps; 100 games, 200 positions/s, loss 2.346, 3m 33s left
    generation 2/4: evaluation 1/40 games against random; 100 games, 200 positions/s, 3m 32s left
    generation 2/4: evaluation 1/40 games against greedy; 100 games, 200 positions/s, 3m 30s left
    generation 3/4: training 0/10000 positions, 0/150 steps; 200 games, 200 positions/s, score 0.93 vs greedy, 1m 15s left
    resumed
    ");
}

#[test]
fn a_resumed_run_judges_the_time_left_by_its_own_generations() {
    let mut meter = meter::Meter::default();
    let mut left = |generation, now| {
        let standing = Standing { generations: 10, ..training(generation, 0, 0) };
        meter.observe(&standing, seconds(now)).left
    };
    assert_eq!(left(6, 1000), None);
    assert_eq!(left(7, 1060), Some(seconds(180)));
    assert_eq!(left(7, 1070), Some(seconds(170)));
    assert_eq!(left(8, 1200), Some(seconds(200)));
}

#[test]
fn bars_show_run_and_activity() {
    let term = InMemoryTerm::new(4, 100);
    let target = ProgressDrawTarget::term_like(Box::new(term.clone()));
    let mut bars = Bars::on(target, Colors::Off);
    bars.show(&training(1, 5000, 70));
    bars.note("a note");
    let text = term.contents();
    insta::assert_snapshot!(text, @r"
    a note
           run =======>---------------------- 1/4 generations; 100 games
      training ===============>-------------- 5,000/10,000 positions, 70/150 steps
    ");
    bars.finish();
    assert!(!term.contents().contains("training"));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut lines = Lines::new(std::fs::File::open("/dev/null").unwrap(), seconds(1));
    lines.show(&evaluation("random", 1));
    lines.note("lost");
}
