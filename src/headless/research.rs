//! The work of research, in lines: questions, calls, findings, and every source of the story.

use super::Paint;
use crate::{
    editorial::research_report::{CallEnd, CallReport, ErrandReport, ListedSource, QuestionReport, ResearchReport},
    newsroom::{Journal, TriageWay, Triaged},
    text::{in_marks, sanitise},
};

/// The section on research, with a heading. Empty if nothing was researched and the sources are those that the story began with.
pub(super) fn research_lines(journal: &Journal, paint: Paint) -> Vec<String> {
    let report = ResearchReport::of(journal);
    if report.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![paint.heading("Research")];
    for errand in &report.errands {
        lines.extend(errand_lines(errand, paint));
    }
    lines.push("  Sources".to_owned());
    lines.extend(report.sources.iter().flat_map(|source| source_lines(source, paint)));
    lines
}

/// Which way a verdict goes.
pub(super) fn way_line(triaged: &Triaged) -> String {
    let to = match (triaged.way, &triaged.question) {
        (TriageWay::Rewrite, _) => "to the writer".to_owned(),
        (TriageWay::Research, None) => "to the Reporter".to_owned(),
        (TriageWay::Research, Some(question)) => {
            format!("to the Reporter: {}", in_marks(&sanitise::one_line(question)))
        }
    };
    format!("     triage: {to} ({})", sanitise::one_line(&triaged.why))
}

fn errand_lines(errand: &ErrandReport, paint: Paint) -> Vec<String> {
    let state = match (errand.done, errand.calls.is_empty()) {
        (true, _) => "",
        (false, true) => " (not begun)",
        (false, false) => " (at work)",
    };
    let mut lines = vec![format!("  {}{state}", errand.name)];
    for (number, asked) in (1..).zip(&errand.questions) {
        lines.push(format!("    question {number}: {}", question(asked, paint)));
    }
    for CallReport { tool, asked, state, result, .. } in &errand.calls {
        let result = if *state == CallEnd::Failed { paint.bad(&format!("failed: {result}")) } else { result.clone() };
        lines.push(format!("    {tool} “{asked}”: {result}"));
    }
    for finding in &errand.findings {
        let quotation = sanitise::one_line(&finding.quotation);
        let to = format!("to question {} from {}", finding.question, sanitise::one_line(&finding.source));
        lines.push(format!("    {} {to}: {}", paint.good("kept"), in_marks(&quotation)));
    }
    for left in &errand.left_out {
        let (why, quotation) = (sanitise::one_line(&left.why), sanitise::one_line(&left.finding.quotation));
        lines.push(format!("    {}: {}: {why}", paint.bad("left out"), in_marks(&quotation)));
    }
    if errand.found_nothing() {
        lines.push("    nothing was found".to_owned());
    }
    lines
}

fn question(asked: &QuestionReport, paint: Paint) -> String {
    let text = sanitise::one_line(&asked.question);
    match (asked.answered, &asked.why) {
        (Some(true), Some(why)) => format!("{text} {} {}", paint.good("answered:"), sanitise::one_line(why)),
        (Some(false), Some(why)) => format!("{text} {} {}", paint.bad("open:"), sanitise::one_line(why)),
        _ => text,
    }
}

fn source_lines(source: &ListedSource, paint: Paint) -> Vec<String> {
    let id = source.id.as_ref().map_or_else(String::new, |id| format!("{id} "));
    let title = sanitise::one_line(&source.title);
    let name = sanitise::one_line(&source.name);
    let name = if name == title { String::new() } else { format!(", {name}") };
    let day = source.published.as_ref().map_or_else(String::new, |day| format!(", {}", sanitise::one_line(day)));
    let standing = sanitise::one_line(&source.standing());
    let standing = if source.counts() { standing } else { paint.bad(&standing) };
    let mut lines =
        vec![format!("    {id}{title}{name}{day} ({}): {standing}; {}", source.origin.name(), source.rests())];
    lines.extend(source.remarks.iter().map(|remark| format!("       {}", sanitise::one_line(remark))));
    if let Some(credibility) = &source.credibility {
        lines.push(format!("       credibility {:.2}", credibility.score));
        lines.extend(credibility.reasons.iter().map(|reason| format!("         {}", sanitise::one_line(reason))));
    }
    if let Some(view) = &source.view {
        lines.push(format!("       the Reporter's view {}", view.in_words()));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::{
        testing::at_gate,
        testing::research_report::{researched, triaged},
    };

    #[test]
    fn a_story_that_was_researched_says_what_was_asked_called_kept_and_left_out() {
        insta::assert_snapshot!(research_lines(&researched(), Paint::Plain).join("\n"));
        assert!(research_lines(&at_gate(), Paint::Plain).is_empty(), "nobody researched");
    }

    #[test]
    fn each_verdict_says_which_way_it_goes() {
        let lines = super::super::report::round_lines(&triaged(), 1, Paint::Plain);
        let ways: Vec<&str> = lines.iter().map(|line| line.trim()).filter(|line| line.starts_with("triage")).collect();
        assert_eq!(
            ways,
            [
                "triage: to the Reporter: “The council voted seven to two.” (The sources do not say it.)",
                "triage: to the writer (The sources do not say it.)"
            ]
        );
    }
}
