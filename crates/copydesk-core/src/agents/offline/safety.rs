//! Finds the case in which the source's words cannot replace the draft's: a year that belongs to another event.

use super::value::stems;
use copydesk_newsroom::Finding;

/// The reason why the source's words cannot replace the draft's, if there is one. `draft` is the sentence of the finding.
pub(super) fn unsafe_to_print(finding: &Finding, draft: &str) -> Option<&'static str> {
    let (new, span) = (finding.replacement.as_deref()?, finding.passage.as_ref()?);
    let year = |text: &str| matches!(text.trim().parse::<u16>(), Ok(1000..=2199));
    let own = draft.replacen(&finding.text, "", 1);
    if finding.rule == "number.contradicted" && year(&finding.text) && year(new) && !told_alike(&own, &span.text) {
        return Some("That passage is of something else and only happens to hold a year.");
    }
    None
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
    use copydesk_newsroom::{Concern, SourceSpan, Specialist};

    fn concern(excerpt: &str) -> Concern {
        Concern { concern_id: 7, excerpt: excerpt.to_owned(), review_note: String::new() }
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
            judge(Specialist::FactCheck, &concern("1921"), Some(&finding), &draft, &source(passage), &[]).suggested_fix
        };
        assert_eq!(fix(text, "1958"), None);
        assert_eq!(
            fix("The brick school on Canal Road burned down in 1912.", "1912").as_deref(),
            Some("Replace “1921” with “1912”.")
        );
    }
}
