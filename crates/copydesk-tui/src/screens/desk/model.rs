//! The list of stories: its rows, the filter and the order.

use std::{cmp::Reverse, collections::HashMap};

use jiff::Timestamp;

use crate::widgets::ring;
use copydesk_core::ports::RunKey;
use copydesk_newsroom::{ListedRun, due_in_words};
pub use copydesk_newsroom::{StoryHolder, StoryState};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeskRow {
    pub key: RunKey,
    /// The run as the records list it.
    pub run: ListedRun,
    pub hands: StoryHolder,
    /// The text that the filter searches: story, title, desk, state and flags in lower case.
    haystack: String,
}

impl DeskRow {
    pub fn new(key: RunKey, run: ListedRun, hands: StoryHolder) -> Self {
        let mut row = Self { key, run, hands, haystack: String::new() };
        row.haystack = [
            row.run.story.as_str(),
            &row.run.title,
            row.run.desk.as_deref().unwrap_or_default(),
            row.standing().words().1,
            row.run.priority.name(),
            row.run.assigned.as_deref().unwrap_or_default(),
            &row.run.reasons().join(" "),
        ]
        .join("\n")
        .to_lowercase();
        row
    }

    pub(crate) fn standing(&self) -> StoryState {
        StoryState::of(&self.run, self.hands)
    }

    /// Whether it is past its time and not done.
    pub(crate) fn is_late(&self, now: Timestamp) -> bool {
        let due = self.run.due.as_ref().filter(|_| !self.standing().is_settled());
        due.is_some_and(|due| due_in_words(due, now).1)
    }

    pub(crate) fn tokens(&self) -> u64 {
        self.run.prompt_tokens.saturating_add(self.run.completion_tokens)
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DeskOrder {
    /// Stories that need an editor first, then by priority, then the latest first.
    #[default]
    Urgency,
    /// By deadline, the earliest first.
    Deadline,
    Latest,
    Name,
    Concerns,
    Tokens,
}

impl DeskOrder {
    /// All, in the order in which the key goes through them.
    pub const ALL: [Self; 6] = [Self::Urgency, Self::Latest, Self::Name, Self::Deadline, Self::Concerns, Self::Tokens];

    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Urgency => "what needs you first",
            Self::Deadline => "due first",
            Self::Latest => "latest first",
            Self::Name => "by name",
            Self::Concerns => "most concerns first",
            Self::Tokens => "most tokens first",
        }
    }

    pub(crate) fn next(self) -> Self {
        ring::neighbour(&Self::ALL, self, 1)
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeskList {
    rows: Vec<DeskRow>,
    /// The rows that match the filter, in order, as indexes into `rows`.
    shown: Vec<usize>,
    pub filter: String,
    /// Only stories that wait for this editor are shown.
    pub only_for: Option<String>,
    /// Whether keys go to the filter.
    pub filtering: bool,
    pub order: DeskOrder,
    /// The selected row, as an index into `shown`.
    pub selected: usize,
    /// The first row on the screen; the view keeps the selected one in sight.
    pub top: usize,
    /// Whether the records have been read.
    pub loaded: bool,
    /// Who works on which story, by the last report. A report often comes before the story's row.
    hands: HashMap<String, StoryHolder>,
}

impl DeskList {
    pub fn set(&mut self, rows: Vec<DeskRow>) {
        self.rows = rows.into_iter().map(|row| self.in_hand(row)).collect();
        self.loaded = true;
        self.arrange();
    }

    /// Adds rows, or replaces those of the same story. Of two rows of one story the later counts.
    pub fn merge(&mut self, rows: Vec<DeskRow>) {
        let mut coming: Vec<Option<DeskRow>> = Vec::with_capacity(rows.len());
        let mut places: HashMap<String, usize> = HashMap::with_capacity(rows.len());
        for row in rows {
            let row = self.in_hand(row);
            let place = *places.entry(row.run.story.clone()).or_insert(coming.len());
            match coming.get_mut(place) {
                Some(earlier) => *earlier = Some(row),
                None => coming.push(Some(row)),
            }
        }
        for known in &mut self.rows {
            let row = places.get(&known.run.story).and_then(|place| coming.get_mut(*place)).and_then(Option::take);
            if let Some(row) = row {
                *known = row;
            }
        }
        self.rows.extend(coming.into_iter().flatten());
        self.arrange();
    }

    /// The row, with the last report of who works on its story.
    fn in_hand(&self, row: DeskRow) -> DeskRow {
        match self.hands.get(&row.run.story) {
            Some(hands) if *hands != row.hands => DeskRow::new(row.key, row.run, *hands),
            _ => row,
        }
    }

    pub fn remove(&mut self, story: &str) {
        self.rows.retain(|row| row.run.story != story);
        self.arrange();
    }

    /// Sets who works on which story. A story that is not named has no worker.
    pub fn set_hands(&mut self, hands: &[(String, StoryHolder)]) {
        self.hands = hands.iter().cloned().collect();
        for row in &mut self.rows {
            let now = self.hands.get(&row.run.story).copied().unwrap_or_default();
            if row.hands != now {
                *row = DeskRow::new(row.key, row.run.clone(), now);
            }
        }
        self.arrange();
    }

    /// Who works on a story, by the last report.
    pub(crate) fn hands_of(&self, story: &str) -> StoryHolder {
        self.hands.get(story).copied().unwrap_or_default()
    }

    /// Filters and sorts again. The selection stays on its story.
    pub fn arrange(&mut self) {
        let before = self.selected().map(|row| row.run.story.clone());
        let words: Vec<String> = self.filter.to_lowercase().split_whitespace().map(str::to_owned).collect();
        let mut shown: Vec<(usize, &DeskRow)> = self
            .rows
            .iter()
            .enumerate()
            .filter(|(_, row)| words.iter().all(|word| row.haystack.contains(word)))
            .filter(|(_, row)| self.only_for.as_ref().is_none_or(|editor| row.run.waits_for(editor)))
            .collect();
        match self.order {
            DeskOrder::Urgency => shown.sort_by_cached_key(|(_, row)| {
                let needs = row.standing() > StoryState::Failed;
                let settled = row.standing().is_settled();
                (settled, Reverse(row.run.priority), needs, row.standing(), Reverse(row.run.updated_at.clone()))
            }),
            DeskOrder::Deadline => shown.sort_by_cached_key(|(_, row)| {
                let due = row.run.due.clone().filter(|_| !row.standing().is_settled());
                (due.is_none(), due, Reverse(row.run.priority), Reverse(row.run.updated_at.clone()))
            }),
            DeskOrder::Latest => shown.sort_by(|(_, a), (_, b)| b.run.updated_at.cmp(&a.run.updated_at)),
            DeskOrder::Name => shown.sort_by(|(_, a), (_, b)| a.run.story.cmp(&b.run.story)),
            DeskOrder::Concerns => shown.sort_by_key(|(_, row)| Reverse(row.run.open_concerns)),
            DeskOrder::Tokens => shown.sort_by_key(|(_, row)| Reverse(row.tokens())),
        }
        self.shown = shown.into_iter().map(|(place, _)| place).collect();
        let again = before.and_then(|story| self.shown().position(|row| row.run.story == story));
        self.selected = again.unwrap_or(self.selected).min(self.shown.len().saturating_sub(1));
    }

    /// The rows that match the filter, in order.
    pub fn shown(&self) -> impl Iterator<Item = &DeskRow> + Clone {
        self.shown.iter().filter_map(|place| self.rows.get(*place))
    }

    /// How many rows match the filter.
    pub(crate) fn count(&self) -> usize {
        self.shown.len()
    }

    /// All rows, whatever the filter says.
    pub fn all(&self) -> &[DeskRow] {
        &self.rows
    }

    pub(crate) fn selected(&self) -> Option<&DeskRow> {
        self.shown.get(self.selected).and_then(|place| self.rows.get(*place))
    }

    pub(crate) fn row(&self, story: &str) -> Option<&DeskRow> {
        self.rows.iter().find(|row| row.run.story == story)
    }

    /// Moves the selection, stopping at both ends.
    pub fn select(&mut self, by: isize) {
        let last = self.shown.len().saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(by).min(last);
    }

    /// The review queue, without the filter: the most urgent story first, then the one that waits longest.
    pub(crate) fn in_review(&self, now: Timestamp) -> Vec<&DeskRow> {
        let mut queue: Vec<&DeskRow> = self.rows.iter().filter(|row| row.run.is_due_for_review(now)).collect();
        queue.sort_by(|one, other| one.run.review_order().cmp(&other.run.review_order()));
        queue
    }

    /// How many stories this program works on, and how many wait in the queue.
    pub(crate) fn under_way(&self) -> (usize, usize) {
        let of = |hands: &[StoryHolder]| self.rows.iter().filter(|row| hands.contains(&row.hands)).count();
        (of(&[StoryHolder::Ours]), of(&[StoryHolder::OursSoon, StoryHolder::Queued]))
    }

    /// How many stories would stop if this program ended.
    pub fn at_work(&self) -> usize {
        self.rows.iter().filter(|row| matches!(row.hands, StoryHolder::Ours | StoryHolder::OursSoon)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(story: &str, rounds: u32) -> DeskRow {
        let run = ListedRun { rounds, ..ListedRun::example(story, "", "open") };
        DeskRow::new(RunKey(i64::from(rounds)), run, StoryHolder::Nobody)
    }

    #[test]
    fn rows_replace_those_of_their_story_and_new_ones_follow() {
        let mut list = DeskList { order: DeskOrder::Name, ..DeskList::default() };
        list.set(vec![row("a", 0), row("b", 0), row("c", 0)]);
        list.select(1);
        list.set_hands(&[("e".into(), StoryHolder::Ours)]);
        list.merge(vec![row("e", 1), row("b", 1), row("d", 1), row("b", 2)]);
        let rows: Vec<_> = list.all().iter().map(|row| (row.run.story.as_str(), row.run.rounds, row.hands)).collect();
        let nobody = StoryHolder::Nobody;
        assert_eq!(
            rows,
            [("a", 0, nobody), ("b", 2, nobody), ("c", 0, nobody), ("e", 1, StoryHolder::Ours), ("d", 1, nobody)]
        );
        assert_eq!(list.selected().map(|row| row.run.story.as_str()), Some("b"), "the selection stays on its story");
    }
}
