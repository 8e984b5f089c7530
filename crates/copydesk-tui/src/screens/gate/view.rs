//! The lines above the footer while a story waits for its editor: the question, the decisions so far, what comes next.

use ratatui::prelude::{Line, Rect, Span};

use crate::app::{Model, Screen};
use crate::screens::claims::ClaimsPage;
use crate::screens::story::{StoryView, Tab};
use crate::widgets::{Theme, words};
use copydesk_core::desk::question;
use copydesk_core::editorial::{
    changes::FollowUp, decisions, extract, remarks, research, silence, silence::ClaimsToRead,
};
use copydesk_newsroom::{Choice, GateOutcome, Status, Wait};
use copydesk_text::{in_marks, sanitise};

/// Most to-dos that are shown above the footer, and the height below which it is one.
const MOST_TO_DOS: usize = 3;
const LOW: u16 = 18;
/// The same on the page of the draft.
const LOW_FOR_READING: u16 = 30;

/// The lines; none if the shown story does not wait.
pub fn lines(model: &Model, area: Rect) -> Vec<Line<'static>> {
    if model.screen != Screen::Story {
        return Vec::new();
    }
    let Some(story) = model.story.as_deref() else { return Vec::new() };
    let Some(wait) = story.waits() else { return Vec::new() };
    let theme = &model.theme;
    let left = model.continues_at.map(|at| at.as_second().saturating_sub(model.now.as_second()).max(0));
    let room = usize::from(area.width).saturating_sub(2);
    let by_itself = left.map_or_else(String::new, |seconds| format!(" Continues by itself in {seconds} s."));
    let brief = left.map_or_else(String::new, |seconds| format!(" {seconds} s left."));
    let state = state(story, wait);
    let leads = leads(story, wait);
    let (asked, short) = asked(wait);
    let forms = [
        (format!("{asked}{state}{leads}"), &by_itself),
        (format!("{asked}{state}"), &by_itself),
        (format!("{short}{state}"), &by_itself),
        (format!("{short}{state}"), &brief),
        (format!("{short}{}", state.replace(" concerns open", " open").replace(" from you", "")), &brief),
    ];
    let fits = forms.iter().find(|(asked, left)| words::width(asked) + words::width(left) <= room);
    let Some((asked, left)) = fits.or(forms.last()) else { return Vec::new() };
    let question = Line::from(vec![
        Span::styled("? ", theme.warn),
        Span::styled(without_last_parts(asked, room.saturating_sub(words::width(left))), theme.warn),
        Span::styled((*left).clone(), theme.heading),
    ]);
    let first = check_first(story, area).filter(|_| model.on_top::<ClaimsPage>().is_none());
    let warnings = story.gate.warnings.iter().map(|told| format!("! {}", sanitise::one_line(told))).chain(first);
    let warnings = warnings.map(|said| Line::styled(words::fit(&said, usize::from(area.width)), theme.warn));
    std::iter::once(question).chain(warnings).chain(to_dos(story, wait, area, theme)).collect()
}

/// Fewest words of a part of a line that say something.
const TELLING: usize = 3;

/// A line without its last parts if it does not fit. A part may be cut after a few words; a number alone would say nothing.
fn without_last_parts(line: &str, room: usize) -> String {
    let cut = words::fit(line, room);
    let last = cut.rsplit_once(", ").map_or(&*cut, |(_, last)| last);
    if cut == line || last.split_whitespace().count() >= TELLING {
        return cut;
    }
    let ends = line.rmatch_indices(", ").map(|(at, _)| at);
    let mut kept = ends.filter_map(|end| line.get(..end)).map(|kept| format!("{kept}, …"));
    kept.find(|kept| words::width(kept) <= room).unwrap_or(cut)
}

/// The least height of a window with more than one line here.
fn low(story: &StoryView) -> u16 {
    // On the tab where the draft is read, the draft needs the rows more.
    if story.tab == Tab::Article { LOW_FOR_READING } else { LOW }
}

/// The worst claim that no source carries. The Claims page has them all.
fn check_first(story: &StoryView, area: Rect) -> Option<String> {
    let (reason, text) = story.gate.check_first.as_ref().filter(|_| area.height >= low(story))?;
    Some(format!("! Check first ({reason}): {}", in_marks(&words::excerpt(text, 300))))
}

/// The to-dos that the revision left. The Live page has them all itself.
fn to_dos(story: &StoryView, wait: Wait, area: Rect, theme: &Theme) -> Vec<Line<'static>> {
    let left = &story.gate.left;
    if wait.round() < 2 || story.tab == Tab::Live {
        return Vec::new();
    }
    let rows = if area.height < low(story) { 1 } else { MOST_TO_DOS };
    let room = usize::from(area.width).saturating_sub(2);
    let line = |(at, to_do): (usize, &FollowUp)| {
        let more = match left.len().saturating_sub(rows) {
            more if more > 0 && at + 1 == rows => format!(" {more} more on the {} page", Tab::Live.name()),
            _ => String::new(),
        };
        let said = words::fit(&to_do.line(), room.saturating_sub(words::width(&more)));
        Line::from(vec![Span::styled(format!("! {said}"), theme.warn), Span::styled(more, theme.dim)])
    };
    left.iter().enumerate().take(rows).map(line).collect()
}

fn leads(story: &StoryView, wait: Wait) -> &'static str {
    let Wait::Gate { round } = wait else { return "" };
    match decisions::outcome(&story.journal, round) {
        GateOutcome::Passed | GateOutcome::Stet => " Next: sign-off.",
        GateOutcome::Revise => " Next: back to the writer.",
        GateOutcome::Edited => " c checks it.",
        GateOutcome::RoundsUsedUp | GateOutcome::Spiked => " No rounds left.",
    }
}

/// What waits for the editor, in a long and in a short form.
fn asked(wait: Wait) -> (String, String) {
    match wait {
        Wait::Gate { round } => (format!("Round {round} waits for you: "), format!("Round {round}: ")),
        Wait::SignOff { round } => (
            format!("The draft of round {round} passed and waits for your sign-off"),
            "Waits for your sign-off".to_owned(),
        ),
        Wait::Plan => ("The questions wait for you: ".to_owned(), "Questions: ".to_owned()),
        Wait::Call { .. } => ("A call waits for you: ".to_owned(), "A call: ".to_owned()),
    }
}

/// The open concerns and the decisions in numbers: `3 of 5 concerns open, 1 overruled, 2 to-dos from you.`
pub fn state(story: &StoryView, wait: Wait) -> String {
    if wait == Wait::Plan {
        return words::count(research::planned(&story.journal).0.len(), "question");
    }
    if wait.call().is_some() {
        return question(&story.journal, wait);
    }
    let round = wait.round();
    let (mut to_dos, mut edited, mut added, mut fixes) = (0, false, false, 0);
    let mut concerned = std::collections::BTreeSet::new();
    for decided in decisions::standing(&story.journal, round) {
        match &decided.decision.choice {
            Choice::Override { concern, .. } => {
                concerned.insert(*concern);
            }
            Choice::Feedback { text } => to_dos += decisions::lines(text).len(),
            // The edit holds the fixes that were made before it.
            Choice::Edit { .. } => edited = true,
            Choice::Applied { .. } => fixes += 1,
            Choice::AnotherRound => added = true,
            _ => {}
        }
    }
    let to_read = story.gate.to_read;
    let is_gate = matches!(wait, Wait::Gate { .. });
    let is_sheet = extract::is_untouched(&story.journal, round);
    let (open, all) = concerns(story, round);
    let mut said = Vec::new();
    // At a gate nothing is held back.
    match story.gate.held_back.len() {
        0 => {}
        1 => said.push("1 quotation blocks it".to_owned()),
        several => said.push(format!("{several} quotations block it")),
    }
    if is_gate && is_sheet {
        said.push("a fact sheet, not an article yet".to_owned());
        said.extend((open > 0).then(|| format!("{open} of {} open", words::count(all, "concern"))));
    } else if is_gate {
        let short = story.gate.short.as_deref().map(|short| short.trim_start_matches(remarks::SHORT));
        said.push(match (open, all, short) {
            (_, 0, _) if story.journal.opening.settings.no_reviewer => {
                silence::no_concerns(&story.journal).trim_end_matches('.').to_owned()
            }
            (_, 0, _) => "no concerns".to_owned(),
            (0, _, Some(short)) => format!("none open, {short}"),
            (0, _, None) if story.gate.left.is_empty() && to_read.contradicted == 0 && story.gate.set_aside == 0 => {
                "nothing left to fix".to_owned()
            }
            (0, _, None) => "none open".to_owned(),
            _ => format!("{open} of {} open", words::count(all, "concern")),
        });
    }
    // Only a round without an open concern could be taken for one without a question.
    let has_open = is_gate && open > 0;
    let is_read = is_gate && !is_sheet;
    if let Some(read) = claims_to_read(story, round).filter(|_| !has_open && (is_read || to_read.contradicted > 0)) {
        match said.pop() {
            Some(before) if to_read.contradicted > 0 => said.push(format!("{before}; {read}")),
            before => said.extend(before.into_iter().chain([read])),
        }
    }
    said.extend(set_aside(story));
    if !concerned.is_empty() {
        said.push(format!("{} overruled", concerned.len()));
    }
    if to_dos > 0 {
        said.push(format!("{} from you", words::count(to_dos, "to-do")));
    }
    if fixes > 0 {
        let made = if fixes == 1 { "1 fix".to_owned() } else { format!("{fixes} fixes") };
        said.push(format!("{made} in the text"));
    }
    if edited {
        said.push("your edit is ready".to_owned());
    }
    if added {
        said.push("one more round".to_owned());
    }
    let said = said.join(", ");
    match wait {
        Wait::Gate { .. } => format!("{said}."),
        Wait::SignOff { .. } if said.is_empty() => ".".to_owned(),
        Wait::SignOff { .. } => format!(": {said}."),
        Wait::Plan | Wait::Call { .. } => String::new(),
    }
}

/// `a source contradicts 1 claim, 7 to read yourself (9)`; none without such a claim.
pub(crate) fn claims_to_read(story: &StoryView, round: u32) -> Option<String> {
    let is_waiting = story.waits().is_some_and(|wait| wait.round() == round);
    let to_read = if is_waiting { story.gate.to_read } else { ClaimsToRead::of(&story.journal, round) };
    Some(format!("{} (9)", to_read.in_words()?))
}

/// `a specialist set 1 finding aside (8)`; none without such a finding.
fn set_aside(story: &StoryView) -> Option<String> {
    let count = story.gate.set_aside;
    (count > 0).then(|| format!("a specialist set {} aside (8)", words::count(count, "finding")))
}

/// Open concerns of a round, and all.
fn concerns(story: &StoryView, round: u32) -> (usize, usize) {
    if story.round == round {
        return (story.concerns.open(), story.concerns.rows.len());
    }
    let verdicts = decisions::effective_verdicts(&story.journal, round);
    (verdicts.iter().filter(|verdict| verdict.status != Status::Keep).count(), verdicts.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_loses_whole_parts() {
        let line = "Round 1: nothing left to fix, 5 claims to read yourself (9), 1 overruled, 1 fix in the text.";
        assert_eq!(without_last_parts(line, 100), line);
        let shorter = "Round 1: nothing left to fix, 5 claims to read yourself (9), 1 overruled, …";
        assert_eq!(without_last_parts(line, 78), shorter);
        assert_eq!(without_last_parts(line, 40), "Round 1: nothing left to fix, …");
        assert_eq!(without_last_parts(line, 12), "Round 1…");
        let line = "Waits for your sign-off: 1 quotation blocks it, a specialist set 3 findings aside (8).";
        let shorter = "Waits for your sign-off: 1 quotation blocks it, a specialist set 3 findings…";
        assert_eq!(without_last_parts(line, 78), shorter);
    }
}
