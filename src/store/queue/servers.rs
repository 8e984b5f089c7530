//! What is known of the servers, for all programs that have the database open: how much they are asked at this moment and in the
//! last minute, and whether they are left alone.

use rusqlite::{OptionalExtension, params};

use super::{
    super::{calls::whole, session::Session},
    stored,
    take::Candidate,
};
use crate::{
    newsroom::Event,
    ports::{Breaker, Failing, RunKey, ServerDid, ServerDown, ServerLimits, ServerNews, StoreError},
};

/// What "a minute" is in a server's limits.
const MINUTE: i64 = 60_000;

/// The longest pause that a server can ask for: more was written before the clock was set back.
const LONGEST_PAUSE: i64 = 60 * MINUTE;

struct ServerRow {
    failures: u32,
    down_since: Option<i64>,
    down_until: Option<i64>,
    busy_until: Option<i64>,
}

impl Session {
    fn server(&self, name: &str) -> Result<Option<ServerRow>, StoreError> {
        self.sql(|connection| {
            connection
                .prepare_cached("SELECT failures, down_since, down_until, busy_until FROM server WHERE name = ?1")?
                .query_row([name], |row| {
                    Ok(ServerRow {
                        failures: row.get(0)?,
                        down_since: row.get(1)?,
                        down_until: row.get(2)?,
                        busy_until: row.get(3)?,
                    })
                })
                .optional()
        })
    }

    /// Whether a server may be asked once more at this moment.
    pub(super) fn may_be_asked(
        &self,
        limits: &ServerLimits,
        tokens: u64,
        now: i64,
        breaker: Breaker,
    ) -> Result<bool, StoreError> {
        let asked: u32 = self.sql(|connection| {
            connection
                .prepare_cached("SELECT count(*) FROM message INDEXED BY message_server WHERE server = ?1")?
                .query_row([&limits.server], |row| row.get(0))
        })?;
        if asked >= limits.at_once {
            return Ok(false);
        }
        if let Some(server) = self.server(&limits.server)? {
            let ahead =
                |until: Option<i64>, longest: i64| until.is_some_and(|until| until > now && until - now <= longest);
            let longest = i64::try_from(breaker.longest.as_millis()).unwrap_or(LONGEST_PAUSE);
            if ahead(server.busy_until, LONGEST_PAUSE) || ahead(server.down_until, longest) {
                return Ok(false);
            }
            // It was down: one call finds out whether it still is.
            if server.down_since.is_some() && asked > 0 {
                return Ok(false);
            }
        }
        self.has_room_this_minute(limits, tokens, now)
    }

    fn has_room_this_minute(&self, limits: &ServerLimits, tokens: u64, now: i64) -> Result<bool, StoreError> {
        if limits.per_minute.is_none() && limits.tokens_per_minute.is_none() {
            return Ok(true);
        }
        let (calls, used): (u32, i64) = self.sql(|connection| {
            connection
                .prepare_cached(
                    "SELECT count(*), coalesce(sum(tokens), 0) FROM server_use WHERE server = ?1 AND at > ?2 AND at <= ?3",
                )?
                .query_row(params![limits.server, now - MINUTE, now], |row| Ok((row.get(0)?, row.get(1)?)))
        })?;
        let used = u64::try_from(used).unwrap_or(0);
        let calls_fit = limits.per_minute.is_none_or(|most| calls < most);
        // A call that is larger than the limit itself is made where nothing else was.
        let tokens_fit = limits.tokens_per_minute.is_none_or(|most| used == 0 || used.saturating_add(tokens) <= most);
        Ok(calls_fit && tokens_fit)
    }

    /// Notes that a server is being asked.
    pub(super) fn charge(&self, limits: &ServerLimits, candidate: &Candidate<'_>, now: i64) -> Result<(), StoreError> {
        if limits.per_minute.is_none() && limits.tokens_per_minute.is_none() {
            return Ok(());
        }
        self.change(
            "DELETE FROM server_use WHERE server = ?1 AND (at <= ?2 OR at > ?3)",
            params![limits.server, now - MINUTE, now],
        )?;
        self.change(
            "INSERT INTO server_use (server, at, run, step, tokens) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![limits.server, now, candidate.run.0, stored(candidate.step), whole(Some(candidate.tokens))],
        )
    }

    /// Takes in what a server did. Returns what is worth telling.
    pub(super) fn hear(
        &self,
        run: RunKey,
        now: i64,
        news: &ServerNews,
        breaker: Breaker,
    ) -> Result<Option<Event>, StoreError> {
        let name = &news.server;
        match &news.what {
            ServerDid::Answered { step, tokens } => {
                if let Some(tokens) = tokens {
                    self.change(
                        "UPDATE server_use SET tokens = ?4 WHERE rowid = (SELECT max(rowid) FROM server_use
                             WHERE server = ?1 AND run = ?2 AND step = ?3)",
                        params![name, run.0, step.to_string(), whole(Some(*tokens))],
                    )?;
                }
                let Some(server) = self.server(name)?.filter(|server| server.failures > 0) else { return Ok(None) };
                // What was on its way when it went down says nothing of it now.
                if server.down_until.is_some_and(|until| until > now) {
                    return Ok(None);
                }
                self.change(
                    "UPDATE server SET failures = 0, down_since = NULL, down_until = NULL, error = NULL WHERE name = ?1",
                    [name],
                )?;
                Ok(server.down_since.map(|_| Event::ServerBack { server: name.clone() }))
            }
            ServerDid::Busy { until } => {
                self.change(
                    "INSERT INTO server (name, busy_until) VALUES (?1, ?2)
                     ON CONFLICT (name) DO UPDATE SET
                         busy_until = iif(busy_until <= ?3, max(busy_until, excluded.busy_until), excluded.busy_until)",
                    params![name, until, now.saturating_add(LONGEST_PAUSE)],
                )?;
                Ok(None)
            }
            ServerDid::Failed { error } => self.hear_failure(name, error, now, breaker),
        }
    }

    fn hear_failure(&self, name: &str, error: &str, now: i64, breaker: Breaker) -> Result<Option<Event>, StoreError> {
        let before = self.server(name)?;
        let failures = before.as_ref().map_or(0, |server| server.failures).saturating_add(1);
        let since = before.as_ref().and_then(|server| server.down_since);
        let until = before.as_ref().and_then(|server| server.down_until);
        // A call that was on its way when the server went down says nothing new.
        let known = until.is_some_and(|until| until > now);
        let goes_down = breaker.failures > 0 && failures >= breaker.failures && !known;
        let rest = breaker
            .rest
            .saturating_mul(1_u32.checked_shl(failures.saturating_sub(breaker.failures).min(16)).unwrap_or(1))
            .min(breaker.longest);
        let milliseconds = i64::try_from(rest.as_millis()).unwrap_or(LONGEST_PAUSE);
        self.change(
            "INSERT INTO server (name, failures, down_since, down_until, error) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (name) DO UPDATE SET failures = excluded.failures, down_since = excluded.down_since,
                 down_until = excluded.down_until, error = excluded.error",
            params![
                name,
                if known { failures.saturating_sub(1) } else { failures },
                if goes_down { Some(since.unwrap_or(now)) } else { since },
                if goes_down { Some(now.saturating_add(milliseconds)) } else { until },
                error
            ],
        )?;
        Ok(goes_down.then(|| Event::ServerDown {
            server: name.to_owned(),
            again_in_seconds: rest.as_secs_f64(),
            error: error.to_owned(),
        }))
    }

    pub(super) fn failing(&self, name: &str, now: i64) -> Result<Failing, StoreError> {
        let Some(server) = self.server(name)? else { return Ok(Failing::default()) };
        let probed = server.down_since.is_some() && server.down_until.is_some_and(|until| until <= now);
        Ok(Failing { failures: server.failures, probed })
    }

    pub(super) fn servers_down(&self, now: i64) -> Result<Vec<ServerDown>, StoreError> {
        let mut servers = Vec::new();
        self.each(
            "SELECT name, down_since, max(coalesce(down_until, 0), coalesce(busy_until, 0)), error
             FROM server WHERE down_since IS NOT NULL OR busy_until > ?1 ORDER BY name",
            [now],
            |row| {
                servers.push(self.columns(|| {
                    Ok(ServerDown { server: row.get(0)?, since: row.get(1)?, until: row.get(2)?, error: row.get(3)? })
                })?);
                Ok(())
            },
        )?;
        Ok(servers)
    }
}
