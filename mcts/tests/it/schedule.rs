//! How the root spends its budget.

use std::fmt::Write;

use gryphon_mcts::{RootAction, UniformEvaluator};

use crate::support::{HashEvaluator, game_at, gumbel, puct, run, start_of};

fn visits(actions: &[RootAction]) -> Vec<u32> {
    let mut visits: Vec<u32> = actions.iter().map(|action| action.visits).collect();
    visits.sort_unstable_by(|a, b| b.cmp(a));
    visits
}

#[test]
fn sequential_halving_spends_exactly_the_budget() {
    let game = start_of("complicacious");
    let mut table = String::new();
    for considered in [1, 2, 3, 4, 8, 16, 40] {
        for simulations in [1, 2, 3, 5, 8, 16, 31, 32, 50, 64, 100, 200] {
            let config = gumbel(simulations, considered, 1.0);
            let result = run(&game, config, 3, &mut UniformEvaluator);
            let visits = visits(&result.actions);
            assert_eq!(visits.iter().sum::<u32>(), simulations);
            assert_eq!(result.simulations, simulations);
            let visited: Vec<String> =
                visits.iter().filter(|&&n| n > 0).map(u32::to_string).collect();
            writeln!(table, "m={considered:<2} n={simulations:<3} {}", visited.join(" ")).unwrap();
        }
    }
    insta::assert_snapshot!(table);
}

#[test]
fn puct_spends_exactly_the_budget() {
    for simulations in [1, 7, 64] {
        let result =
            run(&start_of("complicacious"), puct(simulations), 3, &mut HashEvaluator::new(1));
        assert_eq!(visits(&result.actions).iter().sum::<u32>(), simulations);
    }
}

#[test]
fn a_single_legal_action_needs_no_simulation() {
    // The king in the corner is checked by the queen and can only step to b2's file neighbour.
    let game = game_at("complicacious", "k7/8/8/8/8/8/r7/7K w - - 0 1");
    let mut actions = Vec::new();
    game.position().legal_actions(&mut actions);
    assert_eq!(actions.len(), 1);
    let result = run(&game, gumbel(100, 16, 1.0), 0, &mut HashEvaluator::new(0));
    assert_eq!(result.simulations, 0);
    assert_eq!(result.action, actions[0]);
    assert_eq!(result.actions[0].improved, 1.0);
    assert!(result.value.get().abs() <= 1.0);
}
