//! Tables on standard output.

use std::{collections::HashMap, io::IsTerminal as _};

use comfy_table::{ContentArrangement, Table, presets};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::{
    newsroom::{ListedRun, Priority, RunState, Wait, local_time},
    ports::Queued,
    text::sanitise,
};

/// How far a story of a batch came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowState {
    /// A round passed.
    Success,
    /// It ended otherwise, or could not be worked on.
    Failed,
    /// It waits for its editor, or is paused.
    Waits,
}

impl RowState {
    /// Its name for programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failed => "failed",
            Self::Waits => "waits",
        }
    }
}

/// One story of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultRow {
    /// `channel/slug`, or the file of a topic that was rejected.
    pub story: String,
    /// How far it came.
    pub state: RowState,
    /// Why a human should look, or what went wrong.
    pub note: String,
    /// Rounds reviewed.
    pub rounds: u32,
    /// Open concerns of the kept draft; of the latest review where it waits.
    pub open_concerns: u32,
    /// Tokens sent and received.
    pub tokens: u64,
    /// What it cost; none where no price is known.
    pub cost: Option<String>,
    /// How long it took, in seconds.
    pub seconds: String,
}

/// The columns of the terminal that standard output is; none where it is none.
#[must_use]
pub fn terminal_width() -> Option<usize> {
    let size = std::io::stdout().is_terminal().then(crossterm::terminal::size)?;
    size.ok().map(|(columns, _)| usize::from(columns))
}

/// The result of a batch. In a terminal (`width` columns) each part of a note has a line of its own, and no row is broken.
#[must_use]
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
    let mut used = 1;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used <= width
    };
    let kept: String = line.chars().take_while(fits).collect();
    format!("{}…", kept.trim_end())
}

fn table_of(rows: &[ResultRow], notes: bool) -> String {
    // Where no price is known there is nothing to say of it.
    let costs = rows.iter().any(|row| row.cost.is_some());
    let mut headings = vec!["story", "result", "rounds", "concerns", "tokens"];
    headings.extend(costs.then_some("cost"));
    headings.push("time");
    headings.extend(notes.then_some("note"));
    let mut table = plain(&headings);
    for row in rows {
        let cost = costs.then(|| row.cost.clone().unwrap_or_else(|| "-".to_owned()));
        let before = [
            sanitise::excerpt(&row.story, 120),
            row.state.name().to_uppercase(),
            row.rounds.to_string(),
            row.open_concerns.to_string(),
            row.tokens.to_string(),
        ];
        let note = notes.then(|| sanitise::excerpt(&row.note, 300));
        table.add_row(before.into_iter().chain(cost).chain([row.seconds.clone()]).chain(note));
    }
    trimmed(&table)
}

/// A column of the desk's runs: its heading, and what it says of one.
type Column = (&'static str, fn(&ListedRun) -> String);

/// What an editor looks for first stands first, so that it is seen in 80 columns.
const RUN_COLUMNS: [Column; 10] = [
    ("story", |run| if run.current { run.story.clone() } else { format!("{} (earlier run)", run.story) }),
    ("waits for", |run| run.waits_at().map(Wait::in_words).or_else(|| run.waits.clone()).unwrap_or_default()),
    ("priority", |run| if run.priority == Priority::Normal { String::new() } else { run.priority.name().to_owned() }),
    ("rounds", |run| run.rounds.to_string()),
    ("concerns", |run| run.open_concerns.to_string()),
    ("updated", |run| local_time(&run.updated_at).chars().take(16).collect()),
    ("tokens", |run| run.prompt_tokens.saturating_add(run.completion_tokens).to_string()),
    ("run", |run| run.run.clone()),
    ("desk", |run| sanitise::excerpt(run.desk.as_deref().unwrap_or_default(), 30)),
    ("note", |run| {
        let signed = run.signed_by.iter().map(|editor| format!("signed off by {}", sanitise::excerpt(editor, 40)));
        let flags = run.flags.iter().map(|flag| format!("flagged: {flag}"));
        let settled = run.settled_by.iter().map(|editor| format!("accepted by {}", sanitise::excerpt(editor, 40)));
        signed.chain(settled).chain(flags).collect::<Vec<_>>().join("; ")
    }),
];

/// The desk's runs. A column that has nothing to say of any of them is left out; in a terminal (`width` columns) what does not fit is, too.
#[must_use]
#[expect(clippy::implicit_hasher, reason = "the queue gives this map alone")]
pub fn runs_table(runs: &[ListedRun], queued: &HashMap<String, Queued>, width: Option<usize>) -> String {
    let mut columns: Vec<(&str, Vec<String>)> = RUN_COLUMNS
        .iter()
        .map(|(heading, cell)| (*heading, runs.iter().map(cell).collect::<Vec<_>>()))
        .filter(|(_, cells)| cells.iter().any(|cell| !cell.is_empty()))
        .collect();
    let states = runs.iter().map(|run| state_in_words(run, queued.get(&run.run)).to_owned()).collect();
    columns.insert(columns.len().min(1), ("state", states));
    let headings: Vec<&str> = columns.iter().map(|(heading, _)| *heading).collect();
    let mut table = plain(&headings);
    let mut cells: Vec<_> = columns.into_iter().map(|(_, cells)| cells.into_iter()).collect();
    for _ in runs {
        table.add_row(cells.iter_mut().map(|column| column.next().unwrap_or_default()).collect::<Vec<_>>());
    }
    let table = trimmed(&table);
    width.map_or(table.clone(), |width| table.lines().map(|line| cut(line, width)).collect::<Vec<_>>().join("\n"))
}

fn state_in_words(run: &ListedRun, queued: Option<&Queued>) -> &'static str {
    match (run.state, queued) {
        (RunState::Open, _) if run.paused => "paused",
        (RunState::Open, _) if run.waits.is_some() => "waiting",
        (RunState::Open, Some(Queued::Waits)) => "queued",
        (RunState::Open, Some(Queued::Held)) => "stopped",
        (RunState::Open, _) => "open",
        (RunState::Succeeded, _) => "passed",
        (RunState::Failed, _) => "failed",
        (RunState::Superseded, _) => "replaced",
    }
}

pub(super) fn plain(header: &[&str]) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(header.to_vec());
    table
}

/// Without the padding at the ends of lines.
pub(super) fn trimmed(table: &Table) -> String {
    table.to_string().lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    #[test]
    fn in_a_terminal_no_row_is_broken_and_what_a_note_says_stands_below() {
        let row = ResultRow {
            story: "desk/a-slug-that-is-rather-long-for-a-terminal-of-sixty-columns".into(),
            state: RowState::Failed,
            note: "no connection; flagged: a sensitive topic".into(),
            rounds: 0,
            open_concerns: 0,
            tokens: 42,
            cost: None,
            seconds: "1.5 s".into(),
        };
        let said = results_table(&[row], Some(60));
        let lines: Vec<&str> = said.lines().collect();
        assert!(lines.iter().all(|line| line.width() <= 60), "{said}");
        assert!(
            lines[1].ends_with('…') && lines[2..] == ["    no connection", "    flagged: a sensitive topic"],
            "{said}"
        );
        let listed = runs_table(&[run()], &HashMap::new(), Some(20));
        assert!(listed.lines().all(|line| line.width() <= 20) && listed.ends_with('…'), "{listed}");
    }

    #[test]
    fn a_result_is_one_line_a_story() {
        let row = ResultRow {
            story: "desk/park".into(),
            state: RowState::Failed,
            note: "two\nlines\x1b[31m".into(),
            rounds: 3,
            open_concerns: 1,
            tokens: 4200,
            cost: None,
            seconds: "1.5 s".into(),
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
        let said = runs_table(&[waits, paused, signed, settled], &HashMap::new(), None);
        let lines: Vec<&str> = said.lines().map(str::trim).collect();
        let words =
            |line: &str| line.split("  ").map(str::trim).filter(|word| !word.is_empty()).collect::<Vec<_>>().join("|");
        assert_eq!(
            lines.iter().map(|line| words(line)).collect::<Vec<_>>(),
            [
                "story|state|waits for|priority|rounds|concerns|updated|tokens|run|note",
                "desk/park|waiting|your decision, round 1|high|1|2|2026-10-06 12:01|120|20261006T120000Z_0123abcd",
                "desk/mill|paused|1|2|2026-10-06 12:01|120|20261006T120000Z_0123abcd",
                "desk/pool|passed|1|2|2026-10-06 12:01|120|20261006T120000Z_0123abcd|\
                 signed off by M. Ito; flagged: rounds used up",
                "desk/mine|failed|1|2|2026-10-06 12:01|120|20261006T120000Z_0123abcd|\
                 accepted by M. Ito; flagged: rounds used up",
            ]
        );
        assert!(!runs_table(&[run()], &HashMap::new(), None).contains("priority"), "nothing to say");
    }
}
