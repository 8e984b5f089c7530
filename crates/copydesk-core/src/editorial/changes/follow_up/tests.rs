use super::*;
use crate::editorial::{
    decisions,
    testing::decide,
    testing::{add, article, opening, verdict},
};
use copydesk_newsroom::*;

const FIRST: &str = "The council voted four to two on Tuesday to reopen Miller Park in April.\n\nThe paths are 1.3 miles long, and the \
    park opens at seven. Lighting is a fifth of the budget.";

/// Round 1: `first` with its concerns, each with the excerpt, the verdict and the fix; then what the editor adds.
fn asked(first: &str, concerns: &[(&str, Status, &str)], own: &str) -> Journal {
    let mut journal = Journal::new(Opening { gates: Gates::Editor, ..opening() });
    written(&mut journal, Step::Draft, first);
    let excerpts: Vec<&str> = concerns.iter().map(|(excerpt, ..)| *excerpt).collect();
    review(&mut journal, 1, &excerpts, vec![]);
    for (concern, (_, status, fix)) in (1..).zip(concerns) {
        let fix = (!fix.is_empty()).then_some(*fix);
        add(&mut journal, Step::Judge { round: 1, concern }, Outcome::Verdict(verdict(concern, *status, fix)));
    }
    if !own.is_empty() {
        decide(&mut journal, 1, Choice::Feedback { text: own.into() });
    }
    sent_back(&mut journal, 1);
    journal
}

fn sent_back(journal: &mut Journal, round: u32) {
    add(journal, Step::Gate { round }, Outcome::Gate(GateOutcome::Revise));
    let feedback = decisions::feedback(journal, round, Vec::new());
    add(journal, Step::Feedback { round }, Outcome::Feedback(feedback));
}

fn written(journal: &mut Journal, step: Step, body: &str) {
    add(journal, step, Outcome::Draft(Draft { article: article(body), stripped: vec![], undone: vec![] }));
}

fn review(journal: &mut Journal, round: u32, excerpts: &[&str], findings: Vec<Finding>) {
    let raw = ArticleReviewRaw { markdown_bullets: String::new() };
    add(journal, Step::Review { round }, Outcome::Review(Review::new(raw, findings)));
    let concern = |(concern_id, excerpt): (u32, &&str)| Concern {
        concern_id,
        excerpt: (*excerpt).into(),
        review_note: "Not so.".into(),
    };
    let concerns = (1..).zip(excerpts).map(concern).collect();
    add(journal, Step::Parse { round }, Outcome::Concerns(ArticleReviewResult { concerns }));
}

/// The progress of the to-dos: before the next review, then after it raised concerns about `again`.
fn became(journal: &Journal, second: &str, again: &[&str]) -> (Vec<Progress>, Vec<Progress>) {
    let mut journal = journal.clone();
    written(&mut journal, Step::Revise { round: 1 }, second);
    let before = follow_up(&journal, 2).into_iter().map(|one| one.progress).collect();
    review(&mut journal, 2, again, vec![]);
    (before, follow_up(&journal, 2).into_iter().map(|one| one.progress).collect())
}

/// Asserts the progress of one to-do that a rule can tell, whatever the next review says.
#[track_caller]
fn rule(journal: &Journal, change: (&str, &str), progress: Progress) {
    let second = FIRST.replace(change.0, change.1);
    assert!(second != FIRST || change.0.is_empty(), "{change:?}");
    assert_eq!(became(journal, &second, &[]), (vec![progress], vec![progress]), "{change:?}");
}

use Progress::{Done, NotDone, Partly, Unknown};

#[test]
fn what_is_to_go_is_gone_or_not() {
    for fix in ["Remove the month.", "Delete “in April”."] {
        let journal = asked(FIRST, &[("in April", Status::Remove, fix)], "");
        rule(&journal, (" in April", ""), Done);
        rule(&journal, ("four to two", "4-2"), NotDone);
        rule(&journal, ("seven", "eight"), NotDone);
        rule(&journal, ("in April.", "in April, it hopes."), NotDone);
    }
}

#[test]
fn of_a_long_excerpt_most_may_stand_there_still() {
    let journal = asked(FIRST, &[("Lighting is a fifth of the budget.", Status::Remove, "Remove the sentence.")], "");
    rule(&journal, (" Lighting is a fifth of the budget.", ""), Done);
    rule(&journal, ("Lighting is a fifth of the budget.", "Nobody spoke of lamps."), Done);
    let second = FIRST.replace("is a fifth", "is about a fifth");
    assert_eq!(became(&journal, &second, &[]), (vec![Unknown], vec![Done]));
    assert_eq!(became(&journal, &second, &["about a fifth"]), (vec![Unknown], vec![NotDone]));
}

#[test]
fn what_is_to_come_is_there_and_the_old_words_are_gone() {
    for (excerpt, fix) in [
        ("1.3 miles", "Write “1.4 miles”, as the minutes do."),
        ("The paths are 1.3 miles long", "Replace “1.3 miles” with “1.4 miles”."),
    ] {
        let journal = asked(FIRST, &[(excerpt, Status::Rewrite, fix)], "");
        rule(&journal, ("1.3 miles", "1.4 miles"), Done);
        rule(&journal, ("1.3 miles", "a mile"), Partly);
        rule(&journal, ("1.3 miles long,", "1.3 miles, or 1.4 miles, long, and the paths are 1.3 miles long,"), Partly);
        rule(&journal, ("1.3 miles long", "just 1.3 miles long"), NotDone);
        rule(&journal, ("Tuesday", "Monday"), NotDone);
    }
}

#[test]
fn words_that_hold_the_old_ones_are_told_apart() {
    let journal = asked(FIRST, &[("a fifth", Status::Rewrite, "Write “about a fifth”.")], "");
    rule(&journal, ("a fifth", "about a fifth"), Done);
    rule(&journal, ("Lighting", "Light"), NotDone);
    let journal = asked(FIRST, &[("on Tuesday", Status::Rewrite, "Add “the clerk said” to it.")], "");
    rule(&journal, ("on Tuesday", "on Tuesday, the clerk said,"), Done);
}

#[test]
fn words_that_stood_elsewhere_count_where_they_are_wanted() {
    let first = format!("{FIRST}\n\nThe gate is 1.4 miles away.");
    let journal = asked(&first, &[("1.3 miles", Status::Rewrite, "Replace “1.3 miles” with “1.4 miles”.")], "");
    let became = |from: &str, to: &str| became(&journal, &first.replace(from, to), &[]).1;
    assert_eq!(became("1.3 miles", "1.4 miles"), [Done]);
    assert_eq!(became("1.3 miles", "a mile"), [Partly]);
    assert_eq!(became("1.4 miles away", "away"), [NotDone]);
}

#[test]
fn without_words_the_next_review_tells() {
    let journal = asked(FIRST, &[("in April", Status::Rewrite, "Say that the month is not decided.")], "");
    rule(&journal, ("1.3", "1.4"), NotDone);
    let second = FIRST.replace("in April", "in spring");
    assert_eq!(became(&journal, &second, &["1.3 miles"]), (vec![Unknown], vec![Done]));
    assert_eq!(became(&journal, &second, &["in spring"]), (vec![Unknown], vec![NotDone]), "at the same place");
    let moved = FIRST.replace(" in April", "").replace("at seven", "at seven in April");
    assert_eq!(became(&journal, &moved, &["“in April”"]), (vec![Unknown], vec![NotDone]), "the same words");
    let gone = FIRST.replace(" The council voted", "").replace(" in April", "");
    let mut kept = journal.clone();
    written(&mut kept, Step::Revise { round: 1 }, &second);
    review(&mut kept, 2, &["in spring"], vec![]);
    add(&mut kept, Step::Judge { round: 2, concern: 1 }, Outcome::Verdict(verdict(1, Status::Keep, None)));
    assert_eq!(follow_up(&kept, 2)[0].progress, Done, "a concern with KEEP is not open");
    assert_eq!(became(&journal, &gone, &[]).1, [Done]);
}

#[test]
fn a_footnote_behind_the_sentence_may_be_what_was_asked_for() {
    let journal = asked(FIRST, &[("in April", Status::Rewrite, "Add a footnote with the place.")], "");
    let noted = |place: &str| {
        format!("{}\n\n## Footnotes\n\n[^1]: Minutes, line 3.", FIRST.replacen(place, &format!("{place}[^1]"), 1))
    };
    assert_eq!(became(&journal, &noted("in April."), &[]), (vec![Unknown], vec![Done]));
    assert_eq!(became(&journal, &noted("in April."), &["in April"]).1, vec![NotDone], "the reviewer says so");
    assert_eq!(became(&journal, &noted("at seven."), &[]), (vec![NotDone], vec![NotDone]));
}

#[test]
fn an_excerpt_that_is_not_in_the_draft_has_no_place() {
    let journal = asked(FIRST, &[("the mayor wept", Status::Rewrite, "Say it plainly.")], "");
    let second = FIRST.replace("seven", "eight");
    assert_eq!(became(&journal, FIRST, &[]).1, [NotDone]);
    assert_eq!(became(&journal, &second, &[]).1, [Unknown]);
    assert_eq!(became(&journal, &second, &["The mayor wept."]).1, [NotDone]);
    let quotes_nothing = asked(FIRST, &[("", Status::Rewrite, "Say it plainly.")], "");
    assert_eq!(became(&quotes_nothing, &second, &[""]).1, [Unknown], "two empty excerpts say nothing of each other");
}

#[test]
fn what_the_proof_would_put_there_settles_it() {
    let at = FIRST.find("1.3").unwrap();
    let found = |replacement: Option<&str>| {
        let mut journal = Journal::new(opening());
        written(&mut journal, Step::Draft, FIRST);
        let finding = Finding {
            concern_type: ConcernType::UnsupportedFact,
            rule: "number.contradicted".into(),
            field: "articleBody".into(),
            start: at,
            end: at + 3,
            text: "1.3".into(),
            note: "The minutes say 1.4.".into(),
            passage: None,
            blocks: false,
            replacement: replacement.map(str::to_owned),
        };
        review(&mut journal, 1, &["1.3"], vec![finding]);
        let verdict = verdict(1, Status::Rewrite, Some("Use the figure of the minutes."));
        add(&mut journal, Step::Judge { round: 1, concern: 1 }, Outcome::Verdict(verdict));
        sent_back(&mut journal, 1);
        journal
    };
    let became = |journal: &Journal, to: &str| became(journal, &FIRST.replace("1.3", to), &[]);
    assert_eq!(became(&found(Some("1.4")), "1.4"), (vec![Done], vec![Done]));
    assert_eq!(became(&found(Some("1.4")), "1.5"), (vec![Unknown], vec![Done]));
    assert_eq!(became(&found(None), "1.4"), (vec![Unknown], vec![Done]));
}

#[test]
fn the_editors_quoted_words_are_looked_for() {
    let of = |own: &str| asked(FIRST, &[("x", Status::Keep, "")], own);
    rule(&of("Delete “on Tuesday”."), (" on Tuesday", ""), Done);
    rule(&of("Delete “on Tuesday”."), ("seven", "eight"), NotDone);
    rule(&of("Delete “the”."), ("The paths", "Paths"), Partly);
    rule(&of("Say “at seven o'clock”."), ("at seven", "at seven o’clock"), Done);
    rule(&of("Say “at seven o'clock”."), ("1.3", "1.4"), NotDone);
    rule(&of("Replace “April” with “May”."), ("April", "May"), Done);
    rule(&of("Say “the budget”."), ("1.3", "1.4"), Unknown);
    rule(&of("Delete “the mayor wept”."), ("1.3", "1.4"), Unknown);
}

#[test]
fn the_editors_free_words_are_left_to_the_editor() {
    let journal = asked(FIRST, &[("x", Status::Keep, "")], "Name Mayor Jane Holloway.\nMake it livelier.");
    let named = FIRST.replace("The council", "The council of Mayor Jane Holloway");
    assert_eq!(became(&journal, FIRST, &[]), (vec![NotDone; 2], vec![NotDone; 2]));
    assert_eq!(became(&journal, &named, &[]), (vec![Unknown; 2], vec![Unknown; 2]));
    assert_eq!(became(&journal, &named, &["a fifth"]).1, [Unknown; 2]);
    assert_eq!(became(&journal, &named, &["of Mayor Jane Holloway"]).1, [Partly, Unknown]);
}

#[test]
fn to_dos_come_in_the_order_of_the_feedback_and_verdicts_without_a_fix_are_none() {
    let concerns = [
        ("in April", Status::Remove, "Remove the month."),
        ("four to two", Status::Rewrite, ""),
        ("a fifth", Status::Keep, ""),
    ];
    let mut journal = asked(FIRST, &concerns, "Name the mayor.");
    written(&mut journal, Step::Revise { round: 1 }, FIRST);
    let followed: Vec<String> = follow_up(&journal, 2).iter().map(FollowUp::line).collect();
    assert_eq!(followed, ["Not done: Remove the month.", "Not done: Name the mayor."]);
    assert_eq!((follow_up(&journal, 1), follow_up(&journal, 3)), (vec![], vec![]));
}

#[test]
fn an_own_text_is_held_against_the_to_dos_before_it() {
    let mut journal = asked(FIRST, &[("in April", Status::Remove, "Remove the month.")], "Name the mayor.");
    written(&mut journal, Step::Revise { round: 1 }, FIRST);
    review(&mut journal, 2, &[], vec![]);
    add(&mut journal, Step::Gate { round: 2 }, Outcome::Gate(GateOutcome::Edited));
    written(&mut journal, Step::Revise { round: 2 }, &FIRST.replace(" in April", ""));
    let progress: Vec<Progress> = follow_up(&journal, 3).iter().map(|one| one.progress).collect();
    assert_eq!(progress, [Done, Unknown]);
}

#[test]
fn what_is_left_begins_with_what_is_not_done() {
    let own = "Make it livelier.\nDelete “the”.\nSay “at noon”.\nDelete “on Tuesday”.";
    let mut journal = asked(FIRST, &[("in April", Status::Remove, "Remove the month.")], own);
    let second = FIRST.replace(" in April", "").replace("The paths", "Paths");
    let undone = vec!["“Remove the month.” – I cannot".to_owned(), "“Say “at noon”.” – I cannot".to_owned()];
    let draft = Draft { article: article(&second), stripped: vec![], undone };
    add(&mut journal, Step::Revise { round: 1 }, Outcome::Draft(draft));
    let lines: Vec<String> = left(&journal, 2).iter().map(FollowUp::line).collect();
    assert_eq!(
        lines,
        [
            "Not done: “Say “at noon”.” – I cannot",
            "Not done: Delete “on Tuesday”.",
            "Partly done: Delete “the”.",
            "Look yourself: Make it livelier."
        ]
    );
}

#[test]
fn what_the_editors_text_has_done_is_not_left() {
    let mut journal = asked(FIRST, &[], "Delete “on Tuesday”.\nMake it livelier.");
    written(&mut journal, Step::Revise { round: 1 }, FIRST);
    let lines = |journal: &Journal| -> Vec<String> { left(journal, 2).iter().map(FollowUp::line).collect() };
    assert_eq!(lines(&journal), ["Not done: Delete “on Tuesday”.", "Not done: Make it livelier."]);
    decide(&mut journal, 2, Choice::Edit { article: article(&FIRST.replace(" on Tuesday", "")) });
    assert_eq!(lines(&journal), ["Not done: Make it livelier."]);
}
