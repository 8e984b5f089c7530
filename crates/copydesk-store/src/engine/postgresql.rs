//! A session with a PostgreSQL server.

use std::{
    cell::{Cell, RefCell},
    collections::{HashMap, HashSet},
    error::Error,
    pin::pin,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use bytes::BytesMut;
use futures_util::{TryStreamExt as _, future::try_join_all};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use tokio::runtime::Runtime;
use tokio_postgres::{
    Client, Row, SimpleQueryMessage, Statement,
    error::SqlState,
    types::{FromSql, IsNull, ToSql, Type, accepts, to_sql_checked},
};

use super::{
    address::{ServerAddress, told},
    aside::wait_aside,
    parameters::Parameters,
};
use crate::fault::DbFault;
use copydesk_core::ports::{InStep, StoreError};

/// Begins a transaction that writes, with the lock of the desk, which is a schema of the server's database.
pub(crate) const BEGIN_TO_WRITE: &str =
    "BEGIN; SELECT pg_advisory_xact_lock(hashtext('copydesk ' || current_schema()))";

/// Ends such a transaction, and tells the programs that listen which desk has changed.
pub(crate) const COMMIT: &str = "SELECT pg_notify('copydesk', current_schema()); COMMIT";

/// Ends one that concerns no other program: to wake fifty of them costs more than the step. (`WORK` says nothing; tests know it by that.)
pub(crate) const COMMIT_UNHEARD: &str = "COMMIT WORK";

/// Begins a transaction whose statements all see one state.
pub(crate) const BEGIN_TO_READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Ends a session of this program that was cut off, if the server has not noticed that.
const END_OLD: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE pid = ?1 AND application_name = current_setting('application_name')";

/// Says which transaction of a session was kept last. After a crash the server may give the number of a lost transaction to another, so
/// that its own record of transactions does not tell.
const MARK: &str = "INSERT INTO setting (key, value) VALUES ('commits of ' || ?1, ?2 || ' ' || CAST(extract(epoch FROM now()) AS BIGINT))
    ON CONFLICT (key) DO UPDATE SET value = excluded.value";

/// Forgets the marks of sessions that ended a day ago.
const SWEEP: &str = "DELETE FROM setting WHERE CASE WHEN key LIKE 'commits of %'
    THEN CAST(split_part(value, ' ', 2) AS BIGINT) < extract(epoch FROM now()) - 86400 END";

/// How long a program waits for a server that went away while it had the desk open, and how often it asks.
pub(crate) const AWAY: Duration = Duration::from_secs(30);
const AGAIN: Duration = Duration::from_millis(200);

/// Searches by vectors find as many neighbours as the store asks for (`NEAREST` in `knowledge/nearest.rs`): pgvector stops at 40 by itself. It
/// goes on while filters leave too few. No other program waits longer for a program that hangs, or for a machine that is gone.
const SETTINGS: &str = "SET hnsw.ef_search = 200; SET hnsw.iterative_scan = relaxed_order;
    SET lock_timeout = '10s'; SET idle_in_transaction_session_timeout = '60s';
    SET tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
    SELECT pg_backend_pid(), gen_random_uuid(), nullif(session_user, coalesce(
        (SELECT tableowner FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'event'), session_user))";

/// Most statements that a session keeps prepared, and most that wait to be sent.
const MOST_PREPARED: usize = 512;
const MOST_WAITING: usize = 64;

/// A statement to be sent.
struct Order {
    sql: String,
    /// None: one statement or several, without parameters and without an answer.
    values: Option<Vec<Bound>>,
    /// Whether its answer is kept until it is asked for.
    ahead: bool,
}

impl Order {
    fn plain(sql: &str) -> Self {
        Self { sql: sql.to_owned(), values: None, ahead: false }
    }

    fn of(sql: &str, parameters: impl Parameters) -> Result<Self, DbFault> {
        Ok(Self { values: Some(bound(parameters)?), ..Self::plain(sql) })
    }

    fn begins(&self) -> bool {
        self.sql.starts_with("BEGIN")
    }
}

/// The rows that a statement found, and how many it found or changed.
type Reply = (Vec<Row>, u64);

/// A connection with the statements that are prepared there.
struct Link {
    client: Client,
    /// The number of the server's process.
    process: i32,
    /// A name that no other session has.
    name: String,
    /// Whom the server has let in; none for the owner of the desk's tables.
    user: Option<String>,
    prepared: HashMap<String, Statement>,
}

impl Link {
    async fn open(address: &ServerAddress) -> Result<Self, tokio_postgres::Error> {
        let (client, connection) = address.connect(|_| ()).await?;
        tokio::spawn(connection);
        let found = client.simple_query(SETTINGS).await?;
        let (process, name, user) = found
            .iter()
            .find_map(|found| match found {
                SimpleQueryMessage::Row(row) => {
                    Some((row.get(0)?.parse().ok()?, row.get(1)?.to_owned(), row.get(2).map(str::to_owned)))
                }
                _ => None,
            })
            .unwrap_or_default();
        Ok(Self { client, process, name, user, prepared: HashMap::new() })
    }

    /// Sends all statements at once, and waits for all answers. If one fails, the server carries out none of those after it.
    async fn carry_out(&mut self, orders: &[Order]) -> Result<Vec<Reply>, DbFault> {
        if self.prepared.len() > MOST_PREPARED {
            self.prepared.clear();
        }
        let wanted = orders.iter().filter(|order| order.values.is_some()).map(|order| order.sql.as_str());
        let new: HashSet<&str> = wanted.filter(|sql| !self.prepared.contains_key(*sql)).collect();
        let client = &self.client;
        let prepare = async |sql: &str| Ok::<_, DbFault>((sql.to_owned(), client.prepare(&in_dialect(sql)).await?));
        let prepared = try_join_all(new.into_iter().map(prepare)).await?;
        self.prepared.extend(prepared);
        // A future sends its statement when it is first looked at, which is done in their order.
        try_join_all(orders.iter().map(|order| self.carry_out_one(order))).await
    }

    async fn carry_out_one(&self, order: &Order) -> Result<Reply, DbFault> {
        let (Some(values), Some(statement)) = (&order.values, self.prepared.get(&order.sql)) else {
            self.client.batch_execute(&order.sql).await?;
            return Ok((Vec::new(), 0));
        };
        let mut found = pin!(self.client.query_raw(statement, values).await?);
        let rows = found.as_mut().try_collect().await?;
        let changed = found.rows_affected().unwrap_or_default();
        Ok((rows, changed))
    }
}

/// Waits for the server. A simulation does that on the thread of its own runtime, whose clock stands still meanwhile.
fn wait_on<T: Send>(runtime: &Runtime, work: impl Future<Output = T> + Send) -> T {
    if InStep::holds() { wait_aside(|| runtime.block_on(work)) } else { runtime.block_on(work) }
}

/// A session. In a transaction it sends a statement that only writes together with the next question, or with the commit. So a transaction
/// costs one round trip for each question that follows from an answer, and one to commit.
pub(crate) struct Session {
    address: Arc<ServerAddress>,
    runtime: Runtime,
    link: RefCell<Link>,
    waiting: RefCell<Vec<Order>>,
    /// Questions that were sent ahead, with their answers.
    foreseen: RefCell<Vec<(Order, Vec<Row>)>>,
    /// Whether a transaction that writes has begun, and whether questions are only sent ahead.
    writes: Cell<bool>,
    rehearses: Cell<bool>,
    /// The name under which its commits are marked, and their number.
    name: String,
    commits: Cell<u64>,
    /// How often it has waited for the server.
    trips: Cell<u64>,
}

impl Session {
    /// Opens a session.
    ///
    /// # Errors
    /// [`StoreError::NotUsable`], as the server or the way to it.
    pub(crate) fn open(address: &Arc<ServerAddress>) -> Result<Self, StoreError> {
        let not_usable = |detail| StoreError::NotUsable { file: address.name().to_owned(), detail };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| not_usable(error.to_string()))?;
        let link = wait_on(&runtime, Link::open(address)).map_err(|error| not_usable(told(&error)))?;
        Ok(Self {
            address: Arc::clone(address),
            runtime,
            name: link.name.clone(),
            link: RefCell::new(link),
            waiting: RefCell::default(),
            foreseen: RefCell::default(),
            writes: Cell::default(),
            rehearses: Cell::default(),
            commits: Cell::default(),
            trips: Cell::default(),
        })
    }

    /// Begins a transaction. It is sent with the first statement. If the server closed the session since the last one, that opens another:
    /// nothing was begun yet.
    pub(crate) fn begin(&self, sql: &'static str) {
        self.foreseen.borrow_mut().clear();
        *self.waiting.borrow_mut() = vec![Order::plain(sql)];
        self.writes.set(sql == BEGIN_TO_WRITE);
    }

    /// Keeps what a transaction wrote, and `tells` the programs that listen. If the connection is cut meanwhile, finds out on another whether
    /// the server has kept it. Without `syncs` a crash of the server in the next moment may undo it, unless another commit synced both.
    pub(crate) fn commit(&self, syncs: bool, tells: bool) -> Result<(), DbFault> {
        let number = self.commits.get() + 1;
        self.commits.set(number);
        self.writes.set(false);
        let sweep = if number == 1 { Some(Order::of(SWEEP, [])?) } else { None };
        let mark = Order::of(MARK, [&self.name, &number.to_string()])?;
        let commit = if tells { COMMIT } else { COMMIT_UNHEARD };
        let waits_not = (!syncs).then(|| Order::plain("SET LOCAL synchronous_commit = off"));
        let orders = sweep.into_iter().chain([mark]).chain(waits_not).chain([Order::plain(commit)]);
        self.send(orders, Some(number)).map(drop)
    }

    /// Sends what waits to be sent.
    pub(crate) fn settle(&self) -> Result<(), DbFault> {
        self.send([], None).map(drop)
    }

    /// Sends what waits, then `last`. `commits`: the number of the transaction that this commits.
    fn send(&self, last: impl IntoIterator<Item = Order>, commits: Option<u64>) -> Result<Reply, DbFault> {
        let mut orders = self.waiting.take();
        orders.extend(last);
        if orders.is_empty() {
            return Ok(Reply::default());
        }
        let is_whole = orders.first().is_some_and(Order::begins);
        let began = Instant::now();
        let replies = loop {
            self.trips.set(self.trips.get() + 1);
            let done = wait_on(&self.runtime, self.link.borrow_mut().carry_out(&orders));
            let fault = match done {
                Ok(replies) => break replies,
                Err(fault) if self.has_lost(&fault) => fault,
                Err(fault) => return Err(fault),
            };
            if let Some(number) = commits
                && self.has_kept(number)?
            {
                return Ok(Reply::default());
            }
            // All that was done before these statements is lost.
            if !is_whole || began.elapsed() > AWAY {
                return Err(fault);
            }
            self.wait_for_server(began)?;
        };
        let mut last = Reply::default();
        for (order, reply) in orders.into_iter().zip(replies) {
            if order.ahead {
                self.foreseen.borrow_mut().push((order, reply.0));
            } else {
                last = reply;
            }
        }
        Ok(last)
    }

    /// Whether the server has kept the transaction with this number of the session's own. Waits until it is over there.
    fn has_kept(&self, number: u64) -> Result<bool, DbFault> {
        let (began, old) = (Instant::now(), self.link.borrow().process);
        loop {
            let asked = self.wait_for_server(began).and_then(|()| {
                self.rows(END_OLD, [i64::from(old)])?;
                self.run(BEGIN_TO_WRITE)?;
                let sql = "SELECT 1 FROM setting WHERE key = 'commits of ' || ?1 AND split_part(value, ' ', 1) = ?2";
                let found = self.rows(sql, [&self.name, &number.to_string()])?;
                self.run("ROLLBACK")?;
                Ok(!found.is_empty())
            });
            match asked {
                Ok(kept) => return Ok(kept),
                Err(_) if began.elapsed() < AWAY => thread::sleep(AGAIN),
                Err(_) => {
                    return Err(DbFault::Store(StoreError::Failed {
                        file: self.address.name().to_owned(),
                        detail:
                            "the server went away while a change was written: look whether it is there once the server is back"
                                .into(),
                    }));
                }
            }
        }
    }

    /// Whether the session has ended with this fault.
    fn has_lost(&self, fault: &DbFault) -> bool {
        matches!(fault, DbFault::Server(error) if is_away(error) || self.link.borrow().client.is_closed())
    }

    /// Opens another connection in place of the one that was cut.
    fn wait_for_server(&self, since: Instant) -> Result<(), DbFault> {
        loop {
            match wait_on(&self.runtime, Link::open(&self.address)) {
                Ok(link) => {
                    *self.link.borrow_mut() = link;
                    return Ok(());
                }
                Err(error) if since.elapsed() > AWAY => return Err(error.into()),
                Err(_) => thread::sleep(AGAIN),
            }
        }
    }

    /// Runs statements without parameters, after those that wait.
    pub(crate) fn run(&self, sql: &str) -> Result<(), DbFault> {
        if matches!(sql, "ROLLBACK" | "COMMIT") {
            self.writes.set(false);
            if self.waiting.borrow().first().is_some_and(Order::begins) {
                self.waiting.borrow_mut().clear();
                return Ok(());
            }
            self.waiting.borrow_mut().retain(|_| sql == "COMMIT");
        }
        self.send([Order::plain(sql)], None).map(drop)
    }

    /// Begins or ends a part of the transaction, with the statements that are sent next.
    pub(crate) fn run_later(&self, sql: &str) {
        self.foreseen.borrow_mut().clear();
        self.waiting.borrow_mut().push(Order::plain(sql));
    }

    /// Changes rows. Returns how many.
    pub(crate) fn change(&self, sql: &str, parameters: impl Parameters) -> Result<usize, DbFault> {
        let (_, changed) = self.send([Order::of(sql, parameters)?], None)?;
        Ok(usize::try_from(changed).unwrap_or(usize::MAX))
    }

    /// Changes rows, in a transaction with the statements that are sent next.
    pub(crate) fn change_later(&self, sql: &str, parameters: impl Parameters) -> Result<(), DbFault> {
        if self.rehearses.get() {
            return Ok(());
        }
        self.waiting.borrow_mut().push(Order::of(sql, parameters)?);
        let is_full = self.waiting.borrow().len() >= MOST_WAITING;
        if self.writes.get() && !is_full { Ok(()) } else { self.settle() }
    }

    /// Lets `work` ask its questions and find nothing: they are sent with the next statement, and their answers are there when it asks
    /// again. It writes nothing, and how it ends is no news.
    pub(crate) fn rehearse(&self, work: impl FnOnce()) {
        let before = self.rehearses.replace(true);
        work();
        self.rehearses.set(before);
    }

    /// All rows that a statement finds.
    pub(crate) fn rows(&self, sql: &str, parameters: impl Parameters) -> Result<Vec<Row>, DbFault> {
        let order = Order::of(sql, parameters)?;
        let is_it = |known: &Order| known.ahead && known.sql == order.sql && known.values == order.values;
        let is_sent_next = self.waiting.borrow().iter().any(is_it);
        let answered = || self.foreseen.borrow().iter().position(|(known, _)| is_it(known));
        if self.rehearses.get() {
            if !is_sent_next && answered().is_none() {
                self.waiting.borrow_mut().push(Order { ahead: true, ..order });
            }
            return Ok(Vec::new());
        }
        if is_sent_next {
            self.settle()?;
        }
        match answered() {
            Some(known) => Ok(self.foreseen.borrow_mut().swap_remove(known).1),
            None => Ok(self.send([order], None)?.0),
        }
    }

    /// Whom the server has let in; none for the owner of the desk's tables.
    pub(crate) fn user(&self) -> Option<String> {
        self.link.borrow().user.clone()
    }

    /// How often the session has waited for its server so far.
    #[cfg(test)]
    pub(crate) fn trips(&self) -> u64 {
        self.trips.get()
    }
}

/// Whether the server has gone away, is starting, or is going down.
fn is_away(error: &tokio_postgres::Error) -> bool {
    let states = [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN, SqlState::CANNOT_CONNECT_NOW];
    error.code().map_or_else(
        || error.is_closed() || error.source().is_some_and(<dyn Error + 'static>::is::<std::io::Error>),
        |code| states.contains(code) || *code == SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
    )
}

/// A statement as PostgreSQL has it: parameters `$1` for `?1`, and no word for SQLite's planner about indexes and the order of tables.
fn in_dialect(sql: &str) -> String {
    let mut words = sql.replace('?', "$").replace("CROSS JOIN", "JOIN");
    while let Some(at) = words.find(" INDEXED BY ") {
        let rest = words.get(at + " INDEXED BY ".len()..).unwrap_or_default();
        let name = rest.find(|letter: char| !letter.is_ascii_lowercase() && letter != '_').unwrap_or(rest.len());
        words.replace_range(at..at + " INDEXED BY ".len() + name, "");
    }
    words
}

/// A parameter's value, sent in the type that the statement wants at its place.
#[derive(Debug, PartialEq)]
struct Bound(Value);

fn bound(parameters: impl Parameters) -> Result<Vec<Bound>, DbFault> {
    let mut values = Vec::new();
    parameters.each(&mut |value| {
        values.push(Bound(match value.to_sql()? {
            ToSqlOutput::Borrowed(value) => Value::try_from(value).map_err(rusqlite::Error::from)?,
            ToSqlOutput::Owned(value) => value,
            _ => return Err(rusqlite::Error::InvalidQuery.into()),
        }));
        Ok(())
    })?;
    Ok(values)
}

impl ToSql for Bound {
    fn to_sql(&self, wanted: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        let unfit = || format!("a parameter of type {wanted} was given {:?}", self.0.data_type()).into();
        match (&self.0, wanted) {
            (Value::Null, _) => Ok(IsNull::Yes),
            (Value::Integer(number), &Type::BOOL) => (*number != 0).to_sql(wanted, out),
            (Value::Integer(number), &Type::INT8) => number.to_sql(wanted, out),
            (Value::Integer(number), &Type::INT4) => i32::try_from(*number)?.to_sql(wanted, out),
            #[expect(clippy::cast_precision_loss, reason = "an integer where a fraction is kept, such as a price")]
            (Value::Integer(number), &Type::FLOAT8) => (*number as f64).to_sql(wanted, out),
            (Value::Integer(number), &Type::TEXT) => number.to_string().to_sql(wanted, out),
            (Value::Real(number), &Type::FLOAT8) => number.to_sql(wanted, out),
            (Value::Text(text), _) if <&str as ToSql>::accepts(wanted) => text.as_str().to_sql(wanted, out),
            (Value::Blob(bytes), &Type::BYTEA) => bytes.as_slice().to_sql(wanted, out),
            _ => Err(unfit()),
        }
    }

    accepts!(BOOL, INT4, INT8, FLOAT8, TEXT, VARCHAR, NAME, BYTEA, UNKNOWN);
    to_sql_checked!();
}

/// A column's value in the types of rusqlite.
struct Column<'r>(ValueRef<'r>);

impl<'r> FromSql<'r> for Column<'r> {
    fn from_sql(stored: &Type, raw: &'r [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(match *stored {
            Type::BOOL => ValueRef::Integer(i64::from(bool::from_sql(stored, raw)?)),
            Type::INT4 => ValueRef::Integer(i64::from(i32::from_sql(stored, raw)?)),
            Type::INT8 => ValueRef::Integer(i64::from_sql(stored, raw)?),
            Type::FLOAT4 => ValueRef::Real(f64::from(f32::from_sql(stored, raw)?)),
            Type::FLOAT8 => ValueRef::Real(f64::from_sql(stored, raw)?),
            Type::BYTEA => ValueRef::Blob(raw),
            _ => ValueRef::Text(raw),
        }))
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(ValueRef::Null))
    }

    accepts!(BOOL, INT4, INT8, FLOAT4, FLOAT8, TEXT, VARCHAR, NAME, BYTEA, UNKNOWN);
}

/// The value in a row's column.
pub(super) fn value_in(row: &Row, column: usize) -> Result<ValueRef<'_>, tokio_postgres::Error> {
    row.try_get::<_, Column<'_>>(column).map(|column| column.0)
}

/// The fault as the error that a person reads.
pub(crate) fn explain(name: &str, error: &tokio_postgres::Error) -> StoreError {
    let (file, mut detail) = (name.to_owned(), told(error));
    match error.code() {
        Some(code) if matches!(*code, SqlState::DISK_FULL) => StoreError::Full { file },
        Some(&SqlState::LOCK_NOT_AVAILABLE | &SqlState::T_R_DEADLOCK_DETECTED) => {
            StoreError::Busy { file, seconds: 10 }
        }
        Some(&SqlState::INSUFFICIENT_PRIVILEGE) => {
            detail.push_str(". The owner of the desk's tables can give that right to the user of the key `database`");
            StoreError::NotUsable { file, detail }
        }
        Some(&SqlState::READ_ONLY_SQL_TRANSACTION) => {
            detail.push_str(". Name a server that takes changes in the key `database`");
            StoreError::NotUsable { file, detail }
        }
        _ if is_away(error) => StoreError::Away { file, detail },
        _ => StoreError::Failed { file, detail },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_put_into_the_other_dialect() {
        let sql = "SELECT a FROM message INDEXED BY message_of_agent WHERE a = ?1 AND b = ?12";
        assert_eq!(in_dialect(sql), "SELECT a FROM message WHERE a = $1 AND b = $12");
    }

    #[tokio::test]
    async fn a_session_that_the_server_closed_is_opened_again_for_the_next_transaction() {
        let (_folder, store) = crate::testing::store();
        let on_server = store.read(|db| Ok(db.is_on_server())).await.unwrap();
        if !on_server {
            return; // .ci/postgres names a server
        }
        let of_reader: i64 = store.read(|db| db.value("SELECT pg_backend_pid()", [])).await.unwrap();
        store.write(move |db| db.write("SELECT pg_terminate_backend(CAST(?1 AS INTEGER))", [of_reader])).await.unwrap();
        let next: i64 = store.read(|db| db.value("SELECT pg_backend_pid()", [])).await.unwrap();
        assert_ne!(next, of_reader);
    }
}
