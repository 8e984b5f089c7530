//! The locks of stories on a server, and news of what programs commit there: a session of its own.
//!
//! The server frees the locks with their session. If it is cut, the program opens another and takes them again under their old names. The
//! name has the generation of the story's lease: once another program has passed the story on, the old name locks nothing any more.

use std::{
    collections::HashMap,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use tokio::sync::{
    mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    oneshot,
};
use tokio_postgres::{Client, Error};

use super::{
    database::Database,
    engine::{address::ServerAddress, aside::wait_aside, postgresql},
    fault::DbFault,
};
use copydesk_core::ports::{InStep, SharedDesk, StoreError};
use copydesk_newsroom::StoryKey;

/// How long it waits before it asks for a session again.
const AGAIN: Duration = Duration::from_millis(200);

/// A dead machine keeps its locks until the server finds that it does not answer: 30 s.
const BEGIN: &str = "SET tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
    SET idle_session_timeout = 0; LISTEN copydesk";

/// The first number of the locks of a desk, which is a schema. The second is that of a story's name and generation.
const DESK: &str = "hashtext('copydesk stories ' || current_schema())";

const GENERATION: &str = "SELECT coalesce((SELECT generation FROM story WHERE folded = $1), 0)";

/// Facts about a server for an administrator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerFacts {
    pub version: String,
    /// The version of pgvector.
    pub vectors: String,
    /// Its clock, in milliseconds since 1970.
    pub clock: i64,
    /// The tables that the user may not read or change.
    pub closed: Vec<String>,
}

pub(super) fn facts(db: &Database) -> Result<ServerFacts, DbFault> {
    let sql = "SELECT current_setting('server_version'), coalesce((SELECT extversion FROM pg_extension WHERE extname = 'vector'), 'none'),
                   CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)";
    let closed = "SELECT relname FROM pg_class WHERE relkind = 'r'
                      AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
                      AND NOT (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')) ORDER BY relname";
    let closed = db.column(closed, [])?;
    db.first(sql, [], |row| Ok(ServerFacts { version: row.get(0)?, vectors: row.get(1)?, clock: row.get(2)?, closed }))
}

type Reply<T> = oneshot::Sender<Result<T, StoreError>>;

/// An order to the session's thread.
enum LockOrder {
    Take(String, Reply<Option<i32>>),
    /// Of the stories with these names, an array in JSON.
    Holders(String, Reply<HashMap<String, String>>),
    Free(i32),
}

/// The commits that the session has heard of.
#[derive(Default)]
struct Heard {
    commits: AtomicU64,
    /// Whether it hears now.
    listens: AtomicBool,
}

/// A desk on a server.
pub(super) struct ServerDesk {
    address: Arc<ServerAddress>,
    heard: Arc<Heard>,
    /// None before the session is needed.
    orders: OnceLock<UnboundedSender<LockOrder>>,
}

impl ServerDesk {
    pub(super) fn new(address: Arc<ServerAddress>) -> Self {
        Self { address, heard: Arc::default(), orders: OnceLock::new() }
    }

    /// The way to the session, which has a thread of its own.
    fn orders(&self) -> &UnboundedSender<LockOrder> {
        self.orders.get_or_init(|| {
            let (orders, ordered) = unbounded_channel();
            let (address, heard) = (Arc::clone(&self.address), Arc::clone(&self.heard));
            // Without the thread, each order is answered as if the connection were cut.
            let _ = thread::Builder::new().name("copydesk-locks".into()).spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                if let Ok(runtime) = runtime {
                    runtime.block_on(serve(&address, ordered, &heard));
                }
            });
            orders
        })
    }

    /// Asks the session; if it is cut, the next one.
    async fn ask<T: Send>(&self, order: impl Fn(Reply<T>) -> LockOrder + Send) -> Result<T, StoreError> {
        let began = Instant::now();
        loop {
            let (reply, answer) = oneshot::channel();
            // An order that could not be sent is dropped with its reply.
            let _ = self.orders().send(order(reply));
            let file = || self.address.name().to_owned();
            let cut = |_| Err(StoreError::Away { file: file(), detail: "the connection was cut".into() });
            let answer = if InStep::holds() { wait_aside(|| answer.blocking_recv()) } else { answer.await };
            match answer.unwrap_or_else(cut) {
                Err(StoreError::Away { .. }) if began.elapsed() < postgresql::AWAY => tokio::time::sleep(AGAIN).await,
                answer => return answer,
            }
        }
    }
}

#[async_trait]
impl SharedDesk for ServerDesk {
    async fn take_lock(&self, story: &StoryKey) -> Result<Option<Box<dyn Send + Sync>>, StoreError> {
        let taken = self.ask(|reply| LockOrder::Take(story.folded(), reply)).await?;
        Ok(taken.map(|key| Box::new(ServerLock { key, orders: self.orders().clone() }) as Box<dyn Send + Sync>))
    }

    async fn holders(&self, stories: &[StoryKey]) -> Result<HashMap<String, String>, StoreError> {
        let names = serde_json::json!(stories.iter().map(StoryKey::folded).collect::<Vec<_>>()).to_string();
        self.ask(|reply| LockOrder::Holders(names.clone(), reply)).await
    }

    fn commits(&self) -> Option<u64> {
        settle_in_step(self.orders());
        let listens = self.heard.listens.load(Ordering::Acquire);
        listens.then(|| self.heard.commits.load(Ordering::Acquire))
    }
}

/// In a simulation, waits until the session has carried out its orders, and heard of each commit before.
fn settle_in_step(orders: &UnboundedSender<LockOrder>) {
    if InStep::holds() {
        let (reply, answer) = oneshot::channel();
        let _ = orders.send(LockOrder::Holders("[]".into(), reply));
        let _ = wait_aside(|| answer.blocking_recv());
    }
}

/// A lock that is held.
struct ServerLock {
    key: i32,
    orders: UnboundedSender<LockOrder>,
}

impl Drop for ServerLock {
    fn drop(&mut self) {
        // If the thread has ended, the session has, and the lock is free.
        let _ = self.orders.send(LockOrder::Free(self.key));
        settle_in_step(&self.orders);
    }
}

/// The numbers of the locks that a program holds, and whether its session has each again.
type HeldLocks = HashMap<i32, bool>;

/// Serves orders until all senders are gone.
async fn serve(address: &ServerAddress, mut orders: UnboundedReceiver<LockOrder>, heard: &Arc<Heard>) {
    let mut held = HeldLocks::default();
    while !orders.is_closed() {
        let count = Arc::clone(heard);
        // Until it knows its schema, it has read nothing that a commit could change.
        let schema = Arc::new(OnceLock::<String>::new());
        let own = Arc::clone(&schema);
        let hear = move |changed: &str| {
            if own.get().is_some_and(|schema| schema == changed) {
                count.commits.fetch_add(1, Ordering::Release);
            }
        };
        let opened = address.connect(hear).await;
        let error = match opened {
            Ok((client, connection)) => {
                let mut name = |error| postgresql::explain(address.name(), &error);
                tokio::select! {
                    () = connection => None,
                    ended = work(&client, &mut orders, &mut held, (heard, &schema), &mut name) => match ended {
                        Ok(()) => return,
                        Err(error) => Some(name(error)),
                    },
                }
            }
            Err(error) => Some(postgresql::explain(address.name(), &error)),
        };
        heard.listens.store(false, Ordering::Release);
        while let (Some(error), Ok(order)) = (&error, orders.try_recv()) {
            match order {
                // Its caller may be gone.
                LockOrder::Take(_, reply) => drop(reply.send(Err(error.clone()))),
                LockOrder::Holders(_, reply) => drop(reply.send(Err(error.clone()))),
                LockOrder::Free(key) => drop(held.remove(&key)),
            }
        }
        tokio::time::sleep(AGAIN).await;
    }
}

/// Carries out orders on one connection until all senders are gone.
async fn work(
    client: &Client,
    orders: &mut UnboundedReceiver<LockOrder>,
    held: &mut HeldLocks,
    (heard, schema): (&Heard, &OnceLock<String>),
    explain: &mut dyn FnMut(Error) -> StoreError,
) -> Result<(), Error> {
    client.batch_execute(BEGIN).await?;
    let own = client.query_one("SELECT current_schema()::text", &[]).await?.try_get(0)?;
    schema.get_or_init(|| own);
    for taken in held.values_mut() {
        *taken = false;
    }
    take_again(client, held).await?;
    // Commits during the gap were not heard, so the next look must not be left out.
    heard.commits.fetch_add(1, Ordering::Release);
    heard.listens.store(true, Ordering::Release);
    loop {
        let wait = if held.values().all(|taken| *taken) { Duration::MAX } else { AGAIN };
        let Ok(order) = tokio::time::timeout(wait, orders.recv()).await else {
            take_again(client, held).await?;
            continue;
        };
        match order {
            None => return Ok(()),
            Some(LockOrder::Take(story, reply)) => {
                let taken = take(client, &story).await;
                if let Ok(Some(key)) = &taken {
                    held.insert(*key, true);
                }
                // Its caller may be gone: then it frees nothing.
                if let Err(Ok(Some(key))) = reply.send(taken.map_err(&mut *explain)) {
                    free(client, held, key).await?;
                }
            }
            Some(LockOrder::Holders(stories, reply)) => {
                drop(reply.send(holders(client, &stories).await.map_err(&mut *explain)));
            }
            Some(LockOrder::Free(key)) => free(client, held, key).await?,
        }
    }
}

/// Takes the locks that the session does not have yet. The server may not have noticed that the last session was cut off, and a program that
/// only looks has a lock for a moment.
async fn take_again(client: &Client, held: &mut HeldLocks) -> Result<(), Error> {
    let sql = format!("SELECT pg_try_advisory_lock({DESK}, $1)");
    for (key, taken) in held.iter_mut().filter(|(_, taken)| !**taken) {
        *taken = client.query_one(&sql, &[key]).await?.try_get(0)?;
    }
    Ok(())
}

async fn holders(client: &Client, stories: &str) -> Result<HashMap<String, String>, Error> {
    let sql = format!(
        "SELECT name, max(application_name) FROM json_array_elements_text(CAST(CAST($1 AS TEXT) AS JSON)) AS name
         LEFT JOIN story ON folded = name
         JOIN pg_locks ON locktype = 'advisory' AND objsubid = 2 AND granted
             AND classid::bigint = ({DESK}::bigint & 4294967295)
             AND objid::bigint = (hashtext(name || ' ' || coalesce(generation, 0))::bigint & 4294967295)
         JOIN pg_database ON pg_database.oid = database AND datname = current_database()
         JOIN pg_stat_activity USING (pid) GROUP BY name"
    );
    client.query(&sql, &[&stories]).await?.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

/// The number of the lock, if it was free.
async fn take(client: &Client, story: &str) -> Result<Option<i32>, Error> {
    let sql = format!(
        "SELECT generation, key, pg_try_advisory_lock({DESK}, key)
         FROM (SELECT generation, hashtext($1 || ' ' || generation) AS key FROM ({GENERATION} AS generation) AS now) AS named"
    );
    let row = client.query_one(&sql, &[&story]).await?;
    let (generation, key, taken): (i64, i32, bool) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    if !taken {
        return Ok(None);
    }
    // The story may have been passed on in this very moment: then the lock has another name.
    let now: i64 = client.query_one(GENERATION, &[&story]).await?.try_get(0)?;
    if now == generation {
        return Ok(Some(key));
    }
    unlock(client, key).await?;
    Ok(None)
}

async fn free(client: &Client, held: &mut HeldLocks, key: i32) -> Result<(), Error> {
    if held.remove(&key) == Some(true) { unlock(client, key).await } else { Ok(()) }
}

async fn unlock(client: &Client, key: i32) -> Result<(), Error> {
    client.query(&format!("SELECT pg_advisory_unlock({DESK}, $1)"), &[&key]).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;
    use crate::testing::{open, opening_of, server_url, story};
    use copydesk_core::ports::Queue as _;

    /// Two programs at one desk; none if there is no server.
    fn two() -> Option<[Store; 2]> {
        let url = server_url()?;
        Some([Store::connect(&url).unwrap(), Store::connect(&url).unwrap()])
    }

    async fn taken(desk: &dyn SharedDesk, slug: &str) -> Option<Box<dyn Send + Sync>> {
        desk.take_lock(&story(slug)).await.unwrap()
    }

    /// Waits for what another session does.
    async fn soon<F: Future<Output = bool>>(done: impl Fn() -> F) {
        let began = Instant::now();
        while !done().await {
            assert!(began.elapsed() < Duration::from_secs(10), "it does not come");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    #[tokio::test]
    async fn a_story_is_one_programs_over_all_machines_until_it_ends_or_is_passed_on() {
        let Some([one, other]) = two() else { return };
        let (here, there) = (one.shared().unwrap(), other.shared().unwrap());
        let park = taken(&*here, "park").await.unwrap();
        assert!(taken(&*there, "park").await.is_none());
        assert!(taken(&*there, "mill").await.is_some(), "another story");
        let holders = there.holders(&[story("park"), story("pond")]).await.unwrap();
        let holder = holders.get(&story("park").folded()).unwrap();
        assert!(holders.len() == 1 && holder.ends_with(&format!("process {}", std::process::id())), "{holders:?}");
        drop(park);
        soon(|| async { taken(&*there, "park").await.is_some() }).await;

        // A program that hangs keeps its lock, under a name that counts no more.
        open(&one, opening_of("park", "run", "Text."), None).await;
        soon(|| async { there.holders(&[story("park")]).await.unwrap().is_empty() }).await;
        let hung = taken(&*here, "park").await.unwrap();
        other.pass_on(&story("park")).await.unwrap();
        assert!(there.holders(&[story("park")]).await.unwrap().is_empty());
        assert!(taken(&*there, "park").await.is_some());
        drop(hung);
    }

    #[tokio::test]
    async fn a_program_that_was_cut_off_takes_its_locks_again_and_hears_of_commits() {
        let Some([one, other]) = two() else { return };
        let (here, there) = (one.shared().unwrap(), other.shared().unwrap());
        let _park = taken(&*here, "park").await.unwrap();
        let sql = "SELECT count(pg_terminate_backend(pid)) FROM pg_locks
                   WHERE locktype = 'advisory' AND objsubid = 2 AND classid::bigint = (hashtext('copydesk stories ' || current_schema())::bigint & 4294967295)";
        let cut: i64 = other.write(move |db| db.value(sql, [])).await.unwrap();
        assert_eq!(cut, 1);
        soon(|| async { !there.holders(&[story("park")]).await.unwrap().is_empty() }).await;
        assert!(taken(&*there, "park").await.is_none());
        soon(|| async { here.commits().is_some() }).await;
        let before = here.commits();
        other.wake(0).await.unwrap();
        soon(|| async { here.commits() != before }).await;
    }

    #[test]
    fn commits_at_another_desk_of_the_server_wake_nobody() {
        let (Some([one, other]), Some([elsewhere, _])) = (two(), two()) else { return };
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let commits_at = |desk: &Store| runtime.block_on(desk.wake(0)).unwrap();
        let here = one.shared().unwrap();
        let _in_step = InStep::begin();
        let before = here.commits().unwrap();
        commits_at(&elsewhere);
        assert_eq!(here.commits(), Some(before));
        commits_at(&other);
        assert_eq!(here.commits(), Some(before + 1));
    }

    #[tokio::test]
    async fn a_lock_that_is_not_free_when_its_program_is_back_is_taken_once_it_is() {
        let Some([one, other]) = two() else { return };
        let (here, there) = (one.shared().unwrap(), other.shared().unwrap());
        let _park = taken(&*here, "park").await.unwrap();
        let key: i64 = one
            .read(|db| db.value("SELECT CAST(objid::bigint::bit(32)::integer AS BIGINT) FROM pg_locks
                 WHERE locktype = 'advisory' AND objsubid = 2 AND classid::bigint = (hashtext('copydesk stories ' || current_schema())::bigint & 4294967295)", []))
            .await
            .unwrap();
        let cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_locks
             WHERE locktype = 'advisory' AND objsubid = 2 AND classid::bigint = (hashtext('copydesk stories ' || current_schema())::bigint & 4294967295)";
        other
            .write(move |db| {
                db.value::<i64>(cut, [])?;
                let lock = "SELECT pg_advisory_xact_lock(hashtext('copydesk stories ' || current_schema()), CAST(?1 AS INTEGER))";
                db.rows(lock, [key], |_| Ok(()))?;
                db.rows("SELECT pg_sleep(1)", [], |_| Ok(()))
            })
            .await
            .unwrap();
        let own = format!("process {}", std::process::id());
        soon(|| async { there.holders(&[story("park")]).await.unwrap().values().any(|holder| holder.ends_with(&own)) })
            .await;
        assert!(taken(&*there, "park").await.is_none());
    }
}
