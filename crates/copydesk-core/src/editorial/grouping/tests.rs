use proptest::prelude::*;

use super::*;
use crate::editorial::{bullets::parse, testing::article};
use copydesk_newsroom::{Concern, LastBullet::*};

const BODY: &str = "Lee met Kim and Lee. Kim paid 1.8 and 1.8. The vote is in April. Lee left.";

/// The occurrence of `text` in the body, counted from 0, as a finding of that rule.
fn found(rule: &str, text: &str, occurrence: usize) -> Finding {
    let (start, _) = BODY.match_indices(text).nth(occurrence).unwrap();
    Finding {
        concern_type: ConcernType::UnsupportedFact,
        rule: rule.into(),
        field: "articleBody".into(),
        start,
        end: start + text.len(),
        text: text.into(),
        note: format!("{rule} says so."),
        blocks: false,
        passage: None,
        replacement: None,
    }
}

fn inferred(finding: Finding) -> Finding {
    Finding { concern_type: ConcernType::InferredFact, ..finding }
}

/// Rules are trusted by their names' length.
fn review(own: &str, findings: Vec<Finding>, limit: Option<u32>) -> Review {
    let limit = limit.map(|concerns| ConcernsLimit { concerns, trust: |rule| rule.len() as u64 });
    joined(own.to_owned(), findings, &article(BODY), limit)
}

fn concerns(review: &Review) -> Vec<Concern> {
    parse(&review.raw).unwrap().concerns
}

#[test]
fn below_the_limit_each_finding_has_its_bullet_and_the_review_is_kept_as_before() {
    let findings = vec![found("name", "Lee", 0), found("number", "1.8", 0), found("date", "April", 0)];
    let own = "- “Kim” who?\n- why?";
    let free = review(own, findings.clone(), None);
    assert_eq!(
        free.raw.markdown_bullets,
        "- “Kim” who?\n- why?\n- “Lee” unsupported_fact: name says so.\n- “1.8” unsupported_fact: number says so.\n- “April” \
         unsupported_fact: date says so."
    );
    assert_eq!(review(own, findings.clone(), Some(5)), free);
    assert_ne!(review(own, findings, Some(4)), free);
}

#[test]
fn blocking_findings_stay_alone_before_trusted_ones_and_those_before_earlier_ones() {
    let findings = vec![
        found("rule", "Lee", 0),
        inferred(found("rule", "Kim", 0)),
        found("trusted", "1.8", 0),
        Finding { blocks: true, ..found("x", "April", 0) },
        found("rule", "Lee left", 0),
    ];
    let alone = |most| {
        let review = review("", findings.clone(), Some(most));
        assert_eq!(review.findings, findings, "all are kept, under their numbers");
        review.last_bullets
    };
    assert_eq!(alone(1), [Findings(vec![4]), Group(vec![1, 3, 5]), Group(vec![2])]);
    assert_eq!(alone(2), [Findings(vec![3]), Findings(vec![4]), Group(vec![1, 5]), Group(vec![2])]);
    assert_eq!(alone(3), [Findings(vec![1]), Findings(vec![3]), Findings(vec![4]), Group(vec![5]), Group(vec![2])]);
    assert_eq!(alone(5), []);
}

#[test]
fn a_group_lists_what_it_holds_and_no_text_of_it_can_start_a_bullet() {
    let hostile = Finding { text: "4\n- “and”\u{2028}* five".into(), ..found("b", "1.8", 0) };
    let review = review("- own", vec![found("a", "Lee", 0), hostile, inferred(found("c", "April", 0))], Some(1));
    assert_eq!(
        review.raw.markdown_bullets,
        "- own\n- unsupported_fact: 2 more findings of this kind: “Lee”, “* five”\n- inferred_fact: 1 more finding of this \
         kind: “April”"
    );
    assert_eq!(concerns(&review).len(), 3);
    assert_eq!(review.last_bullets, [Group(vec![1, 2]), Group(vec![3])]);
}

#[test]
fn doubles_are_one_concern_of_the_strongest_that_says_what_the_others_say() {
    let same_span = inferred(found("stronger", "1.8", 0));
    let repeats = Finding { note: "a says so.".into(), ..found("b", "1.8", 1) };
    let review = review("", vec![found("a", "1.8", 0), same_span, repeats, found("c", "Lee", 2)], Some(9));
    assert_eq!(
        review.raw.markdown_bullets,
        "- “1.8” inferred_fact: stronger says so. Also unsupported_fact: a says so.\n- “Lee” unsupported_fact: c says so."
    );
    assert_eq!(review.last_bullets, [Findings(vec![2, 1, 3]), Findings(vec![4])]);
}

#[test]
fn the_same_words_in_another_sentence_field_or_kind_are_no_double() {
    let elsewhere = |finding: Finding| Finding { field: "headline".into(), ..finding };
    let findings = vec![
        found("a", "Lee", 0),
        found("a", "Lee", 2),
        inferred(found("a", "Lee", 1)),
        elsewhere(found("a", "Lee", 0)),
    ];
    assert_eq!(review("", findings, Some(9)).last_bullets, []);
}

#[test]
fn the_reviewers_bullets_beyond_the_limit_stay_word_for_word_under_one() {
    let own = "Read closely:\n- first\n* “second”\ngoes on\n  - nested\n- third\r\n* fourth";
    let over = review(own, vec![], Some(2));
    assert_eq!(
        over.raw.markdown_bullets,
        "Read closely:\n- first\n* “second”\ngoes on\n  - nested\n- 2 more concerns of the reviewer:\n  - third\r\n  * fourth"
    );
    assert_eq!(over.last_bullets, [Group(vec![])]);
    let last = concerns(&over).pop().unwrap();
    assert_eq!(
        (last.concern_id, last.review_note.as_str()),
        (3, "2 more concerns of the reviewer:\n  - third\n  * fourth")
    );
    assert_eq!(review(own, vec![], Some(4)).raw.markdown_bullets, own);
    let beside = review(own, vec![found("a", "Lee", 0)], Some(2));
    assert_eq!(beside.last_bullets, [Group(vec![]), Group(vec![1])]);
    assert_eq!(concerns(&beside).len(), 4);
}

prop_compose! {
    fn any_finding()(
        text in prop::sample::select(vec![("Lee", 0), ("Lee", 1), ("Lee", 2), ("Kim", 0), ("Kim", 1), ("1.8", 0), ("1.8", 1), ("April", 0)]),
        rule in prop::sample::select(vec!["a", "bb", "ccc"]),
        kind in prop::sample::select(ConcernType::ALL.to_vec()),
        blocks in any::<bool>(),
    ) -> Finding {
        Finding { concern_type: kind, blocks, ..found(rule, text.0, text.1) }
    }
}

proptest! {
    #[test]
    fn every_finding_and_every_bullet_of_the_reviewer_is_in_exactly_one_concern(
        own in "(?s)(\\PC|\n[-*] |\n|“|”|“Kim”|“1\\.8”){0,120}",
        findings in prop::collection::vec(any_finding(), 0..20),
        most in 1_u32..12,
    ) {
        let Ok(alone) = parse(&ArticleReviewRaw { markdown_bullets: own.clone() }) else { return Ok(()) };
        let review = review(&own, findings.clone(), Some(most));
        prop_assert_eq!(&review.findings, &findings);
        let all = concerns(&review);
        let (own, most) = (alone.concerns, most as usize);

        let bullets = if review.has_a_bullet_each() {
            (1..).take(findings.len()).map(|number| Findings(vec![number])).collect()
        } else {
            review.last_bullets.clone()
        };
        let (mine, last) = all.split_at(all.len() - bullets.len());
        prop_assert_eq!(mine, own.get(..most).unwrap_or(&own), "as they would be without the proof");
        let groups = bullets.iter().filter(|bullet| matches!(bullet, Group(_))).count();
        prop_assert!(all.len() - groups <= most && groups <= 9);

        let mut seen: Vec<u32> = Vec::new();
        for (bullet, concern) in bullets.iter().zip(last) {
            let (Findings(numbers) | Group(numbers)) = bullet;
            for number in numbers {
                let finding = &findings[*number as usize - 1];
                let quoted = format!("“{}”", finding.text);
                prop_assert!(concern.review_note.contains(&quoted));
                prop_assert!(concern.review_note.contains(finding.concern_type.name()));
                prop_assert!(matches!(bullet, Group(_)) || concern.review_note.contains(&finding.note));
            }
            if numbers.is_empty() {
                prop_assert!(own.len() > most);
                for concern_beyond in own.iter().skip(most) {
                    prop_assert!(concern.review_note.contains(&concern_beyond.review_note));
                }
            }
            seen.extend(numbers);
        }
        for shared in &review.shared {
            prop_assert!(mine.iter().any(|concern| concern.concern_id == shared.bullet));
            seen.extend(&shared.findings);
        }
        seen.sort_unstable();
        prop_assert_eq!(seen, (1..).take(findings.len()).collect::<Vec<u32>>());
    }
}

#[test]
fn a_finding_about_the_words_of_the_reviewers_bullet_has_none_of_its_own() {
    let findings = vec![found("number", "1.8", 0), found("number", "1.8", 1), found("date", "April", 0)];
    let own = "- “Kim paid 1.8 and” unsupported_fact: the source has 1.4\n- “The vote is in April. Lee left” too much";
    for limit in [None, Some(9)] {
        let joined = review(own, findings.clone(), limit);
        assert_eq!(joined.shared, [SharedBullet { bullet: 1, findings: vec![1] }], "{limit:?}");
        assert_eq!(joined.last_bullets, [Findings(vec![2]), Findings(vec![3])], "a longer excerpt is another concern");
        assert_eq!(concerns(&joined).len(), 4);
        assert_eq!(joined.before(4), Some(2));
    }
    let named = "- “The vote is in April. Lee left” unsupported_fact: April is May";
    assert_eq!(review(named, findings.clone(), None).shared, [SharedBullet { bullet: 1, findings: vec![3] }]);
    let only = review("- “April” no", vec![found("date", "April", 0)], None);
    assert_eq!((only.before(1), only.last_bullets.len()), (Some(1), 0), "all of its bullets are the reviewer's");
    assert_eq!(review("- “Kim” 1\n- “Kim” 2", vec![found("name", "Kim", 0)], Some(1)).shared.len(), 1);
}
