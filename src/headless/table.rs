//! Tables on standard output.

use comfy_table::{ContentArrangement, Table, presets};

use crate::{newsroom::ListedRun, text::sanitise};

/// How far a story of a batch came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowState {
    /// A round passed.
    Success,
    /// It ended otherwise, or could not be worked on.
    Failed,
    /// It waits for its editor.
    Waits,
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
    /// Open concerns of the kept draft.
    pub open_concerns: u32,
    /// Tokens sent and received.
    pub tokens: u64,
    /// How long it took, in seconds.
    pub seconds: String,
}

/// The result of a batch.
#[must_use]
pub fn results_table(rows: &[ResultRow]) -> String {
    let mut table = plain(&["story", "result", "rounds", "concerns", "tokens", "time", "note"]);
    for row in rows {
        table.add_row([
            sanitise::excerpt(&row.story, 120),
            match row.state {
                RowState::Success => "SUCCESS".into(),
                RowState::Failed => "FAILED".into(),
                RowState::Waits => "WAITS".into(),
            },
            row.rounds.to_string(),
            row.open_concerns.to_string(),
            row.tokens.to_string(),
            row.seconds.clone(),
            sanitise::excerpt(&row.note, 300),
        ]);
    }
    trimmed(&table)
}

/// The desk's runs.
#[must_use]
pub fn runs_table(runs: &[ListedRun]) -> String {
    let mut table = plain(&["story", "desk", "state", "rounds", "concerns", "tokens", "updated", "run", "flag"]);
    for run in runs {
        let story = if run.current { run.story.clone() } else { format!("{} (earlier run)", run.story) };
        table.add_row([
            story,
            sanitise::excerpt(run.desk.as_deref().unwrap_or("-"), 30),
            run.state.clone(),
            run.rounds.to_string(),
            run.open_concerns.to_string(),
            run.prompt_tokens.saturating_add(run.completion_tokens).to_string(),
            run.updated_at.chars().take(16).collect::<String>().replace('T', " "),
            run.run.clone(),
            run.flags.join(", "),
        ]);
    }
    trimmed(&table)
}

fn plain(header: &[&str]) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(header.to_vec());
    table
}

/// Without the padding at the ends of lines.
fn trimmed(table: &Table) -> String {
    table.to_string().lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_one_line_a_story() {
        let row = ResultRow {
            story: "desk/park".into(),
            state: RowState::Failed,
            note: "two\nlines\x1b[31m".into(),
            rounds: 3,
            open_concerns: 1,
            tokens: 4200,
            seconds: "1.5 s".into(),
        };
        let said = results_table(&[row]);
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!(lines.len(), 2, "{said}");
        assert_eq!(
            lines[1].split_whitespace().collect::<Vec<_>>(),
            ["desk/park", "FAILED", "3", "1", "4200", "1.5", "s", "two", "lines"]
        );
    }
}
