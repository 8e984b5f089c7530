//! A story's report: each round's concerns with their verdicts, and what the revision changed.

use super::{
    Paint,
    research::{research_lines, way_line},
};
use crate::{
    desk,
    editorial::{
        changes, check_worth, citations, corrections,
        coverage::Coverage,
        decisions,
        event_words::choice_in_words,
        extract::{Extract, FactKind},
        flags,
        repeated::overruled_before,
        report, research,
        retrieval::RetrievalRecord,
        savings::Savings,
        silence, vouching,
    },
    newsroom::{
        ArticleResponse, Choice, Claim, ConcernType, Finding, Journal, Outcome, Passage, Stance, Status, Step, Witness,
    },
    text::{
        diff::{self, DiffPiece},
        in_marks, sanitise,
    },
};

/// Most facts of each part of a fact sheet.
const FACTS: usize = 24;

/// The report of a run as far as it is, as text of many lines.
pub fn story_report(journal: &Journal, saved: &Savings, paint: Paint) -> String {
    let mut lines: Vec<String> = Vec::new();
    let shown = report::shown_round(journal, journal.latest_draft());
    if let Some(extract) = Extract::of(journal, shown) {
        lines.push(paint.heading(&extract.line()));
        for (heading, facts) in extract.parts(&FactKind::ALL, FACTS) {
            lines.push(heading.to_owned());
            lines.extend(facts.iter().map(|line| format!("  {line}")));
        }
        lines.push(String::new());
    }
    let corrects = corrections::in_sentences(journal);
    if let Some((which, rest)) = corrects.split_first() {
        lines.push(paint.heading(&sanitise::one_line(which)));
        lines.extend(rest.iter().cloned().chain([String::new()]));
    }
    for round in 1..=decisions::max_rounds(journal) {
        let (Some(draft), Some(concerns)) = (journal.draft(round), journal.concerns(round)) else { break };
        let heading = match concerns.concerns.len() {
            0 if journal.opening.settings.no_reviewer => format!("Round {round}: {}", silence::no_concerns(journal)),
            0 => format!("Round {round}: no concerns"),
            1 => format!("Round {round}: 1 concern"),
            count => format!("Round {round}: {count} concerns"),
        };
        lines.push(paint.heading(&heading));
        if round == 1 {
            lines.extend(report::remarks(journal, round).map(|remark| format!("  {remark}")));
        }
        lines.extend(round_lines(journal, round, paint));
        if let Some(Outcome::Draft(revised)) = journal.outcome(Step::Revise { round }) {
            lines.push(String::new());
            lines.push(paint.heading("What the revision changed"));
            lines.extend(difference(&draft.article, &revised.article, paint));
            lines.extend(changes::left(journal, round + 1).iter().map(|to_do| format!("  {}", to_do.line())));
            lines.extend(revised.stripped.iter().map(|what| format!("  removed: {}", sanitise::one_line(what))));
        }
        lines.push(String::new());
    }
    let spared: Vec<String> = [saved.words(), RetrievalRecord::of(journal).words()].into_iter().flatten().collect();
    for section in [claims_lines(journal, paint), research_lines(journal, paint), spared] {
        if !section.is_empty() {
            lines.extend(section);
            lines.push(String::new());
        }
    }
    if let Some(error) = journal.publication().and_then(|_| report::error(journal)) {
        lines.push(paint.bad(&format!("Not published: {}", sanitise::one_line(&error))));
        lines.push(String::new());
    }
    if let Some(draft) = report::standing_draft(journal) {
        lines.push(paint.heading(&draft.article.headline));
        lines.push(String::new());
        lines.push(draft.article.articleBody.clone());
    }
    lines.join("\n")
}

/// The Publisher's notes on the draft that stands, by number. An earlier draft's notes are in its file.
fn publishers_notes(journal: &Journal, round: u32) -> Vec<String> {
    let notes = journal.prepared(round).filter(|_| round == journal.latest_draft()).unwrap_or_default();
    let lines = (1..).zip(notes).map(|(number, noted): (usize, _)| {
        let line = sanitise::one_line(&noted.line());
        if noted.is_missing() { format!("  {line}") } else { format!("  Publisher, note {number}: {line}") }
    });
    lines.collect()
}

/// A round's concerns, each with what its specialist said and what an editor decided in its place, then everything that was
/// decided at the round's gate.
pub(super) fn round_lines(journal: &Journal, round: u32, paint: Paint) -> Vec<String> {
    let mut lines = Vec::new();
    let before = overruled_before(journal, round);
    let ways = research::triaged(journal, round);
    let stet = decisions::left(journal, round).is_some_and(|left| matches!(left.decision.choice, Choice::Stet { .. }));
    for concern in journal.concerns(round).map(|result| result.concerns.as_slice()).unwrap_or_default() {
        lines.push(format!(
            "  {}. {}",
            concern.concern_id,
            sanitise::one_line(&ConcernType::in_words(&concern.review_note))
        ));
        let Some(verdict) = journal.verdict(round, concern.concern_id) else { continue };
        let agent = journal
            .mapping_of(round, concern.concern_id)
            .filter(|_| vouching::group(journal, round, concern.concern_id).is_none())
            .map_or("a rule", |mapping| mapping.selected_agent.name());
        let overruled = decisions::overruled(journal, round, concern.concern_id)
            .or_else(|| vouching::settled_beside(journal, round, concern.concern_id));
        let settled = overruled.is_some() || (stet && verdict.status != Status::Keep);
        let counts = if settled { " (overruled)" } else { "" };
        let status = status_word(verdict.status, paint);
        lines.push(format!(
            "     {}: {status}{counts}: {}",
            agent.replace('_', " "),
            sanitise::one_line(&verdict.rationale)
        ));
        if let Some(fix) = &verdict.suggested_fix {
            lines.push(format!("     to do{counts}: {}", sanitise::one_line(fix)));
        }
        for cited in citations::of_concern(journal, round, concern.concern_id) {
            let (citation, words) = (sanitise::one_line(&cited.citation), sanitise::one_line(&cited.words()));
            lines.push(format!("     citation {citation}: {words}"));
            lines.extend(
                cited.hidden().iter().map(|hidden| {
                    format!("       hidden text (not used): {}", sanitise::one_line(&hidden.to_string()))
                }),
            );
        }
        let way = ways.iter().find(|triaged| triaged.concern == concern.concern_id);
        lines.extend(way.map(way_line));
        if let Some(decided) = overruled
            && let Choice::Override { status, fix, reason, .. } = &decided.decision.choice
        {
            let by = sanitise::one_line(&decided.decision.by);
            lines.push(format!("     {by}: {}: {}", status_word(*status, paint), sanitise::one_line(reason)));
            lines.extend(fix.iter().map(|fix| format!("     to do: {}", sanitise::one_line(fix))));
        } else if let Some(decided) = before.get(&concern.concern_id)
            && let Choice::Override { status, reason, .. } = &decided.decision.choice
            && *status != verdict.status
        {
            let (round, by) = (decided.round, sanitise::one_line(&decided.decision.by));
            let said = format!("{}: {}", status_word(*status, paint), sanitise::one_line(reason));
            lines.push(format!("     overruled before, in round {round}, by {by}: {said}"));
        }
    }
    lines.extend(held_back(journal, round, paint));
    lines.extend(publishers_notes(journal, round));
    let decided = journal.decisions(round);
    if !decided.is_empty() {
        lines.push(paint.heading(&format!("Decided in round {round}")));
    }
    for decided in decided {
        let choice = &decided.decision.choice;
        let (concern, reason) = desk::particulars(choice);
        let of = concern.map_or_else(String::new, |concern| format!(", concern {concern}"));
        let undone = if decided.undone { " (undone)" } else { "" };
        let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
        let said = format!("{}: {}{of}{undone}{why}", decided.decision.by, choice_in_words(choice.name()));
        lines.push(format!("  {}. {}", decided.number, sanitise::one_line(&said)));
    }
    let to_dos = decisions::to_dos(journal, round);
    lines.extend(to_dos.iter().map(|to_do| format!("  to do, by the editor: {to_do}")));
    lines
}

/// The findings that block the sign-off, each with who lets it stand.
fn held_back(journal: &Journal, round: u32, paint: Paint) -> Vec<String> {
    let unproved = vouching::unproved(journal, round).then(|| format!("  {}", vouching::NOT_PROVED));
    let blocking = vouching::findings(journal, round).filter(|(_, finding)| finding.blocks);
    let line = |(number, finding): (u32, &Finding)| {
        let text = sanitise::excerpt(&sanitise::one_line(&finding.text), LONGEST_FINDING);
        if let Some(decided) = vouching::accepted(journal, round, number) {
            let said = format!("{}: {}", decided.decision.by, vouching::reason(decided.decision));
            return format!("  finding {number}: {}: accepted by {}", in_marks(&text), sanitise::one_line(&said));
        }
        let says = paint.bad("blocks the sign-off");
        format!("  finding {number}: {}: {} ({says})", in_marks(&text), sanitise::one_line(&finding.note))
    };
    unproved.into_iter().chain(blocking.map(line)).collect()
}

/// The claims of the draft that stands that are not verified, with the score; witnesses that contradict each other side by side.
fn claims_lines(journal: &Journal, paint: Paint) -> Vec<String> {
    let mut lines: Vec<String> = Coverage::of(journal).map(Coverage::words).into_iter().collect();
    lines.extend(standing_claims(journal, paint));
    lines.extend(flags::unsure_words(journal));
    lines
}

/// Most claims that a gate names.
const WORST: usize = 3;

/// The claims of a round's draft to check first, the worst first.
pub(super) fn worst_claims(journal: &Journal, round: u32) -> Vec<String> {
    let claims = journal.claims(round).map(|claims| claims.claims.as_slice()).unwrap_or_default();
    let line = |(reason, claim): (&str, &Claim)| {
        let text = sanitise::excerpt(&claim.text, LONGEST_FINDING);
        let weak = claim.weakness().map(|weak| format!(" It {}.", sanitise::one_line(&weak)));
        format!("  Check first ({reason}): {}{}", in_marks(&text), weak.unwrap_or_default())
    };
    let open = check_worth::to_check_first(claims).filter(|(_, claim)| silence::stands(journal, round, claim));
    open.take(WORST).map(line).collect()
}

fn standing_claims(journal: &Journal, paint: Paint) -> Vec<String> {
    let Some(claims) = report::standing_claims(journal) else { return Vec::new() };
    let Some(score) = claims.score() else { return vec!["Claims: the draft has none that can be checked.".into()] };
    let sources = journal.sources();
    let (matching, weak) = claims.in_words();
    let weak = weak.map_or_else(String::new, |weak| format!("; {weak}"));
    let mut lines = vec![paint.heading(&format!("{matching} (fact-check score {score:.2}){weak}"))];
    let told = |claim: &Claim| !claim.verified || claim.resolved.is_some() || !claim.distrusted.is_empty();
    let ranked = check_worth::ranked(&claims.claims).into_iter();
    for check_worth::RankedClaim { claim, worth, .. } in ranked.filter(|its| told(its.claim)) {
        let short = |text: &str| sanitise::excerpt(&sanitise::one_line(text), LONGEST_FINDING);
        let verdict = match (claim.verified, claim.is_disputed()) {
            (true, _) => paint.good("matches a source"),
            (false, true) => paint.bad("disputed"),
            (false, false) => {
                claim.weakness().map_or("no passage says all of this".to_owned(), |weak| sanitise::one_line(&weak))
            }
        };
        let reason = worth.reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
        lines.push(format!("  {verdict}{reason}: {}", in_marks(&short(&claim.text))));
        let cited = |passage: &Passage| citations::for_reader(&passage.citation(), &sources);
        lines.push(format!("     {}", sanitise::one_line(&claim.likeness(cited))));
        lines.extend(claim.findings.iter().map(|finding| format!("     {}", sanitise::one_line(finding))));
        let line = |Witness { passage, stance, .. }: &Witness, who: &str, but: &str| {
            let says = match stance {
                Stance::Carries => "supports it",
                Stance::Contradicts => "says otherwise",
            };
            let (place, text) = (sanitise::one_line(&cited(passage)), short(&passage.text));
            format!("     {who}{says}{but}: {place}: {}", in_marks(&text))
        };
        lines.extend(claim.witnesses.iter().map(|witness| line(witness, "", "")));
        let (who, but) = ("a source that you distrust ", ", but decides nothing");
        lines.extend(claim.distrusted.iter().map(|witness| line(witness, who, but)));
        if let Some(resolved) = &claim.resolved {
            lines.push(format!("     {}", sanitise::one_line(&resolved.reason)));
        }
        let weak = claim.weakness().filter(|_| claim.is_disputed());
        lines.extend(weak.map(|weak| format!("     {}", sanitise::one_line(&weak))));
    }
    lines
}

/// Most characters of a finding's text in a line.
const LONGEST_FINDING: usize = 160;

fn status_word(status: Status, paint: Paint) -> String {
    match status {
        Status::Keep => paint.good(status.name()),
        Status::Rewrite | Status::Remove => paint.bad(status.name()),
    }
}

/// The changed paragraphs of every field.
fn difference(old: &ArticleResponse, new: &ArticleResponse, paint: Paint) -> Vec<String> {
    let mut lines = Vec::new();
    for ((field, before), (_, after)) in old.fields().into_iter().zip(new.fields()) {
        for pieces in diff::changed_paragraphs(before, after) {
            let label = if field == "articleBody" { String::new() } else { format!("{field}: ") };
            lines.push(format!("  {label}{}", paint.difference(&around_changes(pieces))));
        }
    }
    if lines.is_empty() {
        lines.push("  nothing".to_owned());
    }
    lines
}

/// Words kept on each side of a change.
const CONTEXT: usize = 8;

/// Shortens long unchanged stretches, so that a change is found at a glance.
fn around_changes(pieces: Vec<DiffPiece>) -> Vec<DiffPiece> {
    let last = pieces.len().saturating_sub(1);
    pieces
        .into_iter()
        .enumerate()
        .map(|(index, piece)| match piece {
            DiffPiece::Same(text) => {
                let words: Vec<&str> = text.split_whitespace().collect();
                let (head, tail) = (if index == 0 { 0 } else { CONTEXT }, if index == last { 0 } else { CONTEXT });
                if words.len() <= head + tail + 2 {
                    return DiffPiece::Same(text.replace('\n', " "));
                }
                let lead = if text.starts_with(char::is_whitespace) && head > 0 { " " } else { "" };
                let end = if text.ends_with(char::is_whitespace) && tail > 0 { " " } else { "" };
                let first = words.get(..head).unwrap_or_default().join(" ");
                let rest = words.get(words.len() - tail..).unwrap_or_default().join(" ");
                DiffPiece::Same(
                    format!("{lead}{first} … {rest}{end}")
                        .trim_start_matches(if head == 0 { " " } else { "\0" })
                        .to_owned(),
                )
            }
            changed => changed,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::article;

    #[test]
    fn a_long_unchanged_stretch_is_shortened() {
        let long = "one two three four five six seven eight nine ten eleven twelve";
        let old = article(&format!("{long} old. {long}"));
        let new = article(&format!("{long} new. {long}"));
        let lines = difference(&old, &new, Paint::Plain);
        assert_eq!(
            lines,
            ["  … five six seven eight nine ten eleven twelve [-old-]{+new+}. one two three four five six seven … "]
        );
    }
}
