//! Questions to a story's sources, for the snapshots and the tests of their keys: answered, with passages alone, and on the way.

use std::sync::Arc;

use crate::{
    app::{model::Model, ticket::Ticket, trouble::Trouble},
    screens::{ask::model::AskPage, story::tabs::Tab},
    testing::demo_story::{at_gate, story},
};
use copydesk_core::{agents::AnsweredSentence, desk::SourceAnswer};
use copydesk_newsroom::{Journal, Passage, Tier};

/// The whole first source, and a passage of a source that is not there any more.
pub(crate) fn passages(journal: &Journal) -> Vec<Passage> {
    let source = journal.sources().remove(0);
    let end = source.text.len() as u64;
    let whole =
        Passage { file: source.name, start: 0, end, text: source.text, tier: Tier::Source, ..Passage::default() };
    let gone = Passage { file: "Letter".into(), text: "It costs\u{1b}[2J money.".into(), ..whole.clone() };
    vec![whole, gone]
}

pub(crate) fn answer(journal: &Journal) -> SourceAnswer {
    let sentence = |text: &str, passages: &[usize], doubts: &[&str]| AnsweredSentence {
        text: text.into(),
        passages: passages.to_vec(),
        doubts: doubts.iter().map(|doubt| (*doubt).to_owned()).collect(),
    };
    let voted = sentence("The council voted.", &[0], &[]);
    let paid = sentence("It paid $2 million.", &[0, 1], &["“$2 million”: Not in its passage."]);
    SourceAnswer { passages: passages(journal), sentences: Some(vec![voted, paid]), ..SourceAnswer::default() }
}

/// The page with a question, and what came of it.
fn asked(question: &str, then: impl FnOnce(&mut AskPage, Ticket)) -> Model {
    let mut model = story(at_gate(), Tab::Article);
    let journal = Arc::new(at_gate());
    let mut page = AskPage::new(Arc::clone(&journal));
    question.clone_into(&mut page.question);
    let ticket = model.ticket();
    page.ask(ticket, journal);
    then(&mut page, ticket);
    model.lay_over(page);
    model
}

/// Every state of the page.
pub(crate) fn screens() -> Vec<(&'static str, Model)> {
    let with = |answer: SourceAnswer| move |page: &mut AskPage, ticket| page.take(ticket, Ok(answer));
    let found = passages(&at_gate());
    let mut opened = story(at_gate(), Tab::Article);
    opened.lay_over(AskPage::new(Arc::new(at_gate())));
    vec![
        ("ask", asked("Who voted?", with(answer(&at_gate())))),
        (
            "ask_no_model",
            asked("Who voted?", with(SourceAnswer { passages: found.clone(), ..SourceAnswer::default() })),
        ),
        (
            "ask_no_answer",
            asked(
                "Who voted?",
                with(SourceAnswer { passages: found, sentences: Some(Vec::new()), ..SourceAnswer::default() }),
            ),
        ),
        (
            "ask_nothing",
            asked("Submarines?", with(SourceAnswer { sentences: Some(Vec::new()), ..SourceAnswer::default() })),
        ),
        ("ask_opened", opened),
        ("ask_waiting", asked("Who voted?", |_, _| ())),
        ("ask_stopped", asked("Who voted?", |page, _| assert!(page.stop()))),
        ("ask_failed", asked("Who voted?", |page, ticket| page.take(ticket, Err(Trouble::new("the server is down."))))),
    ]
}
