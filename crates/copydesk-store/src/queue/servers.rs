//! The model servers, as all programs that have the database open share them: how much each is asked now and in the last minute, and
//! whether it rests after failures.

use std::collections::HashMap;

use crate::columns::step_column;
use crate::prelude::*;
use copydesk_core::ports::{Breaker, Failing, ServerDid, ServerDown, ServerLimits, ServerNews};

/// The length of "a minute" in a server's limits, in milliseconds.
const MINUTE: i64 = 60_000;

/// The longest pause that a server can ask for. A longer one was written before the clock was set back.
const LONGEST_PAUSE: i64 = 60 * MINUTE;

/// How a server is known.
#[derive(Clone, Default)]
struct ServerRow {
    failures: u32,
    down_since: Option<i64>,
    down_until: Option<i64>,
    busy_until: Option<i64>,
    /// How many calls it is being asked.
    asked: u32,
}

/// All servers as a transaction knows them: as it found them, then as it changes them.
#[derive(Default)]
pub(super) struct Servers(HashMap<String, ServerRow>);

impl Servers {
    pub(super) fn read(db: &Database) -> Result<Self, DbFault> {
        let mut servers = Self::default();
        db.each(
            "SELECT name, failures, down_since, down_until, busy_until, 0 FROM server
             UNION ALL SELECT server, 0, NULL, NULL, NULL, count(*) FROM asked_server GROUP BY server",
            [],
            |row| {
                let server = servers.of(row.get_ref(0)?.as_str()?);
                server.failures += row.get::<u32>(1)?;
                server.down_since = server.down_since.or(row.get(2)?);
                server.down_until = server.down_until.or(row.get(3)?);
                server.busy_until = server.busy_until.or(row.get(4)?);
                server.asked += row.get::<u32>(5)?;
                Ok(())
            },
        )?;
        Ok(servers)
    }

    fn of(&mut self, name: &str) -> &mut ServerRow {
        self.0.entry(name.to_owned()).or_default()
    }

    /// Whether a server may be asked once more now.
    pub(super) fn may_be_asked(
        &mut self,
        db: &Database,
        limits: &ServerLimits,
        tokens: u64,
        now: i64,
        breaker: Breaker,
    ) -> Result<bool, DbFault> {
        let server = self.of(&limits.server);
        let ahead = |until: Option<i64>, longest: i64| until.is_some_and(|until| until > now && until - now <= longest);
        let longest = i64::try_from(breaker.longest.as_millis()).unwrap_or(LONGEST_PAUSE);
        if server.asked >= limits.at_once
            || ahead(server.busy_until, LONGEST_PAUSE)
            || ahead(server.down_until, longest)
            // It was down, so one call tries it.
            || server.down_since.is_some() && server.asked > 0
        {
            return Ok(false);
        }
        has_room_this_minute(db, limits, tokens, now)
    }

    /// Counts a call against its server's limits.
    pub(super) fn charge(
        &mut self,
        db: &Database,
        limits: &ServerLimits,
        (run, step, tokens): (RunKey, Option<Step>, u64),
        now: i64,
    ) -> Result<(), DbFault> {
        self.of(&limits.server).asked += 1;
        if limits.per_minute.is_none() && limits.tokens_per_minute.is_none() {
            return Ok(());
        }
        db.write(
            "DELETE FROM server_use WHERE server = ?1 AND (at <= ?2 OR at > ?3)",
            params![limits.server, now - MINUTE, now],
        )?;
        db.write(
            "INSERT INTO server_use (server, at, run, step, tokens) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![limits.server, now, run.0, step_column(step), whole(tokens)],
        )
    }

    /// Notes what a server did. Returns an event if people should know.
    pub(super) fn hear(
        &mut self,
        db: &Database,
        run: RunKey,
        now: i64,
        news: &ServerNews,
        breaker: Breaker,
    ) -> Result<Option<Event>, DbFault> {
        let name = &news.server;
        let server = self.of(name);
        match &news.what {
            ServerDid::Answered { step, tokens } => {
                if let Some(tokens) = tokens {
                    db.write(
                        "UPDATE server_use SET tokens = ?4 WHERE id = (SELECT max(id) FROM server_use
                             WHERE server = ?1 AND run = ?2 AND step = ?3)",
                        params![name, run.0, step.to_string(), whole(*tokens)],
                    )?;
                }
                // If it is down by now, the call was under way before, and says nothing about it.
                if server.failures == 0 || server.down_until.is_some_and(|until| until > now) {
                    return Ok(None);
                }
                db.write(
                    "UPDATE server SET failures = 0, down_since = NULL, down_until = NULL, error = NULL WHERE name = ?1",
                    [name],
                )?;
                (server.failures, server.down_until) = (0, None);
                Ok(server.down_since.take().map(|_| Event::ServerBack { server: name.clone() }))
            }
            ServerDid::Busy { until } => {
                let before = server.busy_until.filter(|before| *before <= now.saturating_add(LONGEST_PAUSE));
                let until = before.map_or(*until, |before| before.max(*until));
                db.write(
                    "INSERT INTO server (name, busy_until) VALUES (?1, ?2)
                     ON CONFLICT (name) DO UPDATE SET busy_until = excluded.busy_until",
                    params![name, until],
                )?;
                server.busy_until = Some(until);
                Ok(None)
            }
            ServerDid::Failed { error } => server.fails(db, (name, error), now, breaker),
        }
    }
}

impl ServerRow {
    fn fails(
        &mut self,
        db: &Database,
        (name, error): (&str, &str),
        now: i64,
        breaker: Breaker,
    ) -> Result<Option<Event>, DbFault> {
        let failures = self.failures.saturating_add(1);
        // The call was under way when the server went down, so it says nothing new.
        let known = self.down_until.is_some_and(|until| until > now);
        let goes_down = breaker.failures > 0 && failures >= breaker.failures && !known;
        let rest = breaker
            .rest
            .saturating_mul(1_u32.checked_shl(failures.saturating_sub(breaker.failures).min(16)).unwrap_or(1))
            .min(breaker.longest);
        let milliseconds = i64::try_from(rest.as_millis()).unwrap_or(LONGEST_PAUSE);
        if !known {
            self.failures = failures;
        }
        if goes_down {
            self.down_since.get_or_insert(now);
            self.down_until = Some(now.saturating_add(milliseconds));
        }
        db.write(
            "INSERT INTO server (name, failures, down_since, down_until, error) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (name) DO UPDATE SET failures = excluded.failures, down_since = excluded.down_since,
                 down_until = excluded.down_until, error = excluded.error",
            params![name, self.failures, self.down_since, self.down_until, error],
        )?;
        Ok(goes_down.then(|| Event::ServerDown {
            server: name.to_owned(),
            again_in_seconds: rest.as_secs_f64(),
            error: error.to_owned(),
        }))
    }
}

fn has_room_this_minute(db: &Database, limits: &ServerLimits, tokens: u64, now: i64) -> Result<bool, DbFault> {
    if limits.per_minute.is_none() && limits.tokens_per_minute.is_none() {
        return Ok(true);
    }
    let (calls, used): (u32, i64) = db.first(
        "SELECT count(*), CAST(coalesce(sum(tokens), 0) AS BIGINT) FROM server_use WHERE server = ?1 AND at > ?2 AND at <= ?3",
        params![limits.server, now - MINUTE, now],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let used = natural(used);
    let calls_fit = limits.per_minute.is_none_or(|most| calls < most);
    // A call that is larger than the limit itself is made if nothing else was.
    let tokens_fit = limits.tokens_per_minute.is_none_or(|most| used == 0 || used.saturating_add(tokens) <= most);
    Ok(calls_fit && tokens_fit)
}

pub(super) fn failing(db: &Database, name: &str, now: i64) -> Result<Failing, DbFault> {
    let mut servers = Servers::read(db)?;
    let server = servers.of(name);
    let probed = server.down_since.is_some() && server.down_until.is_some_and(|until| until <= now);
    Ok(Failing { failures: server.failures, probed })
}

pub(crate) fn servers_down(db: &Database, now: i64) -> Result<Vec<ServerDown>, DbFault> {
    db.rows(
        "SELECT name, down_since, max(coalesce(down_until, 0), coalesce(busy_until, 0)), error
         FROM server WHERE down_since IS NOT NULL OR busy_until > ?1 ORDER BY name",
        [now],
        |row| Ok(ServerDown { server: row.get(0)?, since: row.get(1)?, until: row.get(2)?, error: row.get(3)? }),
    )
}
