//! The specialists: a verdict on each concern, from what the proof knows.
//!
//! A finding brings its own repair: the source's words. A finding without one, or that needs a person's look, is left to the editor. A
//! concern that no rule raised is looked up. If the source or the knowledge base has its words, or everything it names, the sentence
//! stays; in every other case the verdict says that a person must judge.

use std::ops::Range;

use copydesk_newsroom::{ArticleResponse, Concern, Finding, Passage, Source, SourceSpan, Specialist, Tier, Verdict};
use copydesk_proof as proof;
use copydesk_text::{
    in_marks,
    sanitise::{excerpt, one_line},
    sentences::sentences,
};

use super::{revise, safety::unsafe_to_print};

/// The verdict of `specialist` on `concern`. `finding` is the ledger row behind it, if the proof raised it. A footnote may cite `pages` beside
/// the sources. `passages` are the knowledge base's for this concern, and count for fact-checking only.
pub fn judge(
    specialist: Specialist,
    concern: &Concern,
    finding: Option<&Finding>,
    article: &ArticleResponse,
    (sources, pages): (&[Source], &[Source]),
    passages: &[Passage],
) -> Verdict {
    let checks_facts = specialist == Specialist::FactCheck;
    if let Some(finding) = finding {
        return of_finding(checks_facts, concern, finding, article, sources);
    }
    if let Some(finding) = found_again(concern, article, sources, pages) {
        return of_finding(checks_facts, concern, &finding, article, sources);
    }
    if let Some(span) = proof::verbatim(&concern.excerpt, sources) {
        let rationale = format!("{} has it word for word: {}", span.source, in_marks(&one_line(&span.text)));
        return keep(checks_facts, concern, rationale, &span, None);
    }
    if checks_facts {
        if let Some(span) = proof::carried(&concern.excerpt, sources) {
            let rationale =
                format!("{} carries every word and figure of it: {}", span.source, in_marks(&one_line(&span.text)));
            return keep(checks_facts, concern, rationale, &span, None);
        }
        let known: Vec<Source> = passages
            .iter()
            // The sources were searched as a whole above.
            .filter(|passage| passage.tier == Tier::Knowledge)
            .map(|passage| Source { name: passage.citation(), text: passage.text.clone() })
            .collect();
        let carried = proof::verbatim(&concern.excerpt, &known).or_else(|| proof::carried(&concern.excerpt, &known));
        if let Some(span) = carried {
            let rationale = format!(
                "The story's sources do not carry it, but the knowledge base does ({}): {}",
                span.source,
                in_marks(&one_line(&span.text))
            );
            let citation = span.source.clone();
            return keep(checks_facts, concern, rationale, &span, Some(citation));
        }
    }
    Verdict::rewrite(concern.concern_id, not_carried(checks_facts, passages))
}

/// The rationale for a concern that no rule can judge: whether any passage bears on it at all.
fn not_carried(checks_facts: bool, passages: &[Passage]) -> String {
    match passages.first() {
        _ if !checks_facts => {
            "No rule of the offline desk can judge this, and no source carries the words as they stand; an editor must decide.".to_owned()
        }
        None => {
            "Not found: no passage of the story's sources or of the knowledge base bears on this; an editor must decide.".to_owned()
        }
        Some(nearest) => format!(
            "No rule of the offline desk can judge this, and no source carries the words as they stand. The nearest passage is {} ({}): {} An editor must decide.",
            nearest.citation(),
            nearest.tier.words(),
            in_marks(&excerpt(&one_line(&nearest.text), LONGEST_NEAREST))
        ),
    }
}

/// Most characters of the nearest passage that a verdict quotes.
const LONGEST_NEAREST: usize = 300;

/// A concern that the proof raises too, if its excerpt and a finding touch.
fn found_again(concern: &Concern, article: &ArticleResponse, sources: &[Source], pages: &[Source]) -> Option<Finding> {
    let excerpt = concern.excerpt.trim();
    if excerpt.is_empty() {
        return None;
    }
    proof::check_beside(article, sources, pages).into_iter().find(|finding| {
        let found = article.field(&finding.field).and_then(|text| text.find(excerpt));
        found.is_some_and(|at| finding.start < at + excerpt.len() && at < finding.end)
    })
}

fn of_finding(
    checks_facts: bool,
    concern: &Concern,
    finding: &Finding,
    article: &ArticleResponse,
    sources: &[Source],
) -> Verdict {
    let source = finding
        .passage
        .as_ref()
        .map_or_else(String::new, |span| format!(" {} says: {}", span.source, in_marks(&one_line(&span.text))));
    if proof::asks_an_editor(&finding.rule) {
        return Verdict::rewrite(concern.concern_id, format!("{}{source} An editor must decide.", finding.note));
    }
    // In another speaker's words only the name is repaired.
    let at_the_name = proof::at_the_name(finding, article, sources);
    let finding = at_the_name.as_ref().unwrap_or(finding);
    let unsafe_because = unsafe_to_print(finding, sentence_of(finding, article), sources);
    let Some(new) = finding.replacement.as_deref().filter(|_| unsafe_because.is_none()) else {
        // A sentence may say more that is true, so none is deleted without a person's word.
        let why = unsafe_because.map_or_else(String::new, |why| format!(" {why}"));
        return Verdict::rewrite(concern.concern_id, format!("{}{source}{why} An editor must decide.", finding.note));
    };
    let (old, new) = revise::in_one_place(finding, new, article);
    Verdict {
        suggested_fix: Some(revise::replace(&old, &new)),
        evidence: finding.passage.as_ref().filter(|_| checks_facts).map(|span| span.text.clone()),
        citations: finding.passage.as_ref().filter(|_| checks_facts).map(|span| vec![citation(span)]),
        ..Verdict::rewrite(concern.concern_id, format!("{}{source}", finding.note))
    }
}

fn keep(checks_facts: bool, concern: &Concern, rationale: String, span: &SourceSpan, cited: Option<String>) -> Verdict {
    Verdict {
        evidence: checks_facts.then(|| span.text.clone()),
        citations: checks_facts.then(|| vec![cited.unwrap_or_else(|| citation(span))]),
        ..Verdict::keep(concern.concern_id, rationale)
    }
}

fn citation(span: &SourceSpan) -> String {
    format!("{}, bytes {}-{}", span.source, span.start, span.end)
}

/// The sentences of the draft that a finding touches.
fn sentence_of<'a>(finding: &'a Finding, article: &'a ArticleResponse) -> &'a str {
    let text = article.field(&finding.field).unwrap_or_default();
    let touched = |range: &&Range<usize>| range.start < finding.end && finding.start < range.end;
    let all = sentences(text);
    let (first, last) = (all.iter().find(touched), all.iter().rfind(touched));
    first.zip(last).and_then(|(first, last)| text.get(first.start..last.end)).unwrap_or(&finding.text)
}

#[cfg(test)]
mod tests {
    use super::{
        super::given::{article, source},
        *,
    };
    use copydesk_newsroom::Status;

    fn concern(excerpt: &str) -> Concern {
        Concern {
            concern_id: 7, excerpt: excerpt.to_owned(), review_note: format!("“{excerpt}” unsupported_fact: hm")
        }
    }

    #[test]
    fn a_finding_brings_its_repair_and_its_place() {
        let draft = article("The plan lays 1.8 miles of paths.");
        let sources = source("The plan lays 1.4 miles of paths.");
        let finding = proof::check(&draft, &sources).remove(0);
        assert_eq!(
            judge(Specialist::FactCheck, &concern("1.8"), Some(&finding), &draft, (&sources, &[]), &[]),
            Verdict {
                concern_id: 7,
                misleading: true,
                status: Status::Rewrite,
                rationale: "The source has 1.4 here. minutes says: “The plan lays 1.4 miles of paths.”".to_owned(),
                suggested_fix: Some("Replace “1.8” with “1.4”.".to_owned()),
                evidence: Some("The plan lays 1.4 miles of paths.".to_owned()),
                citations: Some(vec!["minutes, bytes 0-33".to_owned()]),
            }
        );
        // The same concern is found again without its row. Another specialist cites nothing.
        let verdict = judge(Specialist::Opinion, &concern("1.8 miles"), None, &draft, (&sources, &[]), &[]);
        assert_eq!((verdict.status, verdict.citations), (Status::Rewrite, None));
    }

    #[test]
    fn what_the_source_has_word_for_word_stays() {
        let draft = article("The vote was close.");
        let verdict = judge(
            Specialist::StyleReview,
            &concern("The vote was close"),
            None,
            &draft,
            (&source("The vote was close."), &[]),
            &[],
        );
        assert_eq!((verdict.status, verdict.misleading), (Status::Keep, false));
    }

    #[test]
    fn the_knowledge_base_carries_what_the_story_does_not() {
        let draft = article("The harbour silted up in 1911.");
        let passage = Passage {
            file: "history.txt".to_owned(),
            start: 5,
            end: 60,
            text: "In 1911 the old harbour silted up for good.".to_owned(),
            ..Passage::default()
        };
        let verdict = judge(
            Specialist::FactCheck,
            &concern("The harbour silted up in 1911."),
            None,
            &draft,
            (&source("A harbour once stood here; it silted up in 1911, they say. Nobody knows."), &[]),
            std::slice::from_ref(&passage),
        );
        assert_eq!(verdict.status, Status::Keep);
        let verdict = judge(
            Specialist::FactCheck,
            &concern("silted up in 1911"),
            None,
            &article("x"),
            (&source("Nothing."), &[]),
            &[passage],
        );
        assert_eq!(verdict.citations, Some(vec!["history.txt, bytes 5-60".to_owned()]));
    }

    #[test]
    fn somebody_elses_words_get_their_speakers_name() {
        let draft = article("Ana Reyes left. “The gate is stuck, and nobody oils it,” Ana Reyes said.");
        let sources = source("Tom Berg: “The gate is stuck, and nobody oils it.”\n\nAna Reyes: “I am tired.”");
        let finding = proof::check(&draft, &sources).remove(0);
        assert_eq!(finding.text, "The gate is stuck, and nobody oils it,");
        let concern = concern("The gate is stuck, and nobody oils it,");
        let verdict = judge(Specialist::Attribution, &concern, Some(&finding), &draft, (&sources, &[]), &[]);
        let rationale = "The source gives these words to Tom Berg, not Ana Reyes. minutes says: “Tom Berg: ‘The gate is stuck, \
                         and nobody oils it”";
        let fix = Some("Replace “Ana Reyes said” with “Tom Berg said”.".to_owned());
        assert_eq!(
            (verdict.status, verdict.rationale.as_str(), verdict.suggested_fix),
            (Status::Rewrite, rationale, fix)
        );
    }

    #[test]
    fn what_an_ellipsis_leaves_out_is_left_to_the_editor() {
        let draft = article("“I have … been to the pond,” Calloway said. The pond is shut.");
        let sources = source("Inez Calloway: “I have not been to the pond.” The pond is shut.");
        let review = super::super::review::review(&draft, &sources, &[], None);
        let finding = review.findings.first();
        assert_eq!(finding.map(|finding| finding.rule.as_str()), Some("quotation.elision"));
        let concern = concern("I have … been to the pond,");
        // It is neither rewritten nor removed, with its row or without.
        for finding in [finding, None] {
            let verdict = judge(Specialist::FactCheck, &concern, finding, &draft, (&sources, &[]), &[]);
            assert_eq!(
                verdict,
                Verdict {
                    concern_id: 7,
                    misleading: true,
                    status: Status::Rewrite,
                    rationale:
                        "The quote leaves out “not”. Without it, the quote may say the opposite. minutes says: “I \
                                have not been to the pond” An editor must decide."
                            .to_owned(),
                    suggested_fix: None,
                    evidence: None,
                    citations: None,
                }
            );
        }
    }

    #[test]
    fn what_no_rule_can_judge_is_left_to_the_editor() {
        let draft = article("A charming little park.");
        let verdict =
            judge(Specialist::Opinion, &concern("charming"), None, &draft, (&source("The park is small."), &[]), &[]);
        assert_eq!((verdict.status, verdict.suggested_fix), (Status::Rewrite, None));
    }
}
