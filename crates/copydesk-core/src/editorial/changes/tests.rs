//! Drafts as writers write them, with what they did silently.

use super::*;
use crate::editorial::testing::{add, add_round, article, opening, verdict};
use copydesk_newsroom::*;
use copydesk_text::{alignment::RowKind, diff::DiffPiece};

fn concern(id: u32, excerpt: &str, to_do: &str) -> AskedFor {
    AskedFor {
        label: format!("concern {id}, REWRITE"),
        mark: id.to_string(),
        concern: Some(id),
        excerpt: Some(excerpt.into()),
        to_do: to_do.into(),
        removes: false,
    }
}

fn removal(id: u32, excerpt: &str, to_do: &str) -> AskedFor {
    AskedFor { label: format!("concern {id}, REMOVE"), removes: true, ..concern(id, excerpt, to_do) }
}

fn feedback(to_do: &str) -> AskedFor {
    AskedFor {
        label: "editor's feedback".into(),
        mark: "e1".into(),
        concern: None,
        excerpt: None,
        to_do: to_do.into(),
        removes: false,
    }
}

/// A change in one line: why, then its words as wdiff marks them.
fn line(change: &Change) -> String {
    let words: String = change
        .pieces
        .iter()
        .map(|piece| match piece {
            DiffPiece::Same(text) => text.clone(),
            DiffPiece::Removed(text) => format!("[-{text}-]"),
            DiffPiece::Added(text) => format!("{{+{text}+}}"),
        })
        .collect();
    let why = match change.why {
        ChangeReason::Asked(index) => format!("asked {index}"),
        ChangeReason::ByHand => "by hand".to_owned(),
        ChangeReason::Citation => "citation".to_owned(),
        ChangeReason::Nobody => "nobody".to_owned(),
    };
    let moved = if change.kind == ChangeKind::Moved { " moved" } else { "" };
    format!("{why}{moved}: {words}")
}

fn lines(old: &str, new: &str, asked: &[AskedFor]) -> Vec<String> {
    compare(&article(old), &article(new), asked).changes.iter().map(line).collect()
}

const DRAFT: &str = "The Ellery Falls council voted 7-2 on Monday to renovate Miller Park. The work costs $1.8 million and \
    begins in May.\n\n“We have waited ten years for this,” said Denise Pruitt, who chairs the Friends of Miller Park. Two \
    members opposed the plan.\n\nThe park opened in 1956. It will reduce flooding on Canal Road by one third.";

#[test]
fn a_quotation_that_changes_while_a_figure_is_corrected_is_marked() {
    let new = DRAFT.replace("1.8", "1.4").replace("waited ten years", "fought ten years");
    let asked = [concern(1, "The work costs $1.8 million", "Replace “$1.8 million” with “$1.4 million”.")];
    assert_eq!(lines(DRAFT, &new, &asked), ["asked 0: [-1.8-]{+1.4+}", "nobody: [-waited-]{+fought+}"]);
    let compared = compare(&article(DRAFT), &article(&new), &asked);
    assert_eq!(compared.unasked(), 1);
    let change = &compared.changes[0];
    assert_eq!((&DRAFT[change.old.clone()], &new[change.new.clone()]), ("1.8", "1.4"));
    assert_eq!(compared.asked_for(change), Some(&asked[0]));
}

#[test]
fn an_exact_to_do_covers_what_it_quotes_and_nothing_else_in_its_sentence() {
    let asked =
        [concern(1, "The work costs $1.8 million and begins in May", "Replace “$1.8 million” with “$1.4 million”.")];
    let new = DRAFT.replace("1.8 million", "1.4 billion").replace("begins in May", "begins in June");
    assert_eq!(lines(DRAFT, &new, &asked), ["nobody: [-1.8 million-]{+1.4 billion+}", "nobody: [-May-]{+June+}"]);
    assert_eq!(
        lines(DRAFT, &DRAFT.replace("1.8", "1.4").replace("in May", "in June"), &asked),
        ["asked 0: [-1.8-]{+1.4+}", "nobody: [-May-]{+June+}"]
    );
    // The same correction elsewhere is the same correction; a deletion elsewhere is none.
    let twice = format!("{DRAFT}\n\nCritics call $1.8 million too much.");
    assert_eq!(lines(&twice, &twice.replace("1.8", "1.4"), &asked), ["asked 0: [-1.8-]{+1.4+}"; 2]);
    let hedges = "It reportedly rained.\n\nThe mayor reportedly left.";
    let asked = [removal(1, "It reportedly rained", "Delete “reportedly”.")];
    assert_eq!(
        lines(hedges, &hedges.replace("reportedly ", ""), &asked),
        ["asked 0: [-reportedly -]", "nobody: [-reportedly -]"]
    );
    // Nothing comes in the place of what is to go.
    assert_eq!(
        lines(hedges, &hedges.replacen("reportedly", "certainly", 1), &asked),
        ["nobody: [-reportedly-]{+certainly+}"]
    );
}

#[test]
fn a_to_do_in_prose_covers_its_sentence_but_no_figure_or_quotation_that_it_does_not_speak_of() {
    let old =
        "The plant closes in 2027, according to the mayor, after talks. “We tried hard,” the mayor said on Monday.";
    let asked = [
        concern(1, "The plant closes in 2027, according to the mayor, after talks.", "Say that it may close."),
        concern(2, "the mayor said on Monday", "Name the mayor."),
    ];
    let new = "The plant may close in 2028, according to the mayor, after talks. “We tried everything,” Mayor Ada Roth said on \
        Monday.";
    assert_eq!(
        lines(old, new, &asked),
        [
            "asked 0: [-closes-]{+may close+}",
            "nobody: [-2027-]{+2028+}",
            "nobody: [-hard-]{+everything+}",
            "asked 1: [-the mayor-]{+Mayor Ada Roth+}"
        ]
    );
    let figures = [concern(1, "closes in 2027", "Give the year that the minutes give.")];
    assert_eq!(lines(old, &old.replace("2027", "2028"), &figures), ["asked 0: [-2027-]{+2028+}"]);
    let named = [concern(1, "closes in 2027", "The minutes say 2029.")];
    assert_eq!(lines(old, &old.replace("2027", "2028"), &named), ["nobody: [-2027-]{+2028+}"]);
    let quoted = [concern(2, "“We tried hard,” the mayor said", "Use the exact words of the transcript.")];
    assert_eq!(lines(old, &old.replace("tried hard", "did try"), &quoted), ["asked 0: [-tried hard-]{+did try+}"]);
    // Marks that make a quotation of a paraphrase.
    let paraphrase = "The mayor said it was a mess and left early.";
    assert_eq!(
        lines(paraphrase, &paraphrase.replace("a mess", "“a mess”"), &[concern(1, "left early", "Say when.")]),
        ["nobody: {+“+}", "nobody: {+” +}"]
    );
}

#[test]
fn a_to_do_that_gives_the_words_asks_for_what_its_excerpt_loses() {
    let old =
        "The council voted on Monday to renovate the park, which nobody had expected, in a late session. It rained.";
    let excerpt = "to renovate the park, which nobody had expected";
    let cut = old.replace(", which nobody had expected", "");
    let phrase = [concern(1, excerpt, "Say: “to renovate the park”")];
    assert_eq!(lines(old, &cut, &phrase), ["asked 0: [-which nobody had expected, -]"]);
    let figures = "The work costs $1.8 million, up from $1.2 million in May, and begins soon.";
    assert_eq!(
        lines(
            figures,
            "The work costs $1.8 million, and begins soon.",
            &[concern(1, "costs $1.8 million, up from $1.2 million in May", "Write “costs $1.8 million”.")]
        ),
        ["asked 0: [-up from $1.2 million in May, -]"]
    );
    // Drift beside the excerpt, drift within it, and the loss of what was to be said stay marked.
    assert_eq!(
        lines(old, &cut.replace(", in a late session", ""), &phrase),
        ["nobody: [-, which nobody had expected, in a late session-]"]
    );
    assert_eq!(
        lines(old, &cut.replace(" on Monday", ""), &phrase),
        ["nobody: [-on Monday -]", "asked 0: [-, which nobody had expected-]"]
    );
    assert_eq!(
        lines(old, &cut.replace("park", "square"), &phrase)[0],
        "nobody: [-park, which nobody had expected-]{+square+}"
    );
    assert_eq!(lines(old, &old.replace(" to renovate the park", ""), &phrase), ["nobody: [-to renovate the park-]"]);

    // A whole sentence takes the place of the excerpt's.
    let whole = [concern(1, "which nobody had expected", "Say: “The council voted to renovate the park.”")];
    let new = "The council voted to renovate the park. It rained.";
    assert!(lines(old, new, &whole).iter().all(|line| line.starts_with("asked 0: ")), "{:?}", lines(old, new, &whole));
    assert_eq!(lines(old, &new.replace(" It rained.", ""), &whole).last().unwrap(), "nobody: [-It rained-]");
    let name = [concern(1, "which nobody had expected", "Say “Monday.”")];
    assert!(lines(old, new, &name).iter().all(|line| line.starts_with("nobody: ")), "{:?}", lines(old, new, &name));
}

#[test]
fn a_to_do_that_names_the_headline_asks_for_its_change_wherever_the_excerpt_stands() {
    let old = ArticleResponse { headline: "A park plan passes".into(), ..article(DRAFT) };
    let becomes = |headline: &str| ArticleResponse { headline: headline.into(), ..old.clone() };
    let seen = |new: &ArticleResponse, asked: &[AskedFor]| -> Vec<String> {
        compare(&old, new, asked).changes.iter().map(|change| format!("{} {}", change.field, line(change))).collect()
    };
    let asked = [concern(1, "voted 7-2 on Monday", "Name the council in the headline.")];
    let named = becomes("Council passes park plan");
    assert!(seen(&named, &asked).iter().all(|line| line.starts_with("headline asked 0")), "{:?}", seen(&named, &asked));
    // No figure that it does not speak of, no other field, and no headline that it does not name.
    assert_eq!(seen(&becomes("A park plan passes 8-1"), &asked), ["headline nobody: {+8-1+}"]);
    let other = ArticleResponse { description: "Another.".into(), ..old.clone() };
    assert_eq!(seen(&other, &asked), ["description nobody: [-Description-]{+Another+}"]);
    let silent = [concern(1, "voted 7-2 on Monday", "Name the council.")];
    assert!(seen(&named, &silent).iter().all(|line| line.starts_with("headline nobody")));
    let second = [concern(1, "voted 7-2 on Monday", "Name the council in the alternative headline.")];
    assert!(seen(&named, &second).iter().all(|line| line.starts_with("headline nobody")));
    // The to-do asks for nothing but its quotation.
    let quoted = [concern(1, "voted 7-2 on Monday", "The headline should say “plan wins”.")];
    assert_eq!(seen(&becomes("A park plan wins"), &quoted), ["headline asked 0: [-passes-]{+wins+}"]);
    assert_eq!(seen(&becomes("A park plan fails"), &quoted), ["headline nobody: [-passes-]{+fails+}"]);
    let described = [concern(1, "voted 7-2 on Monday", "Add a description of the park.")];
    assert_eq!(seen(&other, &described), ["description nobody: [-Description-]{+Another+}"]);
}

#[test]
fn a_sentence_that_goes_does_not_take_its_neighbour_along() {
    let asked = [removal(1, "It will reduce flooding on Canal Road by one third.", "Cut the claim on flooding.")];
    let last = DRAFT.rfind("\n\n").unwrap();
    assert_eq!(
        lines(DRAFT, &DRAFT.replace(" It will reduce flooding on Canal Road by one third.", ""), &asked),
        ["asked 0: [-It will reduce flooding on Canal Road by one third.-]"]
    );
    assert_eq!(
        lines(DRAFT, &DRAFT[..last], &asked),
        ["nobody: [-The park opened in 1956. -]", "asked 0: [-It will reduce flooding on Canal Road by one third.-]"]
    );
}

#[test]
fn a_sentence_that_comes_is_asked_for_by_its_words() {
    let new = DRAFT.replace("opposed the plan.", "opposed the plan. Peter Hale and Mary Voss voted against it.");
    let own = [feedback("Say who voted against it: Peter Hale and Mary Voss.")];
    let added = "{+Peter Hale and Mary Voss voted against it.+}";
    assert_eq!(lines(DRAFT, &new, &own), [format!("asked 0: {added}")]);
    let beside = [concern(1, "Two members opposed the plan.", "Name them: Hale and Voss voted no.")];
    assert_eq!(lines(DRAFT, &new, &beside), [format!("asked 0: {added}")]);
    let other = [concern(1, "Two members opposed the plan.", "Attribute this to the minutes.")];
    assert_eq!(lines(DRAFT, &new, &other), [format!("nobody: {added}")]);
    // One word in common is no reason.
    assert_eq!(
        lines("The chair left.", "The mayor left.", &[feedback("Say that the mayor was absent.")]),
        ["nobody: [-chair-]{+mayor+}"]
    );
    assert_eq!(
        lines("Dennis Pruitt left.", "Denise Pruitt left.", &[feedback("Her name is Denise Pruitt.")]),
        ["asked 0: [-Dennis-]{+Denise+}"]
    );
}

#[test]
fn a_paragraph_that_moved_is_one_change_and_its_words_are_compared() {
    let paragraphs: Vec<&str> = DRAFT.split("\n\n").collect();
    let moved = [paragraphs[2], paragraphs[0], paragraphs[1]].join("\n\n");
    let silent = lines(DRAFT, &moved, &[]);
    assert_eq!(silent, [format!("nobody moved: {}", paragraphs[2])]);
    let asked = [concern(1, "The park opened in 1956", "Move this to the top and keep it as it is.")];
    assert_eq!(
        lines(DRAFT, &moved.replace("1956", "1965"), &asked),
        [format!("asked 0 moved: {}", paragraphs[2].replace("1956", "1965")), "nobody: [-1956-]{+1965+}".to_owned(),]
    );
    let compared = compare(&article(DRAFT), &article(&moved), &[]);
    let kinds: Vec<_> = compared.paragraphs.iter().skip(3).map(|paragraph| (paragraph.kind, paragraph.moved)).collect();
    assert_eq!(
        kinds,
        [(RowKind::MovedHere, Some(0)), (RowKind::Same, None), (RowKind::Same, None), (RowKind::MovedAway, Some(0))]
    );
}

#[test]
fn marks_white_space_and_nothing() {
    assert_eq!(lines("One, two.", "One two.", &[feedback("Shorten it.")]), ["nobody: [-, -]"]);
    assert_eq!(lines("One  two.\nThree.\n\n\n\nFour.", "One two. Three.\n\nFour.\n", &[]), Vec::<String>::new());
    assert_eq!(lines("", "Words.", &[]), ["nobody: {+Words.+}"]);
    assert_eq!(lines("Words.", "", &[]), ["nobody: [-Words.-]"]);
    assert_eq!(compare(&article(""), &article(""), &[]).changes, []);
    assert_eq!(lines("市議会は計画を承認した。", "市議会は計画を否決した。", &[]), ["nobody: [-承認-]{+否決+}"]);
}

#[test]
fn every_field_is_compared_in_the_order_of_the_contract() {
    let old = article("Same.");
    let new = ArticleResponse { headline: "Another headline".into(), description: String::new(), ..old.clone() };
    let compared = compare(&old, &new, &[feedback("Replace \"Headline\" with \"Another headline\"")]);
    let seen: Vec<_> = compared.changes.iter().map(|change| (change.field, line(change))).collect();
    assert_eq!(
        seen,
        [
            ("headline", "asked 0: [-Headline-]{+Another headline+}".to_owned()),
            ("description", "nobody: [-Description.-]".to_owned())
        ]
    );
}

#[test]
fn neighbours_with_one_reason_are_one_change() {
    assert_eq!(
        lines("Dennis Prewitt of the board spoke.", "Denise Pruitt of a club spoke.", &[]),
        ["nobody: [-Dennis Prewitt-]{+Denise Pruitt+} of [-the board-]{+a club+}"]
    );
    assert_eq!(
        lines("He left. She stayed at home.", "Roth left. Hale stayed at home.", &[]),
        ["nobody: [-He-]{+Roth+}", "nobody: [-She-]{+Hale+}"]
    );
}

/// A run of three drafts: the writer's, its revision, and what the editor made of that by hand.
fn run() -> Journal {
    let mut journal = Journal::new(opening());
    add_round(&mut journal, 1, &[Specialist::FactCheck, Specialist::Opinion]);
    add(
        &mut journal,
        Step::Judge { round: 1, concern: 1 },
        Outcome::Verdict(verdict(1, Status::Rewrite, Some("Say y."))),
    );
    add(&mut journal, Step::Judge { round: 1, concern: 2 }, Outcome::Verdict(verdict(2, Status::Remove, None)));
    let decided = |number, choice| (Step::Decide { round: 1, number }, Decision { by: "Ada".into(), choice });
    let overruling = Choice::Override {
        concern: 1,
        status: Status::Remove,
        fix: Some("Delete “an x”.".into()),
        reason: "It is no x.".into(),
    };
    for (step, decision) in
        [decided(1, overruling), decided(2, Choice::Feedback { text: "- Say who voted\n- Name the street".into() })]
    {
        add(&mut journal, step, Outcome::Decision(decision));
    }
    journal
}

#[test]
fn what_was_asked_are_the_verdicts_that_count_and_the_editors_own_to_dos() {
    let mut journal = run();
    let both = [
        AskedFor {
            label: "concern 1, REMOVE by the editor".into(),
            mark: "1".into(),
            concern: Some(1),
            excerpt: Some("x".into()),
            to_do: "Delete “an x”.".into(),
            removes: true,
        },
        AskedFor {
            label: "concern 2, REMOVE".into(),
            mark: "2".into(),
            concern: Some(2),
            excerpt: Some("x".into()),
            to_do: "rationale 2".into(),
            removes: true,
        },
        AskedFor { label: "editor's feedback 1".into(), ..feedback("Say who voted") },
        AskedFor { label: "editor's feedback 2".into(), mark: "e2".into(), ..feedback("Name the street") },
    ];
    assert_eq!(asked(&journal, 1), both);
    assert_eq!(asked_between(&journal, 1, 2), both);
    let several = asked_between(&journal, 1, 3);
    assert_eq!(
        (several[0].label.as_str(), several[0].mark.as_str()),
        ("round 1, concern 1, REMOVE by the editor", "1.1")
    );
    let mut styled = crate::editorial::testing::at_gate();
    let sent = crate::editorial::decisions::feedback(&styled, 1, vec!["Delete “very”.".into()]);
    add(&mut styled, Step::Feedback { round: 1 }, Outcome::Feedback(sent));
    let style = asked(&styled, 1).pop().unwrap();
    assert_eq!(
        (style.label.as_str(), style.mark.as_str(), style.to_do.as_str()),
        ("house style", "s1", "Delete “very”.")
    );
    add(&mut journal, Step::Gate { round: 1 }, Outcome::Gate(GateOutcome::Edited));
    assert_eq!(asked(&journal, 1), []);
}

#[test]
fn over_several_rounds_each_change_is_explained_by_the_round_that_made_it() {
    let written = |body: &str| Outcome::Draft(Draft { article: article(body), stripped: vec![], undone: vec![] });
    let mut journal = Journal::new(opening());
    add(&mut journal, Step::Draft, written(DRAFT));
    let concerns = vec![Concern { concern_id: 1, excerpt: "costs $1.8 million".into(), review_note: String::new() }];
    add(&mut journal, Step::Parse { round: 1 }, Outcome::Concerns(ArticleReviewResult { concerns }));
    let fix = verdict(1, Status::Rewrite, Some("Replace “$1.8 million” with “$1.4 million”."));
    add(&mut journal, Step::Judge { round: 1, concern: 1 }, Outcome::Verdict(fix));
    add(&mut journal, Step::Gate { round: 1 }, Outcome::Gate(GateOutcome::Revise));
    // The writer does it, and changes a quotation nobody asked about.
    let second = DRAFT.replace("1.8", "1.4").replace("waited ten", "fought ten");
    add(&mut journal, Step::Revise { round: 1 }, written(&second));
    add(&mut journal, Step::Gate { round: 2 }, Outcome::Gate(GateOutcome::Edited));
    // The editor names a year, and does not see the quotation.
    add(
        &mut journal,
        Step::Revise { round: 2 },
        written(&second.replace("1956", "1957").replace("begins in", "starts in")),
    );

    let seen =
        |from, to| between(&journal, from, to).map(|compared| compared.changes.iter().map(line).collect::<Vec<_>>());
    let (fix, drift) = ("asked 0: [-1.8-]{+1.4+}", "nobody: [-waited-]{+fought+}");
    let own = ["by hand: [-begins-]{+starts+}", "by hand: [-1956-]{+1957+}"];
    assert_eq!(seen(1, 2), Some(vec![fix.to_owned(), drift.to_owned()]));
    assert_eq!(seen(2, 3), Some(own.map(str::to_owned).to_vec()));
    assert_eq!(seen(1, 3), Some([fix, own[0], drift, own[1]].map(str::to_owned).to_vec()));
    assert_eq!(seen(2, 2), Some(vec![]));
    assert_eq!((seen(1, 4), seen(3, 1)), (None, None));
    assert_eq!(between(&journal, 1, 3).unwrap().asked[0].label, "round 1, concern 1, REWRITE");
}

#[test]
fn a_long_draft_is_compared_whole() {
    let paragraph = |number: usize| {
        format!("Paragraph {number} says that resident {} paid ${number} on Canal Road. ", number * 7)
            + &"It is so. ".repeat(20)
    };
    let old: Vec<String> = (0..150).map(paragraph).collect();
    let mut new = old.clone();
    for text in &mut new {
        *text = text.replace("paid", "owed");
    }
    let compared = compare(&article(&old.join("\n\n")), &article(&new.join("\n\n")), &[]);
    assert_eq!(compared.changes.len(), 150);
    assert!(compared.changes.iter().all(|change| line(change) == "nobody: [-paid-]{+owed+}"));
}

#[test]
fn a_footnote_and_its_mark_are_citations_and_a_word_beside_them_is_not() {
    let old = article("The park opens in December. It costs $2 million.");
    let asked = [AskedFor {
        label: "concern 1, KEEP".into(),
        mark: "1".into(),
        concern: Some(1),
        excerpt: None,
        to_do: "Cite the minutes.".into(),
        removes: false,
    }];
    let reasons = |body: &str| -> Vec<ChangeReason> {
        compare(&old, &article(body), &asked).changes.into_iter().map(|change| change.why).collect()
    };
    let cited = "The park opens in December.[^1] It costs $2 million.\n\n## Footnotes\n\n[^1]: Minutes, line 12: \"in December\".\n";
    let found = reasons(cited);
    assert!(!found.is_empty() && found.iter().all(|why| *why == ChangeReason::Citation), "{found:?}");
    let found = reasons(&cited.replace("costs $2 million", "costs $3 million"));
    assert!(found.contains(&ChangeReason::Nobody), "{found:?}");
}

#[test]
fn a_mark_beside_a_change_does_not_make_it_unasked() {
    let before = "The council voted seven to two on Tuesday to renovate Miller Park. The work ends in December.";
    let old = format!("{before} Lighting is a fifth of the budget.");
    let asked = [removal(1, "a fifth of the budget", "Delete the share of the budget.")];
    for new in [format!("{before}[^1]"), before.replace("Park.", "Park.[^1]"), before.replace("Park.", "Park[^1].")] {
        let found = lines(&old, &format!("{new}\n\n## Footnotes\n\n[^1]: Minutes, line 3."), &asked);
        assert!(found.iter().any(|line| line.starts_with("asked 0: [-") && line.contains("Lighting")), "{found:?}");
        assert!(!found.iter().any(|line| line.starts_with("nobody")), "{found:?}");
    }
}
