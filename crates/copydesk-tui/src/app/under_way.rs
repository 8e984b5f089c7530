//! Work beside the stories that takes longer than a moment: what it is, since when, and how far.

use std::time::Duration;

use jiff::Timestamp;

use crate::widgets::words;
use copydesk_text::{count_thousands, thousands, to_go};

/// Work that is over sooner is not shown.
const LATE: Duration = Duration::from_secs(2);

/// The kind of a work beside the stories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkKind {
    BackUp,
    /// Files that a story begins with, or a source. A recording may be transcribed.
    Reading,
    Deleting,
    Sending,
    /// The control record of a story, for which the whole log is checked.
    Record,
    Settings,
    /// The trial of the models.
    Trial,
    /// Files of the knowledge base.
    Files,
    Vectors,
}

impl WorkKind {
    fn words(self) -> &'static str {
        match self {
            Self::BackUp => "Backing up the desk",
            Self::Reading => "Reading the files",
            Self::Deleting => "Deleting the story",
            Self::Sending => "Sending the story out",
            Self::Record => "Checking the record of the desk",
            Self::Settings => "Trying the new settings",
            Self::Trial => "Trying the models",
            Self::Files => "Reading the knowledge base, before stories begin",
            Self::Vectors => "Preparing the search by meaning",
        }
    }

    /// How far it is, of a work that counts. A backup is measured in bytes.
    fn far(self, done: u64, all: u64) -> String {
        let thing = match self {
            Self::BackUp => return format!("{} of {} MiB", thousands(done >> 20), thousands(all.div_ceil(1 << 20))),
            Self::Files => "file",
            Self::Vectors => "passage",
            _ => "call",
        };
        format!("{} of {}", thousands(done), count_thousands(all, thing))
    }
}

/// A piece of work; its kind and its beginning name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnderWay {
    pub kind: WorkKind,
    pub since: Timestamp,
    /// Done, and in all; none if that is not counted.
    pub far: Option<(u64, u64)>,
}

impl UnderWay {
    fn elapsed(&self, now: Timestamp) -> Duration {
        now.duration_since(self.since).try_into().unwrap_or_default()
    }

    /// `Backing up the desk: 120 of 340 MiB · 6 s · about 12 s to go`.
    fn line(&self, now: Timestamp) -> String {
        let elapsed = self.elapsed(now);
        let far = self.far.map_or_else(String::new, |(done, all)| format!(": {}", self.kind.far(done, all)));
        let rest = self.far.and_then(|(done, all)| to_go(done, all, elapsed)).unwrap_or_default();
        let what = format!("{}{far}", self.kind.words());
        words::dotted([&*what, &words::elapsed(elapsed.as_secs()), &rest])
    }
}

/// All of it.
#[derive(Debug, Clone, Default)]
pub struct Works(Vec<UnderWay>);

impl Works {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Work has begun, or is so far now.
    pub fn goes_on(&mut self, work: UnderWay) {
        match self.0.iter_mut().find(|known| (known.kind, known.since) == (work.kind, work.since)) {
            Some(known) => *known = work,
            None => self.0.push(work),
        }
    }

    pub fn is_over(&mut self, kind: WorkKind, since: Timestamp) {
        self.0.retain(|known| (known.kind, known.since) != (kind, since));
    }

    /// The work on the index that goes on, and how far it is.
    pub fn on_index(&self) -> Option<(WorkKind, u64, u64)> {
        let on_index = |work: &&UnderWay| matches!(work.kind, WorkKind::Files | WorkKind::Vectors);
        self.0.iter().filter(on_index).find_map(|work| work.far.map(|(done, all)| (work.kind, done, all)))
    }

    /// The line on the work that takes longest, if any takes long.
    pub fn line(&self, now: Timestamp) -> Option<String> {
        let late = || self.0.iter().filter(|work| work.elapsed(now) >= LATE);
        let first = late().min_by_key(|work| work.since)?;
        let more = match late().count() - 1 {
            0 => String::new(),
            more => format!(" (+{more} more)"),
        };
        Some(format!("{}{more}", first.line(now)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        "2026-10-06T12:10:00Z".parse::<Timestamp>().unwrap() + jiff::SignedDuration::from_secs(seconds)
    }

    fn work(kind: WorkKind, far: Option<(u64, u64)>) -> UnderWay {
        UnderWay { kind, since: at(0), far }
    }

    #[test]
    fn work_that_takes_long_is_told_with_its_time_and_an_estimate() {
        let mut works = Works::default();
        works.goes_on(work(WorkKind::BackUp, None));
        assert_eq!(works.line(at(1)), None, "it may be over at once");
        assert_eq!(works.line(at(6)).as_deref(), Some("Backing up the desk · 6 s"));
        works.goes_on(work(WorkKind::BackUp, Some((100 << 20, 300 << 20))));
        let said = "Backing up the desk: 100 of 300 MiB · 6 s · about 12 s to go";
        assert_eq!(works.line(at(6)).as_deref(), Some(said));
        works.goes_on(work(WorkKind::Reading, None));
        assert_eq!(works.line(at(6)), Some(format!("{said} (+1 more)")));
        works.is_over(WorkKind::BackUp, at(0));
        assert_eq!(works.line(at(6)).as_deref(), Some("Reading the files · 6 s"));
        works.is_over(WorkKind::Reading, at(0));
        assert_eq!((works.line(at(6)), works.is_empty()), (None, true));
    }

    #[test]
    fn the_work_on_the_index_is_known_and_told_like_other_work() {
        let mut works = Works::default();
        works.goes_on(work(WorkKind::BackUp, Some((1, 2))));
        works.goes_on(work(WorkKind::Files, None));
        assert_eq!(works.on_index(), None, "there may be nothing to do");
        works.goes_on(work(WorkKind::Files, Some((1_000, 4_000))));
        assert_eq!(works.on_index(), Some((WorkKind::Files, 1_000, 4_000)));
        works.is_over(WorkKind::BackUp, at(0));
        let said =
            "Reading the knowledge base, before stories begin: 1,000 of 4,000 files · 1 min 00 s · about 3 min to go";
        assert_eq!(works.line(at(60)).as_deref(), Some(said));
        works.is_over(WorkKind::Files, at(0));
        works.goes_on(work(WorkKind::Vectors, Some((5, 10))));
        let said = "Preparing the search by meaning: 5 of 10 passages · 10 s · about 10 s to go";
        assert_eq!(works.line(at(10)).as_deref(), Some(said));
    }
}
