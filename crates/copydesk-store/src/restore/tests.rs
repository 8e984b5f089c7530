use std::sync::{Arc, Mutex};

use rusqlite::Connection;

use super::*;
use crate::{
    Store,
    testing::{open, opening_of, store_in_a_file},
};
use copydesk_core::ports::{Archive as _, RunKey, Stories as _, WorkProgress};

const STAMP: &str = "20261006T120000Z";

async fn stories(store: &Store) -> Vec<String> {
    let mut stories: Vec<String> = store.list(false).await.unwrap().into_iter().map(|(_, run)| run.story).collect();
    stories.sort();
    stories
}

/// A newsroom with a backup that knows one story, and a database that knows two.
async fn newsroom() -> (tempfile::TempDir, Store, PathBuf, PathBuf) {
    let (folder, store) = store_in_a_file();
    let (database, backup) = (folder.path().join("copydesk.db"), folder.path().join("monday.backup"));
    open(&store, opening_of("park", "R1", "One."), None).await;
    assert!(store.backup(&backup, WorkProgress::default()).await.unwrap() > 0);
    open(&store, opening_of("mill", "R2", "Two."), None).await;
    (folder, store, database, backup)
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_backup_comes_back_and_what_was_there_is_kept() {
    let (folder, store, database, backup) = newsroom().await;
    drop(store);
    let kept = folder.path().join(format!("copydesk.db.before-restore-{STAMP}"));
    assert_eq!(
        restore(&backup, &database, STAMP, &WorkProgress::default()).unwrap(),
        Restored { stories: 1, events: 1, replaced: Some(kept.clone()) }
    );
    assert_eq!(stories(&Store::open(&database).unwrap()).await, ["desk/park"]);
    assert_eq!(stories(&Store::open(&kept).unwrap()).await, ["desk/mill", "desk/park"]);
    assert!(names(folder.path()).iter().all(|name| !name.starts_with('.')), "nothing is left over");

    // Also where no database is, and from a copy that was made by hand with its log beside it.
    let elsewhere = folder.path().join("new/copydesk.db");
    let live = Store::open(&kept).unwrap();
    open(&live, opening_of("pool", "R3", "Three."), None).await;
    let by_hand = folder.path().join("hand.db");
    fs::copy(&kept, &by_hand).unwrap();
    fs::copy(beside(&kept, "-wal"), beside(&by_hand, "-wal")).unwrap();
    let restored = restore(&by_hand, &elsewhere, STAMP, &WorkProgress::default()).unwrap();
    assert_eq!(restored, Restored { stories: 3, events: 3, replaced: None });
    assert_eq!(stories(&Store::open(&elsewhere).unwrap()).await, ["desk/mill", "desk/park", "desk/pool"]);
}

#[cfg(unix)]
#[tokio::test]
async fn only_its_owner_reads_a_backup() {
    use std::os::unix::fs::PermissionsExt as _;
    let (_folder, store, database, backup) = newsroom().await;
    drop(store);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&backup), 0o600);
    restore(&backup, &database, STAMP, &WorkProgress::default()).unwrap();
    assert_eq!(mode(&database), 0o600);
}

#[tokio::test]
async fn a_backup_never_replaces_a_file() {
    let (folder, store, _, backup) = newsroom().await;
    let before = fs::read(&backup).unwrap();
    assert!(matches!(store.backup(&backup, WorkProgress::default()).await, Err(StoreError::Exists { .. })));
    assert_eq!(fs::read(&backup).unwrap(), before);
    let nowhere = folder.path().join("no/such/folder/x");
    assert!(matches!(store.backup(&nowhere, WorkProgress::default()).await, Err(StoreError::Backup { .. })));
}

#[tokio::test]
async fn what_is_no_whole_desk_is_refused_and_changes_nothing() {
    let (folder, store, database, backup) = newsroom().await;
    drop(store);
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let with = |name: &str, sql: &str| {
        let path = put(name, &fs::read(&backup).unwrap());
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        path
    };
    let foreign = folder.path().join("foreign.db");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE run (id); PRAGMA user_version = 2").unwrap();
    let mut cut = fs::read(&backup).unwrap();
    let half = cut.len() / 2;
    cut.truncate(half);
    let before = (fs::read(&database).unwrap(), names(folder.path()).len());
    let unfit = [
        (folder.path().join("none"), "No such file"),
        (folder.path().to_owned(), "it is not a file"),
        (database.clone(), "it is the database itself"),
        (put("empty", b""), "there is no desk in it"),
        (put("junk", &b"not a database at all ".repeat(300)), "it is not a SQLite database"),
        (put("cut", &cut), "malformed"),
        (foreign, "it is the database of another program"),
        (with("newer", "PRAGMA user_version = 99"), "a newer version of copydesk"),
        (with("forged", "UPDATE event SET at = '2020'"), "broken at event 1"),
    ];
    for (from, why) in unfit {
        let error = restore(&from, &database, STAMP, &WorkProgress::default()).unwrap_err().to_string();
        assert!(error.contains(why) && error.contains("nothing was changed"), "{}: {error}", from.display());
    }
    assert_eq!(fs::read(&database).unwrap(), before.0);
    assert_eq!(names(folder.path()).len(), before.1 + 5, "the files of this test and no others");
}

#[tokio::test]
async fn nothing_is_restored_under_a_program_at_work() {
    let (folder, store, database, backup) = newsroom().await;
    let in_use = |result| matches!(result, Err(RestoreError::InUse { .. }));
    assert!(in_use(restore(&backup, &database, STAMP, &WorkProgress::default())), "a copydesk has it open");
    drop(store);
    let held = File::create(folder.path().join("locks/0123456789ab")).unwrap();
    held.lock().unwrap();
    assert!(in_use(restore(&backup, &database, STAMP, &WorkProgress::default())), "a story is held");
    held.unlock().unwrap();
    let shell = Connection::open(&database).unwrap();
    shell.query_row("SELECT count(*) FROM run", [], |_| Ok(())).unwrap();
    assert!(in_use(restore(&backup, &database, STAMP, &WorkProgress::default())), "another program has it open");
    drop(shell);
    restore(&backup, &database, STAMP, &WorkProgress::default()).unwrap();
}

#[tokio::test]
async fn a_damaged_database_is_put_aside_as_it_is() {
    let (folder, store, database, backup) = newsroom().await;
    drop(store);
    let damaged = b"this was a database once ".repeat(400);
    fs::write(&database, &damaged).unwrap();
    let kept = restore(&backup, &database, STAMP, &WorkProgress::default()).unwrap().replaced.unwrap();
    assert_eq!(fs::read(kept).unwrap(), damaged);
    let store = Store::open(&folder.path().join("copydesk.db")).unwrap();
    assert_eq!(store.listed(&[RunKey(1)]).await.unwrap().len(), 1);
}

#[tokio::test]
async fn checking_copying_and_restoring_tell_how_far_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("copydesk.db");
    let store = Store::open(&database).unwrap();
    open(&store, opening_of("park", "R1", "The council voted."), None).await;
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = || {
        let seen = Arc::clone(&seen);
        WorkProgress::reporting_to(move |done, all| seen.lock().unwrap().push((done, all)))
    };
    let rises = |what: &str, phases: usize| {
        let seen = std::mem::take(&mut *seen.lock().unwrap());
        let ends: Vec<_> = seen.iter().filter(|(done, all)| done == all).collect();
        assert_eq!(
            (ends.len(), seen.last().is_some_and(|(done, all)| done == all)),
            (phases, true),
            "{what}: {seen:?}"
        );
        assert!(seen.windows(2).all(|two| two[1].0 == two[0].0 + 1 || two[1].0 == 1), "{what}: {seen:?}");
    };
    assert_eq!(store.audit_with(vec![], told()).await.unwrap().flaws, []);
    rises("the check", 1);
    let backup = folder.path().join("backup.db");
    // Such a small one is copied before anybody looks.
    store.backup(&backup, told()).await.unwrap();
    drop(store);
    seen.lock().unwrap().clear();
    restore(&backup, &database, STAMP, &told()).unwrap();
    rises("copying rows, then checking", 2);
}
