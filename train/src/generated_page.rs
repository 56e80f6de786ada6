//! Reference pages that are generated from the source and kept in the repository.

use std::path::Path;

use crate::run_folder::{create_folder, read_text, write_bytes};

/// Compares the file `docs/reference/NAME` with `page`; with `UPDATE_PAGES` set, writes it instead.
#[track_caller]
pub(crate) fn check(name: &str, page: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference");
    let path = folder.join(name);
    if std::env::var_os("UPDATE_PAGES").is_some() {
        create_folder(&folder).expect("folder of the page");
        write_bytes(&path, page.as_bytes()).expect("page");
    }
    let stored = read_text(&path).expect("page");
    let first_other = stored.lines().zip(page.lines()).find(|(stored, made)| stored != made);
    assert!(
        stored == page,
        "{} is not what the source says (first: {first_other:?}); run the test with UPDATE_PAGES=1",
        path.display()
    );
}
