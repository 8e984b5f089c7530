//! Finds cases in which the source's words are right but cannot replace the draft's: quoted words without their speaker, or a year that
//! belongs to another event.

use copydesk_newsroom::{Finding, Source, SourceSpan};
use copydesk_text::{sentences::speaker, words::words};

use super::{
    copy::{balanced, speaks},
    value::stems,
};

/// A sentence with at most so many new words is still the draft's.
const OWN: usize = 2;

/// The reason why the source's words cannot replace the draft's, if there is one. `draft` is the sentence of the finding.
pub(super) fn unsafe_to_print(finding: &Finding, draft: &str, sources: &[Source]) -> Option<&'static str> {
    let (new, span) = (finding.replacement.as_deref()?, finding.passage.as_ref()?);
    let mine = words(draft);
    let theirs = words(new).iter().filter(|word| mine.iter().all(|own| own.text != word.text)).count();
    // With at most two new words it is still the draft's sentence, and quotes no speaker.
    if finding.rule.starts_with("certainty.") && theirs > OWN && is_somebodys(new, span, sources) {
        return Some("The source's sentence is somebody's own words and cannot stand without the speaker.");
    }
    let year = |text: &str| matches!(text.trim().parse::<u16>(), Ok(1000..=2199));
    let own = draft.replacen(&finding.text, "", 1);
    if finding.rule == "number.contradicted" && year(&finding.text) && year(new) && !told_alike(&own, &span.text) {
        return Some("That passage is of something else and only happens to hold a year.");
    }
    None
}

/// Whether a passage is a speaker's words: in a turn, in quotation marks, or in the first person.
fn is_somebodys(new: &str, span: &SourceSpan, sources: &[Source]) -> bool {
    let Some(source) = sources.iter().find(|source| source.name == span.source) else { return true };
    let head = source.text.get(..span.start).unwrap_or_default();
    let from = head.rfind("\n\n").map_or(0, |at| at + 2);
    let block = source.text.get(from..span.end).unwrap_or_default();
    let before = source.text.get(from..span.start).unwrap_or_default();
    block.lines().any(|line| speaker(line).is_some()) || speaks(new) || !balanced(before) || !balanced(new)
}

/// Whether two sentences have the same subject: one has most of the other's words.
fn told_alike(draft: &str, passage: &str) -> bool {
    let (mine, theirs) = (stems(draft), stems(passage));
    let shared = mine.iter().filter(|stem| theirs.contains(stem)).count();
    shared * 3 >= mine.len() * 2
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            given::{article, source},
            specialists::judge,
        },
        *,
    };
    use copydesk_newsroom::{Concern, Specialist, Status};
    use copydesk_proof as proof;

    fn concern(excerpt: &str) -> Concern {
        Concern { concern_id: 7, excerpt: excerpt.to_owned(), review_note: String::new() }
    }

    #[test]
    fn a_speakers_own_words_never_stand_without_the_speaker() {
        let draft = article("It will close the reserve gap at the harbor plant by spring. The plant is old.");
        let sources = source("TULL: I think it may close the reserve gap at the harbor plant by spring.");
        let found = proof::check(&draft, &sources).remove(0);
        assert!(found.rule.starts_with("certainty."), "{found:?}");
        let judged =
            |finding: &Finding| judge(Specialist::Opinion, &concern("x"), Some(finding), &draft, (&sources, &[]), &[]);
        let softened = judged(&found).suggested_fix.unwrap();
        assert!(softened.contains("It may close the reserve gap"), "{softened}");
        let told = "I think it may close the reserve gap at the harbor plant by the end of spring, gentlemen.";
        let verdict = judged(&Finding { replacement: Some(told.to_owned()), ..found });
        assert_eq!((verdict.status, verdict.suggested_fix.as_deref()), (Status::Rewrite, None));
        assert!(verdict.rationale.contains("cannot stand without the speaker"), "{}", verdict.rationale);
    }

    #[test]
    fn a_year_of_something_else_is_no_correction() {
        let draft = article("The brick school on Canal Road burned in 1921.");
        let text = "The park on Canal Road opened in 1958.";
        let contradicted = |passage: &str, new: &str| Finding {
            concern_type: copydesk_newsroom::ConcernType::InferredFact,
            blocks: false,
            rule: "number.contradicted".to_owned(),
            field: "articleBody".to_owned(),
            start: 41,
            end: 45,
            text: "1921".to_owned(),
            note: "The source has another year here.".to_owned(),
            passage: Some(SourceSpan {
                source: "minutes".to_owned(),
                start: 0,
                end: passage.len(),
                text: passage.to_owned(),
            }),
            replacement: Some(new.to_owned()),
        };
        let fix = |passage: &str, new: &str| {
            let finding = contradicted(passage, new);
            judge(Specialist::FactCheck, &concern("1921"), Some(&finding), &draft, (&source(passage), &[]), &[])
                .suggested_fix
        };
        assert_eq!(fix(text, "1958"), None);
        assert_eq!(
            fix("The brick school on Canal Road burned down in 1912.", "1912").as_deref(),
            Some("Replace “1921” with “1912”.")
        );
    }
}
