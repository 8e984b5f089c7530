//! The agents of docs/reference/contract.md: typed task in, typed answer out.
//!
//! An agent is pure: it makes a prompt from the journal and reads the answer strictly, or, offline, does the work by
//! rules. It calls no model, reads no file and knows no clock; the desk does that. Nothing that a model says is kept
//! before it has been checked here.

mod asking_again;
mod control_tokens;
mod conversation;
mod drafting;
mod key_points;
mod mapping;
mod material;
pub mod offline;
mod proof;
mod publisher;
mod question;
mod questions;
mod reading;
mod research;
mod review;
mod revising;
mod second_opinion;
mod sections;
mod skill_costs;
mod skills;
mod specialists;
mod template;
mod writer;

use std::collections::HashMap;

pub use conversation::{Compacted, Compaction, CompactionRecord, Shortened};
pub use drafting::without_answer;
pub use mapping::specialist_of;
pub use material::Windows;
pub use publisher::{notes_by_rule, notes_without_model};
pub use question::AnsweredSentence;
pub(crate) use question::{ask as ask_question, read as answer_question};
pub use reading::{ReadingNote, UnusableAnswer};
pub use research::{ConversationSavings, questions_by_rule};
pub use skill_costs::{SkillCost, SkillTokens, skill_costs, skill_problems, skill_tokens};
pub use template::{
    ASK_FILE, EDITOR_FILES, OPINION_FILE, PUBLISHER_FILE, PromptError, Prompts, QUESTIONS_FILE, REPORTER_FILES,
    REQUIRED_FILES, SHORT_FORMS,
};

use crate::{
    editorial::{self, by_hand, changes, citations, decisions, remarks, same_words, vouching},
    ports::Ask,
};
use copydesk_newsroom::{
    Agent, Answer, ArticleResponse, ConcernMappingResult, Draft, Failure, Headlines, Journal, LookUp, Outcome,
    ResearchErrand, ResearchTurn, ReviewRoom, Source, Specialist, Status, Step, Tool, Verdict, WriterMode, Writing,
};
use copydesk_text::{
    count,
    language::{self, Language},
    sanitise,
    sentences::sentences_around,
};

pub enum Agents {
    /// Rules in this program.
    Offline,
    /// Models, asked with these prompts, in these styles (name to requirements).
    Models {
        prompts: Prompts,
        /// The requirements of each style, by its name.
        styles: HashMap<String, String>,
        windows: Windows,
        /// The agent that is asked about sentences that the proof could not bind; none if no agent is asked.
        second_opinion: Option<Agent>,
    },
}

/// How a step is to be done.
#[derive(Debug)]
pub enum Plan {
    /// It is done, with this outcome.
    Done(Box<Outcome>),
    /// A model must be asked; [`Agents::read`] then reads its answer.
    Ask(Box<Ask>),
}

impl Plan {
    fn done(outcome: Outcome) -> Self {
        Self::Done(Box::new(outcome))
    }

    fn ask(ask: Ask) -> Self {
        Self::Ask(Box::new(ask))
    }
}

impl Agents {
    /// Plans a turn of an agent that is given these tools.
    pub fn plan_turn(&self, journal: &Journal, step: Step, tools: &[Tool]) -> Option<Plan> {
        let Step::Turn { errand, turn } = step else { return None };
        if let Some(served) = errand.serves() {
            let asks = Self::without_anyone(journal, served).is_none();
            let asked = match self {
                Self::Models { prompts, styles, windows, .. } if asks => {
                    with_tools(prompts, styles, windows, journal, step, tools)
                }
                _ => None,
            };
            // Otherwise the step itself is done, as it is without tools.
            return Some(asked.map_or_else(|| Plan::done(Outcome::Turn(ResearchTurn::default())), Plan::ask));
        }
        let asked = match self {
            Self::Models { prompts, windows, .. } => research::ask(prompts, windows, journal, step, tools),
            Self::Offline => None,
        };
        Some(asked.map_or_else(|| Plan::done(research::turn_by_rule(journal, errand, turn, tools)), Plan::ask))
    }

    /// Plans a step that an agent does: draft, review, map, questions, search, judge or revise; plan, coverage or triage of research. Other
    /// steps are the desk's own and give no plan. Offline work is done here and may take a while for a large source.
    pub fn plan(&self, journal: &Journal, step: Step) -> Option<Plan> {
        if let Some(done) = Self::without_anyone(journal, step) {
            return Some(Plan::done(done));
        }
        let by_rule = || offline_outcome(journal, step).map(Plan::done);
        let Self::Models { prompts, styles, windows, second_opinion } = self else { return by_rule() };
        let asked = match step {
            Step::Plan | Step::Coverage { .. } | Step::Triage { .. } => {
                research::ask(prompts, windows, journal, step, &[])
            }
            Step::Opinion { .. } => second_opinion.and_then(|agent| second_opinion::ask(prompts, agent, journal, step)),
            Step::Prepare { round } => publisher::ask(prompts, journal, round),
            Step::Questions { round, concern } => questions::ask(prompts, journal, round, concern),
            _ => {
                let name = &journal.opening.topic.style_mode;
                let Some(style) = styles.get(name) else {
                    let message = format!("the style {name} is no longer among article_generation.allowed_styles");
                    return Some(Plan::done(Outcome::Failure(Failure::of(message))));
                };
                if let Step::Sections { round } = step {
                    let sections = sections::cut(prompts, windows, style, journal, round)?;
                    return Some(Plan::done(Outcome::Sections(sections)));
                }
                return ask(prompts, windows, style, journal, step).map(Plan::ask);
            }
        };
        // A story that was opened under other settings may need a prompt that is not there.
        asked.map(Plan::ask).or_else(by_rule)
    }

    /// Returns the room of the reviewer's window beside its instructions and a style; none if nothing bounds it.
    pub fn review_room(&self, style: &str) -> Option<ReviewRoom> {
        let Self::Models { prompts, styles, windows, .. } = self else { return None };
        sections::room(prompts, windows, styles.get(style)?)
    }

    /// Whether planning a step of a story may take a while, because its sources are long beside the models' windows.
    pub fn takes_a_while(&self, journal: &Journal) -> bool {
        matches!(self, Self::Models { windows, .. } if windows.are_narrow(journal))
    }

    /// The outcome of a step that needs no agent: a given draft, the proof, a remembered verdict, one that an editor has given before, or
    /// the verdict on a group.
    pub fn without_anyone(journal: &Journal, step: Step) -> Option<Outcome> {
        match step {
            Step::Draft => {
                let given = journal.opening.given_draft.clone().map(|article| Outcome::Draft(article.into()));
                given.or_else(|| Some(joined(journal, &editorial::drafting::joined(journal)?)))
            }
            // The editor's own text is the next draft, word for word.
            Step::Revise { round } if decisions::is_rewritten(journal, round) => {
                decisions::edit(journal, round).cloned().map(|article| Outcome::Draft(article.into()))
            }
            Step::Revise { round } if journal.opening.settings.writer_mode == Some(WriterMode::Sections) => {
                revising::by_rule(journal, round)
            }
            Step::Prove { round } => proof::prove(journal, round).map(Outcome::Proof),
            Step::Review { round } if !journal.opening.workflow.reviews(round) => {
                Some(Outcome::Review(review::by_nobody()))
            }
            Step::Review { round } if decisions::is_by_hand(journal, round) => {
                review::by_hand(journal, round).map(Outcome::Review)
            }
            Step::Review { round } if journal.opening.settings.no_reviewer => {
                review::by_proof(journal, round).map(Outcome::Review)
            }
            Step::Review { round } => review::of_sections(journal, round).map(Outcome::Review),
            Step::Map { round } if decisions::is_by_hand(journal, round) => {
                Some(Outcome::Mapping(mapping::by_hand(journal, round)))
            }
            Step::Triage { round } if decisions::is_by_hand(journal, round) => research::done_by_rule(journal, step),
            Step::Judge { round, concern } if decisions::is_by_hand(journal, round) => {
                let before = || by_hand::verdict(journal, round, concern);
                let verdict =
                    let_stand(journal, round, concern).or_else(before).or_else(|| of_group(journal, round, concern));
                verdict.map(Outcome::Verdict).or_else(|| offline_outcome(journal, step))
            }
            Step::Coverage { .. } => answered(journal, step),
            Step::Judge { round, concern } => let_stand(journal, round, concern)
                .or_else(|| of_group(journal, round, concern))
                .or_else(|| {
                    let record = journal.look_up(round, concern)?.remembered.as_ref()?;
                    Some(Verdict { concern_id: concern, ..record.verdict().clone() })
                })
                .or_else(|| same_words::verdict(journal, round, concern))
                .map(Outcome::Verdict)
                .or_else(|| answered(journal, step)),
            _ => None,
        }
    }

    /// Reads the answer to the question that [`Agents::plan`] made for `step`.
    ///
    /// # Errors
    /// [`UnusableAnswer`] if the answer breaks its contract; the message says how.
    pub fn read(journal: &Journal, step: Step, answer: &Answer) -> Result<Outcome, UnusableAnswer> {
        match step {
            Step::Draft => writer::read(journal, answer).map(Outcome::Draft),
            Step::Revise { round } => revising::read(journal, round, answer).map(Outcome::Draft),
            Step::Write(writing) => drafting::read(journal, writing, answer),
            Step::Review { round } => review::read(journal, round, answer).map(Outcome::Review),
            Step::ReviewSection { .. } => review::bullets_of(answer).map(Outcome::Bullets),
            Step::Map { round } => mapping::read(journal, round, answer).map(Outcome::Mapping),
            Step::Questions { .. } => questions::read(answer).map(Outcome::Questions),
            Step::Opinion { round, batch } => {
                second_opinion::read(journal, round, batch, answer).map(Outcome::Opinions)
            }
            Step::Prepare { round } => publisher::read(journal, round, answer).map(Outcome::Prepared),
            Step::Turn { errand, .. } if answer.calls.is_empty() && errand.serves().is_some() => {
                // The step reads it again; here it is read for its form.
                errand.serves().map(|served| Self::read(journal, served, answer)).transpose()?;
                Ok(Outcome::Turn(ResearchTurn { said: answer.text.clone(), ..ResearchTurn::default() }))
            }
            Step::Search { .. } => specialists::read_search(answer).map(Outcome::Evidence),
            Step::Judge { round, concern } => specialists::read(journal, round, concern, answer).map(Outcome::Verdict),
            Step::Plan | Step::Turn { .. } | Step::Coverage { .. } | Step::Triage { .. } => {
                research::read(journal, step, answer)
            }
            _ => Err(UnusableAnswer::new("no model is asked for this step")),
        }
    }
}

/// The outcome of a step whose last answer broke its contract, if that is better than a story without an end. Rules complete a mapping
/// that left concerns out or cannot be read. They leave a section out that tells nothing, carry out what they can of a revision, and do a
/// step of research. None for every other step.
pub fn completed(journal: &Journal, step: Step, ask: &Ask, answer: &Answer) -> Option<Outcome> {
    match step {
        Step::Map { round } => Some(Outcome::Mapping(mapping::completed(journal, round, answer))),
        Step::Turn { errand, .. } if errand.serves().is_some() => None,
        Step::Write(_) => drafting::completed(journal, step, answer),
        Step::Revise { round } => revising::completed(journal, round, answer),
        _ => research::completed(journal, step, &ask.prompt.tools, answer),
    }
}

/// Returns the notes on what was taken off the answer to a step, or mended in it, before it was read. Empty if it cannot be read.
pub fn reading_notes(step: Step, text: &str) -> Vec<ReadingNote> {
    let notes = match step {
        Step::Draft | Step::Write(Writing::Again) => reading::notes::<ArticleResponse>(text),
        Step::Revise { .. } => revising::notes(text),
        Step::Write(Writing::Plan) => drafting::plan_notes(text),
        Step::Write(Writing::Section(_)) => reading::prose(text).map(|read| read.notes),
        Step::Write(Writing::Heads) => reading::notes::<Headlines>(text),
        Step::Review { .. } | Step::ReviewSection { .. } => reading::bullets(text).map(|read| read.notes),
        Step::Map { .. } => reading::notes::<ConcernMappingResult>(text),
        Step::Judge { concern, .. } => specialists::notes(concern, text),
        Step::Questions { .. } | Step::Plan => reading::notes::<questions::QuestionsAnswer>(text),
        Step::Opinion { .. } => reading::notes::<second_opinion::OpinionsAnswer>(text),
        Step::Prepare { .. } => reading::notes::<publisher::PublisherAnswer>(text),
        Step::Turn { errand, .. } => match errand.serves() {
            Some(served) => return reading_notes(served, text),
            None => research::turn_notes(text),
        },
        Step::Coverage { .. } => reading::notes::<research::CoverageAnswer>(text),
        Step::Triage { .. } => reading::notes::<research::TriageAnswer>(text),
        _ => reading::read_text(text).map(|read| read.notes),
    };
    notes.unwrap_or_default()
}

/// The agent that is sent on an errand.
pub fn agent_of(journal: &Journal, errand: ResearchErrand) -> Agent {
    match errand {
        ResearchErrand::Pass(_) | ResearchErrand::Round(_) => Agent::Reporter,
        ResearchErrand::Gaps(_) => Agent::Editor,
        ResearchErrand::Check { round, concern } => {
            Agent::Specialist(specialist_of(journal, round, concern).unwrap_or(Specialist::FactCheck))
        }
    }
}

/// The outcome of a step whose agent called tools and then answered.
fn answered(journal: &Journal, step: Step) -> Option<Outcome> {
    let errand = ResearchErrand::before(step)?;
    let last = (1..).map_while(|turn| journal.turn(errand, turn)).last()?;
    let answer = Answer { text: last.said.clone(), ..Answer::default() };
    if last.calls.is_empty() && !last.said.is_empty() { Agents::read(journal, step, &answer).ok() } else { None }
}

/// The question of a step with tools and with what they brought so far. None if there are no tools: the step is then asked by itself.
fn with_tools(
    prompts: &Prompts,
    styles: &HashMap<String, String>,
    windows: &Windows,
    journal: &Journal,
    step: Step,
    tools: &[Tool],
) -> Option<Ask> {
    let Step::Turn { errand, turn } = step else { return None };
    let served = errand.serves().filter(|_| turn > 1 || !tools.is_empty())?;
    // A third of the window is for the tools and their results.
    let mut narrow = windows.clone();
    if let Some(most) = narrow.prompts.get_mut(&agent_of(journal, errand)) {
        *most -= *most / 3;
    }
    let first = match served {
        Step::Coverage { .. } => research::ask(prompts, &narrow, journal, served, &[])?,
        _ => ask(prompts, &narrow, styles.get(&journal.opening.topic.style_mode)?, journal, served)?,
    };
    research::with_tools(first, windows, journal, errand, turn, tools)
}

/// Returns the text that an editor is at, with the fix for a concern made in it. None if no open verdict has a fix that names the words
/// to put or to delete, or they do not stand in the text.
pub fn with_fix(journal: &Journal, round: u32, concern: u32) -> Option<ArticleResponse> {
    let article = decisions::edit(journal, round).or(journal.draft(round).map(|draft| &draft.article))?;
    with_fix_in(journal, round, concern, article)
}

/// As [`with_fix`], in a text that is being typed.
pub fn with_fix_in(journal: &Journal, round: u32, concern: u32, article: &ArticleResponse) -> Option<ArticleResponse> {
    let verdicts = decisions::effective_verdicts(journal, round);
    let verdict = verdicts.into_iter().find(|one| one.concern_id == concern && one.status != Status::Keep)?;
    let fixed = offline::revise::revise(article, &[verdict.suggested_fix?], &journal.sources());
    (fixed.undone.is_empty() && fixed.article != *article).then_some(fixed.article)
}

/// The sentence that the fix for a concern changes, and the same with the fix; empty if all of it goes. None as [`with_fix`].
pub fn fix_in_sentences(journal: &Journal, round: u32, concern: u32) -> Option<(String, String)> {
    let fixed = with_fix(journal, round, concern)?;
    let article = decisions::edit(journal, round).or(journal.draft(round).map(|draft| &draft.article))?;
    let (article, fixed) = changed_lines(article, fixed);
    let comparison = changes::by_hand(&article, &fixed);
    let change = comparison.changes.first()?;
    let around = |article: &ArticleResponse, range: &std::ops::Range<usize>| {
        let text = article.field(change.field)?;
        text.get(sentences_around(text, range)).map(|sentence| sentence.trim().to_owned())
    };
    let before = around(&article, &change.old)?;
    let goes = change.new.is_empty() && change.old.len() >= before.len();
    Some((before, if goes { String::new() } else { around(&fixed, &change.new)? }))
}

/// Two articles with only the lines of their texts between the first and the last that differ: a screen compares them for each concern.
fn changed_lines(old: &ArticleResponse, mut new: ArticleResponse) -> (ArticleResponse, ArticleResponse) {
    let lines = |text: &str| text.split('\n').map(str::to_owned).collect::<Vec<_>>();
    let (mut before, mut after) = (lines(&old.articleBody), lines(&new.articleBody));
    while before.len() > 1 && after.len() > 1 && before.last() == after.last() {
        before.pop();
        after.pop();
    }
    let same = before.iter().zip(&after).take_while(|(before, after)| before == after).count();
    let mut old = old.clone();
    old.articleBody = before.get(same..).unwrap_or_default().join("\n");
    new.articleBody = after.get(same..).unwrap_or_default().join("\n");
    (old, new)
}

/// Whether the fix for a concern names words that stand in the text that an editor is at. Costs less than [`with_fix`].
pub fn has_fix(journal: &Journal, round: u32, concern: u32) -> bool {
    let drafted = journal.draft(round).map(|draft| &draft.article);
    let Some(article) = decisions::edit(journal, round).or(drafted) else { return false };
    let verdicts = decisions::effective_verdicts(journal, round);
    let open = verdicts.into_iter().find(|one| one.concern_id == concern && one.status != Status::Keep);
    open.and_then(|verdict| verdict.suggested_fix).is_some_and(|fix| offline::revise::stands(article, &fix))
}

/// Whether the draft of a gate would come back as it is: no model writes, and none of its to-dos names words that stand in it.
pub fn would_come_back(journal: &Journal, round: u32) -> bool {
    let Some(draft) = journal.draft(round).filter(|_| journal.opening.by_rules) else { return false };
    let revises = decisions::outcome(journal, round) == copydesk_newsroom::GateOutcome::Revise;
    if !revises || crate::editorial::research::is_asked(journal, round) {
        return false;
    }
    let to_dos = decisions::feedback(journal, round, copydesk_style::to_dos(journal, round)).todo_list;
    offline::revise::revise(&draft.article, &to_dos, &journal.sources()).article == draft.article
}

/// The verdict on a concern that an editor let stand in an earlier round. If something was looked up, the specialist judges it instead,
/// because the memory keeps verdicts on evidence, and this is not one.
fn let_stand(journal: &Journal, round: u32, concern: u32) -> Option<Verdict> {
    if journal.look_up(round, concern).is_some() {
        return None;
    }
    let decided = vouching::settled_before(journal, round, concern)?;
    let (by, reason) = (&decided.decision.by, vouching::reason(decided.decision));
    Some(Verdict::keep(concern, format!("{by} let it stand in round {}: {reason}", decided.round)))
}

/// Returns the verdict on a group of concerns: no specialist has looked at them, so the draft does not pass by itself.
fn of_group(journal: &Journal, round: u32, concern: u32) -> Option<Verdict> {
    let group = vouching::group(journal, round, concern)?;
    let what = if let Some((_, first)) = group.first() {
        let kind = first.concern_type.name().replace('_', " ");
        format!("{} of the kind “{kind}”", count(group.len(), "more finding"))
    } else {
        journal.concern(round, concern)?.review_note.lines().next()?.trim_end_matches(':').to_owned()
    };
    let rationale = format!("Beyond the limit of this review: {what}. No specialist has looked: a person must.");
    Some(Verdict { misleading: false, ..Verdict::rewrite(concern, rationale) })
}

/// Returns the draft of sections. The points that no section tells stand among what it leaves undone.
fn joined(journal: &Journal, article: &ArticleResponse) -> Outcome {
    let mut outcome = writer::written(journal, article);
    if let Outcome::Draft(draft) = &mut outcome {
        draft.undone.extend(editorial::drafting::untold(journal).map(remarks::untold));
    }
    outcome
}

fn offline_outcome(journal: &Journal, step: Step) -> Option<Outcome> {
    let sources = journal.sources();
    Some(match step {
        Step::Draft => {
            let sources = journal.writing_sources();
            match foreign(&sources) {
                Some(language) => unreadable(language),
                None => whole(offline::writer::draft(&journal.opening.topic, &sources)),
            }
        }
        Step::Review { round } => {
            let article = &journal.draft(round)?.article;
            let pages = citations::pages(journal);
            Outcome::Review(offline::review::review(article, &sources, &pages, review::limit(&journal.opening)))
        }
        Step::Map { round } => Outcome::Mapping(mapping::by_rules(journal, round)),
        Step::Opinion { .. } => Outcome::Opinions(second_opinion::nobody()),
        Step::Prepare { round } => Outcome::Prepared(notes_without_model(journal, round, publisher::NOBODY)?),
        // Rules have no window.
        Step::Sections { .. } => Outcome::Sections(Vec::new()),
        // The rule writes them where they are used.
        Step::Questions { .. } => Outcome::Questions(Vec::new()),
        Step::Judge { round, concern } => {
            let subject = specialists::ConcernAtHand::of(journal, round, concern)?;
            let passages = journal.look_up(round, concern).map(|look_up: &LookUp| look_up.passages.as_slice());
            Outcome::Verdict(offline::specialists::judge(
                subject.specialist,
                subject.concern,
                subject.finding,
                subject.article,
                (&sources, &citations::pages(journal)),
                passages.unwrap_or_default(),
            ))
        }
        Step::Revise { round } => {
            let mut to_dos = journal.feedback(round)?.todo_list.clone();
            let own = to_dos.len() - decisions::house_style_to_dos(journal, round).len();
            // To-dos of house style are done as far as they can be; the others flag no story.
            let mut house_style = to_dos.split_off(own);
            house_style.retain(|to_do| offline::revise::is_instruction(to_do));
            to_dos.extend(house_style);
            whole(offline::revise::revise(&journal.draft(round)?.article, &to_dos, &sources))
        }
        Step::Plan | Step::Coverage { .. } | Step::Triage { .. } => return research::done_by_rule(journal, step),
        _ => return None,
    })
}

/// The language of the sources if none is in English.
fn foreign(sources: &[Source]) -> Option<Language> {
    let languages: Vec<Option<Language>> = sources.iter().map(|source| language::detect(&source.text)).collect();
    let is_foreign = |language: &Option<Language>| language.is_some_and(|language| !language.is_english());
    languages.iter().all(is_foreign).then(|| languages.into_iter().flatten().next())?
}

fn unreadable(language: Language) -> Outcome {
    Outcome::Failure(Failure::of(format!(
        "there is no article: the source is in {language}, and the offline writer reads English only; use engine: llm"
    )))
}

/// A draft without a word is no draft.
fn whole(draft: Draft) -> Outcome {
    if !sanitise::is_blank(&draft.article.articleBody) {
        return Outcome::Draft(draft);
    }
    Outcome::Failure(Failure::of(
        "no sentence of the sources can stand by itself, so there is no article; give a source in full sentences, or use engine: llm",
    ))
}

fn ask(prompts: &Prompts, windows: &Windows, style: &str, journal: &Journal, step: Step) -> Option<Ask> {
    let draught = match step {
        Step::Draft => writer::draft(style, journal),
        Step::Revise { round } => revising::draught(style, journal, round)?,
        Step::Review { round } => review::draught(style, journal, round)?,
        Step::ReviewSection { round, section } => sections::draught(style, journal, round, section)?,
        Step::Map { round } => mapping::draught(style, journal, round)?,
        Step::Judge { round, concern } => specialists::draught(style, journal, round, concern)?,
        Step::Search { round, concern } => return specialists::ask_search(prompts, journal, round, concern),
        Step::Write(writing) => return drafting::ask(prompts, windows, style, journal, writing),
        _ => return None,
    };
    Some(material::ask(material::formed(draught, prompts, windows), prompts, windows, journal, step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::next_steps::next_steps;
    use crate::editorial::testing::{add, add_round, opening};
    use copydesk_newsroom::{ArticleReviewRaw, ArticleReviewResult, Concern, LastBullet, Review};

    #[test]
    fn a_fix_is_compared_in_the_lines_that_it_changes() {
        use crate::editorial::testing::article;
        let bodies = |old: &str, new: &str| {
            let (old, new) = changed_lines(&article(old), article(new));
            (old.articleBody, new.articleBody)
        };
        let of = |old: &str, new: &str| (old.to_owned(), new.to_owned());
        assert_eq!(bodies("One.\n\nTwo is 2.\n\nThree.", "One.\n\nTwo is 3.\n\nThree."), of("Two is 2.", "Two is 3."));
        assert_eq!(bodies("One.\n\nTwo.\n\nThree.", "One.\n\nThree."), of("\nTwo.", ""), "a paragraph goes");
        assert_eq!(bodies("One.", "One."), of("", ""));
        assert_eq!(bodies("One. Two.\n\nEnd.", "Two.\n\nEnd."), of("One. Two.", "Two."));
    }

    #[test]
    fn in_sections_mode_to_dos_that_name_their_words_need_no_model() {
        use crate::editorial::{gate::compile, testing::verdict};
        use copydesk_newsroom::{Opening, RunSettings, WriterMode};
        let revised = |mode: Option<WriterMode>, fixes: &[&str]| {
            let mut journal = Journal::new(Opening {
                settings: RunSettings { writer_mode: mode, ..opening().settings },
                ..opening()
            });
            add_round(&mut journal, 1, &[Specialist::Opinion]);
            let verdicts: Vec<Verdict> = fixes.iter().map(|fix| verdict(1, Status::Rewrite, Some(fix))).collect();
            add(&mut journal, Step::Feedback { round: 1 }, Outcome::Feedback(compile(1, &verdicts)));
            match Agents::without_anyone(&journal, Step::Revise { round: 1 }) {
                Some(Outcome::Draft(draft)) => Some(draft.article.articleBody),
                None => None,
                other => panic!("{other:?}"),
            }
        };
        let named = ["Write “Text” instead of “Draft”.", "Write “a y” instead of “an x”."];
        let sections = Some(WriterMode::Sections);
        assert_eq!(revised(sections, &named).as_deref(), Some("Text 1 with a y."));
        assert_eq!(revised(sections, &[named[0], "Say it more plainly."]), None, "the model does all of it");
        assert_eq!(revised(sections, &["Write “a” instead of “not there”."]), None);
        assert_eq!(revised(Some(WriterMode::Whole), &named), None);
    }

    #[test]
    fn the_verdict_on_a_group_is_made_by_rule_and_nothing_is_looked_up_for_it() {
        let found = copydesk_proof::testing::check_texts(
            "The plan lays 1.8 miles of paths.",
            "The plan lays 1.4 miles of paths.",
        );
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::StyleReview; 2]);
        let raw = ArticleReviewRaw { markdown_bullets: String::new() };
        let last_bullets = vec![LastBullet::Group(vec![]), LastBullet::Group(vec![1])];
        let review = Review { last_bullets, ..Review::new(raw, found) };
        add(&mut journal, Step::Review { round: 1 }, Outcome::Review(review));
        let note = "7 more concerns of the reviewer:\n  - x".to_owned();
        let concerns = vec![
            Concern { concern_id: 1, excerpt: note.clone(), review_note: note },
            Concern { concern_id: 2, excerpt: "1.8".into(), review_note: "x".into() },
        ];
        add(&mut journal, Step::Parse { round: 1 }, Outcome::Concerns(ArticleReviewResult { concerns }));
        let judge = |concern| Step::Judge { round: 1, concern };
        assert_eq!(next_steps(&journal), [judge(1), judge(2)]);
        for (concern, what) in
            [(1, "7 more concerns of the reviewer"), (2, "1 more finding of the kind “inferred fact”")]
        {
            let rationale =
                format!("Beyond the limit of this review: {what}. No specialist has looked: a person must.");
            let expected = Verdict {
                concern_id: concern,
                misleading: false,
                status: Status::Rewrite,
                rationale,
                suggested_fix: None,
                evidence: None,
                citations: None,
            };
            assert_eq!(expected.flaw(), None);
            let outcome = Some(Outcome::Verdict(expected));
            assert_eq!(Agents::without_anyone(&journal, judge(concern)), outcome);
        }
    }
}
