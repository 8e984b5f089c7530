//! The queue's messages: what a commit does to those of its run, and what its worker takes in the same transaction.

mod budget;
mod list;
mod port;
mod servers;
mod take;
#[cfg(test)]
mod tests;

use rusqlite::params;

use super::{
    calls::{write_intent, write_repeat},
    columns::{milliseconds, step_column, story_key, whole},
    database::Database,
    events::append_event,
    fault::DbFault,
};
use budget::{Affords, affords};
use copydesk_core::ports::{
    Committed, MessageState, PauseState, QueueChanges, QueuedStep, RunKey, Slots, Start, Taken,
};
use copydesk_newsroom::{Agent, StoryKey};
use servers::Servers;
pub(super) use servers::servers_down;
use take::{Candidate, Fate, admit, heads, key_of, lease_ends, take_head};

/// How long a step waits while calls under way may use up its budget, in milliseconds.
const PUT_OFF: i64 = 1_000;

/// A run at its commit.
pub(super) struct QueueTurn<'t> {
    run: RunKey,
    pub(super) story: StoryKey,
    /// ISO 8601, as its calls and events have it.
    at: &'t str,
    now: i64,
    /// When its story came into the queue.
    arrived: i64,
    priority: i64,
    paused: bool,
    superseded: bool,
    pins: i64,
    pub(super) generation: i64,
}

/// A lease: its worker, its end, and the server that the step asks.
struct Lease<'l> {
    worker: &'l str,
    until: i64,
    server: Option<&'l str>,
}

/// Changes the messages of a run as its commit says, and takes as many steps as the worker has slots for. Runs inside the commit's
/// transaction.
pub(super) fn deal(
    db: &Database,
    turn: &QueueTurn<'_>,
    changes: &QueueChanges,
    slots: Option<&dyn Slots>,
) -> Result<Committed, DbFault> {
    let mut servers = if slots.is_some() { Servers::read(db)? } else { Servers::default() };
    let mut committed = Committed {
        going: if turn.paused { PauseState::Paused } else { PauseState::On },
        generation: turn.generation,
        ..Committed::default()
    };
    if let Some(slots) = slots {
        for news in &changes.heard {
            committed.events.extend(servers.hear(db, turn.run, turn.now, news, slots.breaker())?);
        }
        for event in &committed.events {
            append_event(db, turn.run, turn.at, event)?;
        }
        slots.give_back();
    }
    let mut own = Vec::new();
    // A run that another one superseded is not worked on.
    if !turn.superseded {
        if let Some(dead) = &changes.dead {
            write_message(db, turn, dead, MessageState::Dead, None)?;
        }
        for put in &changes.put {
            if put.taken {
                match affords_start(db, turn, put, slots)? {
                    Affords::Yes => begin(db, turn, put)?,
                    Affords::NotYet => {
                        put_off(db, turn, put)?;
                        committed.put_off.push(put.step);
                    }
                    Affords::No(over) => committed.over_budget.push((put.step, over)),
                }
            } else if turn.paused {
                write_message(db, turn, put, MessageState::Held, None)?;
            } else if put.not_before.is_some_and(|then| then > turn.now) {
                write_message(db, turn, put, MessageState::Later, None)?;
            } else {
                own.push(put);
            }
        }
    }
    hand_out(db, turn, own, slots, (&mut servers, &mut committed))?;
    Ok(committed)
}

/// Asks in advance what a worker will ask when it takes steps.
pub(super) fn rehearse_taking(db: &Database, slots: &dyn Slots, at: &str) {
    _ = Servers::read(db);
    if slots.only().is_none() {
        _ = milliseconds(at).and_then(|now| heads(db, slots, now));
    }
}

pub(super) fn turn<'t>(
    db: &Database,
    run: RunKey,
    at: &'t str,
    arrived: Option<i64>,
) -> Result<QueueTurn<'t>, DbFault> {
    let now = milliseconds(at)?;
    let sql =
        "SELECT story.priority, story.paused, run.state = 'superseded', run.pins, run.opened_at, story.generation,
             story.channel, story.slug
         FROM run JOIN story ON story.id = run.story WHERE run.id = ?1";
    db.first(sql, [run.0], |row| {
        // A run keeps its place before those that were opened later, whatever it waited for.
        let opened = || milliseconds(row.get_ref(4).ok()?.as_str().ok()?).ok();
        Ok(QueueTurn {
            run,
            story: story_key(row.get(6)?, row.get(7)?)?,
            at,
            now,
            arrived: arrived.or_else(opened).unwrap_or(now),
            priority: row.get(0)?,
            paused: row.get(1)?,
            superseded: row.get(2)?,
            pins: key_of(row.get_ref(3)?.as_str()?),
            generation: row.get(5)?,
        })
    })
}

/// Removes the messages of steps that are over.
pub(super) fn take_out(db: &Database, run: RunKey, changes: &QueueChanges) -> Result<(), DbFault> {
    if changes.clear {
        db.write("DELETE FROM message WHERE run = ?1 AND state <> 'dead'", [run.0])?;
    }
    changes.done.iter().try_for_each(|step| {
        db.write("DELETE FROM message WHERE run = ?1 AND step = ?2", params![run.0, step_column(*step)])
    })
}

/// Gives slots to the run's own steps, which have no row yet, and to waiting messages: the more urgent first, then the earlier.
fn hand_out(
    db: &Database,
    turn: &QueueTurn<'_>,
    own: Vec<&QueuedStep>,
    slots: Option<&dyn Slots>,
    (servers, committed): (&mut Servers, &mut Committed),
) -> Result<(), DbFault> {
    let Some(slots) = slots else {
        for put in own {
            write_message(db, turn, put, MessageState::Waiting, None)?;
        }
        return Ok(());
    };
    let mut own = own.into_iter().peekable();
    let heads = if slots.only().is_none() { heads(db, slots, turn.now)? } else { Vec::new() };
    let mut heads = heads.into_iter().filter(|head| head.taken.run != turn.run).peekable();
    let mut full = false;
    loop {
        let head =
            heads.next_if(|head| !full && (own.peek().is_none() || head.goes_before(turn.priority, turn.arrived)));
        if let Some(head) = head {
            if !head.is_passed_over(&committed.taken) {
                full = take_head(db, head, turn.now, slots, (servers, &mut committed.taken))?;
            }
        } else if let Some(put) = own.next() {
            hand_to(db, turn, put, slots, (servers, committed))?;
        } else {
            return Ok(());
        }
    }
}

/// Writes a step of the run itself: taken, if there is a slot for it.
fn hand_to(
    db: &Database,
    turn: &QueueTurn<'_>,
    put: &QueuedStep,
    slots: &dyn Slots,
    (servers, committed): (&mut Servers, &mut Committed),
) -> Result<(), DbFault> {
    let affords = affords_start(db, turn, put, Some(slots))?;
    if matches!(affords, Affords::NotYet) {
        return put_off(db, turn, put);
    }
    let asks = put.asks.map(Agent::name);
    let candidate = Candidate { run: turn.run, step: put.step, pool: put.pool, asks, tokens: put.tokens };
    let Fate::Admitted { server } = admit(db, &candidate, turn.now, slots, servers)? else {
        return write_message(db, turn, put, MessageState::Waiting, None);
    };
    let lease = Lease { worker: slots.worker(), until: lease_ends(turn.now, slots), server: server.as_deref() };
    write_message(db, turn, put, MessageState::Leased, Some(&lease))?;
    match affords {
        Affords::No(over) => committed.over_budget.push((put.step, over)),
        Affords::Yes | Affords::NotYet => begin(db, turn, put)?,
    }
    committed.taken.push(Taken {
        run: turn.run,
        step: put.step,
        pool: put.pool,
        attempts: put.attempts,
        redeliveries: put.redeliveries,
        arrived: turn.arrived,
        ready: turn.now,
    });
    Ok(())
}

/// Whether a step's call may be made now, by its budgets.
fn affords_start(
    db: &Database,
    turn: &QueueTurn<'_>,
    put: &QueuedStep,
    slots: Option<&dyn Slots>,
) -> Result<Affords, DbFault> {
    match (&put.start, slots.map(Slots::budget)) {
        (Some(Start::Call(intent, _)), Some(budget)) if budget.is_limited() => affords(db, turn.run, intent, budget),
        _ => Ok(Affords::Yes),
    }
}

/// Writes a step's call down before it is made.
fn begin(db: &Database, turn: &QueueTurn<'_>, put: &QueuedStep) -> Result<(), DbFault> {
    let event = match &put.start {
        Some(Start::Call(intent, event)) => {
            write_intent(db, turn.run, turn.at, intent)?;
            event
        }
        Some(Start::Repeat(key, event)) => {
            write_repeat(db, turn.run, key)?;
            event
        }
        Some(Start::Act(event)) => event,
        None => return Ok(()),
    };
    append_event(db, turn.run, turn.at, event)
}

/// Lets a step wait whose budget may be enough once calls under way have come back.
fn put_off(db: &Database, turn: &QueueTurn<'_>, put: &QueuedStep) -> Result<(), DbFault> {
    let put = QueuedStep { not_before: Some(turn.now.saturating_add(PUT_OFF)), ..put.clone() };
    write_message(db, turn, &put, MessageState::Later, None)
}

fn write_message(
    db: &Database,
    turn: &QueueTurn<'_>,
    put: &QueuedStep,
    state: MessageState,
    lease: Option<&Lease<'_>>,
) -> Result<(), DbFault> {
    if state != MessageState::Leased {
        db.unheard.set(false);
    }
    db.write(
        "INSERT INTO message (run, step, pool, asks, tokens, state, priority, pins, arrived, since, not_before,
             attempts, redeliveries, worker, until, server, error)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
         ON CONFLICT (run, step) DO UPDATE SET pool = excluded.pool, asks = excluded.asks,
             tokens = excluded.tokens, since = iif(message.state = excluded.state, message.since, excluded.since),
             state = excluded.state, priority = excluded.priority, pins = excluded.pins,
             arrived = excluded.arrived, not_before = excluded.not_before, attempts = excluded.attempts,
             redeliveries = excluded.redeliveries, worker = excluded.worker, until = excluded.until,
             server = excluded.server, error = excluded.error",
        params![
            turn.run.0,
            step_column(put.step),
            put.pool.name(),
            put.asks.map(Agent::name),
            whole(put.tokens),
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
        ],
    )
}
