//! Revisions: by rule if every to-do names its words, else by a model, whose revision must not miss the draft's task.
//!
//! A model that is to change two sentences may write the article anew, in thrice the words, or hand the source back. A small one is asked
//! for the sentences alone. A revision that misses its task is asked for once more, and after that a program carries out what it can.

mod additions;
mod sentences;

use super::{
    offline,
    reading::{self, ReadingNote, UnusableAnswer},
    template::Draught,
    writer,
};
use crate::editorial::{decisions, remarks};
use copydesk_newsroom::{Answer, ArticleResponse, Draft, Journal, Outcome, WriterMode};
use copydesk_text::{in_marks, sanitise};

/// Returns the revision of a draft whose to-dos all name the words to put or to delete: they are made in the text. A small model would
/// write the whole article anew for them, and lose half of it. Without a to-do the draft stays. None if a to-do says anything else.
pub(super) fn by_rule(journal: &Journal, round: u32) -> Option<Outcome> {
    let revised = carried_out(journal, round)?;
    let before = &journal.draft(round)?.article;
    if journal.feedback(round)?.todo_list.is_empty() {
        return Some(writer::written(journal, before));
    }
    if !revised.undone.is_empty() || revised.article == *before || sanitise::is_blank(&revised.article.articleBody) {
        return None;
    }
    Some(writer::written(journal, &revised.article))
}

/// Whether the model is asked for single sentences.
fn by_sentence(journal: &Journal) -> bool {
    journal.opening.settings.writer_mode == Some(WriterMode::Sections)
}

pub(super) fn draught(style: &str, journal: &Journal, round: u32) -> Option<Draught<'static>> {
    if by_sentence(journal) {
        sentences::draught(style, journal, round)
    } else {
        writer::revision(style, journal, round)
    }
}

/// A model's revision, whether it misses its task or not.
fn revision(journal: &Journal, round: u32, answer: &Answer) -> Result<Draft, UnusableAnswer> {
    if by_sentence(journal) { sentences::read(journal, round, answer) } else { writer::read(journal, answer) }
}

/// Reads a model's revision.
pub(super) fn read(journal: &Journal, round: u32, answer: &Answer) -> Result<Draft, UnusableAnswer> {
    let draft = revision(journal, round, answer)?;
    match missed(journal, round, &draft) {
        Some(missed) => Err(UnusableAnswer::new(format!(
            "{missed}. Change only what a to-do asks for, and keep every other sentence of the article"
        ))),
        None => Ok(draft),
    }
}

/// The notes on changes to the text of a revision, an article or numbered sentences, before it was read.
pub(super) fn notes(text: &str) -> Result<Vec<ReadingNote>, UnusableAnswer> {
    reading::notes::<ArticleResponse>(text).or_else(|_| reading::read_text(text).map(|read| read.notes))
}

/// Returns the draft with what a program can carry out of the to-dos, after an answer that misses the task. None if an article was asked for
/// and the answer has none.
pub(super) fn completed(journal: &Journal, round: u32, answer: &Answer) -> Option<Outcome> {
    let why = match revision(journal, round, answer) {
        Ok(draft) => missed(journal, round, &draft)?,
        Err(error) if by_sentence(journal) => error.why().to_owned(),
        Err(_) => return None,
    };
    let revised = carried_out(journal, round)?;
    let mut outcome = writer::written(journal, &revised.article);
    if let Outcome::Draft(draft) = &mut outcome {
        draft.undone.push(remarks::by_rule(&why));
        draft.undone.extend(revised.undone);
    }
    Some(outcome)
}

/// The draft with the to-dos carried out that name their words, and the others.
fn carried_out(journal: &Journal, round: u32) -> Option<Draft> {
    let (article, to_dos) = (&journal.draft(round)?.article, &journal.feedback(round)?.todo_list);
    let adding = additions::of_fixes(journal, round);
    let is_left = |number: u32| adding.contains(&number);
    let to_do = |(number, to_do): (u32, &String)| (!is_left(number)).then(|| to_do.clone());
    let done: Vec<String> = (1..).zip(to_dos).filter_map(to_do).collect();
    let mut draft = offline::revise::revise(article, &done, &journal.sources());
    let left = (1..).zip(to_dos).filter(|(number, _)| is_left(*number));
    draft.undone.extend(left.map(|(_, to_do)| format!("{} – no source says that", in_marks(to_do.trim()))));
    Some(draft)
}

/// In which way a revision misses its task, if it does: a program has a remark on it that the draft before did not get. A person's own
/// to-do may want just that.
fn missed(journal: &Journal, round: u32, revised: &Draft) -> Option<String> {
    if !decisions::to_dos(journal, round).is_empty() {
        return None;
    }
    let before = journal.draft(round)?;
    let remark_on = |draft: &Draft, mark: &str| draft.undone.iter().find(|said| said.starts_with(mark)).cloned();
    // A few sentences anew may bring a draft over the line, and are no copy of the source.
    let marks = [remarks::SHORT, remarks::LONG, remarks::WORD_FOR_WORD];
    let mut marks = marks.into_iter().take(if by_sentence(journal) { 2 } else { 3 });
    marks.find_map(|mark| remark_on(revised, mark).filter(|_| remark_on(before, mark).is_none()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::{
        gate,
        testing::{add, add_round, article, decide, opening, verdict},
    };
    use copydesk_newsroom::{Choice, Specialist, Status, Step, WriterMode};

    /// A story whose first round asks for one thing that names its words, and one that does not.
    fn journal() -> Journal {
        let mut journal = Journal::new(opening());
        journal.opening.settings.writer_mode = Some(WriterMode::Whole);
        journal.opening.topic.target_length_words = "4-8".into();
        add_round(&mut journal, 1, &[Specialist::Opinion]);
        add(&mut journal, Step::Draft, Outcome::Draft(article("The council voted on the park.").into()));
        let verdicts = ["Replace “voted on” with “approved”.", "Say who spoke."]
            .map(|to_do| verdict(1, Status::Rewrite, Some(to_do)));
        add(&mut journal, Step::Feedback { round: 1 }, Outcome::Feedback(gate::compile(1, &verdicts)));
        journal
    }

    fn revision(body: &str) -> Answer {
        Answer { text: serde_json::to_string(&article(body)).unwrap(), ..Answer::default() }
    }

    #[test]
    fn a_revision_that_grows_beyond_its_task_is_asked_for_again_and_then_made_by_rule() {
        let mut journal = journal();
        let good = revision("The council approved the park on Monday.");
        assert!(read(&journal, 1, &good).is_ok() && completed(&journal, 1, &good).is_none());
        let long = revision(&"The council met and talked at length. ".repeat(9));
        let why = read(&journal, 1, &long).unwrap_err().to_string();
        assert!(why.contains("8 at most were asked for. Change only what a to-do asks for"), "{why}");
        let Some(Outcome::Draft(made)) = completed(&journal, 1, &long) else { panic!("no draft") };
        assert_eq!(made.article.articleBody, "The council approved the park.");
        let [by_rule, left] = made.undone.as_slice() else { panic!("{:?}", made.undone) };
        assert!(remarks::is_remark(by_rule) && by_rule.contains("Long: ") && !remarks::is_remark(left), "{by_rule}");
        assert!(left.contains("Say who spoke."), "{left}");
        // An answer that cannot be read stays a failure.
        assert!(completed(&journal, 1, &Answer { text: "{".into(), ..Answer::default() }).is_none());
        // A person may ask for a longer text.
        decide(&mut journal, 1, Choice::Feedback { text: "Tell it at length.".into() });
        assert!(read(&journal, 1, &long).is_ok());
    }
}
