//! Tells the outcome of a step in a few words, for the log and the progress line.

use crate::editorial::{
    bullets,
    changes::{self, Progress},
    consent::{self, CallQuestion},
    corrections,
    coverage::Coverage,
    decisions, evidence, extract, flags,
    remarks::is_remark,
    research,
};
use copydesk_newsroom::{
    Choice, Claims, Decision, Draft, Event, GateOutcome, Journal, Outcome, PublishingNote, Review, Specialist, Status,
    Step, TriageWay, Wait,
};
use copydesk_text::{count, in_marks, sanitise};

/// Most characters of a call's arguments in a question.
const SHOWN_ARGUMENTS: usize = 2_000;

/// A decision as the audit log tells it.
pub(super) fn decided(step: Step, decision: &Decision) -> Event {
    let (concern, reason) = particulars(&decision.choice);
    Event::Decided { step, by: decision.by.clone(), choice: decision.choice.name().to_owned(), concern, reason }
}

/// Returns the concern that a choice is about, if it is about one, and its words or reason.
pub fn particulars(choice: &Choice) -> (Option<u32>, String) {
    match choice {
        Choice::Override { concern, status, fix, reason } => {
            let fix = fix.as_ref().map_or_else(String::new, |fix| format!("; to do: {fix}"));
            (Some(*concern), format!("{}: {reason}{fix}", status.name()))
        }
        Choice::Accept { finding, reason } => (None, format!("finding {finding}: {reason}")),
        Choice::Feedback { text } | Choice::SendBack { text } | Choice::Plan { text } => (None, text.clone()),
        Choice::Edit { article } => (None, format!("a text of {}", count(article.words(), "word"))),
        Choice::Applied { concern, .. } => (Some(*concern), "the fix is made in the text".to_owned()),
        Choice::Undo { number } => (None, format!("decision {number}")),
        Choice::Stet { reason } | Choice::Spike { reason } => (None, reason.clone()),
        Choice::SignOff { chain, as_notes: false } => (None, format!("audit log up to {chain}")),
        Choice::SignOff { chain, as_notes: true } => (None, format!("as notes; audit log up to {chain}")),
        Choice::Triage { concern, way, question } => {
            let way = match way {
                TriageWay::Rewrite => "rewrite",
                TriageWay::Research => "research",
            };
            let question = question.as_ref().map_or_else(String::new, |question| format!(": {question}"));
            (Some(*concern), format!("{way}{question}"))
        }
        Choice::Research { question } => (None, question.clone()),
        Choice::AddSource { name, .. } => (None, name.clone()),
        Choice::RemoveSource { name, reason } | Choice::DistrustSource { name, reason } => {
            (None, format!("{name}: {reason}"))
        }
        Choice::Call { call, note, .. } if note.is_empty() => (None, call.in_words()),
        Choice::Call { call, note, .. } => (None, format!("{}: {note}", call.in_words())),
        Choice::Comment { about, text } if about.is_empty() => (None, text.clone()),
        Choice::Comment { about, text } => (None, format!("{}: {text}", in_marks(about))),
        Choice::AcceptChange { removed, added, .. } => (None, changes::in_words(removed, added)),
        Choice::AnotherRound | Choice::Continue => (None, String::new()),
    }
}

/// Returns the question of a waiting run to its editor.
pub fn question(journal: &Journal, wait: Wait) -> String {
    if let Some(step) = wait.call() {
        return of_call(journal, step);
    }
    if wait == Wait::Plan {
        return format!(
            "The Reporter would look for this. May it begin?\n{}",
            research::plan_lines(journal).join("\n")
        );
    }
    let round = wait.round();
    let unfounded = unfounded(journal, round);
    let warnings = flags::weak_sources(journal).into_iter().chain(flags::unsure_words(journal));
    let warnings = warnings.fold(String::new(), |before, warning| before + " " + &warning);
    let first =
        format!("{}{}{unfounded}{warnings}{}", to_dos(journal, round), conflicts(journal, round), seen(journal));
    match wait {
        Wait::Gate { round } => {
            let verdicts = decisions::effective_verdicts(journal, round);
            let open = verdicts.iter().filter(|verdict| verdict.status != Status::Keep).count();
            if open == 0 {
                let sheet = if extract::is_untouched(journal, round) { "a fact sheet, " } else { "" };
                format!("Round {round}: {sheet}no objections.{first} On to sign-off?")
            } else {
                let open = count(open, "concern");
                format!("Round {round}: {open} open.{first} Back to the writer?")
            }
        }
        Wait::SignOff { round } => {
            let corrects =
                corrections::in_sentences(journal).first().map_or_else(String::new, |told| format!("{told} "));
            if extract::is_untouched(journal, round) {
                return format!(
                    "{corrects}The fact sheet of round {round} passed. Nobody wrote an article yet.{first} Edit it, or publish it \
                     as notes?"
                );
            }
            format!("{corrects}The draft of round {round} passed.{first} Sign it off?")
        }
        Wait::Plan | Wait::Call { .. } => String::new(),
    }
}

/// Returns the question about a call of the Reporter.
fn of_call(journal: &Journal, step: Step) -> String {
    let (tool, arguments) = consent::call(journal, step).map_or_else(Default::default, |call| {
        (sanitise::one_line(&call.name), sanitise::excerpt(&call.arguments, SHOWN_ARGUMENTS))
    });
    match consent::question(journal, step) {
        Some(CallQuestion::Done) => format!(
            "It is not known whether {tool} was carried out with {arguments}. Look there first. May the Reporter ask for it once more?"
        ),
        _ => format!("The Reporter wants to call {tool}, which acts outside this desk, with {arguments}. Allow it?"),
    }
}

/// Returns the sentence on verdicts that quote words that no text has; empty if there are none.
fn unfounded(journal: &Journal, round: u32) -> String {
    match journal.verdicts(round).iter().filter(|verdict| evidence::is_missing(verdict)).count() {
        0 => String::new(),
        1 => " 1 verdict quotes words that no source has.".to_owned(),
        some => format!(" {some} verdicts quote words that no source has."),
    }
}

/// How much of the sources the models were shown, if that is not all.
fn seen(journal: &Journal) -> String {
    Coverage::of(journal)
        .and_then(Coverage::part)
        .map_or_else(String::new, |part| format!(" The models were shown {part} of the sources."))
}

/// How much the Publisher notes.
fn prepared(notes: &[PublishingNote]) -> String {
    let missing = notes.iter().filter(|noted| noted.is_missing()).count();
    let said = match notes.len() - missing {
        0 => "the Publisher has nothing to note".to_owned(),
        things => format!("the Publisher notes {}", count(things, "thing")),
    };
    if missing > 0 { format!("{said}; the notes of its model are missing") } else { said }
}

/// Returns the outcome in a few words.
pub(super) fn summary(journal: &Journal, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Draft(draft) => draft_words(draft),
        Outcome::ArticlePlan(plan) => format!("a plan of {}", count(plan.sections.len(), "section")),
        Outcome::Prose(section) => match section.faults.len() {
            0 => count(section.words(), "word"),
            faults => {
                let say = if faults == 1 { "says" } else { "say" };
                format!("{}, {} {say} more than the source", count(section.words(), "word"), count(faults, "sentence"))
            }
        },
        Outcome::Heads(_) => "headlines".to_owned(),
        Outcome::Proof(proof) => count(proof.findings.len(), "finding"),
        Outcome::Opinions(opinions) => opinions.in_words(),
        Outcome::Prepared(notes) => prepared(notes),
        Outcome::Sections(sections) if sections.is_empty() => "the draft is reviewed as a whole".to_owned(),
        Outcome::Sections(sections) => format!("the draft is reviewed in {}", count(sections.len(), "section")),
        Outcome::Bullets(raw) | Outcome::Review(Review { raw, .. }) => match bullets::count(raw) {
            0 => "no objections".to_owned(),
            bullets => count(bullets, "bullet"),
        },
        Outcome::Concerns(result) => count(result.concerns.len(), "concern"),
        Outcome::Mapping(result) => {
            let shares: Vec<String> = Specialist::ALL
                .iter()
                .map(|specialist| {
                    (specialist, result.mappings.iter().filter(|mapping| mapping.selected_agent == *specialist).count())
                })
                .filter(|(_, share)| *share > 0)
                .map(|(specialist, share)| format!("{share} to {}", specialist.name().replace('_', " ")))
                .collect();
            shares.join(", ")
        }
        Outcome::Turn(turn) => match &turn.findings {
            None => count(turn.calls.len(), "call"),
            Some(findings) if turn.left_out.is_empty() => count(findings.len(), "finding"),
            Some(findings) => format!("{}, {} left out", count(findings.len(), "finding"), turn.left_out.len()),
        },
        Outcome::Tool(result) if result.failed => format!("failed: {}", sanitise::excerpt(&result.text, 120)),
        Outcome::Tool(result) if result.found.is_empty() => "done".to_owned(),
        Outcome::Tool(result) => {
            let read: Vec<&str> = result.found.iter().map(|found| found.title.as_str()).collect();
            format!("read {}", sanitise::excerpt(&read.join("; "), 120))
        }
        Outcome::Coverage(coverage) => {
            let answered = coverage.questions.iter().filter(|covered| covered.answered).count();
            let asked = count(coverage.questions.len(), "question");
            match coverage.requests.len() {
                0 => format!("{answered} of {asked} answered"),
                some => format!("{answered} of {asked} answered, {} more", count(some, "question")),
            }
        }
        Outcome::Dossier(dossier) => {
            let mut sources: Vec<&str> = dossier.paragraphs.iter().map(|paragraph| paragraph.source.as_str()).collect();
            sources.dedup();
            format!("{} from {}", count(dossier.paragraphs.len(), "paragraph"), count(sources.len(), "source"))
        }
        Outcome::Triage(ways) => {
            let research = ways.iter().filter(|triaged| triaged.way == TriageWay::Research).count();
            format!("{research} of {} to research", count(ways.len(), "verdict"))
        }
        Outcome::Questions(questions) => count(questions.len(), "question"),
        Outcome::LookUp(look_up) if look_up.remembered.is_some() => "remembered from an earlier check".to_owned(),
        Outcome::LookUp(look_up) => count(look_up.passages.len(), "passage"),
        Outcome::Evidence(found) => count(found.citations.len(), "citation"),
        Outcome::Opened(citations) => {
            let opened = citations.iter().filter(|citation| citation.page().is_some()).count();
            let carry = citations.iter().filter(|citation| citation.carries()).count();
            format!("{opened} of {} opened, {carry} carry the claim", count(citations.len(), "citation"))
        }
        Outcome::Verdict(verdict) => match (verdict.status, &verdict.suggested_fix) {
            (Status::Keep, _) => "KEEP".to_owned(),
            (status, Some(_)) => format!("{}, with a fix", status.name()),
            (status, None) => format!("{}, without a fix", status.name()),
        },
        Outcome::Claims(claims) => claims_words(claims),
        Outcome::Decision(decision) => format!("{} by {}", decision.choice.name(), decision.by),
        Outcome::Gate(GateOutcome::Stet) => "accepted as it stands".to_owned(),
        Outcome::Gate(GateOutcome::Edited) => "the editor's own text is the next draft".to_owned(),
        Outcome::Gate(GateOutcome::Spiked) => "given up by the editor".to_owned(),
        Outcome::Gate(GateOutcome::Passed) => "passed".to_owned(),
        Outcome::Gate(GateOutcome::Revise) => "back to the writer".to_owned(),
        Outcome::Gate(GateOutcome::RoundsUsedUp) => "not passed, and no round left".to_owned(),
        Outcome::Feedback(feedback) => {
            format!("{}, rating {} of 10", count(feedback.todo_list.len(), "to-do"), feedback.rating)
        }
        Outcome::Publication(publication) if publication.success => {
            decisions::signed_in_words(journal).unwrap_or_else(|| "passed, not signed off".to_owned())
        }
        Outcome::Publication(_) => "ended without success".to_owned(),
        Outcome::Failure(failure) => failure.message.clone(),
    }
}

/// Tells the length of a draft, and the numbers of citations taken out and of to-dos not done.
fn draft_words(draft: &Draft) -> String {
    let mut said = vec![format!("draft of {}", count(draft.article.words(), "word"))];
    if !draft.stripped.is_empty() {
        said.push(format!("{} taken out", count(draft.stripped.len(), "unsupported citation")));
    }
    let to_dos = draft.undone.iter().filter(|undone| !is_remark(undone)).count();
    if to_dos > 0 {
        said.push(format!("{} undone", count(to_dos, "to-do")));
    }
    said.join(", ")
}

/// How many claims are verified.
fn claims_words(claims: &Claims) -> String {
    let verified = match claims.claims.len() {
        0 => return "nothing that can be checked".to_owned(),
        all => format!("{} of {} verified", claims.verified(), count(all, "claim")),
    };
    let conflicts = match claims.left_to_a_human().count() {
        0 => None,
        some => Some(format!("{} left to a human, its witnesses contradict each other", count(some, "claim"))),
    };
    [Some(verified), conflicts, claims.words_only.clone()].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// How many to-dos are not done, or only partly; nothing if none is known to be.
fn to_dos(journal: &Journal, round: u32) -> String {
    let left = changes::left(journal, round);
    let of = |progress| left.iter().filter(|to_do| to_do.progress == progress).count();
    match (of(Progress::NotDone), of(Progress::Partly)) {
        (0, 0) => String::new(),
        (some, 0) => format!(" {} not done.", count(some, "to-do")),
        (0, partly) => format!(" {} only partly done.", count(partly, "to-do")),
        (some, partly) => format!(" {} not done, {partly} only partly.", count(some, "to-do")),
    }
}

/// Returns the sentence about contradicted claims that the editor reads before a gate is decided; empty if no claim waits for a human.
fn conflicts(journal: &Journal, round: u32) -> String {
    match journal.claims(round).map_or(0, |claims| claims.left_to_a_human().count()) {
        0 => String::new(),
        some => {
            format!(" The witnesses of {} contradict each other, and you decide between them.", count(some, "claim"))
        }
    }
}
