//! The list of stories: what is shown of each, the filter, the order.

use std::{cmp::Reverse, collections::HashMap};

use crate::newsroom::ListedRun;
use crate::ports::RunKey;

/// Where a story stands, as the desk shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// It waits for the editor at a gate.
    AtGate,
    /// It waits for sign-off.
    AtSignOff,
    /// It ended and a human should look.
    Flagged,
    /// It could not be finished.
    Failed,
    /// This program works on it.
    AtWork,
    /// It waits for its turn in this program.
    Queued,
    /// Another program works on it.
    Elsewhere,
    /// It was interrupted and can go on.
    Stopped,
    /// An editor paused it.
    Paused,
    /// It passed, nobody has signed it.
    Passed,
    /// It is signed off.
    Signed,
}

impl Standing {
    /// The mark and the words for it.
    #[must_use]
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::AtGate => ("?", "waits for you"),
            Self::AtSignOff => ("?", "to be signed"),
            Self::Flagged => ("!", "flagged"),
            Self::Failed => ("x", "failed"),
            Self::AtWork => (">", "at work"),
            Self::Queued => (".", "in the queue"),
            Self::Elsewhere => (">", "at work elsewhere"),
            Self::Stopped => ("-", "interrupted"),
            Self::Paused => ("=", "paused"),
            Self::Passed => ("+", "passed"),
            Self::Signed => ("*", "signed off"),
        }
    }
}

/// Who is at work on a story now, as far as this program knows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Hands {
    /// Nobody.
    #[default]
    Nobody,
    /// This program.
    Ours,
    /// This program, as soon as there is a place.
    OursSoon,
    /// It waits in the queue for whoever comes by.
    Queued,
    /// Another program.
    Others,
}

/// One story of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeskRow {
    /// Its current run.
    pub key: RunKey,
    /// The run as the records list it.
    pub run: ListedRun,
    /// Who is at work on it.
    pub hands: Hands,
    /// What is searched by the filter: story, title, desk, state and flags in lower case.
    haystack: String,
}

impl DeskRow {
    /// The row of a run.
    #[must_use]
    pub fn new(key: RunKey, run: ListedRun, hands: Hands) -> Self {
        let mut row = Self { key, run, hands, haystack: String::new() };
        row.haystack = [
            row.run.story.as_str(),
            &row.run.title,
            row.run.desk.as_deref().unwrap_or_default(),
            row.standing().words().1,
            row.run.priority.name(),
            &row.run.flags.join(" "),
        ]
        .join("\n")
        .to_lowercase();
        row
    }

    /// Where the story stands.
    #[must_use]
    pub fn standing(&self) -> Standing {
        let run = &self.run;
        match run.state.as_str() {
            _ if run.is_flagged() => Standing::Flagged,
            "success" if run.signed_by.is_some() => Standing::Signed,
            "success" => Standing::Passed,
            "failed" => Standing::Failed,
            _ => match (run.waits_at(), self.hands) {
                (Some(crate::newsroom::Wait::SignOff { .. }), _) => Standing::AtSignOff,
                (Some(_), _) => Standing::AtGate,
                (None, Hands::Ours) => Standing::AtWork,
                (None, Hands::Others) => Standing::Elsewhere,
                (None, _) if run.paused => Standing::Paused,
                (None, Hands::OursSoon | Hands::Queued) => Standing::Queued,
                (None, Hands::Nobody) => Standing::Stopped,
            },
        }
    }

    /// Tokens sent and received.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.run.prompt_tokens.saturating_add(self.run.completion_tokens)
    }
}

/// The order of the list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Order {
    /// What needs somebody first, then by priority, then the latest first.
    #[default]
    Urgency,
    /// The latest change first.
    Latest,
    /// By name.
    Name,
    /// Most open concerns first.
    Concerns,
    /// Most tokens first.
    Tokens,
}

impl Order {
    /// All, in the order in which the screen walks through them.
    pub const ALL: [Self; 5] = [Self::Urgency, Self::Latest, Self::Name, Self::Concerns, Self::Tokens];

    /// The words for it.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Urgency => "what needs you first",
            Self::Latest => "latest first",
            Self::Name => "by name",
            Self::Concerns => "most concerns first",
            Self::Tokens => "most tokens first",
        }
    }

    /// The next one.
    #[must_use]
    pub fn next(self) -> Self {
        let place = Self::ALL.iter().position(|order| *order == self).unwrap_or(0);
        Self::ALL.get(place + 1).copied().unwrap_or_default()
    }
}

/// The list of stories.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeskList {
    rows: Vec<DeskRow>,
    /// Rows that the filter lets through, in order: places in `rows`.
    shown: Vec<usize>,
    /// What is typed into the filter.
    pub filter: String,
    /// Whether keys go to the filter.
    pub filtering: bool,
    /// The order.
    pub order: Order,
    /// The selected row, as a place among those shown.
    pub selected: usize,
    /// The first row on the screen; the view keeps the selected one in sight.
    pub top: usize,
    /// Whether the records have been read.
    pub loaded: bool,
    /// Who is at work on which story, as it was said last: often before the story's row is there.
    hands: HashMap<String, Hands>,
}

impl DeskList {
    /// Replaces all rows.
    pub fn set(&mut self, rows: Vec<DeskRow>) {
        self.rows = rows.into_iter().map(|row| self.in_hand(row)).collect();
        self.loaded = true;
        self.arrange();
    }

    /// Adds rows or replaces those of the same story; of two of one story the later counts.
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

    /// The row with what is known of who has its story.
    fn in_hand(&self, row: DeskRow) -> DeskRow {
        match self.hands.get(&row.run.story) {
            Some(hands) if *hands != row.hands => DeskRow::new(row.key, row.run, *hands),
            _ => row,
        }
    }

    /// Takes a story out.
    pub fn remove(&mut self, story: &str) {
        self.rows.retain(|row| row.run.story != story);
        self.arrange();
    }

    /// Sets who is at work on which story; those that are not named are in nobody's hands.
    pub fn set_hands(&mut self, hands: &[(String, Hands)]) {
        self.hands = hands.iter().cloned().collect();
        for row in &mut self.rows {
            let now = self.hands.get(&row.run.story).copied().unwrap_or_default();
            if row.hands != now {
                *row = DeskRow::new(row.key, row.run.clone(), now);
            }
        }
        self.arrange();
    }

    /// Who is at work on a story, as it was said last.
    #[must_use]
    pub fn hands_of(&self, story: &str) -> Hands {
        self.hands.get(story).copied().unwrap_or_default()
    }

    /// Filters and sorts anew; the selection stays on its story.
    pub fn arrange(&mut self) {
        let before = self.selected().map(|row| row.run.story.clone());
        let words: Vec<String> = self.filter.to_lowercase().split_whitespace().map(str::to_owned).collect();
        let mut shown: Vec<(usize, &DeskRow)> = self
            .rows
            .iter()
            .enumerate()
            .filter(|(_, row)| words.iter().all(|word| row.haystack.contains(word)))
            .collect();
        match self.order {
            Order::Urgency => shown.sort_by_cached_key(|(_, row)| {
                let needs = row.standing() > Standing::Failed;
                let settled = row.standing() >= Standing::Passed;
                (settled, Reverse(row.run.priority), needs, row.standing(), Reverse(row.run.updated_at.clone()))
            }),
            Order::Latest => shown.sort_by(|(_, a), (_, b)| b.run.updated_at.cmp(&a.run.updated_at)),
            Order::Name => shown.sort_by(|(_, a), (_, b)| a.run.story.cmp(&b.run.story)),
            Order::Concerns => shown.sort_by_key(|(_, row)| Reverse(row.run.open_concerns)),
            Order::Tokens => shown.sort_by_key(|(_, row)| Reverse(row.tokens())),
        }
        self.shown = shown.into_iter().map(|(place, _)| place).collect();
        let again = before.and_then(|story| self.shown().position(|row| row.run.story == story));
        self.selected = again.unwrap_or(self.selected).min(self.shown.len().saturating_sub(1));
    }

    /// The rows that the filter lets through, in order.
    pub fn shown(&self) -> impl Iterator<Item = &DeskRow> + Clone {
        self.shown.iter().filter_map(|place| self.rows.get(*place))
    }

    /// How many rows the filter lets through.
    #[must_use]
    pub fn count(&self) -> usize {
        self.shown.len()
    }

    /// All rows, whatever the filter says.
    #[must_use]
    pub fn all(&self) -> &[DeskRow] {
        &self.rows
    }

    /// The selected row.
    #[must_use]
    pub fn selected(&self) -> Option<&DeskRow> {
        self.shown.get(self.selected).and_then(|place| self.rows.get(*place))
    }

    /// The row of a story.
    #[must_use]
    pub fn row(&self, story: &str) -> Option<&DeskRow> {
        self.rows.iter().find(|row| row.run.story == story)
    }

    /// Moves the selection, stopping at both ends.
    pub fn select(&mut self, by: isize) {
        let last = self.shown.len().saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(by).min(last);
    }

    /// The stories in review, whatever the filter says: the most urgent first, then those that have stood longest.
    #[must_use]
    pub fn in_review(&self) -> Vec<&DeskRow> {
        let mut queue: Vec<&DeskRow> = self.rows.iter().filter(|row| row.run.is_in_review()).collect();
        queue.sort_by(|one, other| one.run.review_order().cmp(&other.run.review_order()));
        queue
    }

    /// How many stories need somebody.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.rows.iter().filter(|row| row.standing() <= Standing::Flagged).count()
    }

    /// How many stories are worked on here at this moment, and how many wait for their turn.
    #[must_use]
    pub fn under_way(&self) -> (usize, usize) {
        let of = |hands: &[Hands]| self.rows.iter().filter(|row| hands.contains(&row.hands)).count();
        (of(&[Hands::Ours]), of(&[Hands::OursSoon, Hands::Queued]))
    }

    /// How many stories would stop with this program.
    #[must_use]
    pub fn at_work(&self) -> usize {
        self.rows.iter().filter(|row| matches!(row.hands, Hands::Ours | Hands::OursSoon)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(story: &str, rounds: u32) -> DeskRow {
        let run = ListedRun { rounds, ..ListedRun::example(story, "", "open") };
        DeskRow::new(RunKey(i64::from(rounds)), run, Hands::Nobody)
    }

    #[test]
    fn rows_take_the_place_of_those_of_their_story_and_new_ones_follow() {
        let mut list = DeskList { order: Order::Name, ..DeskList::default() };
        list.set(vec![row("a", 0), row("b", 0), row("c", 0)]);
        list.select(1);
        list.set_hands(&[("e".into(), Hands::Ours)]);
        list.merge(vec![row("e", 1), row("b", 1), row("d", 1), row("b", 2)]);
        let rows: Vec<_> = list.all().iter().map(|row| (row.run.story.as_str(), row.run.rounds, row.hands)).collect();
        let nobody = Hands::Nobody;
        assert_eq!(
            rows,
            [("a", 0, nobody), ("b", 2, nobody), ("c", 0, nobody), ("e", 1, Hands::Ours), ("d", 1, nobody)]
        );
        assert_eq!(list.selected().map(|row| row.run.story.as_str()), Some("b"), "the selection stays on its story");
    }
}
