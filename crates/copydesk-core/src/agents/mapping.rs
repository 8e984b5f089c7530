//! The mapping agent, model-backed: each concern to exactly one specialist (docs/reference/contract.md, 2 and 4).

use super::{
    offline,
    reading::{self, UnusableAnswer},
    template::Draught,
    writer,
};
use crate::{
    editorial::{by_hand, vouching},
    ports::Schema,
};
use copydesk_newsroom::{
    Agent, Answer, Concern, ConcernMapping, ConcernMappingResult, ConcernType, Confidence, Finding, Journal, Specialist,
};
use copydesk_text::sanitise;

/// Most characters of a concern's excerpt and note in the short form.
const SHORT_EXCERPT: usize = 100;
const SHORT_NOTE: usize = 200;

pub(super) fn draught(style: &str, journal: &Journal, round: u32) -> Option<Draught<'static>> {
    let (concerns, _) = apart(journal, round);
    let values = vec![
        ("CONCERNS", serde_json::to_string_pretty(&concerns).ok()?),
        ("ARTICLE", writer::article_json(&journal.draft(round)?.article)),
        ("OPTIONAL_METADATA", writer::metadata(journal)),
        ("STYLE_REQUIREMENTS", style.to_owned()),
    ];
    let schema = form(&concerns);
    let short = |concern: &&Concern| Concern {
        concern_id: concern.concern_id,
        excerpt: sanitise::excerpt(&concern.excerpt, SHORT_EXCERPT),
        review_note: sanitise::excerpt(&concern.review_note, SHORT_NOTE),
    };
    let brief = serde_json::to_string(&concerns.iter().map(short).collect::<Vec<_>>()).ok()?;
    Some(Draught {
        agent: Agent::ConcernMapping,
        template: "concern_mapping",
        values,
        brief: vec![("CONCERNS", brief)],
        schema: Some(schema),
    })
}

/// The form of a mapping of these concerns.
fn form(concerns: &[&Concern]) -> Schema {
    let mut schema = reading::schema::<ConcernMappingResult>("concern_mapping");
    let ids: Vec<u32> = concerns.iter().map(|concern| concern.concern_id).collect();
    reading::one_each(&mut schema, "/properties/mappings", "concern_id", &ids);
    schema
}

/// Maps every concern by rules alone.
pub(super) fn by_rules(journal: &Journal, round: u32) -> ConcernMappingResult {
    let (concerns, groups) = apart(journal, round);
    let behind = |concern: &&Concern| vouching::behind(journal, round, concern.concern_id);
    let findings: Vec<&Finding> = concerns.iter().filter_map(behind).map(|(_, finding)| finding).collect();
    let mut result = offline::mapping::map(&concerns, &findings);
    result.mappings.extend(groups);
    result.mappings.sort_by_key(|mapping| mapping.concern_id);
    result
}

/// Maps the concerns of an editor's own text: those of the text before as they were, the others by rules.
pub(super) fn by_hand(journal: &Journal, round: u32) -> ConcernMappingResult {
    let mut result = by_rules(journal, round);
    for mapping in &mut result.mappings {
        if let Some(before) = by_hand::mapping(journal, round, mapping.concern_id) {
            *mapping = before;
        }
    }
    result
}

/// Returns the concerns that are to be mapped, and the mappings of the groups, which need no model. A group goes to style review,
/// the only specialist for whom nothing can be looked up or searched.
fn apart(journal: &Journal, round: u32) -> (Vec<&Concern>, Vec<ConcernMapping>) {
    let (mut alone, mut groups) = (Vec::new(), Vec::new());
    for concern in journal.concern_list(round) {
        let Some(group) = vouching::group(journal, round, concern.concern_id) else {
            alone.push(concern);
            continue;
        };
        let kind = group.first().map(|(_, finding)| finding.concern_type);
        groups.push(ConcernMapping {
            concern_id: concern.concern_id,
            concern_type: kind.unwrap_or(ConcernType::UnsupportedFact),
            selected_agent: Specialist::StyleReview,
            confidence: if kind.is_some() { Confidence::High } else { Confidence::Low },
            reason: "A group is for a person: no specialist judges it.".to_owned(),
        });
    }
    (alone, groups)
}

/// Reads the mapping: every concern once, none that does not exist. One that the proof raised may be left out; groups are not asked for.
pub(super) fn read(journal: &Journal, round: u32, answer: &Answer) -> Result<ConcernMappingResult, UnusableAnswer> {
    let (concerns, groups) = apart(journal, round);
    let mut mappings = reading::read_as::<ConcernMappingResult>(&answer.text, &form(&concerns))?.value.mappings;
    // A concern of the proof has its kind already: a model need not repeat it.
    for concern in &concerns {
        let id = concern.concern_id;
        if let Some((_, finding)) = vouching::behind(journal, round, id)
            && mappings.iter().all(|mapping| mapping.concern_id != id)
        {
            mappings.push(offline::mapping::of_finding(id, finding));
        }
    }
    let times = |id: u32| mappings.iter().filter(|mapping| mapping.concern_id == id).count();
    let wrong: Vec<String> = concerns
        .iter()
        .map(|concern| (concern.concern_id, times(concern.concern_id)))
        .filter(|(_, times)| *times != 1)
        .map(|(id, times)| format!("concern {id} is mapped {times} times"))
        .collect();
    if !wrong.is_empty() {
        return Err(UnusableAnswer::new(format!("{}; each must be mapped once", wrong.join(", "))));
    }
    if let Some(stray) =
        mappings.iter().find(|mapping| !concerns.iter().any(|concern| concern.concern_id == mapping.concern_id))
    {
        return Err(UnusableAnswer::new(format!("it maps concern {}, which it was not asked about", stray.concern_id)));
    }
    mappings.extend(groups);
    mappings.sort_by_key(|mapping| mapping.concern_id);
    for mapping in &mut mappings {
        mapping.reason = sanitise::one_line(&mapping.reason);
    }
    Ok(ConcernMappingResult { mappings })
}

/// The mapping if no better answer will come. Rules map the concerns that the answer leaves out: all of them if it cannot be read. Nothing
/// of a concern that does not exist is kept, and of several mappings of one the first. Each reason says what a rule did. A
/// specialist still judges every concern, so none is lost if the model says nothing of it.
pub(super) fn completed(journal: &Journal, round: u32, answer: &Answer) -> ConcernMappingResult {
    let read = reading::json::<ConcernMappingResult>(&answer.text).map(|read| read.mappings);
    let note = if read.is_ok() { "The model left it out" } else { "The model’s answer could not be read" };
    let given = read.unwrap_or_default();
    let mut result = by_rules(journal, round);
    let (concerns, _) = apart(journal, round);
    for mapping in &mut result.mappings {
        if !concerns.iter().any(|concern| concern.concern_id == mapping.concern_id) {
            continue;
        }
        match given.iter().find(|given| given.concern_id == mapping.concern_id) {
            Some(given) => *mapping = ConcernMapping { reason: sanitise::one_line(&given.reason), ..given.clone() },
            None => mapping.reason.insert_str(0, &format!("{note}; mapped by rule. ")),
        }
    }
    result
}

/// The specialist that a concern was given to.
pub fn specialist_of(journal: &Journal, round: u32, concern: u32) -> Option<Specialist> {
    journal.mapping_of(round, concern).map(|mapping| mapping.selected_agent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, add_round, opening};
    use copydesk_newsroom::{ArticleReviewRaw, LastBullet, Outcome, Review, Specialist, Step};

    fn mapped(rows: &[u32]) -> Result<Vec<u32>, String> {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::Opinion, Specialist::Opinion]);
        let rows: Vec<String> = rows
            .iter()
            .map(|id| format!(r#"{{"concern_id":{id},"concern_type":"unsupported_fact","selected_agent":"opinion","confidence":"high","reason":"r"}}"#))
            .collect();
        let text = format!("{{\"mappings\":[{}]}}", rows.join(","));
        read(&journal, 1, &Answer { text, ..Answer::default() })
            .map(|result| result.mappings.iter().map(|mapping| mapping.concern_id).collect())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn what_the_proof_raised_is_mapped_by_its_rule_where_the_model_leaves_it_out() {
        let found = copydesk_proof::testing::check_texts(
            "The plan lays 1.8 miles of paths.",
            "The plan lays 1.4 miles of paths.",
        );
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::Opinion, Specialist::Opinion]);
        let raw = ArticleReviewRaw { markdown_bullets: "- x\n- x".into() };
        add(&mut journal, Step::Review { round: 1 }, Outcome::Review(Review::new(raw, found.clone())));
        let answer = |text: &str| Answer { text: text.into(), ..Answer::default() };
        let own = r#"{"concern_id":1,"concern_type":"editorializing","selected_agent":"opinion","confidence":"high","reason":"r"}"#;
        let read = read(&journal, 1, &answer(&format!("[{own}]"))).unwrap();
        assert_eq!(read.mappings.len(), 2);
        assert_eq!(read.mappings[1], offline::mapping::of_finding(2, &found[0]));
        assert_eq!(read.mappings[1].selected_agent, Specialist::FactCheck);
        assert!(
            super::read(&journal, 1, &answer("[]")).unwrap_err().to_string().contains("concern 1 is mapped 0 times")
        );
    }

    #[test]
    fn a_group_is_mapped_by_rule_and_nobody_is_asked_about_it() {
        let found = copydesk_proof::testing::check_texts(
            "The plan lays 1.8 miles of paths.",
            "The plan lays 1.4 miles of paths.",
        );
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::Opinion; 3]);
        let raw = ArticleReviewRaw { markdown_bullets: "- x\n- x\n- x".into() };
        let last_bullets = vec![LastBullet::Group(vec![]), LastBullet::Group(vec![1])];
        let review = Review { last_bullets, ..Review::new(raw, found) };
        add(&mut journal, Step::Review { round: 1 }, Outcome::Review(review));
        let (asked, groups) = apart(&journal, 1);
        assert_eq!(asked.iter().map(|concern| concern.concern_id).collect::<Vec<_>>(), [1]);
        let row = |mapping: &ConcernMapping| {
            (mapping.concern_id, mapping.concern_type, mapping.selected_agent, mapping.confidence)
        };
        let expected = [
            (2, ConcernType::UnsupportedFact, Specialist::StyleReview, Confidence::Low),
            (3, ConcernType::InferredFact, Specialist::StyleReview, Confidence::High),
        ];
        assert_eq!(groups.iter().map(row).collect::<Vec<_>>(), expected);
        let said = |ids: &[u32]| {
            let own = |id| {
                format!(
                    r#"{{"concern_id":{id},"concern_type":"editorializing","selected_agent":"opinion","confidence":"high","reason":"r"}}"#
                )
            };
            let text = format!("[{}]", ids.iter().map(own).collect::<Vec<_>>().join(","));
            read(&journal, 1, &Answer { text, ..Answer::default() })
        };
        assert_eq!(said(&[1]).unwrap().mappings[1..], groups);
        assert!(said(&[1, 2]).unwrap_err().to_string().contains("concern 2, which it was not asked about"));
        let offline = by_rules(&journal, 1);
        assert_eq!((offline.mappings.len(), &offline.mappings[1..]), (3, groups.as_slice()));
    }

    #[test]
    fn what_the_model_leaves_out_is_mapped_by_rule_in_the_end() {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::Opinion; 3]);
        let one = |id: u32| {
            format!(
                r#"{{"concern_id":{id},"concern_type":"editorializing","selected_agent":"opinion","confidence":"high","reason":"r"}}"#
            )
        };
        let completed = |text: String| completed(&journal, 1, &Answer { text, ..Answer::default() });
        let mapped = completed(format!("[{},{},{}]", one(3), one(3), one(7))).mappings;
        let by_rule: Vec<(u32, bool)> = mapped
            .iter()
            .map(|mapping| (mapping.concern_id, mapping.reason.starts_with("The model left it out")))
            .collect();
        assert_eq!(by_rule, [(1, true), (2, true), (3, false)]);
        for (text, note) in [
            ("[]".to_owned(), "The model left it out; mapped by rule."),
            (one(7), "The model left it out; mapped by rule."),
            ("No.".to_owned(), "The model’s answer could not be read; mapped by rule."),
        ] {
            let mapped = completed(text.clone()).mappings;
            assert_eq!(mapped.iter().map(|mapping| mapping.concern_id).collect::<Vec<_>>(), [1, 2, 3], "{text}");
            assert!(mapped.iter().all(|mapping| mapping.reason.starts_with(note)), "{text}: {mapped:?}");
        }
    }

    #[test]
    fn each_concern_is_mapped_once() {
        assert_eq!(mapped(&[2, 1]), Ok(vec![1, 2]));
        assert!(mapped(&[1]).unwrap_err().contains("concern 2 is mapped 0 times"));
        assert!(mapped(&[1, 2, 2]).unwrap_err().contains("concern 2 is mapped 2 times"));
        assert!(mapped(&[1, 2, 3]).unwrap_err().contains("concern 3, which it was not asked about"));
    }
}
