use super::*;
use crate::editorial::{
    testing::{add, article},
    testing::{at_gate, decide, go_on, overrule},
    version::version_of,
};
use copydesk_newsroom::{
    ArticleResponse, Choice, DeliveryState, Disclosure, Draft, Event, EventRecord, ExaminedObject, Journal, ListedRun,
    Outcome, Status, Step, StoryDelivery, TargetKind,
};

const LINK: &str = "00ff";

/// A story that passed once its editor overruled a verdict; `text` is a hand edit before the sign-off.
fn signed(text: Option<&str>) -> Journal {
    let mut journal = at_gate();
    decide(&mut journal, 1, overrule(2, Status::Keep, None));
    if let Some(text) = text {
        decide(&mut journal, 1, Choice::Edit { article: edited(text) });
    }
    decide(&mut journal, 1, Choice::Continue);
    go_on(&mut journal);
    if let Some(text) = text {
        let draft = Draft { article: edited(text), stripped: vec![], undone: vec![] };
        add(&mut journal, Step::Revise { round: 1 }, Outcome::Draft(draft));
        return journal;
    }
    decide(&mut journal, 1, Choice::SignOff { chain: LINK.into(), as_notes: false });
    go_on(&mut journal);
    journal
}

fn edited(text: &str) -> ArticleResponse {
    article(text)
}

fn listed(run: &str, took_over: Option<&str>) -> ListedRun {
    let took_over = took_over.map(str::to_owned);
    ListedRun { run: run.into(), took_over, ..ListedRun::example("desk/park", "The park", "success") }
}

fn event(run: &str, at: &str, event: Event) -> EventRecord {
    EventRecord { at: at.into(), story: "desk/park".into(), run: run.into(), event }
}

fn saw(run: &str, at: &str, what: ExaminedObject) -> EventRecord {
    event(run, at, Event::Examined { by: "Ada".into(), gate: Some("r1.gate".into()), what })
}

fn log() -> CheckedLog {
    CheckedLog { events: 9, head: LINK.into(), flaws: vec![] }
}

fn one(journal: &Journal, events: &[EventRecord]) -> ControlRecord {
    let run = listed("R1", None);
    record(&[RecordedRun { run, journal: journal.clone(), events: events.to_vec() }], "R1", &log(), None).unwrap()
}

#[test]
fn a_record_says_who_overruled_what_and_signed_which_version() {
    let journal = signed(None);
    let record = one(&journal, &[]);
    let version = version_of(&journal.draft(1).unwrap().article);
    assert_eq!(record.article.as_ref().unwrap().version, version);
    let [signature] = &record.signatures[..] else { panic!("{:?}", record.signatures) };
    assert_eq!(
        (&*signature.by, &*signature.chain, &signature.version, signature.stands),
        ("Ada", LINK, &version, true)
    );
    let [overruled] = &record.overruled[..] else { panic!("{:?}", record.overruled) };
    assert_eq!(
        (overruled.concern, overruled.verdict, overruled.now, &*overruled.by, &*overruled.reason),
        (2, Status::Rewrite, Status::Keep, "Ada", "I know about 2")
    );
    assert_eq!(overruled.rationale, "rationale 2", "the verdict stays beside it");
    let decided: Vec<&str> = record.decisions.iter().map(|row| row.what.as_str()).collect();
    assert_eq!(
        decided,
        [
            "overruled the verdict on concern 2, REWRITE, with KEEP: I know about 2",
            "left the gate: go on",
            "signed the article off"
        ]
    );
    assert!(super::record(&[], "R1", &log(), None).is_none());
}

#[test]
fn what_was_on_the_screen_before_the_signature_counts_and_what_was_not_is_named() {
    let journal = signed(None);
    let version = version_of(&journal.draft(1).unwrap().article);
    let own = journal.sources().remove(0).name;
    let (round, early, late) = (1, "2026-10-06T11:00:00Z", "2026-10-06T13:00:00Z");
    let draft = || ExaminedObject::Draft { round, version: version.clone() };
    let events = [
        saw("R1", early, ExaminedObject::Concern { round, concern: 2 }),
        saw("R1", early, draft()),
        saw("R1", early, ExaminedObject::Draft { round, version: "other".into() }),
        saw("R1", early, ExaminedObject::Passage { source: own.clone(), start: 0, end: 5 }),
        // Whoever looked after the signature did not look before it.
        saw("R1", late, ExaminedObject::Concern { round, concern: 1 }),
    ];
    let record = one(&journal, &events);
    assert_eq!(record.examined.len(), 5);
    assert_eq!(record.examined[0].excerpt.as_deref(), Some("x"));
    assert_eq!((record.examined[1].is_signed_version, record.examined[2].is_signed_version), (Some(true), Some(false)));
    assert_eq!(record.examined[3].excerpt.as_deref(), journal.brought(&own).and_then(|text| text.get(..5)));
    let missing: Vec<&ExaminedObject> = record.not_examined.iter().map(|row| &row.part).collect();
    assert_eq!(
        missing,
        [&ExaminedObject::DraftEnd { round, version: version.clone() }, &ExaminedObject::Concern { round, concern: 1 }]
    );
    let nothing = one(&journal, &[]);
    assert!(nothing.not_examined.iter().any(|row| row.part == draft()));
    assert!(nothing.not_examined.iter().any(|row| row.part == ExaminedObject::Source { source: own.clone() }));
}

#[test]
fn another_text_voids_a_signature_and_the_same_text_does_not() {
    let journal = signed(None);
    let (first, later) = (listed("R1", None), listed("R2", Some("R1")));
    let events = [saw("R1", "2026-10-06T11:00:00Z", ExaminedObject::Concern { round: 1, concern: 2 })];
    let record = |after: &Journal, run: &str, log: &CheckedLog, file: Option<&ArticleOnDisk>| {
        let runs = [
            RecordedRun { run: first.clone(), journal: journal.clone(), events: events.to_vec() },
            RecordedRun { run: later.clone(), journal: after.clone(), events: vec![] },
        ];
        super::record(&runs, run, log, file).unwrap()
    };
    let mut same = at_gate();
    same.opening.run_id = "R2".into();
    let reopened = record(&same, "R2", &log(), None);
    assert!(reopened.signatures[0].stands);
    assert_eq!(reopened.examined.len(), 1, "what was read of what the runs share counts for both");
    assert!(to_html(&reopened).contains("The signature stands for this version."));

    let changed = signed(Some("Another text."));
    for run in ["R1", "R2"] {
        let void = record(&changed, run, &log(), None);
        let signature = &void.signatures[0];
        assert!(!signature.stands);
        assert!(signature.void_because[0].starts_with("The run R2, opened "), "{:?}", signature.void_because);
        assert!(signature.void_because[0].ends_with("nobody has signed that."));
        let page = to_html(&void);
        assert!(page.contains("<strong>VOID: the signature of <bdi>Ada</bdi>"), "{page}");
    }

    let flawed = CheckedLog { flaws: vec!["the chain of its audit log is broken at event 3".into()], ..log() };
    let tampered = record(&same, "R1", &flawed, None);
    assert!(tampered.signatures[0].void_because[0].contains("broken at event 3"));
    let file = |folder: &str, version: &str| ArticleOnDisk {
        path: "articles/park.json".into(),
        artifacts_dir: Some(folder.into()),
        version: Some(version.into()),
    };
    let own = journal.opening.artifacts_dir.clone();
    let rewritten = record(&same, "R1", &log(), Some(&file(&own, "other")));
    assert!(rewritten.signatures[0].void_because[0].starts_with("The file articles/park.json was changed"));
    let version = &rewritten.signatures[0].version;
    assert!(record(&same, "R1", &log(), Some(&file(&own, version))).signatures[0].stands);
    assert!(record(&same, "R1", &log(), Some(&file("another run", "other"))).signatures[0].stands);
    let damaged = ArticleOnDisk { path: "articles/park.json".into(), artifacts_dir: None, version: None };
    let alone = [RecordedRun { run: first.clone(), journal: journal.clone(), events: events.to_vec() }];
    let last = super::record(&alone, "R1", &log(), Some(&damaged)).unwrap();
    assert!(last.signatures[0].void_because[0].ends_with("it has no article."), "{:?}", last.signatures[0]);
}

#[test]
fn a_record_is_headed_as_the_article_that_stands() {
    let mut journal = signed(Some("Draft 1 with a y."));
    let mut draft = journal.draft(2).unwrap().clone();
    draft.article.headline = "Another headline".into();
    add(&mut journal, Step::Revise { round: 1 }, Outcome::Draft(draft));
    let page = to_html(&one(&journal, &[]));
    assert!(page.contains("<h1>Editorial control record: <bdi>Another headline</bdi></h1>"), "{page}");
}

#[test]
fn an_edit_is_in_the_record_word_by_word() {
    let journal = signed(Some("Draft 1 with a y."));
    let record = one(&journal, &[]);
    let [edit] = &record.edits[..] else { panic!("{:?}", record.edits) };
    assert_eq!((edit.round, &*edit.by, edit.concern, edit.undone), (1, "Ada", None, false));
    assert_eq!(edit.from_version, version_of(&journal.draft(1).unwrap().article));
    assert_eq!(edit.to_version, version_of(&edited("Draft 1 with a y.")));
    let words: Vec<(&str, &str)> = edit.changes.iter().map(|words| (&*words.removed, &*words.added)).collect();
    assert_eq!(words, [("an x", "a y")]);
    assert!(to_html(&record).contains("“an x” → “a y”"));
    assert!(record.signatures.is_empty() && to_html(&record).contains("Nobody has signed this article."));
}

#[test]
fn deliveries_and_flags_that_stand_are_in_the_record() {
    let journal = signed(None);
    let delivery = |state| Event::DeliveryMade {
        delivery: StoryDelivery {
            key: "k".into(),
            target: "site".into(),
            kind: TargetKind::Folder,
            place: "./site".into(),
            version: "v".into(),
            digest: Some("d".into()),
            state,
            attempts: 1,
            answer: None,
            by: "Ben".into(),
        },
    };
    let settled =
        Event::FlagsSettled { by: "Ben".into(), flags: vec!["sensitive".into()], reason: "It is art.".into() };
    let events = [
        event("R1", "2026-10-06T14:00:00Z", delivery(DeliveryState::Sending)),
        event("R1", "2026-10-06T14:00:01Z", delivery(DeliveryState::Sent)),
        event("R1", "2026-10-06T15:00:00Z", settled),
    ];
    let record = one(&journal, &events);
    assert_eq!(record.deliveries.len(), 1);
    assert_eq!(record.decisions.last().unwrap().what, "let the flags stand (sensitive): It is art.");
    assert!(to_html(&record).contains("<bdi>site</bdi> (<bdi>./site</bdi>)"));
}

#[test]
fn nothing_hostile_gets_into_the_page_as_markup() {
    let hostile = "\"><script>alert('x')</script>\u{1b}[2J\u{202e}txt\u{0}";
    let mut journal = signed(None);
    journal.opening.topic.source_metadata.topic_title = hostile.into();
    journal.opening.topic.source_metadata.video_title = hostile.into();
    journal.opening.settings.disclosure = Disclosure::AiAssisted;
    decide(&mut journal, 1, Choice::Comment { about: hostile.into(), text: hostile.into() });
    let part = ExaminedObject::Source { source: hostile.into() };
    let seen = Event::Examined { by: hostile.into(), gate: Some(hostile.into()), what: part };
    let record = one(&journal, &[event("R1", "<b>", seen)]);
    let page = to_html(&record);
    assert!(page.matches("&lt;script&gt;").count() >= 4, "{page}");
    assert!(!page.contains("<script") && !page.contains("<b>"), "{page}");
    assert!(!page.chars().any(|c| (c.is_control() && c != '\n') || "\u{202e}\u{2066}".contains(c)));
    assert!(page.contains("made with the help of artificial intelligence"));
    let json = serde_json::to_value(&record).unwrap();
    assert_eq!(json["title"], hostile, "JSON keeps what is there");
    assert_eq!(json["examined"][0]["object"], "source");
}
