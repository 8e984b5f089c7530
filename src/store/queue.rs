//! The queue's messages: what a commit does to its run's, and what a worker takes in the same transaction.

mod budget;
mod list;
mod port;
mod servers;
mod take;
#[cfg(test)]
mod tests;

use jiff::Timestamp;
use rusqlite::params;
use sha2::{Digest, Sha256};

use super::{calls::whole, session::Session};
use crate::{
    newsroom::{Agent, Pool, Step},
    ports::{Committed, Dead, Dealings, Going, MessageState, Put, Room, RunKey, Start, StoreError, Taken},
};
use budget::Affords;
use take::{Candidate, Fate, Head};

/// How long a step waits whose budget is bespoken, in milliseconds.
const PUT_OFF: i64 = 1_000;

/// A run at its commit.
struct Turn<'t> {
    run: RunKey,
    /// ISO 8601, as its calls and events have it.
    at: &'t str,
    now: i64,
    /// When its story came into the queue.
    arrived: i64,
    priority: i64,
    paused: bool,
    superseded: bool,
    pins: i64,
}

/// Who has a message, until when, and whom it asks.
struct Lease<'l> {
    worker: &'l str,
    until: i64,
    server: Option<&'l str>,
}

impl Session {
    /// Does to the messages of `run` what its commit says, and takes what there is room for. Runs inside the commit's transaction.
    pub(super) fn deal(
        &self,
        run: RunKey,
        at: &str,
        dealings: &Dealings,
        room: Option<&dyn Room>,
    ) -> Result<Committed, StoreError> {
        let turn = self.turn(run, at, dealings.arrived)?;
        let mut committed = Committed {
            going: if turn.paused { Going::Paused } else { Going::On },
            taken: Vec::new(),
            over_budget: Vec::new(),
            put_off: Vec::new(),
            events: Vec::new(),
        };
        self.take_out(&turn, dealings)?;
        if let Some(room) = room {
            for news in &dealings.heard {
                committed.events.extend(self.hear(turn.run, turn.now, news, room.breaker())?);
            }
            for event in &committed.events {
                self.append_event(run, at, event)?;
            }
            room.give_back();
        }
        let mut own = Vec::new();
        // What another run has taken the place of is not worked on.
        if !turn.superseded {
            if let Some(dead) = &dealings.dead {
                self.bury(&turn, dead)?;
            }
            for put in &dealings.put {
                if put.taken {
                    match self.affords_start(&turn, put, room)? {
                        Affords::Yes => self.begin(&turn, put)?,
                        Affords::NotYet => {
                            self.put_off(&turn, put)?;
                            committed.put_off.push(put.step);
                        }
                        Affords::No(over) => committed.over_budget.push((put.step, over)),
                    }
                } else if turn.paused {
                    self.write_message(&turn, put, MessageState::Held, None)?;
                } else if put.not_before.is_some_and(|then| then > turn.now) {
                    self.write_message(&turn, put, MessageState::Later, None)?;
                } else {
                    own.push(put);
                }
            }
        }
        self.hand_out(&turn, own, room, &mut committed)?;
        Ok(committed)
    }

    fn turn<'t>(&self, run: RunKey, at: &'t str, arrived: Option<i64>) -> Result<Turn<'t>, StoreError> {
        let now = milliseconds(at)?;
        self.sql(|connection| {
            connection
                .prepare_cached(
                    "SELECT story.priority, story.paused, run.state = 'superseded', run.pins, run.opened_at
                     FROM run JOIN story ON story.id = run.story WHERE run.id = ?1",
                )?
                .query_row([run.0], |row| {
                    // A run keeps its place before those that were opened later, whatever it waited for.
                    let opened = || milliseconds(row.get_ref(4).ok()?.as_str().ok()?).ok();
                    Ok(Turn {
                        run,
                        at,
                        now,
                        arrived: arrived.or_else(opened).unwrap_or(now),
                        priority: row.get(0)?,
                        paused: row.get(1)?,
                        superseded: row.get(2)?,
                        pins: key_of(row.get_ref(3)?.as_str()?),
                    })
                })
        })
    }

    /// Takes out what is over.
    fn take_out(&self, turn: &Turn<'_>, dealings: &Dealings) -> Result<(), StoreError> {
        self.sql(|connection| {
            if dealings.clear {
                connection
                    .prepare_cached("DELETE FROM message WHERE run = ?1 AND state <> 'dead'")?
                    .execute([turn.run.0])?;
            }
            for step in &dealings.done {
                connection
                    .prepare_cached("DELETE FROM message WHERE run = ?1 AND step = ?2")?
                    .execute(params![turn.run.0, stored(*step)])?;
            }
            Ok(())
        })
    }

    /// Hands out places: to the run's own steps, which have no row yet, and to what waits, whichever is more urgent or came first.
    fn hand_out(
        &self,
        turn: &Turn<'_>,
        own: Vec<&Put>,
        room: Option<&dyn Room>,
        committed: &mut Committed,
    ) -> Result<(), StoreError> {
        let Some(room) = room else {
            for put in own {
                self.write_message(turn, put, MessageState::Waiting, None)?;
            }
            return Ok(());
        };
        let mut own = own.into_iter().peekable();
        let heads = if room.only().is_none() { self.heads(room, turn.now)? } else { Vec::new() };
        let mut heads = heads.into_iter().filter(|head| head.taken.run != turn.run).peekable();
        let mut full = false;
        loop {
            let head =
                heads.next_if(|head| !full && (own.peek().is_none() || head.goes_before(turn.priority, turn.arrived)));
            if let Some(head) = head {
                if head.is_passed_over(&committed.taken) {
                    continue;
                }
                match self.admit(&head.candidate(), turn.now, room)? {
                    Fate::Admitted { server } => {
                        self.lease(&head, turn.now, room, server.as_deref())?;
                        committed.taken.push(head.taken);
                    }
                    Fate::NotNow => {}
                    Fate::Full => full = true,
                }
            } else if let Some(put) = own.next() {
                self.hand_to(turn, put, room, committed)?;
            } else {
                return Ok(());
            }
        }
    }

    /// Writes a step of the run itself: taken, where there is a place for it.
    fn hand_to(
        &self,
        turn: &Turn<'_>,
        put: &Put,
        room: &dyn Room,
        committed: &mut Committed,
    ) -> Result<(), StoreError> {
        let affords = self.affords_start(turn, put, Some(room))?;
        if matches!(affords, Affords::NotYet) {
            return self.put_off(turn, put);
        }
        let asks = put.asks.map(Agent::name);
        let candidate = Candidate { run: turn.run, step: put.step, pool: put.pool, asks, tokens: put.tokens };
        let Fate::Admitted { server } = self.admit(&candidate, turn.now, room)? else {
            return self.write_message(turn, put, MessageState::Waiting, None);
        };
        let lease = Lease { worker: room.worker(), until: until(turn.now, room), server: server.as_deref() };
        self.write_message(turn, put, MessageState::Leased, Some(&lease))?;
        match affords {
            Affords::No(over) => committed.over_budget.push((put.step, over)),
            Affords::Yes | Affords::NotYet => self.begin(turn, put)?,
        }
        committed.taken.push(Taken {
            run: turn.run,
            step: put.step,
            pool: put.pool,
            attempts: put.attempts,
            redeliveries: put.redeliveries,
            arrived: turn.arrived,
        });
        Ok(())
    }

    /// Whether a step's call may be made now, by its budgets.
    fn affords_start(&self, turn: &Turn<'_>, put: &Put, room: Option<&dyn Room>) -> Result<Affords, StoreError> {
        match (&put.start, room.map(Room::budget)) {
            (Some(Start::Call(intent, _)), Some(budget)) if budget.is_limited() => {
                self.affords(turn.run, intent, budget)
            }
            _ => Ok(Affords::Yes),
        }
    }

    /// Writes what is known of a step's call before it is made.
    fn begin(&self, turn: &Turn<'_>, put: &Put) -> Result<(), StoreError> {
        match &put.start {
            Some(Start::Call(intent, event)) => {
                self.write_intent(turn.run, turn.at, intent)?;
                self.append_event(turn.run, turn.at, event)
            }
            Some(Start::Repeat(key, event)) => {
                self.write_repeat(turn.run, key)?;
                self.append_event(turn.run, turn.at, event)
            }
            None => Ok(()),
        }
    }

    /// A step whose budget may be enough once calls on their way have come back: it is looked at again then, or soon.
    fn put_off(&self, turn: &Turn<'_>, put: &Put) -> Result<(), StoreError> {
        let put = Put { not_before: Some(turn.now.saturating_add(PUT_OFF)), ..put.clone() };
        self.write_message(turn, &put, MessageState::Later, None)
    }

    fn write_message(
        &self,
        turn: &Turn<'_>,
        put: &Put,
        state: MessageState,
        lease: Option<&Lease<'_>>,
    ) -> Result<(), StoreError> {
        self.sql(|connection| {
            connection
                .prepare_cached(
                    "INSERT INTO message (run, step, pool, asks, tokens, state, priority, pins, arrived, since, not_before,
                         attempts, redeliveries, worker, until, server, error)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
                     ON CONFLICT (run, step) DO UPDATE SET pool = excluded.pool, asks = excluded.asks,
                         tokens = excluded.tokens, since = iif(state = excluded.state, since, excluded.since),
                         state = excluded.state, priority = excluded.priority, pins = excluded.pins,
                         arrived = excluded.arrived, not_before = excluded.not_before, attempts = excluded.attempts,
                         redeliveries = excluded.redeliveries, worker = excluded.worker, until = excluded.until,
                         server = excluded.server, error = excluded.error",
                )?
                .execute(params![
                    turn.run.0,
                    stored(put.step),
                    put.pool.name(),
                    put.asks.map(Agent::name),
                    whole(Some(put.tokens)),
                    state.name(),
                    turn.priority,
                    turn.pins,
                    turn.arrived,
                    turn.now,
                    put.not_before,
                    put.attempts,
                    put.redeliveries,
                    lease.map(|lease| lease.worker),
                    lease.map(|lease| lease.until),
                    lease.and_then(|lease| lease.server),
                    put.error
                ])?;
            Ok(())
        })
    }

    fn bury(&self, turn: &Turn<'_>, dead: &Dead) -> Result<(), StoreError> {
        let put = Put {
            asks: dead.asks,
            redeliveries: dead.redeliveries,
            error: Some(dead.error.clone()),
            ..Put::new(Some(dead.step), Pool::of(dead.step))
        };
        self.write_message(turn, &put, MessageState::Dead, None)
    }

    /// A waiting message is the worker's now.
    fn lease(&self, head: &Head, now: i64, room: &dyn Room, server: Option<&str>) -> Result<(), StoreError> {
        self.sql(|connection| {
            connection
                .prepare_cached(
                    "UPDATE message SET state = 'leased', since = ?2, worker = ?3, until = ?4, server = ?5 WHERE id = ?1",
                )?
                .execute(params![head.id, now, room.worker(), until(now, room), server])?;
            Ok(())
        })
    }
}

/// When a lease that begins now ends.
fn until(now: i64, room: &dyn Room) -> i64 {
    now.saturating_add(i64::try_from(room.lease().as_millis()).unwrap_or(i64::MAX))
}

/// A step as it is stored.
fn stored(step: Option<Step>) -> String {
    step.map_or_else(String::new, |step| step.to_string())
}

/// Runs of equal pins have equal keys.
fn key_of(pins: &str) -> i64 {
    let digest = Sha256::digest(pins.as_bytes());
    digest.iter().take(8).fold(0, |key, byte| (key << 8) | i64::from(*byte))
}

/// Milliseconds since 1970.
pub(super) fn milliseconds(at: &str) -> Result<i64, StoreError> {
    let time: Timestamp = at.parse().map_err(|error: jiff::Error| StoreError::Unreadable {
        what: format!("the time {at}"),
        detail: error.to_string(),
    })?;
    Ok(time.as_millisecond())
}
