//! Who takes what: the most urgent first, then who came first; now and then what has waited longest.

use rusqlite::{Row, params};

use super::{
    super::{
        calls::{natural, read_step},
        session::Session,
    },
    key_of,
};
use crate::{
    newsroom::{Pool, Step},
    ports::{Admission, Room, RunKey, StoreError, Taken},
};

/// How many of those that wait a worker looks at in a commit, and how many of those that have waited longest where it is their turn. Where none of them can be worked on, it looks further by itself.
const LOOKED_AT: usize = 8;

/// A step for which there may be a place.
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
    /// There is a place for it, and its server, where it has one, may be asked.
    Admitted { server: Option<String> },
    /// Its pool or its server has no room.
    NotNow,
    /// No other story can be worked on.
    Full,
}

/// A message that waits.
pub(super) struct Head {
    pub(super) id: i64,
    asks: Option<String>,
    tokens: u64,
    priority: i64,
    /// It has waited so long that it goes before all others.
    aged: bool,
    pub(super) taken: Taken,
}

impl Head {
    pub(super) fn candidate(&self) -> Candidate<'_> {
        let Taken { run, step, pool, .. } = self.taken;
        Candidate { run, step, pool, asks: self.asks.as_deref(), tokens: self.tokens }
    }

    /// Whether it is not to be looked at: it was taken just now; or it is there for its age, and something was taken before it.
    pub(super) fn is_passed_over(&self, taken: &[Taken]) -> bool {
        self.aged && !taken.is_empty()
            || taken.iter().any(|taken| (taken.run, taken.step) == (self.taken.run, self.taken.step))
    }

    /// Whether it is worked on before a story of that priority that came then.
    pub(super) fn goes_before(&self, priority: i64, arrived: i64) -> bool {
        self.aged || self.priority > priority || (self.priority == priority && self.taken.arrived < arrived)
    }
}

/// What is read of a message that waits.
const COLUMNS: &str = "id, run, step, pool, asks, tokens, priority, attempts, redeliveries, arrived";

impl Session {
    /// What can be taken again: steps whose time has come, and those whose worker has said nothing for too long. A time further
    /// away than any can be was written before the clock was set back.
    pub(super) fn wake(&self, room: &dyn Room, now: i64) -> Result<(), StoreError> {
        let lease = i64::try_from(room.lease().as_millis()).unwrap_or(i64::MAX);
        self.change(
            "UPDATE message SET state = 'waiting', since = ?1, not_before = NULL
             WHERE state = 'later' AND (not_before <= ?1 OR since > ?1)",
            [now],
        )?;
        self.change(
            "UPDATE message SET state = 'waiting', since = ?1, worker = NULL, until = NULL, server = NULL
             WHERE state = 'leased' AND (until < ?1 OR until > ?2) AND worker <> ?3",
            params![now, now.saturating_add(lease.saturating_mul(2)), room.worker()],
        )
    }

    /// Takes what there is room for.
    pub(super) fn take(&self, room: &dyn Room, now: i64) -> Result<Vec<Taken>, StoreError> {
        room.give_back();
        let mut taken = Vec::new();
        let heads = match room.only() {
            Some(story) => self.waiting_of(story)?,
            None => self.heads(room, now)?,
        };
        let looked_at = heads.len();
        for head in heads {
            if !head.is_passed_over(&taken) && self.take_head(head, now, room, &mut taken)? {
                return Ok(taken);
            }
        }
        // The first in the queue cannot be worked on now; those of other pools and other agents may be.
        if taken.is_empty() && looked_at >= LOOKED_AT {
            for head in self.heads_of_agents(room)? {
                if self.take_head(head, now, room, &mut taken)? {
                    break;
                }
            }
        }
        Ok(taken)
    }

    /// Takes a message where there is a place for it. Returns whether no other story can be worked on.
    fn take_head(&self, head: Head, now: i64, room: &dyn Room, taken: &mut Vec<Taken>) -> Result<bool, StoreError> {
        match self.admit(&head.candidate(), now, room)? {
            Fate::Admitted { server } => {
                self.lease(&head, now, room, server.as_deref())?;
                taken.push(head.taken);
                Ok(false)
            }
            Fate::NotNow => Ok(false),
            Fate::Full => Ok(true),
        }
    }

    /// The first in the queue, in order; where it is their turn, those that have waited longest before them. A message may be among both.
    pub(super) fn heads(&self, room: &dyn Room, now: i64) -> Result<Vec<Head>, StoreError> {
        let pins = key_of(room.pins());
        let mut heads = Vec::new();
        if let Some(age) = room.ageing() {
            let before = now.saturating_sub(i64::try_from(age.as_millis()).unwrap_or(i64::MAX));
            let sql = format!(
                "SELECT {COLUMNS} FROM message INDEXED BY message_longest
                 WHERE state = 'waiting' AND pins = ?1 AND since < ?2 ORDER BY since LIMIT {LOOKED_AT}"
            );
            self.read_heads(&sql, params![pins, before], &mut heads)?;
            for head in &mut heads {
                head.aged = true;
            }
        }
        let sql = format!(
            "SELECT {COLUMNS} FROM message INDEXED BY message_waiting
             WHERE state = 'waiting' AND pins = ?1 ORDER BY priority DESC, arrived, id LIMIT {LOOKED_AT}"
        );
        self.read_heads(&sql, [pins], &mut heads)?;
        Ok(heads)
    }

    fn waiting_of(&self, story: &str) -> Result<Vec<Head>, StoreError> {
        let mut heads = Vec::new();
        let sql = format!(
            "SELECT {COLUMNS} FROM message
             WHERE run = (SELECT current_run FROM story WHERE folded = ?1) AND state = 'waiting' ORDER BY id"
        );
        self.read_heads(&sql, [story], &mut heads)?;
        Ok(heads)
    }

    /// The first of each pool and agent, in order.
    fn heads_of_agents(&self, room: &dyn Room) -> Result<Vec<Head>, StoreError> {
        let pins = key_of(room.pins());
        let mut heads = Vec::new();
        let mut groups: Vec<(String, Option<String>)> = Vec::new();
        self.each(
            // Each step of the recursion is one look into the index, however many messages a group has.
            "WITH RECURSIVE kind (pool, asks) AS (
                 SELECT * FROM (SELECT pool, coalesce(asks, '') FROM message INDEXED BY message_of_agent
                     WHERE state = 'waiting' AND pins = ?1 ORDER BY pool, asks LIMIT 1)
                 UNION ALL
                 SELECT coalesce(same.pool, next.pool), coalesce(same.asks, next.asks, '') FROM kind
                 LEFT JOIN (SELECT 1) ON 1
                 LEFT JOIN message AS same ON same.id = (SELECT id FROM message INDEXED BY message_of_agent
                     WHERE state = 'waiting' AND pins = ?1 AND pool = kind.pool AND asks > kind.asks
                     ORDER BY asks LIMIT 1)
                 LEFT JOIN message AS next ON same.id IS NULL AND next.id = (SELECT id FROM message INDEXED BY message_of_agent
                     WHERE state = 'waiting' AND pins = ?1 AND pool > kind.pool ORDER BY pool, asks LIMIT 1)
                 WHERE same.id IS NOT NULL OR next.id IS NOT NULL)
             SELECT pool, nullif(asks, '') FROM kind",
            [pins],
            |row| {
                groups.push(self.columns(|| Ok((row.get(0)?, row.get(1)?)))?);
                Ok(())
            },
        )?;
        let sql = format!(
            "SELECT {COLUMNS} FROM message INDEXED BY message_of_agent
             WHERE state = 'waiting' AND pins = ?1 AND pool = ?2 AND asks IS ?3 ORDER BY priority DESC, arrived, id LIMIT 1"
        );
        for (pool, asks) in groups {
            self.read_heads(&sql, params![pins, pool, asks], &mut heads)?;
        }
        heads.sort_by_key(|head| (std::cmp::Reverse(head.priority), head.taken.arrived, head.id));
        Ok(heads)
    }

    fn read_heads(
        &self,
        sql: &str,
        parameters: impl rusqlite::Params,
        heads: &mut Vec<Head>,
    ) -> Result<(), StoreError> {
        self.each(sql, parameters, |row| {
            heads.push(self.head(row)?);
            Ok(())
        })
    }

    fn head(&self, row: &Row<'_>) -> Result<Head, StoreError> {
        let (step, pool): (String, String) = self.columns(|| Ok((row.get(2)?, row.get(3)?)))?;
        let (step, pool) = (read_stored(&step)?, read_pool(&pool)?);
        self.columns(|| {
            Ok(Head {
                id: row.get(0)?,
                asks: row.get(4)?,
                tokens: natural(row.get(5)?).unwrap_or(0),
                priority: row.get(6)?,
                aged: false,
                taken: Taken {
                    run: RunKey(row.get(1)?),
                    step,
                    pool,
                    attempts: row.get(7)?,
                    redeliveries: row.get(8)?,
                    arrived: row.get(9)?,
                },
            })
        })
    }

    /// Whether a step can be worked on now: by its server first, which several programs ask, then by the worker's own places.
    pub(super) fn admit(&self, candidate: &Candidate<'_>, now: i64, room: &dyn Room) -> Result<Fate, StoreError> {
        let limits = match candidate.asks.map(|asks| room.limits(asks)) {
            // Not an agent of this worker's.
            Some(None) => return Ok(Fate::NotNow),
            Some(limits) => limits,
            None => None,
        };
        if let Some(limits) = &limits
            && !self.may_be_asked(limits, candidate.tokens, now, room.breaker())?
        {
            return Ok(Fate::NotNow);
        }
        Ok(match room.admit(candidate.run, candidate.step, candidate.pool) {
            Admission::Admitted => {
                if let Some(limits) = &limits {
                    self.charge(limits, candidate, now)?;
                }
                Fate::Admitted { server: limits.map(|limits| limits.server) }
            }
            Admission::PoolFull => Fate::NotNow,
            Admission::StoriesFull => Fate::Full,
        })
    }
}

/// A step by what is stored of it.
pub(super) fn read_stored(step: &str) -> Result<Option<Step>, StoreError> {
    if step.is_empty() { Ok(None) } else { read_step(step).map(Some) }
}

/// A pool by its stored name.
pub(super) fn read_pool(name: &str) -> Result<Pool, StoreError> {
    Pool::named(name).ok_or_else(|| StoreError::Unreadable {
        what: format!("a message of the pool {name}"),
        detail: "no pool has that name".into(),
    })
}
