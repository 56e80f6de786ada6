//! The state machine: what may be called when.

use gryphon_mcts::{
    Evaluation, EvaluationCache, Evaluator, EvaluatorError, Query, Step, UniformEvaluator, Wdl,
    run_batch,
};

use crate::support::{
    HashEvaluator, after, choices, finish, gumbel, new_search, random_game, run, start_of,
};

#[test]
fn a_waiting_leaf_is_told_again() {
    let game = start_of("complicacious");
    let mut search = new_search(&game, gumbel(4, 4, 0.0), 0);
    let mut keys = Vec::new();
    for _ in 0..2 {
        assert_eq!(search.gather(&mut EvaluationCache::off()), Step::Evaluate);
        keys.extend(search.queries().map(|query| query.position.key()));
    }
    assert_eq!(keys, [game.position().key(); 2]);
}

#[test]
#[should_panic(expected = "no leaf is waiting")]
fn an_answer_without_a_question_panics() {
    let mut search = new_search(&start_of("complicacious"), gumbel(1, 4, 0.0), 0);
    finish(std::slice::from_mut(&mut search), &mut UniformEvaluator);
    search.apply([&Evaluation { logits: Vec::new(), wdl: Wdl::DRAW }]);
}

#[test]
#[should_panic(expected = "one logit a legal action")]
fn an_answer_to_another_question_panics() {
    let mut search = new_search(&start_of("complicacious"), gumbel(1, 4, 0.0), 0);
    let _ = search.gather(&mut EvaluationCache::off());
    search.apply([&Evaluation { logits: vec![0.0], wdl: Wdl::DRAW }]);
}

#[test]
#[should_panic(expected = "still running")]
fn a_result_before_the_end_panics() {
    let mut search = new_search(&start_of("complicacious"), gumbel(1, 4, 0.0), 0);
    let _ = search.gather(&mut EvaluationCache::off());
    let _ = search.result();
}

struct Silent;

impl Evaluator for Silent {
    fn evaluate(&mut self, _: &[Query<'_>]) -> Result<Vec<Evaluation>, EvaluatorError> {
        Ok(Vec::new())
    }
}

#[test]
fn missing_answers_are_an_error_and_leave_the_search_usable() {
    let game = start_of("complicacious");
    let mut searches = [new_search(&game, gumbel(8, 4, 0.0), 0)];
    let error = run_batch(&mut searches, &mut Silent, &mut EvaluationCache::off()).unwrap_err();
    assert_eq!(error.to_string(), "evaluator: 0 answers to 1 queries");
    finish(&mut searches, &mut HashEvaluator::new(3));
    let expected = run(&game, gumbel(8, 4, 0.0), 0, &mut HashEvaluator::new(3));
    assert_eq!(searches[0].result(), expected);
}

#[test]
fn senseless_logits_give_equal_priors() {
    let mut search = new_search(&start_of("complicacious"), gumbel(1, 4, 0.0), 0);
    assert_eq!(search.gather(&mut EvaluationCache::off()), Step::Evaluate);
    let n_legal = search.queries().map(|query| query.legal.len()).sum();
    let logits = vec![f32::NAN; n_legal];
    search.apply([&Evaluation { logits, wdl: Wdl { win: f32::NAN, draw: 0.0, loss: 0.0 } }]);
    finish(std::slice::from_mut(&mut search), &mut UniformEvaluator);
    let result = search.result();
    assert!(result.actions.iter().all(|action| action.prior == 1.0 / n_legal as f32));
    assert_eq!(result.value.get(), 0.0);
}

#[test]
fn a_tree_follows_a_whole_game() {
    let config = gumbel(24, 8, 1.0);
    for number in 0..4 {
        let games = random_game("complicacious-simplified", number);
        let mut searches = [new_search(&games[0], config, number)];
        for pair in games.windows(2) {
            finish(&mut searches, &mut HashEvaluator::new(number));
            let result = searches[0].result();
            let legal = choices(&pair[0]);
            assert_eq!(result.actions.iter().map(|a| a.action).collect::<Vec<_>>(), legal);
            let total: f32 = result.actions.iter().map(|action| action.improved).sum();
            assert!((total - 1.0).abs() < 1e-4, "sum {total}");
            let action = *pair[1].actions().last().unwrap();
            searches[0].advance(&pair[1], &[action]);
        }
        assert_eq!(searches[0].gather(&mut EvaluationCache::off()), Step::Done);
    }
}

#[test]
fn a_kept_tree_counts_its_visits() {
    let game = start_of("complicacious");
    let config = gumbel(64, 8, 0.0);
    let mut searches = [new_search(&game, config, 0)];
    finish(&mut searches, &mut HashEvaluator::new(4));
    let first = searches[0].result();
    let chosen = first.actions.iter().find(|action| action.action == first.action).unwrap();
    let next = after(&game, first.action);
    searches[0].advance(&next, &[first.action]);
    finish(&mut searches, &mut HashEvaluator::new(4));
    let second = searches[0].result();
    assert_eq!(second.simulations, 64);
    let total: u32 = second.actions.iter().map(|action| action.visits).sum();
    assert_eq!(total, 64 + chosen.visits - 1);
}
