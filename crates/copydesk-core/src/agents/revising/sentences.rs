//! A revision sentence by sentence, for small models: the story's headlines and sentences have numbers, and the model writes anew those
//! that a to-do is about. So it cannot lose the others, and its answer is short.

use std::{collections::HashMap, fmt::Write as _, ops::Range};

use crate::{
    agents::{
        drafting::paragraph,
        offline::revise,
        reading::{self, UnusableAnswer},
        template::{Draught, without_fences},
        writer,
    },
    editorial::{listener, subject::Subject},
};
use copydesk_newsroom::{Agent, Answer, ArticleResponse, Draft, Journal, Verdict};
use copydesk_text::{footnotes, overlap::Stems, sanitise, sentences::sentences};

/// Fewest words of a sentence that takes another's place.
const FEWEST: usize = 3;

/// So many bytes of a to-do in an answer are a copy of it.
const COPIED: usize = 30;

/// Longest evidence beside a to-do, in characters.
const EVIDENCE: usize = 400;

/// The model's part of a revision.
struct RevisionTask {
    /// The draft with the to-dos done that name their words.
    article: ArticleResponse,
    /// The numbers of the others in the round's `todo_list`, from 1.
    left: Vec<u32>,
}

impl RevisionTask {
    /// The task of a round; none before it has feedback.
    fn of(journal: &Journal, round: u32) -> Option<Self> {
        let (article, to_dos) = (&journal.draft(round)?.article, &journal.feedback(round)?.todo_list);
        let (numbered, adding) = (|| (1..).zip(to_dos), super::additions::of_fixes(journal, round));
        let (named, left): (Vec<_>, Vec<_>) =
            numbered().partition(|(number, to_do)| !adding.contains(number) && revise::stands(article, to_do));
        let named: Vec<String> = named.into_iter().map(|(_, to_do)| to_do.clone()).collect();
        let done = revise::revise(article, &named, &journal.sources());
        Some(if left.is_empty() || !done.undone.is_empty() || sanitise::is_blank(&done.article.articleBody) {
            Self { article: article.clone(), left: numbered().map(|(number, _)| number).collect() }
        } else {
            Self { article: done.article, left: left.into_iter().map(|(number, _)| number).collect() }
        })
    }
}

/// The numbered places of an article, from 1: its fields but the body as a whole, then the sentences of the body. Notes at its end have none.
fn places(article: &ArticleResponse) -> Vec<(&'static str, Range<usize>)> {
    let fields = article.fields().into_iter().filter(|(_, text)| !sanitise::is_blank(text));
    fields
        .flat_map(|(name, text)| {
            match name {
                "articleBody" => sentences(&footnotes::body_only(text)),
                _ => std::iter::once(0..text.len()).collect(),
            }
            .into_iter()
            .map(move |range| (name, range))
        })
        .collect()
}

/// The article with its numbers, as the model reads it.
fn shown(article: &ArticleResponse) -> String {
    let mut shown = String::new();
    let mut before: Option<(&str, usize)> = None;
    for (number, (field, range)) in (1..).zip(places(article)) {
        let text = article.field(field).unwrap_or_default();
        let is_apart = before.is_none_or(|(last, end)| {
            last != field || text.get(end..range.start).is_some_and(|between| between.matches('\n').count() > 1)
        });
        if is_apart && !shown.is_empty() {
            shown.push('\n');
        }
        let label = match field {
            "headline" => "(headline) ",
            "alternativeHeadline" => "(second headline) ",
            "description" => "(description) ",
            _ => "",
        };
        let said = sanitise::one_line(text.get(range.clone()).unwrap_or_default());
        let _ = writeln!(shown, "{number}. {label}{said}");
        before = Some((field, range.end));
    }
    shown
}

/// The to-dos that are left, each under the numbered sentences that it is about, and in a listener-aware run with the words that decided it.
/// They have no numbers of their own: a small model takes those for a sentence's.
fn to_dos(journal: &Journal, round: u32, task: &RevisionTask) -> Option<String> {
    let verdicts: HashMap<u32, &Verdict> = listener::asked(journal, round).into_iter().collect();
    let mut told: Vec<(String, Vec<String>)> = Vec::new();
    let all = (1..).zip(&journal.feedback(round)?.todo_list);
    for (number, to_do) in all.filter(|(number, _)| task.left.contains(number)) {
        let verdict = verdicts.get(&number);
        let about = verdict.map(|verdict| about(journal, round, verdict, &task.article)).unwrap_or_default();
        let decided = verdict.filter(|_| journal.opening.settings.listener_aware);
        let decided = decided.and_then(|verdict| listener::deciding(journal, round, verdict)).map(|(quoted, from)| {
            let from = if from.is_empty() { from } else { format!(" ({from})") };
            format!("\n  Evidence{from}: “{}”", sanitise::excerpt(&sanitise::one_line(&quoted), EVIDENCE))
        });
        let to_do = format!("- {}{}", sanitise::one_line(to_do), decided.unwrap_or_default());
        match told.iter_mut().find(|(known, _)| *known == about) {
            // Two concerns about the same words may ask for the same.
            Some((_, to_dos)) if to_dos.contains(&to_do) => {}
            Some((_, to_dos)) => to_dos.push(to_do),
            None => told.push((about, vec![to_do])),
        }
    }
    let blocks = told.into_iter().map(|(about, to_dos)| about + &to_dos.join("\n"));
    Some(blocks.collect::<Vec<_>>().join("\n\n"))
}

/// The numbered sentences that a verdict is about, a line each. Empty if the article has none of them.
fn about(journal: &Journal, round: u32, verdict: &Verdict, article: &ArticleResponse) -> String {
    let Some(subject) = Subject::of(journal, round, verdict.concern_id) else { return String::new() };
    let Some((field, _)) = subject.place else { return String::new() };
    let line = |(number, (name, range)): (u32, (&str, Range<usize>))| {
        let text = sanitise::one_line(article.field(name)?.get(range)?);
        let stands = name == field && (subject.sentence.contains(&text) || text.contains(&subject.sentence));
        stands.then(|| format!("{number}. {text}\n"))
    };
    (1..).zip(places(article)).filter_map(line).collect()
}

pub(super) fn draught(style: &str, journal: &Journal, round: u32) -> Option<Draught<'static>> {
    let task = RevisionTask::of(journal, round)?;
    Some(Draught {
        agent: Agent::Writer,
        template: "draft_revise",
        values: vec![
            ("STYLE_REQUIREMENTS", style.to_owned()),
            ("ARTICLE", shown(&task.article)),
            ("FEEDBACK", writer::for_writer(journal, &to_dos(journal, round, &task)?)),
        ],
        brief: Vec::new(),
        schema: None,
    })
}

/// Reads the sentences that the model wrote anew, and puts them into the draft.
pub(super) fn read(journal: &Journal, round: u32, answer: &Answer) -> Result<Draft, UnusableAnswer> {
    let RevisionTask { article, .. } =
        RevisionTask::of(journal, round).ok_or_else(|| UnusableAnswer::new("there is nothing to revise"))?;
    let anew = reading::numbered(&answer.text)?;
    let to_dos = journal.feedback(round).into_iter().flat_map(|feedback| &feedback.todo_list);
    let asked: Vec<String> = to_dos.map(|to_do| sanitise::one_line(to_do)).collect();
    let mut revised = article.clone();
    // From the end, so that no place moves before its turn.
    for (number, (field, range)) in (1..).zip(places(&article)).collect::<Vec<_>>().into_iter().rev() {
        let Some(lines) = anew.get(&number) else { continue };
        let before = article.field(field).and_then(|text| text.get(range.clone())).unwrap_or_default();
        // A model may copy the sentence behind its number, then the to-do, and write it anew below.
        let mut anew = lines.iter().map(|said| sentence(before, without_question(said, &asked)));
        let anew = anew.find(|new| new != before);
        let Some(new) = anew else { continue };
        // A headline that goes leaves a story without one.
        if new.is_empty() && field != "articleBody" {
            continue;
        }
        revised = revised.map(|name, text| {
            let ends = (name == field).then(|| (text.get(..range.start), text.get(range.end..)));
            let Some((Some(head), Some(tail))) = ends else { return text.to_owned() };
            // The rest of a line from which the first sentence goes begins without a blank.
            let begins = new.is_empty() && (head.is_empty() || head.ends_with('\n'));
            format!("{head}{new}{}", if begins { tail.trim_start_matches(' ') } else { tail })
        });
    }
    if revised == article {
        return Err(UnusableAnswer::new("none of its numbers changes a sentence of the story"));
    }
    writer::checked(journal, &revise::tidied(&article, &revised))
}

/// A line of an answer up to where it repeats a to-do, or the evidence beside one.
fn without_question<'s>(said: &'s str, to_dos: &[String]) -> &'s str {
    let begins = to_dos.iter().filter_map(|to_do| to_do.get(..to_do.floor_char_boundary(COPIED)));
    let cut = begins.chain(["Evidence (", "Evidence: “"]).filter_map(|mark| said.find(mark)).min();
    cut.and_then(|cut| said.get(..cut)).unwrap_or(said).trim_end_matches([' ', '-'])
}

/// A sentence as the model wrote it anew, without what it put around it. Empty if it goes.
fn sentence(before: &str, said: &str) -> String {
    if reading::is_out(said) {
        return String::new();
    }
    let said = ["(headline)", "(second headline)", "(description)"]
        .into_iter()
        .find_map(|label| said.strip_prefix(label))
        .unwrap_or(said);
    let new = if before.starts_with('#') { sanitise::one_line(&without_fences(said)) } else { paragraph(said) };
    // “11” is not a sentence. A sentence that shares no word with the old one is about something else.
    let is_sentence = new.split_whitespace().count() >= FEWEST && Stems::of(&new).shared(&Stems::of(before)) > 0;
    let tells = revise::speaks_of_itself(before) || !revise::speaks_of_itself(&new);
    if is_sentence && tells { new } else { before.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        agents::{Prompts, Windows, material, revising, template::tests::shipped},
        editorial::{
            gate, remarks,
            testing::{add, add_round, opening, verdict},
        },
    };
    use copydesk_newsroom::{Outcome, Specialist, Status, Step, WriterMode};

    const BODY: &str = "## The vote\n\nThe council voted on the park. It costs $2 million.[^1]\n\nNobody spoke. The lamps are new.\n\n\
                        ## Footnotes\n\n[^1]: minutes.txt";

    fn journal(to_dos: &[&str]) -> Journal {
        let mut journal = Journal::new(opening());
        journal.opening.settings.writer_mode = Some(WriterMode::Sections);
        journal.opening.topic.source_text =
            "The council approved the park. It costs $2 million. Dana Ruiz spoke.".into();
        journal.opening.topic.target_length_words = "8-40".into();
        journal.opening.more_sources =
            vec![copydesk_newsroom::Source { name: "minutes.txt".into(), text: "Seven to two.".into() }];
        add_round(&mut journal, 1, &[Specialist::Opinion]);
        let article = ArticleResponse {
            headline: "A park".into(),
            alternativeHeadline: "A vote".into(),
            articleBody: BODY.into(),
            description: String::new(),
        };
        add(&mut journal, Step::Draft, Outcome::Draft(article.into()));
        let verdicts: Vec<_> = to_dos.iter().map(|to_do| verdict(1, Status::Rewrite, Some(to_do))).collect();
        add(&mut journal, Step::Feedback { round: 1 }, Outcome::Feedback(gate::compile(1, &verdicts)));
        journal
    }

    fn answer(text: &str) -> Answer {
        Answer { text: text.into(), ..Answer::default() }
    }

    #[test]
    fn the_model_is_shown_numbers_and_the_to_dos_that_a_program_cannot_do() {
        let journal = journal(&["Replace “voted on” with “approved”.", "Say who spoke."]);
        let prompts = Prompts::new(&shipped()).unwrap();
        let step = Step::Revise { round: 1 };
        let draught = revising::draught("Plain words.", &journal, 1).unwrap();
        let asked = material::ask(draught, &prompts, &Windows::default(), &journal, step).prompt.text();
        let story = "1. (headline) A park\n\n2. (second headline) A vote\n\n3. ## The vote\n\n4. The council approved the park.\n\
                     5. It costs $2 million.\n\n6. Nobody spoke.\n7. The lamps are new.\n";
        assert!(asked.contains(story), "{asked}");
        assert!(asked.contains("- Say who spoke.") && !asked.contains("Replace “voted on”"), "{asked}");
    }

    #[test]
    fn the_sentences_of_the_answer_take_their_places_and_the_others_stay() {
        let journal = journal(&["Replace “voted on” with “approved”.", "Say who spoke."]);
        let revised = |text: &str| read(&journal, 1, &answer(text)).map(|draft| draft.article);
        let with_body = |change: &dyn Fn(&str) -> String| change(&BODY.replace("voted on", "approved"));
        for (said, body) in [
            ("6. Dana Ruiz spoke.", with_body(&|body| body.replace("Nobody spoke", "Dana Ruiz spoke"))),
            (
                "- 6) Dana Ruiz spoke.\n7: OUT",
                with_body(&|body| body.replace("Nobody spoke. The lamps are new.", "Dana Ruiz spoke.")),
            ),
            (
                "6. Nobody spoke.\n- Say who spoke.\n- Dana Ruiz spoke.",
                with_body(&|body| body.replace("Nobody spoke", "Dana Ruiz spoke")),
            ),
            (
                "6. Dana Ruiz spoke. - Say who spoke.",
                with_body(&|body| body.replace("Nobody spoke", "Dana Ruiz spoke")),
            ),
            ("6. [Dana Ruiz spoke.]", with_body(&|body| body.replace("Nobody spoke", "Dana Ruiz spoke"))),
            ("6. OUT", with_body(&|body| body.replace("Nobody spoke. ", ""))),
            ("3. ## The votes\n9. No such place.", with_body(&|body| body.replace("The vote\n", "The votes\n"))),
            ("5. It costs 2 million dollars.\n6.", with_body(&|body| body.replace("$2 million", "2 million dollars"))),
        ] {
            assert_eq!(revised(said).unwrap().articleBody, body, "{said}");
        }
        let heads = revised("1. (headline) A new park\n2. OUT").unwrap();
        assert_eq!((heads.headline.as_str(), heads.alternativeHeadline.as_str()), ("A new park", "A vote"));
        for useless in [
            "Dana Ruiz spoke.",
            "6. Nobody spoke.",
            "12. Dana Ruiz spoke.",
            "1. 11",
            "5. 2 million",
            "4. I cannot find that.",
            "4. The draft does not say what the council voted.",
            "6. [the whole sentence, written anew]",
        ] {
            assert!(revised(useless).is_err(), "{useless}");
        }
    }

    #[test]
    fn a_program_puts_no_fix_in_that_says_what_no_source_says() {
        let fix = "Write “The parks department commissioned an engineering review of the park.” instead of “The council voted on the park.”.";
        let journal = journal(&[fix]);
        assert_eq!(revising::by_rule(&journal, 1), None);
        let Some(Outcome::Draft(draft)) = revising::completed(&journal, 1, &answer("No.")) else { panic!("no draft") };
        assert_eq!(draft.article.articleBody, BODY);
        assert!(draft.undone.last().is_some_and(|left| left.ends_with("no source says that")), "{:?}", draft.undone);
    }

    #[test]
    fn after_useless_answers_a_program_does_its_part_and_says_so() {
        let journal = journal(&["Replace “voted on” with “approved”.", "Say who spoke."]);
        let useless = answer("I would say who spoke.");
        let Some(Outcome::Draft(draft)) = revising::completed(&journal, 1, &useless) else { panic!("no draft") };
        assert!(draft.article.articleBody.contains("The council approved the park."));
        let [by_rule, left] = draft.undone.as_slice() else { panic!("{:?}", draft.undone) };
        assert!(remarks::is_remark(by_rule) && by_rule.contains("it has no numbered sentence"), "{by_rule}");
        assert!(left.contains("Say who spoke."), "{left}");
    }
}
