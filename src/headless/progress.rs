//! A progress line for each story while it runs.

use std::{
    collections::HashMap,
    io::IsTerminal,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::message;
use crate::{
    editorial::event_words::event_in_words,
    newsroom::{Event, EventRecord},
    ports::Watch,
    text::{sanitise, to_go},
};

/// How often the time on a line is brought up to date.
const TICK: Duration = Duration::from_millis(250);

/// Most characters of an event.
const LONGEST: usize = 240;

/// Rows of a terminal that does not say how many it has.
const ROWS: usize = 24;

/// Least time between two lines on the whole where there is no terminal.
const APART: Duration = Duration::from_secs(10);

/// Shows on standard error how far each story is. On a terminal each story has a line that changes, with the whole
/// below them. Otherwise there is a line for each stage, and one on the whole now and then.
pub struct ProgressLines {
    bars: Option<Mutex<Bars>>,
    lines: Mutex<Lines>,
}

struct Bars {
    all: MultiProgress,
    stories: HashMap<String, ProgressBar>,
    whole: Option<ProgressBar>,
}

/// The times of the lines on the whole batch: its beginning, and the last line.
struct Lines {
    began: Instant,
    told: Instant,
}

impl ProgressLines {
    /// So many stories of a batch are over.
    pub fn at(&self, over: usize, of: usize) {
        let Some(bars) = &self.bars else {
            let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
            let now = Instant::now();
            if now.duration_since(lines.told) >= APART || (over == of && of > 1) {
                lines.told = now;
                message(&on_the_whole(over, of, now.duration_since(lines.began)));
            }
            return;
        };
        let mut bars = bars.lock().unwrap_or_else(PoisonError::into_inner);
        let all = bars.all.clone();
        let whole = bars.whole.get_or_insert_with(|| {
            let bar = all.add(ProgressBar::new(0));
            if let Ok(style) =
                ProgressStyle::with_template("{wide_bar} {pos} of {len} stories [{elapsed}, about {eta} to go]")
            {
                bar.set_style(style);
            }
            bar.enable_steady_tick(TICK);
            bar
        });
        whole.set_length(of as u64);
        whole.set_position(over as u64);
    }

    /// The batch is over.
    pub fn end(&self) {
        if let Some(bars) = &self.bars {
            let mut bars = bars.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(whole) = bars.whole.take() {
                whole.finish_and_clear();
            }
        }
    }

    /// Whether lines of several stories change in a terminal.
    fn is_batch(&self) -> bool {
        let bars = self.bars.as_ref();
        bars.is_some_and(|bars| bars.lock().unwrap_or_else(PoisonError::into_inner).whole.is_some())
    }

    fn show(&self, story: &str, stage: &str, over: bool) {
        let Some(bars) = &self.bars else {
            message(&format!("{story}: {stage}"));
            return;
        };
        let mut bars = bars.lock().unwrap_or_else(PoisonError::into_inner);
        let (all, whole) = (bars.all.clone(), bars.whole.clone());
        // The line on the whole stays in sight, however many stories wait between two of their steps.
        let room = crossterm::terminal::size().map_or(ROWS, |(_, rows)| usize::from(rows)).saturating_sub(3);
        if whole.is_some() && !bars.stories.contains_key(story) && (over || bars.stories.len() >= room) {
            return;
        }
        let bar = bars.stories.entry(story.to_owned()).or_insert_with(|| {
            let bar = ProgressBar::new_spinner();
            let bar = match &whole {
                Some(whole) => all.insert_before(whole, bar),
                None => all.add(bar),
            };
            if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix} [{elapsed}] {wide_msg}") {
                bar.set_style(style);
            }
            bar.set_prefix(story.to_owned());
            bar.enable_steady_tick(TICK);
            bar
        });
        bar.set_message(stage.to_owned());
        if over {
            // Of a batch only the stories at work are shown: hundreds would not fit.
            if whole.is_some() {
                bar.finish_and_clear();
            } else {
                bar.finish();
            }
            bars.stories.remove(story);
        }
    }
}

/// How far a batch is, in words, with an estimate of its end.
fn on_the_whole(over: usize, of: usize, elapsed: Duration) -> String {
    let to_go = to_go(over as u64, of as u64, elapsed).map_or_else(String::new, |to_go| format!(", {to_go}"));
    format!("{over} of {}{to_go}", crate::text::count(of, "story"))
}

impl Default for ProgressLines {
    /// For standard error as it is.
    fn default() -> Self {
        let bars = || {
            let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
            Mutex::new(Bars { all, stories: HashMap::new(), whole: None })
        };
        let now = Instant::now();
        Self { bars: std::io::stderr().is_terminal().then(bars), lines: Mutex::new(Lines { began: now, told: now }) }
    }
}

impl Watch for ProgressLines {
    fn happened(&self, record: &EventRecord) {
        let over = match &record.event {
            // The step says it, too.
            Event::VerdictGiven { .. } => return,
            // In a batch it waits for its turn: it has its line once it is at work.
            Event::RunOpened { .. } if self.is_batch() => return,
            Event::GateWaits { .. } | Event::Decided { .. } | Event::StoryDeleted { .. } | Event::RunClosed { .. } => {
                true
            }
            _ => false,
        };
        self.show(&record.story, &sanitise::excerpt(&event_in_words(&record.event), LONGEST), over);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_batch_is_estimated_from_what_is_over() {
        assert_eq!(on_the_whole(0, 100, Duration::from_secs(5)), "0 of 100 stories");
        assert_eq!(on_the_whole(10, 100, Duration::from_secs(5)), "10 of 100 stories, about 45 s to go");
        assert_eq!(on_the_whole(10, 100, Duration::from_mins(1)), "10 of 100 stories, about 9 min to go");
        assert_eq!(on_the_whole(100, 100, Duration::from_mins(1)), "100 of 100 stories");
    }
}
