//! Which message a worker takes: the most urgent, then the earliest; now and then the one that has waited longest.

use crate::engine::parameters::Parameters;
use crate::prelude::*;
use sha2::{Digest, Sha256};

use super::servers::Servers;
use crate::columns::{read_pool, read_step_column};
use copydesk_core::ports::{Admission, Slots, Taken};
use copydesk_newsroom::Pool;

/// How many waiting messages a worker looks at in a commit, and how many of those that have waited longest if it is their turn. If it can
/// work on none of them, it looks further.
const LOOKED_AT: usize = 8;

/// A step for which there may be a slot.
pub(super) struct Candidate<'c> {
    pub(super) run: RunKey,
    pub(super) step: Option<Step>,
    pub(super) pool: Pool,
    /// The agent whose model is asked.
    pub(super) asks: Option<&'c str>,
    pub(super) tokens: u64,
}

/// Whether a step is taken.
pub(super) enum Fate {
    /// There is a slot for it, and its server, if it has one, may be asked.
    Admitted { server: Option<String> },
    /// Its pool or its server has no free slot.
    NotNow,
    /// The worker can take no other story.
    Full,
}

/// A message that waits.
pub(super) struct Head {
    id: i64,
    asks: Option<String>,
    tokens: u64,
    priority: i64,
    /// It has waited so long that it goes before all others.
    aged: bool,
    pub(super) taken: Taken,
}

impl Head {
    fn candidate(&self) -> Candidate<'_> {
        let Taken { run, step, pool, .. } = self.taken;
        Candidate { run, step, pool, asks: self.asks.as_deref(), tokens: self.tokens }
    }

    /// Whether it was taken just now, or is there for its age alone and something was taken before it.
    pub(super) fn is_passed_over(&self, taken: &[Taken]) -> bool {
        self.aged && !taken.is_empty()
            || taken.iter().any(|taken| (taken.run, taken.step) == (self.taken.run, self.taken.step))
    }

    /// Whether it comes before a story of that priority that arrived then.
    pub(super) fn goes_before(&self, priority: i64, arrived: i64) -> bool {
        self.aged || self.priority > priority || (self.priority == priority && self.taken.arrived < arrived)
    }
}

/// The columns that are read of a waiting message.
const COLUMNS: &str = "id, run, step, pool, asks, tokens, priority, attempts, redeliveries, arrived, since";

/// Lets steps be taken again whose time has come. A time too far ahead was written before the clock was set back.
pub(super) fn wake(db: &Database, now: i64) -> Result<(), DbFault> {
    db.write(
        "UPDATE message SET state = 'waiting', since = ?1, not_before = NULL
         WHERE state = 'later' AND (not_before <= ?1 OR since > ?1)",
        [now],
    )
}

/// Takes as many messages as the worker has slots for.
pub(super) fn take(db: &Database, slots: &dyn Slots, now: i64) -> Result<Vec<Taken>, DbFault> {
    slots.give_back();
    let mut taken = Vec::new();
    db.rehearse(|db| _ = Servers::read(db));
    let heads = match slots.only() {
        Some(story) => waiting_of(db, story, slots)?,
        None => heads(db, slots, now)?,
    };
    let mut servers = Servers::read(db)?;
    let looked_at = heads.len();
    for head in heads {
        if !head.is_passed_over(&taken) && take_head(db, head, now, slots, (&mut servers, &mut taken))? {
            return Ok(taken);
        }
    }
    // The first in the queue cannot be worked on now; those of other pools and other agents may be.
    if taken.is_empty() && looked_at >= LOOKED_AT {
        for head in heads_of_agents(db, slots)? {
            if take_head(db, head, now, slots, (&mut servers, &mut taken))? {
                break;
            }
        }
    }
    Ok(taken)
}

/// Takes a message if there is a slot for it. Returns whether the worker can take no other story.
pub(super) fn take_head(
    db: &Database,
    head: Head,
    now: i64,
    slots: &dyn Slots,
    (servers, taken): (&mut Servers, &mut Vec<Taken>),
) -> Result<bool, DbFault> {
    match admit(db, &head.candidate(), now, slots, servers)? {
        Fate::Admitted { server } => {
            db.write(
                "UPDATE message SET state = 'leased', since = ?2, worker = ?3, until = ?4, server = ?5 WHERE id = ?1",
                params![head.id, now, slots.worker(), lease_ends(now, slots), server],
            )?;
            taken.push(head.taken);
            Ok(false)
        }
        Fate::NotNow => Ok(false),
        Fate::Full => Ok(true),
    }
}

/// Leaves out the steps of stories that another worker works on. A server's lock of a story may be free for a moment, after the connection of
/// its program was cut.
pub(super) fn not_others(place: u32) -> String {
    format!(
        "AND NOT EXISTS (SELECT 1 FROM message AS at_work
             WHERE at_work.run = message.run AND at_work.state = 'leased' AND at_work.worker <> ?{place})"
    )
}

/// The first in the queue, in order; if it is their turn, less urgent ones that have waited longest come before them. Those of equal
/// urgency need no turn: the order alone brings each of them to the front. If all are as urgent, no row is looked at for it.
pub(super) fn heads(db: &Database, slots: &dyn Slots, now: i64) -> Result<Vec<Head>, DbFault> {
    let (pins, worker, not_others) = (key_of(slots.pins()), slots.worker(), not_others(2));
    let waiting = "WHERE state = 'waiting' AND pins = ?1";
    let first = format!(
        "SELECT {COLUMNS} FROM message INDEXED BY message_waiting {waiting} {not_others}
         ORDER BY priority DESC, arrived, id LIMIT {LOOKED_AT}"
    );
    let urgent = |order| {
        format!("(SELECT priority FROM message INDEXED BY message_waiting {waiting} ORDER BY priority {order} LIMIT 1)")
    };
    let longest = format!(
        "SELECT {COLUMNS} FROM (SELECT {} AS most) AS urgency CROSS JOIN message INDEXED BY message_longest ON TRUE
         {waiting} AND most > {} AND since < ?3 AND priority < most {not_others} ORDER BY since LIMIT {LOOKED_AT}",
        urgent("DESC"),
        urgent("ASC")
    );
    let Some(age) = slots.ageing() else { return read_heads(db, &first, params![pins, worker]) };
    let before = now.saturating_sub(i64::try_from(age.as_millis()).unwrap_or(i64::MAX));
    let ask_longest = || read_heads(db, &longest, params![pins, worker, before]);
    db.rehearse(|_| _ = ask_longest());
    let mut first = read_heads(db, &first, params![pins, worker])?;
    let mut found = ask_longest()?;
    for head in &mut found {
        head.aged = true;
    }
    found.append(&mut first);
    Ok(found)
}

fn waiting_of(db: &Database, story: &str, slots: &dyn Slots) -> Result<Vec<Head>, DbFault> {
    let sql = format!(
        "SELECT {COLUMNS} FROM message
         WHERE run = (SELECT current_run FROM story WHERE folded = ?1) AND state = 'waiting' {} ORDER BY id",
        not_others(2)
    );
    read_heads(db, &sql, [story, slots.worker()])
}

/// The first of each pool and agent, in order.
fn heads_of_agents(db: &Database, slots: &dyn Slots) -> Result<Vec<Head>, DbFault> {
    let pins = key_of(slots.pins());
    let groups: Vec<(String, Option<String>)> = db.rows(
        // Each step of the recursion is one look into the index, however many messages a group has.
        "WITH RECURSIVE kind (pool, asks) AS (
             SELECT * FROM (SELECT pool, coalesce(asks, '') FROM message INDEXED BY message_of_agent
                 WHERE state = 'waiting' AND pins = ?1 ORDER BY pool, asks NULLS FIRST LIMIT 1)
             UNION ALL
             SELECT coalesce(same.pool, next.pool), coalesce(same.asks, next.asks, '') FROM kind
             LEFT JOIN (SELECT 1) AS once ON TRUE
             LEFT JOIN message AS same ON same.id = (SELECT id FROM message INDEXED BY message_of_agent
                 WHERE state = 'waiting' AND pins = ?1 AND pool = kind.pool AND asks > kind.asks
                 ORDER BY asks LIMIT 1)
             LEFT JOIN message AS next ON same.id IS NULL AND next.id = (SELECT id FROM message INDEXED BY message_of_agent
                 WHERE state = 'waiting' AND pins = ?1 AND pool > kind.pool ORDER BY pool, asks NULLS FIRST LIMIT 1)
             WHERE same.id IS NOT NULL OR next.id IS NOT NULL)
         SELECT pool, nullif(asks, '') FROM kind",
        [pins],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let sql = format!(
        "SELECT {COLUMNS} FROM message INDEXED BY message_of_agent
         WHERE state = 'waiting' AND pins = ?1 AND pool = ?2 AND asks IS NOT DISTINCT FROM ?3 {} ORDER BY priority DESC, arrived, id LIMIT 1",
        not_others(4)
    );
    let mut heads = Vec::new();
    for (pool, asks) in groups {
        heads.append(&mut read_heads(db, &sql, params![pins, pool, asks, slots.worker()])?);
    }
    heads.sort_by_key(|head| (std::cmp::Reverse(head.priority), head.taken.arrived, head.id));
    Ok(heads)
}

fn read_heads(db: &Database, sql: &str, parameters: impl Parameters) -> Result<Vec<Head>, DbFault> {
    db.rows(sql, parameters, |row| {
        Ok(Head {
            id: row.get(0)?,
            asks: row.get(4)?,
            tokens: natural(row.get(5)?),
            priority: row.get(6)?,
            aged: false,
            taken: Taken {
                run: RunKey(row.get(1)?),
                step: read_step_column(row.get_ref(2)?.as_str()?)?,
                pool: read_pool(row.get_ref(3)?.as_str()?)?,
                attempts: row.get(7)?,
                redeliveries: row.get(8)?,
                arrived: row.get(9)?,
                ready: row.get(10)?,
            },
        })
    })
}

/// Whether a step can be taken now: first its server is looked at, which several programs ask, then the worker's own slots.
pub(super) fn admit(
    db: &Database,
    candidate: &Candidate<'_>,
    now: i64,
    slots: &dyn Slots,
    servers: &mut Servers,
) -> Result<Fate, DbFault> {
    let limits = match candidate.asks.map(|asks| slots.limits(asks)) {
        // This worker does not run that agent.
        Some(None) => return Ok(Fate::NotNow),
        Some(limits) => limits,
        None => None,
    };
    if let Some(limits) = &limits
        && !servers.may_be_asked(db, limits, candidate.tokens, now, slots.breaker())?
    {
        return Ok(Fate::NotNow);
    }
    Ok(match slots.admit(candidate.run, candidate.step, candidate.pool) {
        Admission::Admitted => {
            if let Some(limits) = &limits {
                servers.charge(db, limits, (candidate.run, candidate.step, candidate.tokens), now)?;
            }
            Fate::Admitted { server: limits.map(|limits| limits.server) }
        }
        Admission::PoolFull => Fate::NotNow,
        Admission::StoriesFull => Fate::Full,
    })
}

/// When a lease that begins now ends.
pub(super) fn lease_ends(now: i64, slots: &dyn Slots) -> i64 {
    now.saturating_add(i64::try_from(slots.lease().as_millis()).unwrap_or(i64::MAX))
}

/// Runs of equal pins have equal keys.
pub(super) fn key_of(pins: &str) -> i64 {
    let digest = Sha256::digest(pins.as_bytes());
    digest.iter().take(8).fold(0, |key, byte| (key << 8) | i64::from(*byte))
}
