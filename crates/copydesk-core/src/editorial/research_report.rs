//! Research for a reader: each errand with its questions, calls and findings, and every source with its uses.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    credibility::{Agreement, credibility},
    decisions::max_rounds,
    page_remarks, research,
};
use copydesk_newsroom::{
    Choice, Credibility, CredibilityView, GateOutcome, HiddenText, Journal, LeftOut, NumberedSource, Outcome, Passage,
    ResearchErrand, ResearchFinding, Step, Tier, ToolCall, ToolResult, Triaged, named,
};
use copydesk_text::{count, sanitise};

/// The most characters of a call's question, and of its result.
const LONGEST_LINE: usize = 200;

/// The whole report. The JSON form is stable; fields are only ever added.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ResearchReport {
    pub errands: Vec<ErrandReport>,
    pub sources: Vec<ListedSource>,
    pub triage: Vec<RoundTriage>,
}

/// The way of each open verdict of a round, as triage or an editor chose it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoundTriage {
    pub round: u32,
    pub ways: Vec<Triaged>,
}

/// An errand as far as it has come.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ErrandReport {
    /// `p1`, `r2`.
    pub errand: String,
    /// `Round 2, research`.
    pub name: String,
    pub questions: Vec<QuestionReport>,
    pub calls: Vec<CallReport>,
    pub findings: Vec<ResearchFinding>,
    pub left_out: Vec<LeftOut>,
    /// Whether another agent than the Reporter looked something up for its own step. Such an errand has no findings.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub serves: bool,
    /// Whether the findings are in, or the step is done.
    pub done: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct QuestionReport {
    pub question: String,
    /// None until the Editor has looked at the findings, and for questions of a round.
    pub answered: Option<bool>,
    pub why: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CallReport {
    pub turn: u32,
    pub tool: String,
    /// The query or the address; other arguments as they were sent.
    pub asked: String,
    pub state: CallEnd,
    /// Its result, in a line.
    pub result: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CallEnd {
    Running,
    /// It brought texts home, which are numbered.
    Found,
    /// It said something that is no source, such as a list of addresses.
    Answered,
    Failed,
}

/// Who brought a source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum SourceOrigin {
    /// The story's own text. The text of an assignment is no source.
    #[default]
    Own,
    /// With the story, beside its own text.
    Given,
    /// By the Reporter.
    Found,
    /// By an editor, at a gate.
    Added,
}

named!(SourceOrigin);

/// A source of the story, or a text that research read.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ListedSource {
    /// The name that a person removes it by; for a found source, its address.
    pub name: String,
    /// `S1`, of a text that research read.
    pub id: Option<String>,
    pub title: String,
    pub origin: SourceOrigin,
    /// ISO 8601.
    pub published: Option<String>,
    /// Of a text that research read. Sources that a person gave have no score.
    pub credibility: Option<Credibility>,
    /// The view of the Reporter's model on its credibility.
    pub view: Option<CredibilityView>,
    /// Whether the story rests on it: given or added, or a finding quotes it.
    pub kept: bool,
    /// Whether the errand that read it is still at work: it may be kept yet.
    pub undecided: bool,
    pub removed: Option<SourceRemoval>,
    /// It is shown, and nothing rests on it.
    pub distrusted: Option<SourceRemoval>,
    pub uses: Vec<SourceUse>,
    /// Remarks on a page that research read, in a few words each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// Its text that no reader sees, for a source that the story began with. It is not part of its text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<HiddenText>,
}

/// Who removed or distrusts a source, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceRemoval {
    pub by: String,
    pub reason: String,
}

/// A place where a source is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceUse {
    pub kind: UseKind,
    /// `Round 1, concern 2`.
    pub place: String,
    /// Its own words there.
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum UseKind {
    Finding,
    Passage,
}

impl ListedSource {
    pub fn count(&self, kind: UseKind) -> usize {
        self.uses.iter().filter(|used| used.kind == kind).count()
    }

    /// Whether it counts, and if not, why, in a few words.
    pub fn standing(&self) -> String {
        match (&self.removed, &self.distrusted) {
            (Some(SourceRemoval { by, reason }), _) => format!("removed by {by}: {reason}"),
            (None, Some(SourceRemoval { by, reason })) => {
                format!("distrusted by {by}, so nothing rests on it: {reason}")
            }
            (None, None) if self.kept => "kept".to_owned(),
            (None, None) if self.undecided => "read; the Reporter is still at work".to_owned(),
            (None, None) => "not kept: no finding quotes it".to_owned(),
        }
    }

    /// The counts of its findings and passages, in a few words.
    pub fn rests(&self) -> String {
        let [findings, passages] = [UseKind::Finding, UseKind::Passage].map(|kind| self.count(kind));
        format!("{}, {}", count(findings, "finding"), count(passages, "passage"))
    }

    /// Whether something may rest on it.
    pub fn counts(&self) -> bool {
        self.kept && self.removed.is_none() && self.distrusted.is_none()
    }

    /// Its text, also if it was removed.
    pub fn text<'j>(&self, journal: &'j Journal) -> &'j str {
        journal.brought(&self.name).unwrap_or_default()
    }
}

impl ResearchReport {
    pub fn of(journal: &Journal) -> Self {
        let rounds = 1..=max_rounds(journal);
        let passes =
            (1..).map(ResearchErrand::Pass).take_while(|errand| !research::questions(journal, *errand).is_empty());
        // If a gate was left another way, no research follows.
        let goes = |round: &u32| journal.gate(*round).is_none_or(|outcome| outcome == GateOutcome::Revise);
        let asked =
            rounds.clone().filter(goes).filter(|round| research::is_asked(journal, *round)).map(ResearchErrand::Round);
        let triage = rounds
            .map(|round| RoundTriage { round, ways: research::triaged(journal, round) })
            .filter(|triage| !triage.ways.is_empty());
        Self {
            errands: passes
                .chain(asked)
                .chain(serving(journal))
                .map(|errand| ErrandReport::of(journal, errand))
                .collect(),
            sources: sources(journal),
            triage: triage.collect(),
        }
    }

    /// Whether nothing was researched, and the story has the sources that it began with.
    pub fn is_empty(&self) -> bool {
        let began_with = |source: &ListedSource| {
            matches!(source.origin, SourceOrigin::Own | SourceOrigin::Given)
                && source.removed.is_none()
                && source.distrusted.is_none()
        };
        self.errands.is_empty() && self.triage.is_empty() && self.sources.iter().all(began_with)
    }
}

/// The errands on which another agent than the Reporter looked something up before its own step, in the order in which they began.
fn serving(journal: &Journal) -> impl Iterator<Item = ResearchErrand> {
    let first = journal.entries().iter().filter_map(|entry| match (entry.step, &entry.outcome) {
        (Step::Turn { errand, turn: 1 }, Outcome::Turn(turn)) if !turn.calls.is_empty() => Some(errand),
        _ => None,
    });
    first.filter(|errand| errand.serves().is_some())
}

impl ErrandReport {
    /// Whether the Reporter is back without a finding.
    pub fn found_nothing(&self) -> bool {
        self.done && self.findings.is_empty() && !self.serves
    }

    fn of(journal: &Journal, errand: ResearchErrand) -> Self {
        let covered = match errand {
            ResearchErrand::Pass(pass) => journal.coverage(pass).map(|coverage| coverage.questions.as_slice()),
            ResearchErrand::Round(_) | ResearchErrand::Gaps(_) | ResearchErrand::Check { .. } => None,
        };
        let questions = research::questions(journal, errand).into_iter().enumerate().map(|(place, question)| {
            let covered = covered.and_then(|covered| covered.get(place));
            QuestionReport {
                question,
                answered: covered.map(|covered| covered.answered),
                why: covered.map(|covered| covered.why.clone()),
            }
        });
        let read = journal.read_sources();
        let turns = (1..).map_while(|number| Some((number, journal.turn(errand, number)?)));
        let calls = turns.flat_map(|(turn, made)| (1..).zip(&made.calls).map(move |(call, asked)| (turn, call, asked)));
        let calls = calls.map(|(turn, number, call)| {
            let (state, result) = ended(call, journal.tool(errand, turn, number), &read);
            CallReport { turn, tool: sanitise::one_line(&call.name), asked: asked(call), state, result }
        });
        let findings = journal.findings(errand);
        Self {
            errand: errand.to_string(),
            name: errand.in_words(),
            questions: questions.collect(),
            calls: calls.collect(),
            findings: findings.and_then(|turn| turn.findings.clone()).unwrap_or_default(),
            left_out: findings.map(|turn| turn.left_out.clone()).unwrap_or_default(),
            serves: errand.serves().is_some(),
            done: findings.is_some() || errand.serves().is_some_and(|step| journal.outcome(step).is_some()),
        }
    }
}

/// The query or the address of a call, or else its arguments as they were sent.
fn asked(call: &ToolCall) -> String {
    let said = call.argument("query").or_else(|| call.argument("url")).unwrap_or_else(|| call.arguments.clone());
    sanitise::excerpt(&said, LONGEST_LINE)
}

/// The end and the result of a call. A page that stands elsewhere than at the address that was asked for says so.
fn ended(call: &ToolCall, result: Option<&ToolResult>, read: &[NumberedSource<'_>]) -> (CallEnd, String) {
    let Some(result) = result else { return (CallEnd::Running, "running".to_owned()) };
    if result.found.is_empty() {
        let line = result.text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let state = if result.failed { CallEnd::Failed } else { CallEnd::Answered };
        return (state, sanitise::excerpt(line, LONGEST_LINE));
    }
    let address = call.argument("url");
    let found = result.found.iter().map(|found| {
        let known = read.iter().find(|read| read.source.digest == found.digest).map(NumberedSource::id);
        // Only sources of the story have a number; a page that another agent opened has none.
        let known = known.unwrap_or_else(|| found.address.clone());
        let asked = address.as_ref().filter(|_| !found.is_in_feed());
        let redirected = asked.and_then(|asked| page_remarks::redirected(asked, &found.address));
        let redirected = redirected.map_or_else(String::new, |said| format!(" ({said})"));
        format!("{known} {}{redirected}", sanitise::excerpt(&found.title, LONGEST_LINE))
    });
    (CallEnd::Found, found.collect::<Vec<_>>().join("; "))
}

/// Every source: those of the story in their order, then the texts that research read and the story does not rest on.
fn sources(journal: &Journal) -> Vec<ListedSource> {
    let (removals, distrusted) = no_witnesses(journal);
    let listed = |name: &str, origin: SourceOrigin| ListedSource {
        name: name.to_owned(),
        title: name.to_owned(),
        origin,
        kept: true,
        removed: removals.get(name).cloned(),
        distrusted: distrusted.get(name).cloned(),
        uses: passages(journal, name),
        ..ListedSource::default()
    };
    let own = |(place, (name, _)): (usize, (&str, &str))| {
        let origin = if place == 0 { SourceOrigin::Own } else { SourceOrigin::Given };
        let published = journal.opening.topic.source_metadata.publish_date.clone().filter(|_| place == 0);
        let hiding = journal.opening.hidden.iter().filter(|hiding| hiding.source == name);
        let hidden = hiding.flat_map(|hiding| hiding.texts.iter().cloned()).collect();
        ListedSource { published, hidden, ..listed(name, origin) }
    };
    let read = journal.read_sources();
    let later = journal.later_sources();
    let of_passes = journal.kept_in_passes();
    let is_assigned = journal.opening.research.is_some_and(|rules| rules.assigned);
    let found = |found: &NumberedSource<'_>, kept: bool| {
        let name = found.name();
        let judged = journal.judgement(&found.id());
        let compared = judged.map(|judged| judged.rules.clone());
        let mut uses = findings(journal, &found.id());
        uses.extend(passages(journal, name));
        let earlier = read.iter().rev().filter(|known| known.number < found.number);
        let before = earlier.map(|known| known.source).find(|known| known.address == found.source.address);
        let changed = before.and_then(|before| page_remarks::changed(&before.digest, &found.source.digest));
        let language = page_remarks::in_other_language(journal, &found.source.text);
        ListedSource {
            id: Some(found.id()),
            title: sanitise::one_line(&found.source.title),
            published: found.source.published.clone(),
            credibility: Some(compared.unwrap_or_else(|| credibility(found.source, Agreement::default()))),
            view: judged.and_then(|judged| judged.view.clone()),
            kept,
            undecided: !kept && journal.findings(found.errand).is_none(),
            uses,
            remarks: changed.into_iter().chain(language).collect(),
            hidden: found.source.hidden.clone(),
            ..listed(name, SourceOrigin::Found)
        }
    };
    let mut all: Vec<ListedSource> =
        journal.opening.texts().enumerate().skip(usize::from(is_assigned)).map(own).collect();
    all.extend(later.iter().map(|(name, _, source)| match source {
        Some(source) => found(source, true),
        None => ListedSource { hidden: journal.hidden_in_added(name), ..listed(name, SourceOrigin::Added) },
    }));
    let is_later = |number: usize| later.iter().any(|(_, _, source)| source.is_some_and(|of| of.number == number));
    let in_pass = |number: usize| of_passes.iter().any(|of| of.number == number);
    let rest = read.iter().filter(|read| !is_later(read.number));
    all.extend(rest.map(|read| found(read, in_pass(read.number))));
    // Sources that nothing rests on come last.
    all.sort_by_key(|source| !source.kept);
    all
}

/// The decisions that removed a source, and those that distrust one, by its name.
fn no_witnesses(journal: &Journal) -> (BTreeMap<String, SourceRemoval>, BTreeMap<String, SourceRemoval>) {
    let (mut removed, mut distrusted) = (BTreeMap::new(), BTreeMap::new());
    for (_, decision) in journal.no_witness_decisions() {
        let (list, name, reason) = match &decision.choice {
            Choice::RemoveSource { name, reason } => (&mut removed, name, reason),
            Choice::DistrustSource { name, reason } => (&mut distrusted, name, reason),
            _ => continue,
        };
        list.insert(name.clone(), SourceRemoval { by: decision.by.clone(), reason: reason.clone() });
    }
    (removed, distrusted)
}

/// The findings that rest on what research read under this number.
fn findings(journal: &Journal, id: &str) -> Vec<SourceUse> {
    let ended = journal.entries().iter().filter_map(|entry| match (entry.step, &entry.outcome) {
        (Step::Turn { errand, .. }, Outcome::Turn(turn)) => Some((errand, turn.findings.as_deref()?)),
        _ => None,
    });
    let found = ended.flat_map(|(errand, findings)| findings.iter().map(move |finding| (errand, finding)));
    let of_it = found.filter(|(_, finding)| finding.source == id).map(|(errand, finding)| SourceUse {
        kind: UseKind::Finding,
        place: format!("{}, question {}", errand.in_words(), finding.question),
        text: sanitise::one_line(&finding.quotation),
    });
    of_it.collect()
}

/// The passages of a source that an agent read or that speak of a claim, and the paragraphs of the dossier that are from it.
fn passages(journal: &Journal, name: &str) -> Vec<SourceUse> {
    let passage = |place: String, text: &str| SourceUse {
        kind: UseKind::Passage,
        place,
        text: sanitise::excerpt(text, LONGEST_LINE),
    };
    let dossier = journal.dossier().into_iter().flat_map(|dossier| {
        let of_it = dossier.paragraphs.iter().filter(|paragraph| paragraph.source == name);
        of_it.filter_map(|paragraph| dossier.text.get(paragraph.start..paragraph.end))
    });
    let mut uses: Vec<SourceUse> = dossier.map(|text| passage("Dossier".to_owned(), text)).collect();
    let is_its = |passage: &&Passage| passage.file == name && matches!(passage.tier, Tier::Source | Tier::Found);
    for entry in journal.entries() {
        match (entry.step, &entry.outcome) {
            (Step::LookUp { round, concern }, Outcome::LookUp(look_up)) => {
                let place = || format!("Round {round}, concern {concern}");
                uses.extend(look_up.passages.iter().filter(is_its).map(|of_it| passage(place(), &of_it.text)));
            }
            (Step::Claims { round }, Outcome::Claims(claims)) => {
                for (number, claim) in (1_u32..).zip(&claims.claims) {
                    let place = || format!("Round {round}, claim {number}");
                    let witnesses = claim.witnesses.iter().map(|witness| &witness.passage);
                    let best = claim.passage.iter().filter(|best| !witnesses.clone().any(|known| known == *best));
                    let doubted = claim.distrusted.iter().map(|witness| &witness.passage);
                    let of_it = best.chain(witnesses.clone()).chain(doubted).filter(is_its);
                    uses.extend(of_it.map(|of_it| passage(place(), &of_it.text)));
                }
            }
            _ => {}
        }
    }
    uses
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::research_report::{ADDRESS, MINUTES, call, finding, researched, source, triaged};
    use crate::editorial::{
        testing::{add, opening},
        testing::{decide, go_on},
    };
    use copydesk_newsroom::{
        Covered, Dossier, DossierParagraph, ErrandLimits, Opening, QuestionCoverage, ResearchRules, ResearchTurn,
    };

    const RULES: ResearchRules =
        ResearchRules { assigned: false, triages: true, passes: 2, turns: 3, calls: 4, limits: ErrandLimits::NONE };
    #[test]
    fn an_errand_says_what_it_asked_what_came_of_it_and_what_was_left_out() {
        let report = ResearchReport::of(&researched());
        let [errand, open] = &report.errands[..] else { panic!("{:?}", report.errands) };
        assert_eq!((errand.errand.as_str(), errand.name.as_str(), errand.done), ("r1", "Round 1, research", true));
        let questions: Vec<&str> = errand.questions.iter().map(|asked| asked.question.as_str()).collect();
        assert_eq!(questions, ["The council voted seven to two.", "Who pays?"]);
        let calls: Vec<(&str, &str, CallEnd, &str)> = errand
            .calls
            .iter()
            .map(|call| (call.tool.as_str(), call.asked.as_str(), call.state, call.result.as_str()))
            .collect();
        assert_eq!(
            calls,
            [
                (
                    "search_knowledge_base",
                    "The council voted seven to two.",
                    CallEnd::Found,
                    "S1 Council minutes; S2 A walk in the park"
                ),
                ("search_web", "Who pays?", CallEnd::Answered, "1. https://a.example"),
                ("weather", r#"{"day":"today"}"#, CallEnd::Failed, "there is no tool weather"),
            ]
        );
        assert_eq!((errand.findings.len(), errand.left_out.len()), (1, 1));
        assert_eq!((open.errand.as_str(), open.done, open.calls.len()), ("r2", false, 0));
    }

    #[test]
    fn nobody_is_sent_where_the_draft_was_accepted() {
        let mut journal = triaged();
        assert_eq!(ResearchReport::of(&journal).errands.len(), 1);
        decide(&mut journal, 1, Choice::Stet { reason: "It is right.".into() });
        go_on(&mut journal);
        assert!(ResearchReport::of(&journal).errands.is_empty());
    }

    #[test]
    fn a_call_that_is_on_its_way_is_running() {
        let mut journal = researched();
        let turn = ResearchTurn {
            calls: vec![call("a", "fetch_content", r#"{"url":"https://a.example"}"#)],
            ..ResearchTurn::default()
        };
        add(&mut journal, Step::Turn { errand: ResearchErrand::Round(2), turn: 1 }, Outcome::Turn(turn));
        let result = ToolResult { found: vec![source("a.html", "Another page", "Text.")], ..ToolResult::default() };
        let report = ResearchReport::of(&journal);
        let mut later = journal.clone();
        let call = Step::Tool { errand: ResearchErrand::Round(2), turn: 1, call: 1 };
        add(&mut later, call, Outcome::Tool(result));
        let sources = ResearchReport::of(&later).sources;
        assert_eq!(sources.last().unwrap().standing(), "read; the Reporter is still at work");
        let CallReport { asked, state, .. } = &report.errands[1].calls[0];
        assert_eq!((asked.as_str(), *state), ("https://a.example", CallEnd::Running));
    }

    #[test]
    fn every_source_says_who_brought_it_how_it_stands_and_what_rests_on_it() {
        let journal = researched();
        let report = ResearchReport::of(&journal);
        let rows: Vec<String> = report
            .sources
            .iter()
            .map(|source| {
                let id = source.id.as_deref().unwrap_or("-");
                format!("{id} {} {}: {}; {}", source.origin.name(), source.title, source.standing(), source.rests())
            })
            .collect();
        assert_eq!(
            rows,
            [
                "- own Minutes: kept; 0 findings, 0 passages",
                "- given letter.txt: removed by Ada: The sender denies it.; 0 findings, 1 passage",
                "- added notes.md: kept; 0 findings, 0 passages",
                "S1 found Council minutes: kept; 1 finding, 1 passage",
                "S2 found A walk in the park: not kept: no finding quotes it; 0 findings, 0 passages",
            ]
        );
        let texts: Vec<&str> = report.sources.iter().map(|source| source.text(&journal)).collect();
        assert_eq!(
            texts,
            ["The council voted.", "Dear council.\n\nYours.", "My notes.", MINUTES, "I like the park."],
            "a text that was removed can still be read"
        );
        let hidden: Vec<String> =
            report.sources.iter().flat_map(|source| source.hidden.iter().map(|hidden| hidden.how.clone())).collect();
        assert_eq!(hidden, ["a comment", "a white letter", "no opacity"], "given, added and found");
        let minutes = &report.sources[3];
        let places: Vec<&str> = minutes.uses.iter().map(|used| used.place.as_str()).collect();
        assert_eq!(places, ["Round 1, research, question 1", "Round 2, concern 1"]);
        assert!(minutes.credibility.as_ref().is_some_and(|credibility| credibility.score > 0.8));
    }

    #[test]
    fn a_page_that_redirects_and_one_that_changed_say_so() {
        let mut journal = researched();
        let errand = ResearchErrand::Round(2);
        let calls = vec![
            call("a", "fetch_content", r#"{"url":"https://www.springfield.gov/old"}"#),
            call("b", "fetch_content", r#"{"url":"https://www.springfield.gov/minutes"}"#),
        ];
        add(
            &mut journal,
            Step::Turn { errand, turn: 1 },
            Outcome::Turn(ResearchTurn { calls, ..ResearchTurn::default() }),
        );
        for call in [1, 2] {
            let found = vec![source(ADDRESS, "Minutes", &format!("The minutes, version {call}."))];
            let result = ToolResult { found, ..ToolResult::default() };
            add(&mut journal, Step::Tool { errand, turn: 1, call }, Outcome::Tool(result));
        }
        let report = ResearchReport::of(&journal);
        let results: Vec<&str> = report.errands[1].calls.iter().map(|call| call.result.as_str()).collect();
        assert_eq!(results, ["S3 Minutes (redirected to https://www.springfield.gov/minutes)", "S4 Minutes"]);
        let remarks: Vec<usize> = report.sources.iter().map(|source| source.remarks.len()).collect();
        assert_eq!(remarks, [0, 0, 0, 0, 0, 1, 1], "each later look: {:?}", report.sources);
        assert!(report.sources[5].remarks[0].starts_with("changed between two looks: "));
    }

    #[test]
    fn a_source_that_an_editor_distrusts_says_who_and_why_and_keeps_its_text() {
        let mut journal = researched();
        let reason = "The site copies press releases.".to_owned();
        decide(&mut journal, 2, Choice::DistrustSource { name: ADDRESS.into(), reason });
        let report = ResearchReport::of(&journal);
        let minutes = report.sources.iter().find(|source| source.name == ADDRESS).unwrap();
        assert_eq!(minutes.standing(), "distrusted by Ada, so nothing rests on it: The site copies press releases.");
        assert!(!minutes.counts() && minutes.kept && minutes.removed.is_none());
        assert_eq!((minutes.text(&journal), minutes.uses.len()), (MINUTES, 2));
    }

    #[test]
    fn an_assignment_says_which_questions_are_answered_and_what_the_dossier_has_of_a_source() {
        let rules = ResearchRules { assigned: true, ..RULES };
        let mut journal = Journal::new(Opening { research: Some(rules), ..opening() });
        assert!(ResearchReport::of(&journal).is_empty());
        add(&mut journal, Step::Plan, Outcome::Questions(vec!["Who voted?".into()]));
        let errand = ResearchErrand::Pass(1);
        let turn = ResearchTurn { calls: vec![call("a", "fetch_content", "{}")], ..ResearchTurn::default() };
        add(&mut journal, Step::Turn { errand, turn: 1 }, Outcome::Turn(turn));
        let result = ToolResult { found: vec![source(ADDRESS, "Minutes", MINUTES)], ..ToolResult::default() };
        add(&mut journal, Step::Tool { errand, turn: 1, call: 1 }, Outcome::Tool(result));
        assert!(!ResearchReport::of(&journal).sources[0].kept);
        let findings = Some(vec![finding(1, "S1", "voted seven to two")]);
        add(
            &mut journal,
            Step::Turn { errand, turn: 2 },
            Outcome::Turn(ResearchTurn { findings, ..ResearchTurn::default() }),
        );
        let covered = Covered { answered: true, why: "The minutes say it.".into() };
        let coverage = QuestionCoverage { questions: vec![covered], requests: vec![] };
        add(&mut journal, Step::Coverage { pass: 1 }, Outcome::Coverage(coverage));
        let paragraphs = vec![DossierParagraph { start: 0, end: 3, source: ADDRESS.into(), at: 0 }];
        let dossier = Dossier { text: "The council.".into(), paragraphs, open: vec![] };
        add(&mut journal, Step::Dossier, Outcome::Dossier(dossier));
        let report = ResearchReport::of(&journal);
        assert_eq!(report.errands[0].questions[0].answered, Some(true));
        let minutes = &report.sources[0];
        assert_eq!((minutes.kept, minutes.rests().as_str()), (true, "1 finding, 1 passage"));
        assert_eq!(minutes.text(&journal), MINUTES);
        assert_eq!(report.sources.len(), 1, "an assignment is no source");
    }
}
