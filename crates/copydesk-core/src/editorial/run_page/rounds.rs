//! Each round: its concerns with verdicts and the editor's decisions, its to-dos, and the changes of the next draft.

use crate::editorial::{
    changes::{self, Change, ChangeReason, Comparison, in_words},
    control_record::decision_in_words,
    decisions::{self, effective_verdicts},
    page_frame::{code, details, items, line, lines, name, quote, section, table, time},
    report, silence,
    version::version_of,
    vouching,
};
use copydesk_newsroom::{ConcernType, GateOutcome, Journal, field_in_words};
use copydesk_text::diff::DiffPiece;

pub(super) fn rounds(journal: &Journal) -> String {
    let last = journal.latest_draft();
    if last == 0 {
        return section("rounds", "Rounds", "<p>There is no draft yet.</p>\n");
    }
    section("rounds", "Rounds", &(1..=last).map(|number| round(journal, number)).collect::<String>())
}

fn round(journal: &Journal, round: u32) -> String {
    let Some(draft) = journal.draft(round) else { return String::new() };
    let by_hand = if decisions::is_by_hand(journal, round) { ", the editor’s own text" } else { "" };
    let mut out = format!(
        "<article>\n<h3>Round {round}{by_hand}</h3>\n<p>Draft: {}, {}, version {}.</p>\n",
        quote(&draft.article.headline),
        copydesk_text::count(draft.article.words(), "word"),
        code(&version_of(&draft.article))
    );
    out.extend(report::remarks(journal, round).map(|remark| format!("<p>{}</p>\n", line(&remark))));
    out.extend(draft.stripped.iter().map(|stripped| format!("<p>Removed automatically: {}</p>\n", quote(stripped))));
    out.push_str(&concerns(journal, round));
    out.push_str(&decided(journal, round));
    if let Some(outcome) = journal.gate(round) {
        out.extend([format!("<p>{}</p>\n", left(outcome))]);
    }
    if let Some(feedback) = journal.feedback(round).filter(|feedback| !feedback.todo_list.is_empty()) {
        let items = items(feedback.todo_list.iter().map(|to_do| name(to_do)));
        out.extend([format!("<p>To-dos for the writer:</p>\n<ol>\n{items}</ol>\n")]);
    }
    if let Some(comparison) = changes::between(journal, round, round + 1) {
        out.push_str(&changed(&comparison, round + 1));
    }
    out.push_str("</article>\n");
    out
}

fn left(outcome: GateOutcome) -> &'static str {
    match outcome {
        GateOutcome::Passed => "The round passed.",
        GateOutcome::Revise => "The draft went back to the writer.",
        GateOutcome::RoundsUsedUp => "It was the last round that was allowed, and concerns were open.",
        GateOutcome::Stet => "The editor accepted the draft as it stands.",
        GateOutcome::Edited => "The editor’s own text is the next draft.",
        GateOutcome::Spiked => "The editor gave the story up.",
    }
}

fn concerns(journal: &Journal, round: u32) -> String {
    let Some(result) = journal.concerns(round) else { return "<p>Not reviewed.</p>\n".to_owned() };
    if result.concerns.is_empty() {
        return format!("<p>{}</p>\n", silence::no_concerns(journal));
    }
    let effective = effective_verdicts(journal, round);
    let rows = result.concerns.iter().map(|concern| {
        let id = concern.concern_id;
        let mapping = journal.mapping_of(round, id);
        let kind = mapping.map_or_else(String::new, |mapping| mapping.concern_type.words().to_owned());
        let specialist = match (vouching::group(journal, round, id), mapping) {
            (Some(_), _) => "a rule".to_owned(),
            (None, Some(mapping)) => line(mapping.selected_agent.name()),
            (None, None) => String::new(),
        };
        let verdict = journal.verdict(round, id);
        let given = verdict.map_or_else(
            || "none".to_owned(),
            |verdict| {
                let fix = verdict.suggested_fix.as_ref();
                let fix = fix.map_or_else(String::new, |fix| format!("<br>To do: <bdi>{}</bdi>", lines(fix)));
                format!("<strong>{}</strong> <bdi>{}</bdi>{fix}", verdict.status.name(), lines(&verdict.rationale))
            },
        );
        let is_whole = concern.excerpt == concern.review_note;
        let quoted = if is_whole { String::new() } else { format!("{}<br>", quote(&concern.excerpt)) };
        let now = effective.iter().find(|now| now.concern_id == id && Some(*now) != verdict);
        let now = now.map_or_else(String::new, |now| {
            format!("<strong>{}</strong> <bdi>{}</bdi>", now.status.name(), lines(&now.rationale))
        });
        vec![
            id.to_string(),
            format!("{quoted}<bdi>{}</bdi>", lines(&ConcernType::in_words(&concern.review_note))),
            line(&kind),
            specialist,
            given,
            now,
        ]
    });
    table(&["#No.", "Concern", "Kind", "Judged by", "Verdict", "Overruled with"], rows)
}

fn decided(journal: &Journal, round: u32) -> String {
    let decisions = journal.decisions(round);
    if decisions.is_empty() {
        return String::new();
    }
    let rows = decisions.iter().map(|decided| {
        let undone = if decided.undone { " (undone later)" } else { "" };
        let what = format!("<bdi>{}</bdi>{undone}", lines(&decision_in_words(journal, decided)));
        vec![time(decided.at), name(&decided.decision.by), what]
    });
    table(&["When", "Editor", "Decision"], rows)
}

/// The changes of a draft, and who asked for them.
fn changed(comparison: &Comparison, to: u32) -> String {
    if comparison.changes.is_empty() {
        return format!("<p>Draft {to} changed nothing.</p>\n");
    }
    let words = |change: &Change| {
        let without = |other: fn(&DiffPiece) -> bool| -> String {
            change.pieces.iter().filter(|piece| !other(piece)).map(DiffPiece::text).collect()
        };
        let removed = without(|piece| matches!(piece, DiffPiece::Added(_)));
        in_words(&removed, &without(|piece| matches!(piece, DiffPiece::Removed(_))))
    };
    let rows = comparison.changes.iter().map(|change| {
        let why = match change.why {
            ChangeReason::ByHand => "the editor, by hand".to_owned(),
            ChangeReason::Citation => "a citation of a verdict".to_owned(),
            ChangeReason::Nobody => "<strong class=\"bad\">nobody asked for it</strong>".to_owned(),
            ChangeReason::Asked(_) => comparison.asked_for(change).map_or_else(String::new, |asked| {
                let concern = asked.concern.map_or_else(String::new, |concern| format!("concern {concern}: "));
                format!("{concern}<bdi>{}</bdi>", line(&asked.to_do))
            }),
        };
        vec![line(field_in_words(change.field)), format!("<bdi>{}</bdi>", line(&words(change))), why]
    });
    let summary = format!("Draft {to}: {}", copydesk_text::count(rows.len(), "change"));
    details(&summary, &table(&["Where", "Change", "Asked for by"], rows))
}
