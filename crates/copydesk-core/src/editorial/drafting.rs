//! How a first draft comes about: in one call, or section by section; and whether it is asked for once more.

use super::{remarks::is_remark, target_length::TargetLength};
use copydesk_newsroom::{
    ArticlePlan, ArticleResponse, Headlines, Journal, Outcome, PlannedSection, Step, WriterMode, Writing,
    WrittenSection,
};

/// The steps that are ready before the first draft is done; none once it is.
pub fn open(journal: &Journal) -> Option<Vec<Step>> {
    match journal.opening.settings.writer_mode {
        Some(WriterMode::Whole) if asks_again(journal) => Some(vec![Step::Write(Writing::Again)]),
        _ if journal.draft(1).is_some() => None,
        Some(WriterMode::Sections) => Some(in_sections(journal)),
        _ => Some(vec![Step::Draft]),
    }
}

/// Whether the first draft of a call is asked for once more. A run that has gone on from it is not taken back.
fn asks_again(journal: &Journal) -> bool {
    let Some(Outcome::Draft(draft)) = journal.outcome(Step::Draft) else { return false };
    draft.undone.iter().any(|undone| is_remark(undone))
        && journal.outcome(Step::Write(Writing::Again)).is_none()
        && journal.proof(1).is_none()
        && journal.review(1).is_none()
}

fn in_sections(journal: &Journal) -> Vec<Step> {
    if plan(journal).is_none() {
        return vec![Step::Write(Writing::Plan)];
    }
    let sections = || (1..).zip(sections(journal));
    if let Some((number, _)) = sections().find(|(number, _)| written(journal, *number).is_none()) {
        return vec![Step::Write(Writing::Section(number))];
    }
    let mends: Vec<Step> = sections()
        .map(|(number, _)| number)
        .filter(|number| written(journal, *number).is_some_and(|section| !section.faults.is_empty()))
        .map(|number| Step::Write(Writing::Mend(number)))
        .filter(|step| journal.outcome(*step).is_none())
        .collect();
    if !mends.is_empty() {
        return mends;
    }
    let step = if heads(journal).is_none() { Step::Write(Writing::Heads) } else { Step::Draft };
    vec![step]
}

/// The calls before the draft, in their order, as far as they are known.
pub fn calls(journal: &Journal) -> Vec<Writing> {
    if journal.opening.settings.writer_mode != Some(WriterMode::Sections) {
        return Vec::new();
    }
    let sections = (1..).zip(sections(journal)).map(|(number, _): (u32, _)| number);
    let mends = |number: &u32| written(journal, *number).is_some_and(|section| !section.faults.is_empty());
    let all = sections.clone().map(Writing::Section).chain(sections.filter(mends).map(Writing::Mend));
    [Writing::Plan].into_iter().chain(all).chain([Writing::Heads]).collect()
}

/// The plan of the first draft.
pub fn plan(journal: &Journal) -> Option<&ArticlePlan> {
    journal.outcome(Step::Write(Writing::Plan))?.try_as_article_plan_ref()
}

/// The sections of the first draft, in their order: the planned ones, then those that the plan left out. The latter are added as long as
/// the written sections are shorter than the topic asks for.
pub fn sections(journal: &Journal) -> Vec<&PlannedSection> {
    let Some(plan) = plan(journal) else { return Vec::new() };
    let mut sections: Vec<&PlannedSection> = plan.sections.iter().collect();
    let least = TargetLength::of(&journal.opening.topic.target_length_words).map_or(0, |target| target.least);
    for spare in &plan.spare {
        let written: Vec<_> = (1..).zip(&sections).map_while(|(number, _)| written(journal, number)).collect();
        let words: usize = written.iter().map(|section| section.words()).sum();
        if written.len() < sections.len() || words >= least {
            break;
        }
        sections.push(spare);
    }
    sections
}

/// A section by its number, which counts from 1.
pub fn section(journal: &Journal, number: u32) -> Option<&PlannedSection> {
    sections(journal).get(usize::try_from(number.checked_sub(1)?).ok()?).copied()
}

/// A section as it was written first.
pub fn written(journal: &Journal, number: u32) -> Option<&WrittenSection> {
    journal.outcome(Step::Write(Writing::Section(number)))?.try_as_prose_ref()
}

/// The points of the sections that were left out, because no answer told them.
pub fn untold(journal: &Journal) -> impl Iterator<Item = &str> {
    let is_untold = |number: u32| written(journal, number).is_some_and(|section| section.text.is_empty());
    let all = (1..).zip(sections(journal)).filter(move |(number, _)| is_untold(*number));
    all.map(|(_, section)| section.point.as_str()).filter(|point| !point.is_empty())
}

/// The text of the sections before one, as they were written first; of all if there are fewer.
pub fn before(journal: &Journal, number: u32) -> String {
    let sections = (1..number).map_while(|earlier| written(journal, earlier));
    sections.map(|section| section.text.as_str()).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// The whole text, each section as it was written last; none while one is missing. If mending took everything out, as it was first.
pub fn body(journal: &Journal) -> Option<String> {
    let last = |number: u32| match journal.outcome(Step::Write(Writing::Mend(number))) {
        Some(Outcome::Prose(section)) => Some(section),
        _ => written(journal, number),
    };
    let sections: Vec<&str> = (1..)
        .zip(sections(journal))
        .map(|(number, _)| last(number).map(|section| section.text.as_str()))
        .collect::<Option<_>>()?;
    let sections: Vec<&str> = sections.into_iter().filter(|text| !text.is_empty()).collect();
    let text = if sections.is_empty() { before(journal, u32::MAX) } else { sections.join("\n\n") };
    (!text.is_empty()).then_some(text)
}

fn heads(journal: &Journal) -> Option<&Headlines> {
    journal.outcome(Step::Write(Writing::Heads))?.try_as_heads_ref()
}

/// The sections and the headlines as an article; none if something is missing.
pub fn joined(journal: &Journal) -> Option<ArticleResponse> {
    let Headlines { headline, alternativeHeadline, description } = heads(journal)?.clone();
    Some(ArticleResponse { headline, alternativeHeadline, articleBody: body(journal)?, description })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::next_steps::next_steps;
    use crate::editorial::testing::{add, article, opening};
    use copydesk_newsroom::{Draft, Opening, RunSettings, SectionFault};

    fn names(journal: &Journal) -> String {
        next_steps(journal).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    fn prose(text: &str, faults: &[usize]) -> Outcome {
        let fault = |sentence: &usize| SectionFault { sentence: *sentence, words: vec!["significant".into()] };
        Outcome::Prose(WrittenSection { text: text.into(), faults: faults.iter().map(fault).collect() })
    }

    #[test]
    fn a_draft_in_sections_is_planned_written_mended_and_joined() {
        let section = |point: &str| PlannedSection { point: point.into(), lines: vec![], words: 3 };
        let mut opening = Opening {
            settings: RunSettings { writer_mode: Some(WriterMode::Sections), ..opening().settings },
            ..opening()
        };
        opening.topic.target_length_words = "7-9".into();
        let mut journal = Journal::new(opening);
        assert_eq!(names(&journal), "draft.plan");
        let plan = ArticlePlan { sections: vec![section("a"), section("b")], spare: vec![section(""), section("")] };
        add(&mut journal, Step::Write(Writing::Plan), Outcome::ArticlePlan(plan));
        assert_eq!(names(&journal), "draft.s1", "a section begins where the one before ended");
        add(&mut journal, Step::Write(Writing::Section(1)), prose("One two three.", &[1]));
        assert_eq!(names(&journal), "draft.s2");
        add(&mut journal, Step::Write(Writing::Section(2)), prose("Four five.", &[]));
        assert_eq!(names(&journal), "draft.s3", "five words of seven");
        add(&mut journal, Step::Write(Writing::Section(3)), prose("Six seven.", &[1]));
        assert_eq!(names(&journal), "draft.m1 draft.m3", "long enough, and two have faults");
        assert_eq!(before(&journal, 3), "One two three.\n\nFour five.");
        add(&mut journal, Step::Write(Writing::Mend(3)), prose("", &[]));
        add(&mut journal, Step::Write(Writing::Mend(1)), prose("One two.", &[]));
        assert_eq!(names(&journal), "draft.heads");
        let mut gone = journal.clone();
        for number in 1..=3 {
            add(&mut gone, Step::Write(Writing::Mend(number)), prose("", &[]));
        }
        assert_eq!(body(&gone).unwrap(), "One two three.\n\nFour five.\n\nSix seven.", "not a story without a text");
        assert_eq!(joined(&journal), None);
        let heads = Headlines { headline: "H".into(), alternativeHeadline: "A".into(), description: "D.".into() };
        add(&mut journal, Step::Write(Writing::Heads), Outcome::Heads(heads));
        assert_eq!(names(&journal), "draft");
        assert_eq!(
            joined(&journal).unwrap().articleBody,
            "One two.\n\nFour five.",
            "a section that was taken out is gone"
        );
    }

    #[test]
    fn a_draft_with_a_remark_is_asked_for_once_more_and_only_once() {
        let draft = |undone: &[&str]| {
            let undone = undone.iter().map(|said| (*said).to_owned()).collect();
            Outcome::Draft(Draft { article: article("It voted."), stripped: vec![], undone })
        };
        let mut journal = Journal::new(Opening {
            settings: RunSettings { writer_mode: Some(WriterMode::Whole), ..opening().settings },
            ..opening()
        });
        assert_eq!(names(&journal), "draft");
        let mut long_enough = journal.clone();
        add(&mut long_enough, Step::Draft, draft(&["Name the mayor."]));
        assert_eq!(names(&long_enough), "r1.review");
        let mut by_rules = Journal::new(opening());
        add(&mut by_rules, Step::Draft, draft(&["Short: 2 words; target 250"]));
        assert_eq!(names(&by_rules), "r1.review", "rules make the same of the same");
        add(&mut journal, Step::Draft, draft(&["Short: 2 words; target 250"]));
        assert_eq!(names(&journal), "draft.again");
        add(&mut journal, Step::Write(Writing::Again), draft(&["Short: 3 words; target 250"]));
        assert_eq!(names(&journal), "r1.review");
        assert_eq!(journal.draft(1).unwrap().undone, ["Short: 3 words; target 250"]);
    }
}
