//! A review in sections: if a draft and its sources do not fit the reviewer's window, each section of the draft is a call of its own.

use super::bullets;
use copydesk_newsroom::{ArticleReviewRaw, DraftSection, Journal, Outcome, Step};

/// Whether the sections of a round's draft must be looked for: tokens never outnumber bytes, so what is shorter fits.
pub fn may_be_needed(journal: &Journal, round: u32) -> bool {
    let Some(room) = journal.opening.review_room else { return false };
    let sources: usize = journal.texts().map(|(_, text)| text.len()).sum();
    let draft = journal.draft(round).map_or(0, |draft| draft.article.fields().iter().map(|(_, text)| text.len()).sum());
    let sources = sources as u64;
    room.sources.is_some_and(|most| sources > most) || sources.saturating_add(draft as u64) > room.bytes
}

/// The sections that a round's draft is reviewed in; none if it is reviewed as a whole.
pub fn of(journal: &Journal, round: u32) -> &[DraftSection] {
    if journal.opening.review_room.is_none() { &[] } else { journal.sections(round).unwrap_or_default() }
}

/// A section by its number, which counts from 1.
pub fn section(journal: &Journal, round: u32, section: u32) -> Option<&DraftSection> {
    of(journal, round).get(usize::try_from(section.checked_sub(1)?).ok()?)
}

/// The steps that review a section and are not done.
pub fn open(journal: &Journal, round: u32) -> Vec<Step> {
    let steps = (1..).zip(of(journal, round)).map(|(section, _)| Step::ReviewSection { round, section });
    steps.filter(|step| journal.outcome(*step).is_none()).collect()
}

/// The bullets of all sections, in the order of the draft. None if there are no sections, or one is not reviewed.
pub fn joined(journal: &Journal, round: u32) -> Option<ArticleReviewRaw> {
    let sections = of(journal, round);
    if sections.is_empty() {
        return None;
    }
    let said = (1..).zip(sections).map(|(section, _)| match journal.outcome(Step::ReviewSection { round, section }) {
        Some(Outcome::Bullets(raw)) => Some(raw.markdown_bullets.lines()),
        _ => None,
    });
    let said: Vec<_> = said.collect::<Option<_>>()?;
    // Text before the first bullet of a section belongs to no bullet of the section before.
    let said = said.into_iter().flat_map(|lines| lines.skip_while(|line| bullets::bullet(line).is_none()));
    let said: Vec<&str> = said.filter(|line| !line.trim().is_empty()).collect();
    Some(ArticleReviewRaw { markdown_bullets: said.join("\n") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::next_steps::next_steps;
    use crate::editorial::testing::{add, article, opening};
    use copydesk_newsroom::{Draft, DraftPart, Opening, ReviewRoom};

    fn journal(room: Option<ReviewRoom>) -> Journal {
        let mut journal = Journal::new(Opening { review_room: room, ..opening() });
        let draft = Draft { article: article("One. Two."), stripped: vec![], undone: vec![] };
        add(&mut journal, Step::Draft, Outcome::Draft(draft));
        journal
    }

    fn two() -> Outcome {
        let part = |start, end| DraftPart { field: "articleBody".into(), start, end };
        let section = |start, end| DraftSection { parts: vec![part(start, end)], passages: vec![], unfound: vec![] };
        Outcome::Sections(vec![section(0, 5), section(5, 9)])
    }

    fn bullets(text: &str) -> Outcome {
        Outcome::Bullets(ArticleReviewRaw { markdown_bullets: text.into() })
    }

    #[test]
    fn what_fits_is_reviewed_as_a_whole_and_what_does_not_is_asked_about_section_by_section() {
        let whole = [Step::Review { round: 1 }];
        let looks = [Step::Sections { round: 1 }];
        assert_eq!(next_steps(&journal(None)), whole);
        assert_eq!(next_steps(&journal(Some(ReviewRoom { bytes: 500, sources: None }))), whole);
        assert_eq!(next_steps(&journal(Some(ReviewRoom { bytes: 500, sources: Some(3) }))), looks);
        let mut journal = journal(Some(ReviewRoom { bytes: 20, sources: None }));
        assert_eq!(next_steps(&journal), looks);
        let mut fits = journal.clone();
        add(&mut fits, Step::Sections { round: 1 }, Outcome::Sections(vec![]));
        assert_eq!(next_steps(&fits), whole);
        assert_eq!(joined(&fits, 1), None);
        add(&mut journal, Step::Sections { round: 1 }, two());
        let step = |section| Step::ReviewSection { round: 1, section };
        assert_eq!(next_steps(&journal), [step(1), step(2)]);
        add(&mut journal, step(2), bullets("- “Two” b\n\n"));
        assert_eq!(next_steps(&journal), [step(1)]);
        assert_eq!(joined(&journal, 1), None);
        add(&mut journal, step(1), bullets("Concerns of this part:\n- “One” a\n  more"));
        assert_eq!(next_steps(&journal), whole);
        assert_eq!(joined(&journal, 1).unwrap().markdown_bullets, "- “One” a\n  more\n- “Two” b");
        // Under settings that bound nothing the review is one call again.
        journal.opening.review_room = None;
        assert_eq!(joined(&journal, 1), None);
    }
}
