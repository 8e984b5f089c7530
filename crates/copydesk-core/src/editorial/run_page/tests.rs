use super::*;
use crate::editorial::{
    control_record::{CheckedLog, RecordedRun, record},
    testing::{add, article, opening},
    testing::{at_gate, decide, go_on, overrule},
};
use crate::ports::{CallNumbers, CallRow, CallState, RunKey, Times};
use copydesk_newsroom::{
    Choice, Claim, Claims, ConcernType, Cost, Draft, Event, EventRecord, Failure, Journal, Ledger, LedgerRow,
    ListedRun, Outcome, Passage, SimilarityMeasure, SourceSpan, SpanKind, Standing, Status, Step, Usage,
};

fn made(journal: &Journal, events: &[EventRecord], calls: &[CallRow], ledger: Option<Ledger>) -> String {
    let listed = ListedRun { run: "R1".into(), ..ListedRun::example("desk/park", "The park", "open") };
    let runs = [RecordedRun { run: listed, journal: journal.clone(), events: events.to_vec() }];
    let log = CheckedLog { events: 1, head: "00".into(), flaws: vec![] };
    let record = record(&runs, "R1", &log, None).unwrap();
    let worked = [(Step::Draft, 1_500), (Step::Review { round: 1 }, 61_000)].into_iter().collect();
    let ledgers = ledger.map(|ledger| (1, ledger)).into_iter().collect();
    let digest = |call: &CallRow| ((call.run, call.step, call.attempt), call.model.replace("writer-7b", "abcd"));
    let digests = calls.iter().map(digest).collect();
    to_html(&RunMaterial {
        journal,
        events,
        calls,
        digests: &digests,
        worked: &worked,
        ledgers: &ledgers,
        record: &record,
        embargo: None,
    })
}

fn event(event: Event) -> EventRecord {
    EventRecord { at: "2026-10-06T12:00:02Z".into(), story: "desk/park".into(), run: "R1".into(), event }
}

fn row(standing: Standing, text: &str) -> LedgerRow {
    LedgerRow {
        kind: SpanKind::Quotation,
        standing,
        rule: "quotation.altered".into(),
        field: "articleBody".into(),
        start: 0,
        end: 1,
        text: text.into(),
        concern_type: (standing == Standing::Altered).then_some(ConcernType::InferredFact),
        blocks: false,
        note: Some("The source uses other words.".into()),
        passage: Some(SourceSpan { source: "Minutes".into(), start: 0, end: 3, text: "We voted.".into() }),
        replacement: None,
    }
}

fn call(agent: &str, is_answered: bool) -> CallRow {
    let times = Times { worked_ms: Some(1_500), ..Times::default() };
    CallRow {
        run: RunKey(1),
        step: Step::Draft,
        attempt: 1,
        agent: agent.into(),
        model: "writer-7b".into(),
        host: "127.0.0.1:1".into(),
        state: if is_answered { CallState::Answered } else { CallState::Rejected },
        error: (!is_answered).then(|| "no JSON".to_owned()),
        usage: Usage { prompt_tokens: Some(900), completion_tokens: Some(100), ..Usage::default() },
        numbers: CallNumbers { times, cost: Some(Cost { amount: 0.25, currency: "EUR".into() }) },
        prompt_bytes: None,
        answer_bytes: None,
        asked_at: String::new(),
        ended_at: None,
        repeats: 0,
        removed_at: None,
    }
}

#[test]
fn a_run_is_a_page_with_its_rounds_proof_calls_and_decisions() {
    let mut journal = at_gate();
    decide(&mut journal, 1, overrule(2, Status::Keep, None));
    decide(&mut journal, 1, Choice::Continue);
    go_on(&mut journal);
    let done = Event::StepDone { step: Step::Review { round: 1 }, summary: "2 concerns".into() };
    let waits = Event::GateWaits { gate: "r1.gate".into(), question: "1 verdict is open".into() };
    let events = [event(done), event(waits)];
    let ledger = Ledger { rows: vec![row(Standing::Altered, "We vote."), row(Standing::Verbatim, "We voted.")] };
    let page = made(&journal, &events, &[call("writer", true), call("writer", false)], Some(ledger));
    for part in [
        "<strong>Not ended.</strong> It waits for your sign-off, round 1.",
        "<bdi>2 concerns</bdi>",
        "<td>Waiting for your decision, round 1</td><td><bdi>1 verdict is open</bdi></td>",
        "<strong>REWRITE</strong> <bdi>rationale 2</bdi><br>To do: <bdi>the agent&#39;s fix</bdi>",
        "<strong>KEEP</strong> <bdi>I know about 2</bdi>",
        "The round passed.",
        "<h3>Findings</h3>",
        "<summary>1 statement without a finding</summary>",
        "<bdi>Minutes</bdi><br><bdi>“We voted.”</bdi>",
        "aria-label=\"Tokens by agent, sent and received\"",
        "1800 sent, 200 received",
        "0.5000 EUR",
        "<code>abcd</code>",
        "<code>pins</code>",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    assert!(!page.contains(" style=\"") && !page.contains("<script"), "the policy allows neither");
}

#[test]
fn unfinished_and_failed_runs_have_a_page_too() {
    let empty = made(&Journal::new(opening()), &[], &[], None);
    for part in
        ["There is no draft yet.", "There is no draft to prove.", "No model was asked.", "<strong>Not ended.</strong>"]
    {
        assert!(empty.contains(part), "{part}\n{empty}");
    }
    let mut failed = Journal::new(opening());
    add(&mut failed, Step::Draft, Outcome::Failure(Failure::of("the server <refused>")));
    go_on(&mut failed);
    let page = made(&failed, &[], &[call("writer", false)], None);
    assert!(page.contains("<strong>Failed.</strong> draft: the server &lt;refused&gt;"), "{page}");
    assert!(page.contains("<strong class=\"bad\">First draft failed</strong>"), "{page}");
    assert!(page.contains("<span class=\"bad\">not usable</span>: <bdi>no JSON</bdi>"), "{page}");
}

#[test]
fn a_second_draft_shows_what_it_changed_and_who_asked() {
    let mut journal = at_gate();
    decide(&mut journal, 1, Choice::Edit { article: article("Draft 1 with a y.") });
    decide(&mut journal, 1, Choice::Continue);
    go_on(&mut journal);
    let draft = Draft { article: article("Draft 1 with a y."), stripped: vec!["[^9]".into()], undone: vec![] };
    add(&mut journal, Step::Revise { round: 1 }, Outcome::Draft(draft));
    let page = made(&journal, &[], &[], None);
    assert!(page.contains("<td><bdi>“an x” → “a y”</bdi></td><td>the editor, by hand</td>"), "{page}");
    assert!(page.contains("Removed automatically: <bdi>“[^9]”</bdi>"), "{page}");
    assert!(page.contains("<h3>Round 2, the editor’s own text</h3>"), "{page}");
}

#[test]
fn nothing_hostile_gets_into_the_page_as_markup() {
    let hostile = "\"><script>alert('x')</script><img src=x onerror=y>\u{1b}[2J\u{202e}txt\u{0}";
    let mut journal = at_gate();
    journal.opening.topic.source_metadata.topic_title = hostile.into();
    journal.opening.topic.source_metadata.video_title = hostile.into();
    journal.opening.pins = hostile.into();
    let claim = Claim {
        start: 0,
        end: 1,
        text: hostile.into(),
        passage: Some(Passage { file: hostile.into(), text: hostile.into(), ..Passage::default() }),
        similarity: Some(0.5),
        measure: SimilarityMeasure::Words,
        findings: vec![hostile.into()],
        witnesses: vec![],
        resolved: None,
        distrusted: vec![],
        weak_pages: vec![],
        verified: false,
    };
    add(&mut journal, Step::Claims { round: 1 }, Outcome::Claims(Claims { claims: vec![claim], ..Claims::default() }));
    decide(&mut journal, 1, Choice::Comment { about: hostile.into(), text: hostile.into() });
    decide(&mut journal, 1, Choice::Edit { article: article(hostile) });
    let events = [
        event(Event::Noted { step: Step::Draft, message: hostile.into() }),
        event(Event::RunForked { from: hostile.into(), at: None }),
        event(Event::RunOpened { title: hostile.into(), engine: hostile.into(), max_rounds: 1 }),
    ];
    let mut asked = call(hostile, false);
    (asked.model, asked.host, asked.error) = (hostile.into(), hostile.into(), Some(hostile.into()));
    let mut found = row(Standing::Altered, hostile);
    found.note = Some(hostile.into());
    found.passage = Some(SourceSpan { source: hostile.into(), start: 0, end: 1, text: hostile.into() });
    let page = made(&journal, &events, &[asked], Some(Ledger { rows: vec![found] }));
    assert!(page.matches("&lt;script&gt;").count() > 12, "{page}");
    for tag in page.split('<').skip(1) {
        let name: String = tag.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
        assert!(!["script", "img"].contains(&name.as_str()) && !tag.starts_with(' '), "<{tag}");
        let inside = tag.split('>').next().unwrap();
        assert!(!inside.contains(" onerror") && !inside.contains(" style="), "<{inside}>");
    }
    assert!(!page.chars().any(|c| (c.is_control() && c != '\n') || "\u{202e}\u{2066}".contains(c)));
}
