//! What holds in every tree.

use std::num::{NonZeroU16, NonZeroU32};

use gryphon_env::{RunSeed, Status, Stream, Variant};
use proptest::prelude::*;
use rand::RngExt;

use super::*;
use crate::tree::{Edge, Node};
use crate::{
    FirstPlayUrgency, GumbelConfig, PuctConfig, RootNoise, ValueMover, ValueWhite, Wdl, backup,
};

/// Senseless answers from the leaf's own content.
fn answer(query: &Query<'_>, seed: u64) -> Evaluation {
    let mut rng = RunSeed(query.position.key().0 ^ seed).stream(Stream::Playout(0));
    let win = rng.random::<f32>();
    let draw = (1.0 - win) * rng.random::<f32>();
    let wdl = Wdl { win, draw, loss: 1.0 - win - draw };
    let logits = query.legal.iter().map(|_| 8.0 * rng.random::<f32>() - 4.0).collect();
    Evaluation { logits, wdl }
}

fn finish(search: &mut Search, seed: u64) {
    let mut cache = EvaluationCache::off();
    while search.gather(&mut cache) == Step::Evaluate {
        let mut nodes: Vec<_> = search.leaves.iter().map(|leaf| leaf.node.index()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        assert_eq!(nodes.len(), search.leaves.len(), "a leaf waits twice");
        let evaluations: Vec<_> = search.queries().map(|query| answer(&query, seed)).collect();
        search.apply(&evaluations);
    }
}

fn check_tree(search: &Search) {
    let tree = &search.tree;
    for (index, node) in tree.nodes.iter().enumerate() {
        let id = NodeId::at(index);
        if let Some(q) = node.q() {
            assert!(q.get().abs() <= 1.0);
            assert_eq!(
                node.bounds.clamp(f64::from(q.get())) as f32,
                q.get(),
                "q leaves its bounds"
            );
        }
        assert_eq!(node.in_flight, 0, "nothing is in flight");
        for child in tree.edges_of(id).filter_map(|edge| edge.child) {
            assert!(child.index() > index, "a child stands before its parent");
        }
        match node.kind {
            NodeKind::Settled => assert!(node.bounds.proven().is_some() && node.edges.len == 0),
            NodeKind::Waiting(_) => assert_eq!((node.visits, node.q()), (0, None)),
            NodeKind::Repeated(first) => {
                assert_eq!(tree.node(first).key, node.key);
                assert_eq!(node.bounds.proven(), Some(ValueWhite::DRAW));
            }
            NodeKind::Player(_) | NodeKind::Chance => check_inner_node(tree, id, node),
        }
    }
}

fn check_inner_node(tree: &Tree, id: NodeId, node: &Node) {
    let edges: Vec<Edge> = tree.edges_of(id).collect();
    let total: f32 = edges.iter().map(|edge| edge.prior).sum();
    assert!((total - 1.0).abs() < 1e-4, "priors sum to {total}");
    if let NodeKind::Player(_) = node.kind {
        let mut legal = Vec::new();
        tree.position(id).legal_actions(&mut legal);
        assert_eq!(legal.len(), edges.len());
        assert!(edges.iter().all(|edge| legal.contains(&edge.action)));
        if id != NodeId::at(0) {
            let n_tried = usize::from(node.n_tried);
            assert!(edges[..n_tried].iter().all(|edge| edge.child.is_some()));
            assert!(edges[n_tried..].iter().all(|edge| edge.child.is_none()));
        }
    }
    let mut again = tree.clone();
    backup::update_bounds(&mut again, id);
    assert_eq!(again.node(id).bounds, node.bounds);
    assert_eq!(again.node(id).distance, node.distance);
    if node.bounds.proven().is_none() {
        backup::recompute(&mut again, id);
        assert_eq!(again.node(id).visits, node.visits, "visits are not one plus the children's");
        assert!((again.node(id).value_sum - node.value_sum).abs() < 1e-3);
    }
}

fn configs() -> impl Strategy<Value = SearchConfig> {
    let gumbel = (1u32..20, 0.0f32..1.5, 1.0f32..60.0, 0.05f32..1.0).prop_map(
        |(considered, noise_scale, c_visit, c_scale)| {
            let considered = NonZeroU32::new(considered).unwrap();
            RootPolicy::Gumbel(GumbelConfig { considered, noise_scale, c_visit, c_scale })
        },
    );
    let noise = prop::option::of(
        (0.01f32..2.0, 0.0f32..0.5).prop_map(|(alpha, fraction)| RootNoise { alpha, fraction }),
    );
    let first_play = prop_oneof![
        (-1.0f32..=1.0).prop_map(|value| FirstPlayUrgency::Fixed(ValueMover::new(value))),
        (0.0f32..0.5).prop_map(FirstPlayUrgency::BelowParent),
        (0.0f32..0.5).prop_map(FirstPlayUrgency::BelowParentByTried),
    ];
    let puct = (0.3f32..4.0, first_play, noise).prop_map(|(c_puct, first_play, root_noise)| {
        RootPolicy::Puct(PuctConfig { c_puct, first_play, root_noise })
    });
    let size = (1u32..80, 1u16..9, 20u32..400, 0u32..300);
    (size, prop_oneof![gumbel, puct]).prop_map(
        |((simulations, in_flight, max_nodes, probe), root)| SearchConfig {
            in_flight: NonZeroU16::new(in_flight).unwrap(),
            max_nodes: NonZeroU32::new(max_nodes).unwrap(),
            win_probe: NonZeroU32::new(probe),
            ..SearchConfig::new(NonZeroU32::new(simulations).unwrap(), root)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn trees_are_consistent_along_a_game(
        config in configs(),
        variant in prop::sample::select(Variant::names()),
        seed in any::<u64>(),
    ) {
        let mut rng = RunSeed(seed).stream(Stream::Playout(1));
        let mut game = Game::new(Variant::named(variant).unwrap().start());
        let cap = gryphon_env::PlyCap(NonZeroU32::new(40).unwrap());
        let mut search = Search::new(&game, config, RunSeed(seed).stream(Stream::Playout(2)));
        while game.status(cap) == Status::Ongoing {
            finish(&mut search, seed);
            check_tree(&search);
            let action = match game.position().actor() {
                Actor::Player(_) => {
                    let result = search.result();
                    let total: f32 = result.actions.iter().map(|action| action.improved).sum();
                    prop_assert!((total - 1.0).abs() < 1e-4, "improved policy sums to {}", total);
                    prop_assert!(result.actions.iter().all(|action| action.improved >= 0.0));
                    prop_assert!(result.simulations <= config.simulations.get());
                    // Often the search's choice, so that its tree is kept, often any other.
                    let any = rng.random_range(0..result.actions.len());
                    if rng.random::<bool>() { result.action } else { result.actions[any].action }
                }
                Actor::Chance => {
                    let mut rolls = Vec::new();
                    game.position().chance_outcomes(&mut rolls);
                    rolls[rng.random_range(0..rolls.len())].action
                }
            };
            game.play(action);
            search.advance(&game, &[action]);
        }
    }
}

/// A rook ending, in which lines soon come back to where they were.
#[test]
fn draws_by_repetition_go_with_the_positions_they_repeat() {
    let variant = Variant::named("chess").unwrap();
    let fen = "8/8/8/3k4/8/8/4R3/4K3 w - - 10 40";
    let mut game = Game::new(gryphon_env::Position::from_fen(variant, fen).unwrap());
    let puct = PuctConfig {
        c_puct: 0.5,
        first_play: FirstPlayUrgency::BelowParent(0.3),
        root_noise: None,
    };
    let config = SearchConfig::new(NonZeroU32::new(400).unwrap(), RootPolicy::Puct(puct));
    let mut search = Search::new(&game, config, RunSeed(1).stream(Stream::Playout(2)));
    let repeated = |search: &Search| {
        let is_repeated = |node: &&Node| matches!(node.kind, NodeKind::Repeated(_));
        search.tree.nodes.iter().filter(is_repeated).count()
    };
    let (mut n_before, mut n_dropped) = (0, 0);
    for seed in 0..12 {
        finish(&mut search, seed);
        check_tree(&search);
        n_before += repeated(&search);
        let result = search.result();
        let most_visited = result.actions.iter().max_by_key(|action| action.visits).unwrap().action;
        let root = search.tree.root().unwrap();
        let edge = search.tree.edges_of(root).find(|edge| edge.action == most_visited);
        let below = edge.and_then(|edge| edge.child).unwrap();
        let depends_on_root = |node: &&Node| node.kind == NodeKind::Repeated(root);
        n_dropped += search.tree.nodes.iter().filter(depends_on_root).count();
        let visits = search.tree.node(below).visits;
        game.play(most_visited);
        search.advance(&game, &[most_visited]);
        check_tree(&search);
        assert!(search.tree.node(NodeId::at(0)).visits <= visits);
    }
    assert!(n_before > 20 && n_dropped > 0, "{n_before} repetitions, {n_dropped} dropped");
}
