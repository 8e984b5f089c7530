//! Tables on standard output.

use std::{collections::HashMap, io::IsTerminal as _};

use jiff::Timestamp;
use serde::Serialize;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::{
    newsroom::{ListedRun, Priority, StoryHolder, StoryState, Wait, age, due_in_words},
    text::{elapsed, sanitise},
};

/// How far a story of a batch came.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RowState {
    /// A round passed.
    Success,
    /// It ended otherwise, or could not be worked on.
    Failed,
    /// It waits for its editor, or is paused.
    #[default]
    Waits,
}

/// One story of a batch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ResultRow {
    /// `channel/slug`, or the file of a topic that was rejected.
    pub story: String,
    /// How far it came.
    #[serde(rename = "result")]
    pub state: RowState,
    /// Whether what was made is an extract: a fact sheet, not a written article.
    pub extract: bool,
    /// Why a human should look, or what went wrong.
    pub note: String,
    /// Rounds reviewed.
    pub rounds: u32,
    /// Open concerns of the kept draft; of the latest review where it waits.
    pub open_concerns: u32,
    /// Tokens sent and received.
    pub tokens: u64,
    /// Its cost; none if no price is known.
    pub cost: Option<String>,
    /// How long it took from opened to ended; `-` if it has not ended here.
    #[serde(skip)]
    pub time: String,
}

impl ResultRow {
    /// Takes over what the records have counted of a run.
    pub fn count(&mut self, run: &ListedRun) {
        (self.rounds, self.open_concerns) = (run.rounds, run.open_concerns);
        self.tokens = run.prompt_tokens.saturating_add(run.completion_tokens);
    }

    /// How it ended, for a person: a fact sheet is not reported as a written article is.
    fn result(&self) -> &'static str {
        match self.state {
            RowState::Success if self.extract => "FACT SHEET",
            RowState::Success => "SUCCESS",
            RowState::Failed => "FAILED",
            RowState::Waits => "WAITS",
        }
    }
}

/// The columns of the terminal; none if standard output is no terminal.
pub fn terminal_width() -> Option<usize> {
    let size = std::io::stdout().is_terminal().then(crossterm::terminal::size)?;
    size.ok().map(|(columns, _)| usize::from(columns))
}

/// The result of a batch. In a terminal (`width` columns) each part of a note has a line of its own, and no row is broken.
pub fn results_table(rows: &[ResultRow], width: Option<usize>) -> String {
    let table = table_of(rows, width.is_none());
    let Some(width) = width else { return table };
    let mut lines = table.lines().map(|line| cut(line, width));
    let mut shown: Vec<String> = lines.by_ref().take(1).collect();
    for (line, row) in lines.zip(rows) {
        shown.push(line);
        let parts = row.note.split("; ").filter(|part| !part.is_empty());
        shown.extend(parts.map(|part| format!("    {}", sanitise::excerpt(part, 300))));
    }
    shown.join("\n")
}

/// As much of a line as `width` columns hold.
fn cut(line: &str, width: usize) -> String {
    if line.width() <= width {
        return line.to_owned();
    }
    if width == 0 {
        return String::new();
    }
    let mut used = 1;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used <= width
    };
    let kept: String = line.chars().take_while(fits).collect();
    format!("{}…", kept.trim_end())
}

fn table_of(rows: &[ResultRow], notes: bool) -> String {
    // Without a known price there is no cost to show.
    let costs = rows.iter().any(|row| row.cost.is_some());
    let mut headings = vec!["story", "result", "rounds", "concerns", "tokens"];
    headings.extend(costs.then_some("cost"));
    headings.push("time");
    headings.extend(notes.then_some("note"));
    let mut table = vec![headings.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    for row in rows {
        let cost = costs.then(|| row.cost.clone().unwrap_or_else(|| "-".to_owned()));
        let before = [
            sanitise::excerpt(&row.story, 120),
            row.result().to_owned(),
            row.rounds.to_string(),
            row.open_concerns.to_string(),
            row.tokens.to_string(),
        ];
        let note = notes.then(|| sanitise::excerpt(&row.note, 300));
        table.push(before.into_iter().chain(cost).chain([row.time.clone()]).chain(note).collect());
    }
    set_in(&table)
}

/// How long a story took: `225.3 s`, then as other spans of time, since one may wait for hours.
pub fn lasted(seconds: f64) -> String {
    match std::time::Duration::try_from_secs_f64(seconds).map(|lasted| lasted.as_secs()) {
        Ok(whole @ 600..) => elapsed(whole),
        _ => format!("{seconds:.1} s"),
    }
}

/// Facts about the runs in a list that are not in their records.
#[derive(Debug, Clone, Default)]
pub struct RunsBeside {
    /// Who works on each, by its run id. A run that is not named has no worker.
    pub hands: HashMap<String, StoryHolder>,
    pub now: Timestamp,
}

/// What stands in a column for a run.
type RunCell = fn(&ListedRun, &RunsBeside) -> String;

/// A column of the desk's runs.
struct RunColumn {
    heading: &'static str,
    /// In a terminal: 0 stays always; of the others the highest goes first.
    rank: u8,
    /// The least columns that it can be read in, if its texts are longer.
    least: usize,
    cell: RunCell,
}

/// Longest title of a list that goes to a file.
const LONGEST_TITLE: usize = 80;

const fn column(heading: &'static str, rank: u8, least: usize, cell: RunCell) -> RunColumn {
    RunColumn { heading, rank, least, cell }
}

/// In the order in which an editor reads them.
const RUN_COLUMNS: [RunColumn; 14] = [
    column("title", 0, 20, |run, _| {
        let title = if sanitise::is_blank(&run.title) { &run.story } else { &run.title };
        sanitise::excerpt(title, LONGEST_TITLE)
    }),
    column("state", 0, usize::MAX, |run, beside| {
        let hands = beside.hands.get(&run.run).copied().unwrap_or_default();
        StoryState::of(run, hands).words().1.to_owned()
    }),
    column("due", 2, usize::MAX, |run, beside| {
        let settled = StoryState::of(run, StoryHolder::Nobody).is_settled();
        run.due.as_ref().filter(|_| !settled).map_or_else(String::new, |due| due_in_words(due, beside.now).0)
    }),
    column(
        "story",
        0,
        12,
        |run, _| if run.current { run.story.clone() } else { format!("{} (earlier run)", run.story) },
    ),
    column("editor", 4, usize::MAX, |run, _| sanitise::excerpt(run.assigned.as_deref().unwrap_or_default(), 20)),
    column("priority", 5, usize::MAX, |run, _| {
        if run.priority == Priority::Normal { String::new() } else { run.priority.name().to_owned() }
    }),
    column("concerns", 3, usize::MAX, |run, _| run.open_concerns.to_string()),
    column("changed", 1, usize::MAX, |run, beside| age(&run.updated_at, beside.now)),
    column("rounds", 6, usize::MAX, |run, _| run.rounds.to_string()),
    column("waits for", 7, usize::MAX, |run, _| {
        run.waits_at().map(Wait::in_words).or_else(|| run.waits.clone()).unwrap_or_default()
    }),
    column("desk", 8, usize::MAX, |run, _| sanitise::excerpt(run.desk.as_deref().unwrap_or_default(), 30)),
    column("tokens", 9, usize::MAX, |run, _| run.prompt_tokens.saturating_add(run.completion_tokens).to_string()),
    column("run", 10, usize::MAX, |run, _| run.run.clone()),
    column("note", 11, usize::MAX, |run, beside| {
        let signed = run.signed_in_words().map(|signed| sanitise::excerpt(&signed, 60)).into_iter();
        let flags = run.reasons().into_iter().map(|flag| format!("flagged: {flag}"));
        let overdue =
            run.overdue(beside.now).map(|reply| format!("{} has not replied", sanitise::excerpt(&reply.name, 40)));
        let settled = run.settled_by.iter().map(|editor| format!("accepted by {}", sanitise::excerpt(editor, 40)));
        let withdrawn =
            run.withdrawn.iter().map(|killed| format!("withdrawn: {}", sanitise::excerpt(&killed.reason, 80)));
        withdrawn.chain(signed).chain(settled).chain(overdue).chain(flags).collect::<Vec<_>>().join("; ")
    }),
];

/// Between two columns.
const GAP: usize = 2;

/// The desk's runs. A column that has nothing to say of any of them is left out. In a terminal (`width` columns) the least important columns
/// are left out too, until the others fit; then titles are cut.
pub fn runs_table(runs: &[ListedRun], beside: &RunsBeside, width: Option<usize>) -> String {
    let mut columns: Vec<(&RunColumn, Vec<String>, usize)> = RUN_COLUMNS
        .iter()
        .map(|column| {
            let cells: Vec<String> = runs.iter().map(|run| sanitise::one_line(&(column.cell)(run, beside))).collect();
            let widest = cells.iter().map(|cell| cell.width()).max().unwrap_or(0).max(column.heading.len());
            (column, cells, widest)
        })
        .filter(|(_, cells, _)| cells.iter().any(|cell| !cell.is_empty()))
        .collect();
    if let Some(width) = width {
        fit(&mut columns, width);
    }
    let head = columns.iter().map(|(column, _, room)| cut(column.heading, *room)).collect();
    let row = |row: usize| {
        let cells = columns.iter().map(|(_, cells, room)| cut(cells.get(row).map_or("", String::as_str), *room));
        cells.collect::<Vec<_>>()
    };
    let table = aligned(&std::iter::once(head).chain((0..runs.len()).map(row)).collect::<Vec<_>>());
    width.map_or(table.clone(), |width| table.lines().map(|line| cut(line, width)).collect::<Vec<_>>().join("\n"))
}

/// Drops the least important columns until the others fit if they are cut to their least, then gives them what room is left, in their order.
fn fit(columns: &mut Vec<(&RunColumn, Vec<String>, usize)>, width: usize) {
    let least = |(column, _, widest): &(&RunColumn, Vec<String>, usize)| column.least.min(*widest);
    let needed = |columns: &[(&RunColumn, Vec<String>, usize)]| {
        columns.iter().map(|column| least(column) + GAP).sum::<usize>().saturating_sub(GAP)
    };
    while needed(columns) > width {
        let Some(place) = (0..columns.len()).max_by_key(|place| columns.get(*place).map(|(column, ..)| column.rank))
        else {
            return;
        };
        if columns.get(place).is_none_or(|(column, ..)| column.rank == 0) {
            break;
        }
        columns.remove(place);
    }
    let mut spare = width.saturating_sub(needed(columns));
    for column in columns {
        let more = spare.min(column.2 - least(column));
        column.2 = least(column) + more;
        spare -= more;
    }
}

/// Rows in columns, the first one with the headings. Nothing stands behind the last cell of a line.
pub fn aligned(rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.width().max(*width);
        }
    }
    let padded = |(cell, width): (&String, &usize)| format!("{cell}{}", " ".repeat(width + GAP - cell.width()));
    let line = |row: &Vec<String>| row.iter().zip(&widths).map(padded).collect::<String>().trim_end().to_owned();
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The same, set in by a blank from the text around it.
pub fn set_in(rows: &[Vec<String>]) -> String {
    aligned(rows).lines().map(|line| format!(" {line}")).collect::<Vec<_>>().join("\n")
}

/// The headings of a table, as its first row.
pub(super) fn headings<const N: usize>(names: [&str; N]) -> Vec<Vec<String>> {
    vec![names.map(str::to_owned).to_vec()]
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::newsroom::RunState;

    #[test]
    fn a_story_that_waited_for_hours_does_not_tell_them_in_seconds() {
        assert_eq!(
            [0.04, 225.31, 599.9, 725.0, 7_500.0].map(lasted),
            ["0.0 s", "225.3 s", "599.9 s", "12 min 05 s", "2 h 05 min"]
        );
    }

    #[test]
    fn in_a_terminal_no_row_is_broken_and_what_a_note_says_stands_below() {
        let row = ResultRow {
            story: "desk/a-slug-that-is-rather-long-for-a-terminal-of-sixty-columns".into(),
            state: RowState::Failed,
            extract: false,
            note: "no connection; flagged: a sensitive topic".into(),
            rounds: 0,
            open_concerns: 0,
            tokens: 42,
            cost: None,
            time: "1.5 s".into(),
        };
        let said = results_table(&[row], Some(60));
        let lines: Vec<&str> = said.lines().collect();
        assert!(lines.iter().all(|line| line.width() <= 60), "{said}");
        assert!(
            lines[1].ends_with('…') && lines[2..] == ["    no connection", "    flagged: a sensitive topic"],
            "{said}"
        );
        for width in [0, 1, 20, 40, 60, 80, 200] {
            let titled = ListedRun { title: "long ".repeat(2_000), ..run() };
            let listed = runs_table(&[titled, run()], &beside(), Some(width));
            assert!(listed.lines().all(|line| line.width() <= width), "{width}: {listed}");
            assert_eq!(listed.lines().count(), if width == 0 { 2 } else { 3 }, "{width}: {listed}");
        }
    }

    #[test]
    fn a_result_is_one_line_a_story() {
        let row = ResultRow {
            story: "desk/park".into(),
            state: RowState::Failed,
            extract: false,
            note: "two\nlines\x1b[31m".into(),
            rounds: 3,
            open_concerns: 1,
            tokens: 4200,
            cost: None,
            time: "1.5 s".into(),
        };
        let said = results_table(&[row], None);
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!(lines.len(), 2, "{said}");
        assert_eq!(
            lines[1].split_whitespace().collect::<Vec<_>>(),
            ["desk/park", "FAILED", "3", "1", "4200", "1.5", "s", "two", "lines"]
        );
    }

    pub(in crate::headless) fn run() -> ListedRun {
        ListedRun {
            open_concerns: 2,
            prompt_tokens: 100,
            completion_tokens: 20,
            updated_at: "2026-10-06T12:01:30.000Z".into(),
            ..ListedRun::example("desk/park", "Council votes", "open")
        }
    }

    fn beside() -> RunsBeside {
        RunsBeside { hands: HashMap::new(), now: "2026-10-06T12:10:00Z".parse().unwrap() }
    }

    #[test]
    fn in_a_narrow_terminal_title_state_and_story_stay_and_a_late_story_says_so() {
        let late = ListedRun {
            waits: Some("r1.gate".into()),
            due: Some("2026-10-06T09:00:00.000Z".into()),
            assigned: Some("Ada".into()),
            ..run()
        };
        let listed = runs_table(&[late], &beside(), Some(60));
        let lines: Vec<&str> = listed.lines().collect();
        assert_eq!(
            lines,
            [
                "title          state          due       story      changed",
                "Council votes  waits for you  3 h late  desk/park  8 min",
            ]
        );
    }

    #[test]
    fn no_cell_of_a_list_moves_the_cursor_or_colours_the_terminal() {
        let hostile = "\x1b[31mred\x1b]52;c;ZQ==\x07\u{9b}2J\nnew";
        let run = ListedRun {
            story: format!("desk{hostile}/park"),
            run: format!("run{hostile}"),
            waits: Some(hostile.into()),
            flags: vec![hostile.into()],
            ..run()
        };
        let said = runs_table(&[run], &beside(), None);
        assert!(!said.chars().any(|c| c.is_control() && c != '\n'), "{said:?}");
        assert_eq!(said.lines().count(), 2, "{said:?}");
    }

    #[test]
    fn a_list_says_what_waits_what_is_paused_and_who_signed() {
        let waits = ListedRun { waits: Some("r1.gate".into()), priority: Priority::High, ..run() };
        let paused = ListedRun { story: "desk/mill".into(), paused: true, ..run() };
        let signed = ListedRun {
            story: "desk/pool".into(),
            state: RunState::Succeeded,
            signed_by: Some("M. Ito".into()),
            flags: vec!["rounds used up".into()],
            ..run()
        };
        let settled = ListedRun {
            story: "desk/mine".into(),
            state: RunState::Failed,
            settled_by: Some("M. Ito".into()),
            flags: vec!["rounds used up".into()],
            ..run()
        };
        let said = runs_table(&[waits, paused, signed, settled], &beside(), None);
        let lines: Vec<&str> = said.lines().map(str::trim).collect();
        let words =
            |line: &str| line.split("  ").map(str::trim).filter(|word| !word.is_empty()).collect::<Vec<_>>().join("|");
        assert_eq!(
            lines.iter().map(|line| words(line)).collect::<Vec<_>>(),
            [
                "title|state|story|priority|concerns|changed|rounds|waits for|tokens|run|note",
                "Council votes|waits for you|desk/park|high|2|8 min|1|your decision, round 1|120|20261006T120000Z_0123abcd",
                "Council votes|paused|desk/mill|2|8 min|1|120|20261006T120000Z_0123abcd",
                "Council votes|signed off|desk/pool|2|8 min|1|120|20261006T120000Z_0123abcd|\
                 signed off by M. Ito; flagged: rounds used up",
                "Council votes|failed|desk/mine|2|8 min|1|120|20261006T120000Z_0123abcd|\
                 accepted by M. Ito; flagged: rounds used up",
            ]
        );
        assert!(!runs_table(&[run()], &beside(), None).contains("priority"), "nothing to say");
    }
}
