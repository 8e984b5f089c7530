//! Connections that are cut, in the worst moments, by a proxy between the store and the server.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use super::postgresql::{COMMIT, COMMIT_UNHEARD};
use crate::{
    Store,
    testing::{call, open, opening_of, server_url},
};
use copydesk_core::ports::{Archive as _, Records as _, StoreError};
use copydesk_newsroom::Step;

/// The proxy's next disturbance of a commit. It happens once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// The server does not hear of it.
    Before,
    /// The program does not hear the server's answer.
    After,
    /// The program's connection is cut; the server's is not, so the server waits for more.
    Unnoticed,
    /// The server does not hear that a transaction which only reads is over.
    Reading,
}

type NextCut = Arc<Mutex<Option<Cut>>>;

fn pass_on(mut from: TcpStream, mut to: TcpStream, cut: &NextCut) -> std::io::Result<()> {
    let mut bytes = vec![0; 65_536];
    loop {
        let read = from.read(&mut bytes)?;
        let sent = &bytes[..read];
        let sends = |sql: &str| sent.windows(sql.len()).any(|part| part == sql.as_bytes());
        let commits = sends(COMMIT) || sends(COMMIT_UNHEARD);
        let reads = !commits && sent.ends_with(b"COMMIT\0");
        let fits = |cut: &mut Cut| if *cut == Cut::Reading { reads } else { commits };
        let cut = cut.lock().unwrap().take_if(fits);
        if cut.is_none() || cut == Some(Cut::After) {
            to.write_all(sent)?;
        }
        match cut {
            Some(Cut::Unnoticed) => {
                from.shutdown(Shutdown::Both)?;
                thread::sleep(Duration::from_secs(20));
            }
            Some(Cut::After) => {
                from.shutdown(Shutdown::Both)?;
                thread::sleep(Duration::from_millis(300));
            }
            _ => {}
        }
        if read == 0 || cut.is_some() {
            let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
            return Ok(());
        }
    }
}

/// A store behind a proxy, and the cut to make next.
fn behind_a_proxy() -> Option<(Store, NextCut)> {
    let url = server_url()?;
    let place = url.split(['@', '/']).find(|part| part.starts_with("127.0.0.1:")).unwrap().to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let here = listener.local_addr().unwrap().to_string();
    let (cut, next) = (NextCut::default(), NextCut::default());
    let shared = Arc::clone(&cut);
    let server = place.clone();
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let server = TcpStream::connect(&server).unwrap();
            let (from, to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            let (cut, none) = (Arc::clone(&shared), Arc::clone(&next));
            thread::spawn(move || pass_on(from, to, &cut));
            thread::spawn(move || pass_on(server, client, &none));
        }
    });
    Some((Store::connect(&url.replacen(&place, &here, 1)).unwrap(), cut))
}

async fn count(store: &Store) -> Result<(), StoreError> {
    let sql = "INSERT INTO setting (key, value) VALUES ('counted', '1')
               ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(setting.value AS BIGINT) + 1 AS TEXT)";
    store.write(move |db| db.write(sql, [])).await
}

async fn counted(store: &Store) -> String {
    store.read(|db| db.value("SELECT value FROM setting WHERE key = 'counted'", [])).await.unwrap()
}

/// The same after a question, whose answer a new transaction might find changed.
async fn look_and_count(store: &Store) -> Result<(), StoreError> {
    store
        .write(|db| {
            let now: String = db.value("SELECT value FROM setting WHERE key = 'counted'", [])?;
            let next = (now.parse::<i64>().unwrap() + 1).to_string();
            db.write("UPDATE setting SET value = ?1 WHERE key = 'counted'", [next])
        })
        .await
}

#[tokio::test]
async fn what_only_writes_is_there_once_however_it_is_cut_off() {
    let Some((store, cut)) = behind_a_proxy() else { return };
    count(&store).await.unwrap();
    for (next, there) in [(Cut::Before, "2"), (Cut::After, "3"), (Cut::Unnoticed, "4")] {
        *cut.lock().unwrap() = Some(next);
        count(&store).await.unwrap();
        assert_eq!(counted(&store).await, there, "{next:?}");
    }
}

#[tokio::test]
async fn who_has_read_what_it_wanted_does_not_notice_that_the_server_goes_away() {
    let Some((store, cut)) = behind_a_proxy() else { return };
    count(&store).await.unwrap();
    *cut.lock().unwrap() = Some(Cut::Reading);
    assert_eq!(counted(&store).await, "1");
    assert_eq!(*cut.lock().unwrap(), None, "it was cut off");
    assert_eq!(counted(&store).await, "1");
}

#[tokio::test]
async fn what_asks_before_it_writes_is_done_once_however_its_commit_is_cut_off() {
    let Some((store, cut)) = behind_a_proxy() else { return };
    count(&store).await.unwrap();
    for (next, there) in [(Cut::Before, "2"), (Cut::After, "3"), (Cut::Unnoticed, "4")] {
        *cut.lock().unwrap() = Some(next);
        let began = Instant::now();
        look_and_count(&store).await.unwrap();
        assert_eq!(counted(&store).await, there, "{next:?}");
        assert!(began.elapsed() < Duration::from_secs(10), "{next:?}: the desk is free again soon");
    }
}

#[tokio::test]
async fn an_answer_is_kept_once_however_its_commit_is_cut_off() {
    let Some((store, cut)) = behind_a_proxy() else { return };
    for (number, next) in [Cut::Before, Cut::After, Cut::Unnoticed].into_iter().enumerate() {
        let run = open(&store, opening_of(&format!("park-{number}"), &format!("R{number}"), "Text."), None).await;
        *cut.lock().unwrap() = Some(next);
        store.commit(run, call(Step::Draft, "The council met.", "An answer."), None).await.unwrap();
        assert_eq!(store.call_log(run).await.unwrap().len(), 1, "{next:?}");
    }
    assert!(store.audit(vec![]).await.unwrap().flaws.is_empty());
}
