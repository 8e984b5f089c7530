//! The questions of research, its next steps, and the findings that count. The Reporter's work itself is in `agents/reporter/`.

use std::{collections::BTreeSet, ops::Range};

use serde_json::{Value, json};

use super::{
    consent,
    decisions::{effective::effective_verdicts, record},
    subject::Subject,
};
use copydesk_newsroom::{
    Choice, FoundSource, GateOutcome, Gates, Journal, LeftOut, NumberedSource, ResearchErrand, ResearchFinding,
    ResearchTurn, Status, Step, TriageWay, Triaged, Verdict,
};
use copydesk_text::sanitise;

/// The longest question, in bytes; a question may go to a service outside.
pub const LONGEST_QUESTION: usize = 600;

/// The questions that an errand must answer.
pub fn questions(journal: &Journal, errand: ResearchErrand) -> Vec<String> {
    match errand {
        ResearchErrand::Pass(1) => planned(journal).0,
        ResearchErrand::Pass(pass) => {
            let asked = pass.checked_sub(1).and_then(|before| journal.coverage(before));
            asked.map(|coverage| coverage.requests.clone()).unwrap_or_default()
        }
        ResearchErrand::Round(round) => {
            let mut questions: Vec<String> =
                triaged(journal, round).into_iter().filter_map(|triaged| triaged.question).collect();
            questions.extend(record::requests(journal, round).filter_map(|choice| match choice {
                Choice::Research { question } => Some(question.clone()),
                _ => None,
            }));
            let mut known = BTreeSet::new();
            questions.retain(|question| known.insert(question.clone()));
            questions
        }
        ResearchErrand::Gaps(pass) => self::questions(journal, ResearchErrand::Pass(pass)),
        ResearchErrand::Check { round, concern } => question_of(journal, round, concern).into_iter().collect(),
    }
}

/// The questions of an assignment and the outline of its article, as the Reporter planned them or an editor changed them.
pub fn planned(journal: &Journal) -> (Vec<String>, Vec<String>) {
    let changed = record::standing(journal, 0).filter_map(|decided| match &decided.decision.choice {
        Choice::Plan { text } => Some(text),
        _ => None,
    });
    match changed.last() {
        Some(text) => read_plan(text),
        None => (journal.plan().unwrap_or_default().to_vec(), Vec::new()),
    }
}

/// The questions and the outline of a text: a line each, the outline below a line `Outline`. Numbers before them are left out: they were
/// copied from the gate.
pub fn read_plan(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut questions, mut outline): (Vec<String>, Option<Vec<String>>) = (Vec::new(), None);
    for line in record::lines(text) {
        let bare = line.trim_matches([':', '#', '*', ' ']);
        let first = bare.split_once(':').filter(|(head, _)| head.trim().eq_ignore_ascii_case("outline"));
        if outline.is_none() && (first.is_some() || bare.eq_ignore_ascii_case("outline")) {
            outline = Some(first.map(|(_, point)| unnumbered(point).to_owned()).into_iter().collect());
            continue;
        }
        let said = unnumbered(&line);
        if !said.is_empty() {
            outline.as_mut().unwrap_or(&mut questions).push(said.to_owned());
        }
    }
    (questions, outline.unwrap_or_default())
}

/// A line without a number before it, such as `2.` or `(2)`.
fn unnumbered(line: &str) -> &str {
    let line = line.trim();
    let bare = line.trim_start_matches('(');
    let rest = bare.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix(['.', ')']) {
        Some(said) if rest.len() < bare.len() && (said.is_empty() || said.starts_with(' ')) => said.trim(),
        _ => line,
    }
}

/// The plan in lines as a gate shows it: the questions numbered, the points of the outline below its heading.
pub fn plan_lines(journal: &Journal) -> Vec<String> {
    let (questions, outline) = planned(journal);
    let head = (!outline.is_empty()).then(|| "Outline".to_owned());
    let points = outline.into_iter().map(|point| format!("- {point}"));
    (1..)
        .zip(questions)
        .map(|(number, asked): (u32, _)| format!("{number}. {asked}"))
        .chain(head)
        .chain(points)
        .collect()
}

/// The plan as a person changes it: what [`read_plan`] reads.
pub fn plan_text(journal: &Journal) -> String {
    let (questions, outline) = planned(journal);
    let head = (!outline.is_empty()).then(|| "Outline".to_owned());
    questions.into_iter().chain(head).chain(outline).collect::<Vec<_>>().join("\n")
}

/// Whether an assignment waits for its editor's word on the questions.
pub fn plan_waits(journal: &Journal) -> bool {
    journal.opening.gates == Gates::Editor
        && journal.opening.research.is_some_and(|rules| rules.assigned)
        && journal.plan().is_some()
        && journal.dossier().is_none()
        && journal.turn(ResearchErrand::Pass(1), 1).is_none()
        && record::left(journal, 0).is_none()
}

/// The way of each verdict of a round that still asks for a change, as triage or an editor chose it.
pub fn triaged(journal: &Journal, round: u32) -> Vec<Triaged> {
    let open: BTreeSet<u32> = effective_verdicts(journal, round)
        .into_iter()
        .filter(|verdict| verdict.status != Status::Keep)
        .map(|verdict| verdict.concern_id)
        .collect();
    let mut ways: Vec<Triaged> = journal.triage(round).unwrap_or_default().to_vec();
    ways.retain(|triaged| open.contains(&triaged.concern));
    for decided in record::standing(journal, round) {
        let Choice::Triage { concern, way, question } = &decided.decision.choice else { continue };
        if let Some(triaged) = ways.iter_mut().find(|triaged| triaged.concern == *concern) {
            triaged.way = *way;
            triaged.why = format!("{} decided it", decided.decision.by);
            triaged.question = match way {
                TriageWay::Rewrite => None,
                TriageWay::Research => question.clone().or_else(|| question_of(journal, round, *concern)),
            };
        }
    }
    ways
}

/// The question about a concern: the sentence of the draft, because a question may leave this machine. None if the draft does not have the
/// excerpt, or the sentence is longer than [`LONGEST_QUESTION`].
pub fn question_of(journal: &Journal, round: u32, concern: u32) -> Option<String> {
    let claim = Subject::of(journal, round, concern).and_then(|subject| subject.claim())?;
    (claim.len() <= LONGEST_QUESTION).then_some(claim)
}

/// Whether a round is triaged or needs no triage: the run does not triage, the round has left its gate, or no verdict is open.
pub fn is_triaged(journal: &Journal, round: u32) -> bool {
    let asks = journal.opening.research.is_some_and(|rules| rules.triages);
    let open = |verdict: &Verdict| verdict.status != Status::Keep;
    !asks
        || journal.triage(round).is_some()
        || journal.gate(round).is_some()
        || record::left(journal, round).is_some()
        || !journal.verdicts(round).iter().any(open)
}

/// The steps that are ready before the first draft of an assignment. None if there is a dossier or the run is no assignment. Empty while a
/// person is asked about a call.
pub fn before_draft(journal: &Journal) -> Option<Vec<Step>> {
    let rules = journal.opening.research.filter(|rules| rules.assigned && journal.dossier().is_none())?;
    if journal.plan().is_none() {
        return Some(vec![Step::Plan]);
    }
    if plan_waits(journal) {
        return Some(Vec::new());
    }
    for pass in 1..=rules.passes.max(1) {
        if questions(journal, ResearchErrand::Pass(pass)).is_empty() {
            break;
        }
        if let Some(open) = of_errand(journal, ResearchErrand::Pass(pass)) {
            return Some(open);
        }
        if journal.coverage(pass).is_none() {
            let tools = journal.opening.settings.tool_users.editor;
            if let Some(open) = of_errand(journal, ResearchErrand::Gaps(pass)).filter(|_| tools) {
                return Some(open);
            }
            return Some(vec![Step::Coverage { pass }]);
        }
    }
    Some(vec![Step::Dossier])
}

/// Whether there are questions to research after a round.
pub fn is_asked(journal: &Journal, round: u32) -> bool {
    journal.opening.research.is_some() && !questions(journal, ResearchErrand::Round(round)).is_empty()
}

/// The steps that are ready between the gate of a round and its feedback. None if there is nothing to research or the findings are in.
/// Empty while a person is asked about a call.
pub fn after_gate(journal: &Journal, round: u32) -> Option<Vec<Step>> {
    let sends = is_asked(journal, round) && journal.gate(round) == Some(GateOutcome::Revise);
    if sends { of_errand(journal, ResearchErrand::Round(round)) } else { None }
}

/// The next turn of an errand, or the calls of its last one that are not made yet; none once it has its findings, or the answer that
/// ends it.
pub(super) fn of_errand(journal: &Journal, errand: ResearchErrand) -> Option<Vec<Step>> {
    for number in 1.. {
        let Some(turn) = journal.turn(errand, number) else {
            return Some(vec![Step::Turn { errand, turn: number }]);
        };
        if turn.findings.is_some() || errand.serves().is_some() && turn.calls.is_empty() {
            break;
        }
        let calls = (1..).zip(&turn.calls).map(|(call, _)| Step::Tool { errand, turn: number, call });
        let (asked, calls): (Vec<Step>, Vec<Step>) =
            calls.partition(|call| consent::question(journal, *call).is_some());
        let open: Vec<Step> = calls.into_iter().filter(|call| journal.outcome(*call).is_none()).collect();
        if !open.is_empty() || !asked.is_empty() {
            return Some(open);
        }
    }
    None
}

/// Holds findings against their sources: one counts if it answers a question and its quotation stands in the source that it names. White
/// space does not count.
pub fn held(
    journal: &Journal,
    errand: ResearchErrand,
    findings: Vec<ResearchFinding>,
) -> (Vec<ResearchFinding>, Vec<LeftOut>) {
    let read = journal.read_sources();
    let questions = questions(journal, errand).len();
    let mut left_out = Vec::new();
    let mut kept = Vec::new();
    for finding in findings {
        let source = read.iter().find(|read| read.id() == finding.source);
        let number = usize::try_from(finding.question).unwrap_or(usize::MAX);
        let why = match source {
            _ if !(1..=questions).contains(&number) => Some("it answers no question of this errand".to_owned()),
            None => Some("it names no source that was read".to_owned()),
            Some(source) if journal.is_no_witness(source.name()) => {
                Some(format!("an editor removed or distrusts {}", source.id()))
            }
            Some(source) if place(&source.source.text, &finding.quotation).is_none() => {
                Some(format!("its quotation does not stand in {}", source.id()))
            }
            Some(_) => None,
        };
        match why {
            Some(why) => left_out.push(LeftOut { finding, why }),
            None => kept.push(finding),
        }
    }
    (kept, left_out)
}

/// Names each text apart from an earlier one at the same address: the page has changed since.
pub fn tell_apart(journal: &Journal, found: &mut [FoundSource]) {
    let read = journal.read_sources();
    let pages = read.iter().filter(|known| !known.source.is_in_feed());
    let mut looks: Vec<(String, String)> =
        pages.map(|known| (known.source.address.clone(), known.source.digest.clone())).collect();
    for source in found.iter_mut().filter(|source| !source.is_in_feed()) {
        let look = (source.address.clone(), source.digest.clone());
        if looks.contains(&look) {
            continue;
        }
        let before = looks.iter().filter(|(address, _)| *address == source.address).count();
        source.name = (before > 0).then(|| format!("{} (changed, look {})", source.address, before + 1));
        looks.push(look);
    }
}

/// The place at which a text has a quotation in whole words, whatever white space is between them.
pub fn place(text: &str, quotation: &str) -> Option<Range<usize>> {
    let mut words = quotation.split_whitespace();
    let first = words.next()?;
    let rest: Vec<&str> = words.collect();
    text.match_indices(first).find_map(|(start, _)| {
        let mut end = start + first.len();
        for word in &rest {
            let behind = text.get(end..)?;
            let blank = behind.len() - behind.trim_start().len();
            if blank == 0 || !behind.trim_start().starts_with(word) {
                return None;
            }
            end += blank + word.len();
        }
        let is_whole = |before: Option<char>, behind: Option<char>| {
            !before.zip(behind).is_some_and(|(before, behind)| before.is_alphanumeric() && behind.is_alphanumeric())
        };
        let (head, quoted, tail) = (text.get(..start)?, text.get(start..end)?, text.get(end..)?);
        let whole = is_whole(head.chars().next_back(), quoted.chars().next())
            && is_whole(quoted.chars().next_back(), tail.chars().next());
        whole.then_some(start..end)
    })
}

/// The writer's to-dos from an errand's findings, one for each.
pub fn to_dos(journal: &Journal, round: u32) -> Vec<String> {
    let errand = ResearchErrand::Round(round);
    let asked = questions(journal, errand);
    let found = journal.findings(errand).and_then(|turn| turn.findings.as_deref()).unwrap_or_default();
    let kept = journal.kept_sources(errand);
    let to_do = |finding: &ResearchFinding| {
        let source = kept.iter().find(|read| read.id() == finding.source)?.source;
        let question = asked.get(usize::try_from(finding.question).ok()?.checked_sub(1)?)?;
        let (question, quotation) = (sanitise::one_line(question), sanitise::one_line(&finding.quotation));
        Some(format!(
            "For “{question}”: {} ({}) says “{quotation}”. Use it, or leave it out.",
            source.title, source.address
        ))
    };
    found.iter().filter_map(to_do).collect()
}

/// The record of an errand that `turn` ended, in a file of the run: its questions and findings, and why others were not kept. It has the
/// credibility of the sources that findings rest on, and every source that was read, without its text.
pub fn record(journal: &Journal, errand: ResearchErrand, turn: &ResearchTurn) -> Value {
    let findings = turn.findings.as_deref().unwrap_or_default();
    let record = |read: NumberedSource<'_>| {
        let FoundSource { title, address, published, byline, publisher, digest, read_at, .. } = read.source;
        let kept = findings.iter().any(|finding| finding.source == read.id());
        json!({
            "id": read.id(), "title": title, "address": address, "published": published, "byline": byline,
            "publisher": publisher, "digest": digest, "read_at": read_at, "kept": kept,
        })
    };
    let read = journal.read_sources().into_iter().filter(|read| read.errand == errand);
    json!({
        "questions": questions(journal, errand),
        "findings": findings,
        "left_out": turn.left_out,
        "judged": turn.judged,
        "sources": read.map(record).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::next_steps::next_steps;
    use crate::editorial::testing::research::{MINUTES, assigned, call, finding, first_pass, found};
    use crate::editorial::testing::{add, add_round, opening, verdict};
    use copydesk_newsroom::{
        Covered, Decision, ErrandLimits, Opening, Outcome, QuestionCoverage, ResearchRules, RunSettings, Specialist,
        ToolResult,
    };

    const RULES: ResearchRules =
        ResearchRules { assigned: true, triages: true, passes: 2, turns: 3, calls: 4, limits: ErrandLimits::NONE };
    fn names(journal: &Journal) -> String {
        next_steps(journal).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_plan_is_read_without_the_numbers_of_the_gate_and_its_outline_is_no_question() {
        let read = |text: &str| read_plan(text);
        let wanted = (
            vec!["What does it cost?".to_owned(), "Who pays 2.5 million?".to_owned()],
            vec!["The money".to_owned(), "The vote".to_owned()],
        );
        for text in [
            "1. What does it cost?\n2. Who pays 2.5 million?\nOutline\n1. The money\n2. The vote",
            "1) What does it cost?\n(2) Who pays 2.5 million?\n## Outline:\n- The money\n- The vote",
            "What does it cost?\n- Who pays 2.5 million?\noutline: The money\n3. The vote",
        ] {
            assert_eq!(read(text), wanted, "{text}");
        }
        assert_eq!(read("1.5 million for what?").0, ["1.5 million for what?"]);
        let mut journal = Journal::new(opening());
        crate::editorial::testing::decide(
            &mut journal,
            0,
            Choice::Plan { text: "1. What does it cost?\nOutline\nThe money".into() },
        );
        assert_eq!(plan_lines(&journal), ["1. What does it cost?", "Outline", "- The money"]);
        assert_eq!(plan_text(&journal), "What does it cost?\nOutline\nThe money");
    }

    #[test]
    fn an_assignment_is_researched_until_its_questions_are_answered_or_no_pass_is_left() {
        let mut journal = assigned();
        assert_eq!(names(&journal), "plan");
        let mut done = journal.clone();
        first_pass(&mut journal);
        let steps: Vec<Step> = journal.entries().iter().map(|entry| entry.step).collect();
        for entry in journal.entries() {
            assert!(next_steps(&done).contains(&entry.step), "{} after {}", entry.step, done.entries().len());
            done.push(entry.clone());
        }
        assert_eq!(steps.len(), 5);
        assert_eq!(names(&journal), "p1.coverage");
        let covered = |answered| Covered { answered, why: String::new() };
        let asks = |requests: Vec<String>| {
            Outcome::Coverage(QuestionCoverage { questions: vec![covered(true), covered(false)], requests })
        };
        let mut enough = journal.clone();
        add(&mut enough, Step::Coverage { pass: 1 }, asks(vec![]));
        assert_eq!(names(&enough), "dossier");
        add(&mut journal, Step::Coverage { pass: 1 }, asks(vec!["What did the pool cost?".into()]));
        assert_eq!(names(&journal), "p2.t1");
        assert_eq!(questions(&journal, ResearchErrand::Pass(2)), ["What did the pool cost?"]);
        let nothing = ResearchTurn { findings: Some(vec![]), ..ResearchTurn::default() };
        add(&mut journal, Step::Turn { errand: ResearchErrand::Pass(2), turn: 1 }, Outcome::Turn(nothing));
        assert_eq!(names(&journal), "p2.coverage");
        let open = QuestionCoverage { questions: vec![covered(false)], requests: vec!["Again?".into()] };
        add(&mut journal, Step::Coverage { pass: 2 }, Outcome::Coverage(open));
        assert_eq!(names(&journal), "dossier", "two passes are the most");
    }

    /// A round with a fact check whose verdict asks for a change.
    fn judged(gates: Gates) -> Journal {
        let rules = ResearchRules { assigned: false, ..RULES };
        let mut journal = Journal::new(Opening {
            research: Some(rules),
            gates,
            settings: RunSettings { max_rounds: 3, ..opening().settings },
            ..opening()
        });
        add_round(&mut journal, 1, &[Specialist::FactCheck, Specialist::Opinion]);
        for concern in [1, 2] {
            let outcome = Outcome::Verdict(verdict(concern, Status::Rewrite, Some("soften it")));
            add(&mut journal, Step::Judge { round: 1, concern }, outcome);
        }
        journal
    }

    fn way(concern: u32, question: Option<&str>) -> Triaged {
        let way = if question.is_some() { TriageWay::Research } else { TriageWay::Rewrite };
        Triaged { concern, way, why: "w".into(), question: question.map(str::to_owned) }
    }

    fn decide(journal: &mut Journal, number: u32, choice: Choice) {
        let decision = Decision { by: "Ann".into(), choice };
        add(journal, Step::Decide { round: 1, number }, Outcome::Decision(decision));
    }

    #[test]
    fn what_goes_to_the_reporter_becomes_a_source_before_the_writer_revises() {
        let mut journal = judged(Gates::Auto);
        assert_eq!(names(&journal), "r1.triage");
        add(
            &mut journal,
            Step::Triage { round: 1 },
            Outcome::Triage(vec![way(1, Some("Draft 1 with an x.")), way(2, None)]),
        );
        assert_eq!(names(&journal), "r1.gate");
        add(&mut journal, Step::Gate { round: 1 }, Outcome::Gate(GateOutcome::Revise));
        assert_eq!(names(&journal), "r1.t1");
        let errand = ResearchErrand::Round(1);
        let turn = ResearchTurn { calls: vec![call("a")], ..ResearchTurn::default() };
        add(&mut journal, Step::Turn { errand, turn: 1 }, Outcome::Turn(turn));
        assert_eq!(names(&journal), "r1.t1.k1");
        let result = ToolResult { found: vec![found("https://a.example", MINUTES)], ..ToolResult::default() };
        add(&mut journal, Step::Tool { errand, turn: 1, call: 1 }, Outcome::Tool(result));
        assert_eq!(journal.sources().len(), 1, "nothing rests on it yet");
        let findings = Some(vec![finding(1, "S1", "voted seven to two")]);
        add(
            &mut journal,
            Step::Turn { errand, turn: 2 },
            Outcome::Turn(ResearchTurn { findings, ..ResearchTurn::default() }),
        );
        assert_eq!(names(&journal), "r1.feedback");
        let sources: Vec<String> = journal.sources().into_iter().map(|source| source.name).collect();
        assert_eq!(sources, ["Minutes", "https://a.example"]);
        let feedback = super::super::decisions::feedback(&journal, 1, vec!["style".into()]);
        assert_eq!(
            feedback.todo_list,
            [
                "soften it",
                "soften it",
                "For “Draft 1 with an x.”: Title of https://a.example (https://a.example) says “voted seven to two”. Use it, or leave it \
                 out.",
                "style"
            ]
        );
        add(&mut journal, Step::Feedback { round: 1 }, Outcome::Feedback(feedback));
        assert_eq!(super::super::decisions::house_style_to_dos(&journal, 1), ["style"]);
    }

    #[test]
    fn an_editor_changes_the_way_sends_the_reporter_and_removes_sources() {
        let mut journal = judged(Gates::Editor);
        add(
            &mut journal,
            Step::Triage { round: 1 },
            Outcome::Triage(vec![way(1, Some("Draft 1 with an x.")), way(2, None)]),
        );
        let errand = ResearchErrand::Round(1);
        let to =
            |way, question: Option<&str>| Choice::Triage { concern: 1, way, question: question.map(str::to_owned) };
        decide(&mut journal, 1, to(TriageWay::Rewrite, None));
        assert!(questions(&journal, errand).is_empty());
        decide(&mut journal, 2, to(TriageWay::Research, Some("Who said x?")));
        decide(&mut journal, 3, Choice::Research { question: "When?".into() });
        assert_eq!(questions(&journal, errand), ["Who said x?", "When?"]);
        let source = |name: &str| Choice::AddSource {
            name: name.into(),
            text: format!("Text of {name}."),
            hidden: Vec::new(),
            recorded: None,
        };
        decide(&mut journal, 4, source("one"));
        decide(&mut journal, 5, source("two"));
        decide(&mut journal, 6, Choice::RemoveSource { name: "one".into(), reason: "forged".into() });
        decide(&mut journal, 7, Choice::Undo { number: 5 });
        let texts = |journal: &Journal| journal.texts().skip(1).map(|(_, text)| text.to_owned()).collect::<Vec<_>>();
        assert_eq!(texts(&journal), [""], "a removed source keeps its place");
        decide(&mut journal, 8, Choice::Undo { number: 6 });
        assert_eq!(texts(&journal), ["Text of one."]);
        let keep = |concern| Choice::Override { concern, status: Status::Keep, fix: None, reason: "fine".into() };
        decide(&mut journal, 9, keep(1));
        assert_eq!(questions(&journal, errand), ["When?"], "what is kept needs no research");
        decide(&mut journal, 10, keep(2));
        let outcome = super::super::decisions::outcome(&journal, 1);
        assert_eq!(outcome, GateOutcome::Revise, "somebody wants to know something");
    }

    #[test]
    fn a_source_that_an_editor_distrusts_stays_in_the_record_and_is_no_witness() {
        let mut journal = judged(Gates::Editor);
        add(&mut journal, Step::Triage { round: 1 }, Outcome::Triage(vec![way(1, None), way(2, None)]));
        let source = |name: &str| Choice::AddSource {
            name: name.into(),
            text: format!("Text of {name}."),
            hidden: Vec::new(),
            recorded: None,
        };
        let distrust = |name: &str| Choice::DistrustSource { name: name.into(), reason: "Nobody confirms it.".into() };
        let remove = |name: &str| Choice::RemoveSource { name: name.into(), reason: "forged".into() };
        let check = |journal: &Journal, choice: &Choice| {
            super::super::choices::check(journal, choice).map(drop).map_err(|refused| refused.to_string())
        };
        decide(&mut journal, 1, source("one"));
        decide(&mut journal, 2, source("two"));
        assert_eq!(check(&journal, &distrust("one")), Ok(()));
        for (name, says) in [("Minutes", "the story's own text cannot be removed or distrusted"), ("three", "three")] {
            let refused = check(&journal, &distrust(name)).unwrap_err();
            assert!(refused.contains(says), "{refused}");
        }
        decide(&mut journal, 3, distrust("one"));
        let texts = |journal: &Journal| journal.texts().skip(1).map(|(_, text)| text.to_owned()).collect::<Vec<_>>();
        assert_eq!(texts(&journal), ["", "Text of two."], "nothing matches by it");
        assert_eq!(journal.brought("one"), Some("Text of one."), "and it can still be read");
        assert_eq!(
            (journal.distrusted(), journal.credibility("one")),
            (vec![("one", "Nobody confirms it.")], Some(0.0))
        );
        assert!(check(&journal, &distrust("one")).unwrap_err().contains("already removed or distrusted"));
        assert_eq!(check(&journal, &remove("one")), Ok(()), "one may go further");
        decide(&mut journal, 4, remove("one"));
        assert_eq!(journal.distrusted(), [], "what is removed is no longer shown as distrusted");
        decide(&mut journal, 5, Choice::Undo { number: 4 });
        decide(&mut journal, 6, Choice::Undo { number: 3 });
        assert_eq!((texts(&journal).remove(0), journal.distrusted().len()), ("Text of one.".to_owned(), 0));
        assert_eq!(journal.credibility("one"), Some(1.0));
    }

    #[test]
    fn a_finding_that_rests_on_a_distrusted_source_does_not_count() {
        let mut journal = judged(Gates::Editor);
        add(&mut journal, Step::Triage { round: 1 }, Outcome::Triage(vec![way(1, Some("Who?")), way(2, None)]));
        let errand = ResearchErrand::Round(1);
        let turn = ResearchTurn { calls: vec![call("a")], ..ResearchTurn::default() };
        add(&mut journal, Step::Turn { errand, turn: 1 }, Outcome::Turn(turn));
        let result = ToolResult { found: vec![found("https://a.example", MINUTES)], ..ToolResult::default() };
        add(&mut journal, Step::Tool { errand, turn: 1, call: 1 }, Outcome::Tool(result));
        let findings = || vec![finding(1, "S1", "voted seven to two")];
        assert_eq!(held(&journal, errand, findings()).0.len(), 1);
        let name = "https://a.example".to_owned();
        decide(&mut journal, 1, Choice::DistrustSource { name, reason: "A forgery.".into() });
        let (kept, left_out) = held(&journal, errand, findings());
        assert_eq!((kept.len(), left_out[0].why.as_str()), (0, "an editor removed or distrusts S1"));
    }

    #[test]
    fn a_page_of_the_dossier_can_be_removed_and_the_others_keep_their_place() {
        let mut journal = assigned();
        journal.opening.gates = Gates::Editor;
        add(&mut journal, Step::Plan, Outcome::Questions(vec!["Who?".into()]));
        let errand = ResearchErrand::Pass(1);
        let turn = ResearchTurn { calls: vec![call("a")], ..ResearchTurn::default() };
        add(&mut journal, Step::Turn { errand, turn: 1 }, Outcome::Turn(turn));
        let pages = vec![found("https://a.example", "One page."), found("https://b.example", "Another page.")];
        let result = ToolResult { found: pages, ..ToolResult::default() };
        add(&mut journal, Step::Tool { errand, turn: 1, call: 1 }, Outcome::Tool(result));
        let findings = Some(vec![finding(1, "S1", "One page."), finding(1, "S2", "Another page.")]);
        let turn = ResearchTurn { findings, ..ResearchTurn::default() };
        add(&mut journal, Step::Turn { errand, turn: 2 }, Outcome::Turn(turn));
        let made = crate::editorial::dossier::dossier(&journal).unwrap();
        add(&mut journal, Step::Dossier, Outcome::Dossier(made));
        add_round(&mut journal, 1, &[Specialist::Opinion]);
        add(&mut journal, Step::Judge { round: 1, concern: 1 }, Outcome::Verdict(verdict(1, Status::Keep, None)));
        let texts = |journal: &Journal| journal.sources().into_iter().map(|source| source.text).collect::<Vec<_>>();
        let whole = texts(&journal);
        let remove = |name: &str| Choice::RemoveSource { name: name.into(), reason: "forged".into() };
        let check = |journal: &Journal, name: &str| super::super::choices::check(journal, &remove(name));
        assert!(check(&journal, "https://a.example").is_ok() && check(&journal, "https://c.example").is_err());
        decide(&mut journal, 1, remove("https://a.example"));
        assert_eq!(texts(&journal), ["", "Another page."]);
        let refused = check(&journal, "https://b.example").unwrap_err().to_string();
        assert!(refused.starts_with("no source would be left"), "{refused}");
        decide(&mut journal, 2, Choice::Undo { number: 1 });
        assert_eq!(texts(&journal), whole);
    }

    #[test]
    fn a_page_that_changed_between_two_looks_is_told_apart() {
        let mut journal = assigned();
        first_pass(&mut journal);
        let mut twice = vec![found("https://b.example", "Once."), found("https://b.example", "Twice.")];
        tell_apart(&assigned(), &mut twice);
        assert_eq!(twice[1].name.as_deref(), Some("https://b.example (changed, look 2)"), "in one result, too");
        let mut again = vec![
            found("https://a.example", "Changed."),
            found("https://a.example", MINUTES),
            found("https://new.example", "New."),
        ];
        tell_apart(&journal, &mut again);
        let names: Vec<Option<&str>> = again.iter().map(|found| found.name.as_deref()).collect();
        assert_eq!(names, [Some("https://a.example (changed, look 2)"), None, None]);
    }

    #[test]
    fn a_quotation_is_found_whatever_white_space_is_in_it() {
        assert_eq!(place("He  said\nso, they say.", "said so,"), Some(4..12));
        assert_eq!(place("said sorry said so", "said so"), Some(11..18));
        assert_eq!(place("unsaid", ""), None);
        assert_eq!(place("a b", "a b c"), None);
    }
}
