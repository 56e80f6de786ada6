use std::fs;
use std::path::Path;

use gryphon_env::{ActionIndex, Color, DrawReason, Face, Outcome, RunSeed, VariantHash, WinReason};
use gryphon_mcts::ValueWhite;
use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

mod damage;

const RULES: VariantHash = VariantHash([3; 32]);

fn any_end() -> impl Strategy<Value = GameEnd> {
    let decisive = |winner, reason| GameEnd::Finished(Outcome::Decisive { winner, reason });
    let draw = |reason| GameEnd::Finished(Outcome::Draw { reason });
    prop_oneof![
        Just(decisive(Color::White, WinReason::Checkmate)),
        Just(decisive(Color::Black, WinReason::Stalemate)),
        Just(decisive(Color::Black, WinReason::BareKing)),
        Just(draw(DrawReason::Stalemate)),
        Just(draw(DrawReason::Repetition)),
        Just(draw(DrawReason::Clock)),
        Just(draw(DrawReason::OnlyKings)),
        Just(draw(DrawReason::InsufficientMaterial)),
        (-1.0f32..=1.0)
            .prop_map(|v| GameEnd::Truncated { value: StoredValue::new(ValueWhite::new(v)) }),
    ]
}

fn any_policy() -> impl Strategy<Value = SparsePolicy> {
    prop::collection::btree_map(0u16..65_279, 0.0f32..1.0, 1..60).prop_map(|map| {
        let probabilities: Vec<_> = map.into_iter().map(|(i, p)| (ActionIndex(i), p)).collect();
        SparsePolicy::new(&probabilities)
    })
}

fn any_ply() -> impl Strategy<Value = PlyRecord> {
    let search =
        (any_policy(), -1.0f32..=1.0, any::<u32>()).prop_map(|(policy, v, simulations)| {
            SearchRecord { value: StoredValue::new(ValueWhite::new(v)), simulations, policy }
        });
    let action = prop_oneof![
        (0u16..65_279).prop_map(|i| RecordedAction::Index(ActionIndex(i))),
        any::<u8>().prop_map(|face| RecordedAction::Roll(Face(face))),
    ];
    (action, prop::option::of(search)).prop_map(|(action, search)| PlyRecord { action, search })
}

fn any_record() -> impl Strategy<Value = GameRecord> {
    let plies = prop::collection::vec(any_ply(), 0..12);
    (any::<(u32, u64, u64)>(), "\\PC{0,40}", plies, any_end()).prop_map(
        |((generation, number, seed), start, plies, end)| GameRecord {
            variant: RULES,
            id: GameId { generation, number },
            seed: RunSeed(seed),
            start,
            plies,
            end,
        },
    )
}

/// A record with distinct content for each number.
fn record(generation: u32, number: u64) -> GameRecord {
    let entries = (0..20).map(|i| (ActionIndex(i * 7 + number as u16 % 7), f32::from(i + 1)));
    let search = SearchRecord {
        value: StoredValue::new(ValueWhite::new(number as f32 / 1000.0)),
        simulations: 32,
        policy: SparsePolicy::new(&entries.collect::<Vec<_>>()),
    };
    let ply = |i: u16| PlyRecord {
        action: RecordedAction::Index(ActionIndex(i * 31 % 4000)),
        search: (i >= 3).then(|| search.clone()),
    };
    GameRecord {
        variant: RULES,
        id: GameId { generation, number },
        seed: RunSeed(1),
        start: "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1".into(),
        plies: (0..23).map(ply).collect(),
        end: GameEnd::Finished(Outcome::Draw { reason: DrawReason::Clock }),
    }
}

fn all_records(store: &ReplayStore) -> (Vec<GameRecord>, Vec<Damage>) {
    let mut records = Vec::new();
    let mut damage = Vec::new();
    for shard in store.records() {
        let (found, bad) = shard.unwrap();
        records.extend(found);
        damage.extend(bad);
    }
    (records, damage)
}

fn open(folder: &Path) -> (ReplayStore, RecoveryReport) {
    ReplayStore::open(folder, RULES).unwrap()
}

/// A store with `n` games of generation 0 in its open shard.
fn filled(folder: &Path, n: u64) -> Vec<GameRecord> {
    let (mut store, _) = open(folder);
    let records: Vec<GameRecord> = (0..n).map(|number| record(0, number)).collect();
    for record in &records {
        assert_eq!(store.append(record).unwrap(), Appended::New);
    }
    records
}

#[test]
fn an_action_takes_less_than_100_bytes() {
    let record = record(0, 0);
    let bytes = record.to_bytes().unwrap().len() + frame::HEAD;
    assert!(bytes < 100 * record.plies.len(), "{bytes} bytes for {} plies", record.plies.len());
}

/// Reads an open shard by the tables of `docs/reference/shards.md`, and nothing else.
#[test]
fn a_stored_game_lies_as_the_reference_page_says() {
    let folder = TempDir::new().unwrap();
    let record = filled(folder.path(), 1).remove(0);
    let bytes = fs::read(folder.path().join("000001.open")).unwrap();
    let u16_at = |at: usize| u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap());
    let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let u64_at = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    assert_eq!(bytes[..8], *b"GRYSHARD");
    assert_eq!((u16_at(8), bytes[10], bytes[11]), (1, 0, 0));
    assert_eq!(bytes[12..44], [3; 32]);
    assert_eq!((u32_at(44), u32_at(60)), (1, crc32fast::hash(&bytes[..60])));
    assert_eq!(bytes[64..68], *b"GAME");
    assert_eq!(u32_at(68) as usize, bytes.len() - 76);
    let checked = [&bytes[64..72], &bytes[76..]].concat();
    assert_eq!(u32_at(72), crc32fast::hash(&checked));
    let at = 76;
    assert_eq!(bytes[at], 1);
    assert_eq!(bytes[at + 1..at + 33], [3; 32]);
    assert_eq!((u32_at(at + 33), u64_at(at + 37), u64_at(at + 45)), (0, 0, 1));
    assert_eq!((bytes[at + 53], u16_at(at + 54)), (2, 0), "drawn by the clock");
    let n = usize::from(u16_at(at + 56));
    assert_eq!(u32_at(at + 58) as usize, record.plies.len());
    assert_eq!(bytes[at + 62..at + 62 + n], *record.start.as_bytes());
    let mut at = at + 62 + n;
    for i in 0..23u16 {
        assert_eq!(u16_at(at), i * 31);
        let k = bytes[at + 2];
        at += 3;
        assert_eq!(k, if i < 3 { 0 } else { 21 });
        if k > 0 {
            assert_eq!((u16_at(at), u32_at(at + 2)), (0, 32));
            let steps: u32 = (0..20).map(|j| u32::from(u16_at(at + 6 + 4 * j + 2))).sum();
            assert_eq!(steps, 65_535);
            assert_eq!((u16_at(at + 6), u16_at(at + 10)), (0, 7), "indices");
            at += 6 + 80;
        }
    }
    assert_eq!(at, bytes.len());
}

#[test]
fn stored_games_come_back_before_and_after_finishing() {
    let folder = TempDir::new().unwrap();
    let records = filled(folder.path(), 40);
    let (mut store, report) = open(folder.path());
    assert!(report.is_clean());
    assert_eq!(all_records(&store), (records.clone(), vec![]));
    store.finish_shard().unwrap();
    assert_eq!(all_records(&store), (records.clone(), vec![]));
    assert_eq!(store.append(&records[3]).unwrap(), Appended::Known);
    assert_eq!(store.append(&record(1, 0)).unwrap(), Appended::New);
    drop(store);
    let (store, report) = open(folder.path());
    assert!(report.is_clean());
    assert_eq!(store.shards().len(), 1);
    assert_eq!(store.open_shard().map(|(_, n)| n), Some(1));
    assert_eq!(store.games_of(0).len(), 40);
    assert_eq!(store.games_of(1), [0].into());
    let manifest = store.manifest(0);
    assert_eq!((manifest.games, manifest.positions), (40, 40 * 20));
    assert_eq!(manifest.newest, Some(GameId { generation: 0, number: 39 }));
    assert_eq!(manifest.shards, ["000001.shard"]);
}

#[test]
fn a_full_shard_is_finished_by_itself() {
    let folder = TempDir::new().unwrap();
    let (mut store, _) = open(folder.path());
    let plies: Vec<PlyRecord> = (0..40).flat_map(|_| record(0, 0).plies).collect();
    let mut number = 0;
    while store.shards().is_empty() {
        let long = GameRecord { plies: plies.clone(), ..record(0, number) };
        store.append(&long).unwrap();
        number += 1;
        assert!(number < 200, "8 MiB hold at most about 110 games of 920 plies");
    }
    assert!(store.open_shard().is_none());
    store.append(&record(0, number)).unwrap();
    let (store, report) = open(folder.path());
    assert!(report.is_clean());
    assert_eq!(store.games_of(0).len() as u64, number + 1);
}

#[test]
fn index_says_where_each_game_is() {
    let folder = TempDir::new().unwrap();
    let records = filled(folder.path(), 300);
    let (mut store, _) = open(folder.path());
    store.finish_shard().unwrap();
    let shard = &store.shards()[0];
    let bytes = fs::read(&shard.path).unwrap();
    assert!(shard.games.iter().any(|game| game.block != shard.games[0].block), "several blocks");
    for (game, record) in shard.games.iter().zip(&records) {
        let block = frame::content_at(&bytes, game.block as usize, frame::Tag::BLOCK).unwrap();
        let block = shard::unpack_block(&bytes[block]).unwrap();
        let content = frame::content_at(&block, game.offset as usize, frame::Tag::GAME).unwrap();
        assert_eq!(GameRecord::from_bytes(&block[content]).unwrap(), *record);
    }
}

#[test]
fn policy_keeps_the_most_probable_and_shares_the_rest() {
    let probabilities: Vec<_> =
        (0..40u16).map(|i| (ActionIndex(i), if i < 10 { 0.07 } else { 0.01 })).collect();
    let policy = SparsePolicy::new(&probabilities);
    assert_eq!(policy.entries().len(), TOP_ACTIONS);
    assert!((policy.rest() - 0.2).abs() < 1e-3);
    let legal: Vec<ActionIndex> = (0..40).rev().map(ActionIndex).collect();
    let over = policy.over(&legal).unwrap();
    for (&index, &p) in legal.iter().zip(&over) {
        assert!((p - probabilities[usize::from(index.0)].1).abs() < 1e-4, "{index:?} {p}");
    }
    assert_eq!(policy.over(&legal[..39]), None);
    assert_eq!(
        SparsePolicy::new(&[(ActionIndex(4), 0.2)]).over(&[ActionIndex(4)]),
        Some(vec![1.0])
    );
}

#[test]
fn reuse_is_budgeted() {
    let mut budget = ReuseBudget::new(2.5);
    let batch = 64.try_into().unwrap();
    assert_eq!((budget.available(), budget.reuse()), (0, 0.0));
    budget.add_positions(100);
    assert_eq!((budget.available(), budget.steps(batch)), (250, 3));
    budget.spend(3 * 64);
    assert_eq!((budget.available(), budget.steps(batch)), (58, 0));
    budget.spend(100);
    assert_eq!((budget.available(), budget.samples()), (0, 292));
    let resumed = ReuseBudget::resumed(2.5, budget.positions(), budget.samples());
    assert_eq!(resumed, budget);
}

#[test]
fn window_grows_by_the_power_law() {
    let rule = WindowRule { start: 1000, exponent: 0.65, growth: 0.4 };
    assert_eq!((rule.size(0), rule.size(1000)), (1000, 1000));
    // 1000 * (1 + 0.4 * (2^0.65 - 1) / 0.65), and the same at 100 times the start.
    assert_eq!((rule.size(2000), rule.size(100_000)), (1350, 12_663));
    let log = WindowRule { exponent: 0.0, ..rule };
    assert_eq!(log.size(2000), 1277);
}

proptest! {
    #[test]
    fn record_survives_its_bytes(record in any_record()) {
        prop_assert_eq!(GameRecord::from_bytes(&record.to_bytes().unwrap()).unwrap(), record);
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = GameRecord::from_bytes(&bytes);
        let _ = shard::unpack_block(&bytes);
    }

    #[test]
    fn a_cut_record_is_an_error(record in any_record(), at in any::<prop::sample::Index>()) {
        let bytes = record.to_bytes().unwrap();
        prop_assert!(GameRecord::from_bytes(&bytes[..at.index(bytes.len())]).is_err());
    }

    #[test]
    fn policy_stays_a_distribution(map in prop::collection::btree_map(0u16..500, -0.1f32..1.0, 1..80)) {
        let legal: Vec<_> = map.iter().map(|(&i, _)| ActionIndex(i)).collect();
        let probabilities: Vec<_> = map.iter().map(|(&i, &p)| (ActionIndex(i), p)).collect();
        let policy = SparsePolicy::new(&probabilities);
        let again = SparsePolicy::from_entries(policy.entries().to_vec()).unwrap();
        prop_assert_eq!(&again, &policy);
        let over = policy.over(&legal).unwrap();
        prop_assert!((over.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn damage_never_panics_and_never_makes_a_wrong_record(
        finished in any::<bool>(),
        cut in prop::option::of(any::<prop::sample::Index>()),
        flips in prop::collection::vec((any::<prop::sample::Index>(), 0u8..8), 0..6),
    ) {
        let folder = TempDir::new().unwrap();
        let records = filled(folder.path(), 6);
        let (mut store, _) = open(folder.path());
        let name = if finished { "000001.shard" } else { "000001.open" };
        if finished {
            store.finish_shard().unwrap();
        }
        drop(store);
        let path = folder.path().join(name);
        let mut bytes = fs::read(&path).unwrap();
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        for (at, bit) in flips {
            if !bytes.is_empty() {
                let at = at.index(bytes.len());
                bytes[at] ^= 1 << bit;
            }
        }
        fs::write(&path, bytes).unwrap();
        if let Ok((store, _)) = ReplayStore::open(folder.path(), RULES) {
            for found in all_records(&store).0 {
                prop_assert!(records.contains(&found));
            }
        }
    }
}
