//! Shards after kills, flipped bytes and other accidents.

use super::*;

#[test]
fn a_kill_between_finishing_and_removing_loses_and_doubles_nothing() {
    let folder = TempDir::new().unwrap();
    let records = filled(folder.path(), 5);
    let open_file = folder.path().join("000001.open");
    let copy = fs::read(&open_file).unwrap();
    let (mut store, _) = open(folder.path());
    store.finish_shard().unwrap();
    drop(store);
    fs::write(&open_file, copy).unwrap();
    let (store, report) = open(folder.path());
    assert!(report.is_clean());
    assert_eq!(all_records(&store).0, records);
    assert!(!open_file.exists());
}

#[test]
fn a_torn_tail_is_cut_and_reported() {
    let folder = TempDir::new().unwrap();
    let records = filled(folder.path(), 5);
    let path = folder.path().join("000001.open");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 10]).unwrap();
    let (mut store, report) = open(folder.path());
    let torn = records[4].to_bytes().unwrap().len() as u64 + frame::HEAD as u64 - 10;
    assert_eq!(report.torn, [(path.clone(), torn)]);
    assert_eq!(
        report.to_string(),
        format!("shard `{}`: cut {torn} bytes of a torn tail\n", path.display())
    );
    assert_eq!(store.append(&records[4]).unwrap(), Appended::New);
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_damaged_record_is_named_and_skipped() {
    let folder = TempDir::new().unwrap();
    let records = filled(folder.path(), 5);
    let path = folder.path().join("000001.open");
    let mut bytes = fs::read(&path).unwrap();
    let at = shard::HEADER + frame::HEAD + records[0].to_bytes().unwrap().len();
    bytes[at + 200] ^= 1;
    fs::write(&path, bytes).unwrap();
    let (mut store, report) = open(folder.path());
    assert!(report.torn.is_empty());
    let [damage] = &report.damage[..] else { panic!("{report}") };
    assert_eq!((damage.path.as_path(), damage.offset), (path.as_path(), at as u64));
    assert!(!store.games_of(0).contains(&1));
    store.finish_shard().unwrap();
    assert_eq!(all_records(&store).0.len(), 4);
    assert_eq!(store.append(&records[1]).unwrap(), Appended::New);
}

#[test]
fn a_damaged_block_costs_its_games_only() {
    let folder = TempDir::new().unwrap();
    filled(folder.path(), 300);
    let (mut store, _) = open(folder.path());
    store.finish_shard().unwrap();
    let shard = store.shards()[0].clone();
    let mut bytes = fs::read(&shard.path).unwrap();
    let second = shard.games.iter().find(|game| game.block != shard.games[0].block).unwrap().block;
    bytes[second as usize + 100] ^= 4;
    fs::write(&shard.path, bytes).unwrap();
    let (records, damage) = shard.records().unwrap();
    let in_second = shard.games.iter().filter(|game| game.block == second).count();
    assert_eq!(records.len(), 300 - in_second);
    let [damage] = &damage[..] else { panic!("{damage:?}") };
    assert_eq!(damage.offset, second);
}

#[test]
fn a_damaged_index_is_read_around() {
    let folder = TempDir::new().unwrap();
    let records = filled(folder.path(), 10);
    let (mut store, _) = open(folder.path());
    store.finish_shard().unwrap();
    let path = store.shards()[0].path.clone();
    let mut bytes = fs::read(&path).unwrap();
    let n = bytes.len();
    bytes[n - 40] ^= 1;
    fs::write(&path, bytes).unwrap();
    let (store, report) = open(folder.path());
    assert!(report.to_string().contains("the index is damaged"), "{report}");
    assert_eq!(store.games_of(0).len(), 10);
    assert_eq!(all_records(&store).0, records);
}

#[track_caller]
fn check_refused(folder: &Path, rules: VariantHash, parts: &[&str]) {
    let message = ReplayStore::open(folder, rules).map(|_| ()).unwrap_err().to_string();
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
}

#[test]
fn other_files_and_other_rules_are_refused() {
    let folder = TempDir::new().unwrap();
    filled(folder.path(), 1);
    let path = folder.path().join("000001.open");
    let whole = fs::read(&path).unwrap();
    check_refused(
        folder.path(),
        VariantHash([4; 32]),
        &["000001.open", "030303030303", "plays 04"],
    );
    let mut damaged = whole.clone();
    damaged[20] ^= 1;
    fs::write(&path, damaged).unwrap();
    check_refused(folder.path(), RULES, &["000001.open", "found a damaged header"]);
    fs::write(&path, "PK something else").unwrap();
    check_refused(folder.path(), RULES, &["found 17 bytes, expected a header of 64 bytes"]);
    fs::write(&path, [0; 100]).unwrap();
    check_refused(folder.path(), RULES, &["found another kind of file", "`GRYSHARD`"]);
    fs::write(&path, whole).unwrap();
    fs::rename(&path, folder.path().join("000002.open")).unwrap();
    check_refused(folder.path(), RULES, &["found another shard's header"]);
}

#[test]
fn records_that_do_not_fit_are_refused_and_leave_nothing() {
    let folder = TempDir::new().unwrap();
    filled(folder.path(), 2);
    let (mut store, _) = open(folder.path());
    let path = folder.path().join("000001.open");
    let before = fs::read(&path).unwrap();
    let mut bad = record(0, 9);
    bad.plies[0].action = RecordedAction::Index(ActionIndex(0xff00));
    let error = store.append(&bad).unwrap_err().to_string();
    assert_eq!(error, "game 0/9: field `action`: found 65280, expected an index below 65280");
    let other = GameRecord { variant: VariantHash([9; 32]), ..record(0, 9) };
    let error = store.append(&other).unwrap_err().to_string();
    assert!(error.contains("field `variant`: found 090909090909"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
}
