//! The plan of a draft in sections: a model groups the source's numbered lines by key points; a program checks and counts.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;

use super::lines::{lines, said, text};
use crate::{
    agents::{
        key_points,
        material::Windows,
        reading::{self, UnusableAnswer},
        template::Prompts,
    },
    editorial::target_length::TargetLength,
    ports::Ask,
};
use copydesk_newsroom::{Agent, Answer, ArticlePlan, Journal, PlannedSection, ShownSources, SourcePlace};
use copydesk_text::sanitise;

/// Most sections that a plan is asked for and that are taken of it.
const SECTIONS: usize = 10;

/// Words of a section, about.
const WORDS: usize = 80;

/// Most words of the lines of a section, so that its prompt fits every window.
const WORDS_OF_LINES: usize = 400;

/// Most sections that may follow the planned ones, and lines of each.
const SPARE: usize = 6;
const SPARE_LINES: usize = 5;

/// Fewest words that a section is asked for.
const FEWEST: usize = 20;

/// Tokens of a line's number and end.
const NUMBER: u64 = 6;

/// Longest point, in characters.
const POINT: usize = 160;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PlanAnswer {
    sections: Vec<SectionAnswer>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SectionAnswer {
    point: String,
    lines: Vec<u32>,
}

/// The question. Of sources that do not fit it shows the lines of their key points.
pub(super) fn ask(prompts: &Prompts, windows: &Windows, journal: &Journal) -> Ask {
    let target = target(journal);
    let all = lines(journal);
    let count = (target.middle() / WORDS).clamp(2, SECTIONS).min(all.len().max(1));
    let topic = &journal.opening.topic;
    let filled = |lines: String| {
        let values = [
            ("TOPIC_TITLE", sanitise::one_line(&topic.source_metadata.topic_title)),
            ("OPTIONAL_ANGLE", topic.optional_angle.clone().unwrap_or_else(|| "none".to_owned())),
            ("COUNT", count.to_string()),
            ("LINES", lines),
        ];
        prompts.fill("draft_plan", &values)
    };
    let limit = windows.prompts.get(&Agent::Writer).copied().unwrap_or(u64::MAX);
    let left = limit.saturating_sub(windows.of(&filled(String::new())));
    let room = left.min(windows.sources.unwrap_or(u64::MAX));
    let numbered = |number: usize| all.get(number).map(|line| format!("[{}] {}", number + 1, said(journal, line)));
    let every: BTreeSet<usize> = (0..all.len()).collect();
    let whole = every.iter().filter_map(|number| numbered(*number)).collect::<Vec<_>>().join("\n");
    let fits = whole.len() as u64 <= room || windows.tokens(&whole) <= room;
    let shown = if fits { every } else { most_telling(journal, windows, &all, room) };
    let lines = shown.iter().filter_map(|number| numbered(*number)).collect::<Vec<_>>().join("\n");
    let shown = (!fits).then(|| ShownSources {
        places: shown.iter().filter_map(|number| all.get(*number)).cloned().collect(),
        bytes: journal.texts().map(|(_, text)| text.len()).sum(),
    });
    let mut schema = reading::schema::<PlanAnswer>("plan");
    reading::at_most(&mut schema, "/properties/sections", SECTIONS);
    reading::at_most(&mut schema, "/properties/sections/items/properties/lines", 8);
    Ask { agent: Agent::Writer, prompt: filled(lines), schema: Some(schema), shown }
}

/// The lines of the key points, as many as there is room for.
fn most_telling(journal: &Journal, windows: &Windows, all: &[SourcePlace], mut room: u64) -> BTreeSet<usize> {
    let mut chosen = BTreeSet::new();
    for place in key_points::places(journal, room) {
        for (number, line) in of_block(all, &place) {
            let tokens = windows.tokens(&said(journal, line)).saturating_add(NUMBER);
            if tokens <= room && chosen.insert(number) {
                room -= tokens;
            }
        }
    }
    chosen
}

/// The lines that begin in a block of a source, each with its index.
fn of_block<'a>(
    all: &'a [SourcePlace],
    block: &SourcePlace,
) -> impl Iterator<Item = (usize, &'a SourcePlace)> + use<'a> {
    let (source, range) = (block.source, block.start..block.end);
    all.iter().enumerate().filter(move |(_, line)| line.source == source && range.contains(&line.start))
}

/// Reads the plan. Numbers that no line has are left out, and each line counts once, in the section that names it first.
pub(super) fn read(journal: &Journal, answer: &Answer) -> Result<ArticlePlan, UnusableAnswer> {
    let PlanAnswer { sections } = reading::json(&answer.text)?;
    let all = lines(journal);
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    let mut planned = Vec::new();
    for SectionAnswer { point, lines } in sections.into_iter().take(SECTIONS) {
        let mut own: BTreeSet<usize> = BTreeSet::new();
        let mut room = WORDS_OF_LINES;
        for number in lines.into_iter().filter_map(|number| usize::try_from(number).ok()?.checked_sub(1)) {
            let Some(line) = all.get(number).filter(|_| !taken.contains(&number)) else { continue };
            let words = count(journal, line);
            // A line that is longer than any section stands alone.
            if (words <= room || own.is_empty()) && own.insert(number) {
                taken.insert(number);
                room = room.saturating_sub(words);
            }
        }
        if !own.is_empty() {
            let point = sanitise::excerpt(&sanitise::one_line(&point), POINT);
            let lines = own.iter().filter_map(|number| all.get(*number)).cloned().collect();
            planned.push(PlannedSection { point, lines, words: 0 });
        }
    }
    for section in planned.iter().filter(|section| !section.point.is_empty()) {
        reading::required("the point of a section", &section.point)?;
    }
    if planned.is_empty() {
        return Err(UnusableAnswer::new("no section names a number of the lines that were given"));
    }
    let said: Vec<usize> = planned.iter().map(|section| words_of(journal, section)).collect();
    let (all_said, middle) = (said.iter().sum::<usize>().max(1), target(journal).middle());
    for (section, said) in planned.iter_mut().zip(said) {
        // No more words than its lines have: a model that has to fill a length invents.
        section.words = (middle.saturating_mul(said) / all_said).min(said).max(FEWEST);
    }
    Ok(ArticlePlan { spare: spare(journal, &all, taken), sections: planned })
}

/// Returns sections with lines that the plan left out, those of the most important key points first.
fn spare(journal: &Journal, all: &[SourcePlace], mut taken: BTreeSet<usize>) -> Vec<PlannedSection> {
    let mut spare = Vec::new();
    for block in key_points::places(journal, 0) {
        let lines: Vec<(usize, SourcePlace)> = of_block(all, &block)
            .filter(|(number, _)| !taken.contains(number))
            .take(SPARE_LINES)
            .map(|(number, line)| (number, line.clone()))
            .collect();
        if lines.is_empty() || spare.len() == SPARE {
            continue;
        }
        taken.extend(lines.iter().map(|(number, _)| *number));
        let lines: Vec<SourcePlace> = lines.into_iter().map(|(_, line)| line).collect();
        let mut section = PlannedSection { point: String::new(), lines, words: 0 };
        section.words = words_of(journal, &section).clamp(FEWEST, WORDS);
        spare.push(section);
    }
    spare
}

fn words_of(journal: &Journal, section: &PlannedSection) -> usize {
    section.lines.iter().map(|line| count(journal, line)).sum()
}

fn count(journal: &Journal, line: &SourcePlace) -> usize {
    text(journal, line).split_whitespace().count()
}

fn target(journal: &Journal) -> TargetLength {
    let asked = &journal.opening.topic.target_length_words;
    TargetLength::of(asked).unwrap_or(TargetLength { least: 250, most: 400 })
}
