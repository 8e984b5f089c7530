use std::collections::HashMap;

use super::*;
use crate::{
    agents::{Agents, Plan, template::tests::shipped},
    editorial::next_steps::next_steps,
    editorial::testing::{add, opening},
};
use copydesk_newsroom::{
    Agent, Headlines, Opening, PlannedSection, RunSettings, SectionFault, WriterMode, WrittenSection,
};
use copydesk_text::tokens;

const SOURCE: &str = "The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park. It was a long evening.\n\n\
    DANA RUIZ: We may begin in April. The pond will be cleaned first.\n\n\
    The plan lays 1.4 miles of paths around the pond. It costs $2 million. Nobody has said who pays for the lamps.";

fn answer(text: &str) -> Answer {
    Answer { text: text.into(), ..Answer::default() }
}

fn journal(target: &str, mode: WriterMode) -> Journal {
    let mut opening = Opening { settings: RunSettings { writer_mode: Some(mode), ..opening().settings }, ..opening() };
    opening.topic.source_text = SOURCE.into();
    opening.topic.target_length_words = target.into();
    Journal::new(opening)
}

fn agents(limit: u64) -> Agents {
    Agents::Models {
        prompts: Prompts::new(&shipped()).unwrap(),
        styles: HashMap::from([("SCIAM_MAGAZINE".to_owned(), "Plain words.".to_owned())]),
        windows: Windows {
            encoding: "o200k_base".into(),
            prompts: Agent::all().map(|agent| (agent, limit)).collect(),
            sources: None,
        },
        second_opinion: None,
    }
}

fn asked(journal: &Journal, step: Step) -> Ask {
    match agents(30_000).plan(journal, step) {
        Some(Plan::Ask(ask)) => *ask,
        other => panic!("{other:?}"),
    }
}

/// Reads an answer to the step and adds its outcome.
fn takes(journal: &mut Journal, step: Step, text: &str) {
    assert_eq!(next_steps(journal), [step]);
    let outcome = Agents::read(journal, step, &answer(text)).unwrap();
    add(journal, step, outcome);
}

const PLAN: Step = Step::Write(Writing::Plan);

fn section(number: u32) -> Step {
    Step::Write(Writing::Section(number))
}

fn mend(number: u32) -> Step {
    Step::Write(Writing::Mend(number))
}

#[test]
fn a_plan_is_asked_for_by_numbered_lines_and_its_lines_are_the_sources_own() {
    let mut journal = journal("60-90", WriterMode::Sections);
    let ask = asked(&journal, PLAN);
    let text = ask.prompt.text();
    assert!(text.contains("[1] The council of Eastbrook voted seven to two"), "{text}");
    assert!(text.contains("[3] DANA RUIZ: We may begin in April.\n[4] DANA RUIZ: The pond"), "{text}");
    assert!(ask.shown.is_none() && text.contains("Choose 2 points."), "{text}");
    let said = r#"{"sections": [{"point": "the vote", "lines": [1, 99, 1, 0]}, {"point": "empty", "lines": [1]}, {"point": "the plan", "lines": [5, 3]}]}"#;
    takes(&mut journal, PLAN, said);
    let plan = drafting::plan(&journal).unwrap();
    let shown = |section: &PlannedSection| -> Vec<String> {
        section.lines.iter().map(|line| lines::said(&journal, line)).collect()
    };
    assert_eq!(plan.sections.len(), 2, "a section without a line of its own is none");
    assert_eq!(shown(&plan.sections[1])[0], "DANA RUIZ: We may begin in April.", "in the order of the source");
    let words: Vec<usize> = plan.sections.iter().map(|section| section.words).collect();
    assert_eq!(words, [20, 20], "no more than the lines have, and twenty at least");
    let spare: Vec<String> = plan.spare.iter().flat_map(shown).collect();
    assert!(spare.contains(&"It costs $2 million.".to_owned()) && !spare.iter().any(|line| line.contains("April")));
    for useless in [r#"{"sections": []}"#, r#"{"sections": [{"point": "x", "lines": [99]}]}"#, "Two points."] {
        assert!(Agents::read(&journal, PLAN, &answer(useless)).is_err(), "{useless}");
    }
}

#[test]
fn a_plan_of_sources_that_do_not_fit_shows_the_lines_of_their_key_points_and_says_so() {
    let mut journal = journal("250-400", WriterMode::Sections);
    let filler =
        |n: usize| format!("Item {n}: somebody coughed, and a chair was moved across the floor of hall {n}.\n\n");
    journal.opening.topic.source_text = (0..400).map(filler).collect::<String>() + SOURCE;
    let Some(Plan::Ask(ask)) = agents(2_000).plan(&journal, PLAN) else { panic!("no question") };
    let tokens: u64 = ask.prompt.messages.iter().map(|m| tokens::count("o200k_base", &m.text())).sum();
    let shown = ask.shown.unwrap();
    assert!(tokens <= 2_000 && tokens > 1_200, "{tokens}");
    assert!(shown.places.len() > 20 && shown.bytes == journal.opening.topic.source_text.len());
    assert!(ask.prompt.text().contains("[1] Item 0"), "the opening is always shown");
}

#[test]
fn a_section_is_asked_for_with_its_lines_alone_and_read_as_plain_prose() {
    let mut journal = journal("60-90", WriterMode::Sections);
    let plan = r#"{"sections": [{"point": "the vote", "lines": [1]}, {"point": "the work", "lines": [3, 4]}]}"#;
    takes(&mut journal, PLAN, plan);
    let first = "**The vote**\n\nHere is the paragraph:\n\n- The Eastbrook council voted to renovate Miller Park.\n- It was seven to two.";
    takes(&mut journal, section(1), first);
    let text = "The Eastbrook council voted to renovate Miller Park. It was seven to two.";
    assert_eq!(drafting::written(&journal, 1), Some(&WrittenSection { text: text.into(), faults: vec![] }));
    let question = asked(&journal, section(2)).prompt.text();
    assert!(question.contains(&format!("<known>\n{text}\n</known>")), "{question}");
    assert!(question.contains("- DANA RUIZ: We may begin in April.") && !question.contains("1.4 miles"), "{question}");
    assert!(!question.to_lowercase().contains("article"), "a small model would write about the article: {question}");
    // A section does not repeat earlier sentences, and does not outgrow its length.
    let more = "word ".repeat(60);
    let second = format!("It was seven to two. Work may begin in April, Dana Ruiz said. {more}. And so on.");
    let Outcome::Prose(read) = Agents::read(&journal, section(2), &answer(&second)).unwrap() else { panic!() };
    assert!(read.text.starts_with("Work may begin in April, Dana Ruiz said. word"), "{}", read.text);
    assert!(!read.text.contains("so on"), "{}", read.text);
    let about = "Work may begin in April, Dana Ruiz said. The facts do not say what it costs.";
    let Outcome::Prose(read) = Agents::read(&journal, section(2), &answer(about)).unwrap() else { panic!() };
    assert_eq!(read.text, "Work may begin in April, Dana Ruiz said.");
    let itself = Agents::read(&journal, section(2), &answer("The notes provide information on costs.")).unwrap_err();
    assert!(itself.to_string().contains("instead of telling it"), "{itself}");
    let repeated = Agents::read(&journal, section(2), &answer("It was seven to two.")).unwrap_err();
    assert!(repeated.to_string().contains("no sentence that is new"), "{repeated}");
}

#[test]
fn what_stands_around_a_section_is_no_part_of_it_and_consent_alone_is_no_section() {
    let mut journal = journal("60-90", WriterMode::Sections);
    takes(&mut journal, PLAN, r#"{"sections": [{"point": "the vote", "lines": [1, 2]}]}"#);
    let text = "The Eastbrook council voted to renovate Miller Park. It was seven to two.";
    for around in [
        "Paragraph: {}",
        "## The vote\n\n**{}**",
        "The vote on the park\n\n{}",
        "<p>{}</p>\n\n(13 words)",
        r#"{"paragraph": "{}"}"#,
        "{}\\n\\n",
    ] {
        let Outcome::Prose(read) = Agents::read(&journal, section(1), &answer(&around.replace("{}", text))).unwrap()
        else {
            panic!()
        };
        assert_eq!(read, WrittenSection { text: text.into(), faults: vec![] }, "{around}");
    }
    for nothing in [
        "OK",
        "OK.",
        "Understood. I will write one paragraph from the facts that are given.",
        "Sure, please provide the text.",
        "Sure! I can help with that.",
        "Write this paragraph, about 77 words. Do not repeat the story so far.",
        r#"{"paragraph": "Understood."}"#,
        "Paragraph:",
    ] {
        assert!(Agents::read(&journal, section(1), &answer(nothing)).is_err(), "{nothing}");
    }
}

#[test]
fn a_section_that_tells_nothing_is_left_out_and_said_as_long_as_another_one_stands() {
    let mut journal = journal("60-90", WriterMode::Sections);
    let plan = r#"{"sections": [{"point": "the vote", "lines": [1]}, {"point": "the work", "lines": [3, 4]}]}"#;
    takes(&mut journal, PLAN, plan);
    takes(&mut journal, section(1), "The Eastbrook council voted to renovate Miller Park. It was seven to two.");
    let ask = asked(&journal, section(2));
    let completed = |text: &str| crate::agents::completed(&journal, section(2), &ask, &answer(text));
    assert_eq!(completed("  "), None, "an answer without a text is asked for again");
    let left_out = completed("The notes provide information on costs.").unwrap();
    add(&mut journal, section(2), left_out);
    let mut number = 3;
    while drafting::section(&journal, number).is_some() {
        add(
            &mut journal,
            section(number),
            Outcome::Prose(WrittenSection { text: "More of it.".into(), faults: vec![] }),
        );
        number += 1;
    }
    let heads = Headlines { headline: "H".into(), alternativeHeadline: "A".into(), description: "D.".into() };
    add(&mut journal, Step::Write(Writing::Heads), Outcome::Heads(heads));
    let Some(Outcome::Draft(draft)) = Agents::without_anyone(&journal, Step::Draft) else { panic!("no draft") };
    let said = "Left out: the work (the model wrote no usable text for it)".to_owned();
    assert!(draft.undone.contains(&said) && crate::editorial::remarks::is_remark(&said), "{:?}", draft.undone);
    // The only section of a draft cannot be left out.
    let mut alone = self::journal("20-30", WriterMode::Sections);
    takes(&mut alone, PLAN, r#"{"sections": [{"point": "the vote", "lines": [1, 2, 3, 4, 5, 6]}]}"#);
    let ask = asked(&alone, section(1));
    assert_eq!(
        crate::agents::completed(&alone, section(1), &ask, &answer("The notes provide information on costs.")),
        None
    );
}

/// A first section of these sentences, written from the lines on the vote.
fn written(text: &str) -> Journal {
    let mut journal = journal("20-30", WriterMode::Sections);
    takes(&mut journal, PLAN, r#"{"sections": [{"point": "the vote", "lines": [1, 2, 6]}]}"#);
    takes(&mut journal, section(1), text);
    journal
}

#[test]
fn sentences_that_say_more_than_their_lines_go_back_once() {
    let invented = "The council voted to renovate Miller Park. The decision marked a significant milestone for wildlife conservation. \
                    The renovation costs $2 million, a wonderful figure.";
    let mut journal = written(invented);
    let faults = &drafting::written(&journal, 1).unwrap().faults;
    assert_eq!(faults.iter().map(|fault| fault.sentence).collect::<Vec<_>>(), [2, 3], "{faults:?}");
    let question = asked(&journal, mend(1)).prompt.text();
    assert!(question.contains("1. The decision marked a significant milestone"), "{question}");
    assert!(
        question.contains("2. The renovation costs $2 million, a wonderful figure. (without: wonderful"),
        "{question}"
    );
    let mended = |text: &str| match Agents::read(&journal, mend(1), &answer(text)).unwrap() {
        Outcome::Prose(section) => section,
        other => panic!("{other:?}"),
    };
    let good = "The council voted to renovate Miller Park. The renovation costs $2 million.";
    for answer in [
        "1. OUT\n2. The renovation costs $2 million.",
        "Here they are:\n**1.** OUT.\n2) The renovation costs $2 million. (without: wonderful, figure)",
        // The first comes back as bad as it was, and most of its words are the writer's own: it is left out.
        "1. The decision marked a significant milestone for wildlife conservation.\n2. The renovation costs $2 million.",
        "2: The renovation costs $2 million.",
    ] {
        assert_eq!(mended(answer), WrittenSection { text: good.into(), faults: vec![] }, "{answer}");
    }
    let kept = mended("1. OUT\n2. The wonderful, marvellous, splendid renovation costs $2 million.");
    assert!(kept.text.ends_with("a wonderful figure."), "one that comes back worse is as it was: {}", kept.text);
    assert_eq!(kept.faults.iter().map(|fault| fault.sentence).collect::<Vec<_>>(), [2], "{:?}", kept.faults);
    assert!(Agents::read(&journal, mend(1), &answer("They are fine.")).is_err());
    // Without an answer the section stays as it was.
    assert_eq!(without_answer(&journal, mend(1)), drafting::written(&journal, 1).cloned().map(Outcome::Prose));
    takes(&mut journal, mend(1), "1. OUT\n2. The renovation costs $2 million.");
    let heads = Step::Write(Writing::Heads);
    assert!(asked(&journal, heads).prompt.text().contains(good));
    takes(&mut journal, heads, r#"{"headline": "A\nvote", "alternativeHeadline": "B", "description": "C."}"#);
    let Some(Plan::Done(outcome)) = agents(30_000).plan(&journal, Step::Draft) else { panic!("it asks") };
    let Outcome::Draft(draft) = *outcome else { panic!("{outcome:?}") };
    assert_eq!((draft.article.headline.as_str(), draft.article.articleBody.as_str()), ("A vote", good));
    assert_eq!(draft.undone, [""; 0]);
}

#[test]
fn a_section_without_a_fault_is_not_asked_about_again() {
    let journal = written("Eastbrook’s council voted seven to two to renovate the park.");
    assert_eq!(drafting::written(&journal, 1).unwrap().faults, [] as [SectionFault; 0]);
    assert_eq!(next_steps(&journal), [section(2)], "ten words of twenty: what the plan left out comes next");
    assert!(asked(&journal, section(2)).prompt.text().contains("The facts:\n<source_text>\n- "));
}

#[test]
fn tags_of_the_prompt_and_a_sentence_that_nearly_repeats_another_are_left_out() {
    let once = "Eastbrook’s council voted seven to two to renovate the park.";
    let journal = written(&format!(
        "<known>{once}</known> The council of Eastbrook voted seven to two to renovate Eastbrook’s park. </source_text>"
    ));
    assert_eq!(drafting::written(&journal, 1).unwrap().text, once);
    let (mut journal, again) = (self::journal("1-90", WriterMode::Whole), Step::Draft);
    takes(&mut journal, again, &whole("<source_text>The council voted.</source_text>"));
    assert_eq!(journal.draft(1).unwrap().article.articleBody, "The council voted.");
}

fn whole(body: &str) -> String {
    serde_json::json!({"headline": "H", "alternativeHeadline": "A", "articleBody": body, "description": "D."})
        .to_string()
}

#[test]
fn a_short_draft_is_asked_for_once_more_with_what_it_leaves_out_and_the_better_one_is_kept() {
    let again = Step::Write(Writing::Again);
    let mut journal = journal("60-90", WriterMode::Whole);
    takes(&mut journal, Step::Draft, &whole("The council voted seven to two on Tuesday to renovate Miller Park."));
    assert_eq!(journal.draft(1).unwrap().undone, ["Short: 12 words; target 60"]);
    let messages = asked(&journal, again).prompt.messages;
    let first = asked(&journal, Step::Draft).prompt.messages;
    assert_eq!(messages[..2], first, "a server need not read the source anew");
    let note = messages[3].text();
    assert!(note.contains("It has 12 words, and 60-90 were asked for."), "{note}");
    assert!(note.contains("- The plan lays 1.4 miles of paths around the pond."), "{note}");
    let kept = |journal: &Journal, body: &str| match Agents::read(journal, again, &answer(&whole(body))).unwrap() {
        Outcome::Draft(draft) => draft,
        other => panic!("{other:?}"),
    };
    let worse = kept(&journal, "The council voted.");
    assert_eq!(worse.article.words(), 12, "the first draft was better");
    let longer = kept(&journal, &"The council voted on paths. ".repeat(10));
    assert_eq!((longer.article.words(), longer.undone.len()), (50, 0));
    assert_eq!(without_answer(&journal, again), journal.outcome(Step::Draft).cloned());
    // A draft that was handed in has the length its author chose, so it is not measured.
    journal.opening.settings.writer_mode = None;
    assert_eq!(kept(&journal, "The council voted.").undone, [""; 0]);
}

#[test]
fn a_draft_that_is_its_source_is_asked_for_in_other_words() {
    let mut journal = journal("40-70", WriterMode::Whole);
    takes(&mut journal, Step::Draft, &whole(SOURCE));
    let undone = &journal.draft(1).unwrap().undone;
    assert!(undone.len() == 1 && undone[0].starts_with("Word for word: 100 % of the text"), "{undone:?}");
    let note = asked(&journal, Step::Write(Writing::Again)).prompt.messages[3].text();
    assert!(note.contains("Tell it in your own sentences"), "{note}");
}
