//! The mapping: chooses a specialist for each concern from a table.

use copydesk_newsroom::{Concern, ConcernMapping, ConcernMappingResult, ConcernType, Confidence, Finding, Specialist};

/// The specialist for a kind of concern.
fn specialist(concern_type: ConcernType) -> Specialist {
    match concern_type {
        ConcernType::UnsupportedFact | ConcernType::InferredFact => Specialist::FactCheck,
        ConcernType::ScopeExpansion | ConcernType::Editorializing | ConcernType::CertaintyInflation => {
            Specialist::Opinion
        }
        ConcernType::AttributionGap => Specialist::Attribution,
        ConcernType::StructuredAddition | ConcernType::TruncationCompletion => Specialist::StyleReview,
    }
}

/// Words of a note and the kind of concern that they indicate. The first row that matches decides.
const WORDS: &[(ConcernType, &[&str])] = &[
    (ConcernType::TruncationCompletion, &["truncat", "breaks off", "cut off", "completes"]),
    (ConcernType::StructuredAddition, &["heading", "section", "structure", "bullet list"]),
    (
        ConcernType::CertaintyInflation,
        &["certain", "hedge", "overstat", "too sure", "as fact", "may ", "might ", "caus"],
    ),
    (ConcernType::AttributionGap, &["attribut", "who said", "speaker", "according to whom", "unnamed"]),
    (ConcernType::Editorializing, &["editorial", "opinion", "judg", "loaded", "tone", "praise", "spin"]),
    (ConcernType::ScopeExpansion, &["scope", "generali", "broader", "beyond what"]),
    (ConcernType::InferredFact, &["infer", "implied", "implies", "conclu", "figure", "number", "date"]),
    (ConcernType::UnsupportedFact, &["unsupported", "not in the source", "no source", "nowhere", "source", "fact"]),
];

/// Maps every concern to exactly one specialist. `findings` are the proof's, in the order of the concerns. If there is one for each
/// concern, the finding's kind decides; otherwise the note's words do.
pub fn map(concerns: &[&Concern], findings: &[&Finding]) -> ConcernMappingResult {
    let parallel = findings.len() == concerns.len();
    let mappings = concerns
        .iter()
        .enumerate()
        .map(|(index, concern)| {
            if let Some(finding) = findings.get(index).filter(|_| parallel) {
                return of_finding(concern.concern_id, finding);
            }
            let (concern_type, confidence, reason) = by_words(&concern.review_note);
            ConcernMapping {
                concern_id: concern.concern_id,
                concern_type,
                selected_agent: specialist(concern_type),
                confidence,
                reason,
            }
        })
        .collect();
    ConcernMappingResult { mappings }
}

/// The mapping of a concern that the proof raised; its rule gives the kind.
pub fn of_finding(concern_id: u32, finding: &Finding) -> ConcernMapping {
    ConcernMapping {
        concern_id,
        concern_type: finding.concern_type,
        selected_agent: specialist(finding.concern_type),
        confidence: Confidence::High,
        reason: format!("The proof's rule {} raised it.", finding.rule),
    }
}

fn by_words(note: &str) -> (ConcernType, Confidence, String) {
    // The excerpt has the draft's words, so only the note counts.
    let own = note.rsplit_once('”').map_or(note, |(_, rest)| rest).to_lowercase();
    if let Some(named) = ConcernType::ALL.into_iter().find(|kind| own.contains(kind.name())) {
        return (named, Confidence::Medium, format!("The note names {}.", named.name()));
    }
    for (kind, words) in WORDS {
        if let Some(word) = words.iter().find(|word| own.contains(**word)) {
            return (*kind, Confidence::Medium, format!("The note says “{}”.", word.trim()));
        }
    }
    let kind = ConcernType::UnsupportedFact;
    (kind, Confidence::Low, "Nothing in the note tells its kind; facts are checked first.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn routed(note: &str) -> (ConcernType, Specialist, Confidence) {
        let concern = Concern { concern_id: 1, excerpt: "x".to_owned(), review_note: note.to_owned() };
        let mapping = map(&[&concern], &[]).mappings.remove(0);
        (mapping.concern_type, mapping.selected_agent, mapping.confidence)
    }

    #[test]
    fn a_note_is_read_where_no_finding_decides() {
        assert_eq!(
            routed("“The source is scope” attribution_gap: who said it?"),
            (ConcernType::AttributionGap, Specialist::Attribution, Confidence::Medium)
        );
        assert_eq!(
            routed("“It will help” the study hedges this"),
            (ConcernType::CertaintyInflation, Specialist::Opinion, Confidence::Medium)
        );
        assert_eq!(routed("“Hm” hm"), (ConcernType::UnsupportedFact, Specialist::FactCheck, Confidence::Low));
    }

    #[test]
    fn a_finding_decides() {
        let finding = Finding {
            concern_type: ConcernType::AttributionGap,
            rule: "quotation.speaker".to_owned(),
            field: "articleBody".to_owned(),
            start: 0,
            end: 1,
            text: "x".to_owned(),
            note: String::new(),
            blocks: false,
            passage: None,
            replacement: None,
        };
        let concern = Concern { concern_id: 1, excerpt: "x".to_owned(), review_note: "x".to_owned() };
        let mapping = map(&[&concern], &[&finding]).mappings.remove(0);
        assert_eq!((mapping.selected_agent, mapping.confidence), (Specialist::Attribution, Confidence::High));
    }
}
