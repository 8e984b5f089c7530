//! The sources in a prompt: whole if they fit the model's window, else an extract that says so. The task decides which
//! passages an extract has. If the task is about sentences, it has the passages that a program found for them. Before
//! there is a draft, it has the key points of every part.

use std::{collections::HashMap, fmt::Write as _, ops::Range};

use super::{
    key_points, specialists,
    template::{Draught, Prompts, defused},
    writer,
};
use crate::{editorial::sections, ports::Ask};
use copydesk_newsroom::{Agent, Journal, Prompt, SentenceSources, ShownSources, SourcePlace, Step};
use copydesk_proof as proof;
use copydesk_text::{count, sanitise, share, tokens};

/// The placeholder of the sources.
pub(super) const SOURCE_TEXT: &str = "SOURCE_TEXT";

/// Tokens that are left free, because the parts of a prompt are counted one by one.
const SPARE: u64 = 32;

/// So far an extract reaches beyond a passage when it grows, in bytes; it ends at the end of a line or a sentence.
const STEP: usize = 600;

/// Most tokens of a prompt that goes without the sources if its task does not need them: that of a model on a laptop.
const MODEST: u64 = 8_192;

/// Fewer tokens than this are no room for the sources.
const LEAST_ROOM: u64 = 256;

/// Tokens of the line above a part and of the mark below it.
pub(super) const FRAME: u64 = 16;

/// Most characters of a distrusted source's name, and of the reason.
const LONGEST_NAME: usize = 200;
const LONGEST_REASON: usize = 400;

/// Passages that do not fit after which no further one is tried.
const MISSES: usize = 20;

/// The limits of the prompts of each agent's model, in tokens.
#[derive(Debug, Clone, Default)]
pub struct Windows {
    /// The tokenizer.
    pub encoding: String,
    /// Most tokens of a prompt. An agent that is not named has no limit.
    pub prompts: HashMap<Agent, u64>,
    /// Most tokens of the sources in one prompt; none if they may fill the window.
    pub sources: Option<u64>,
}

impl Windows {
    /// Whether the prompts of a story are so large that counting them takes a while.
    pub(super) fn are_narrow(&self, journal: &Journal) -> bool {
        let bytes: usize = journal.texts().map(|(_, text)| text.len()).sum();
        // Tokens never outnumber bytes; the other parts of a prompt are an article and its instructions.
        let most = self.prompts.values().copied().chain(self.sources).min().unwrap_or(u64::MAX);
        (bytes as u64).saturating_add(64 * 1024) > most
    }

    /// Tokens of material, as a prompt will have it.
    pub(super) fn tokens(&self, text: &str) -> u64 {
        tokens::count(&self.encoding, &defused(text))
    }

    /// Tokens of a prompt, no fewer than `SPARE` too many.
    pub(super) fn of(&self, prompt: &Prompt) -> u64 {
        let parts = prompt.messages.iter().flat_map(|message| &message.parts);
        // The tags in it are the template's own: they are counted as they are.
        parts.map(|part| tokens::count(&self.encoding, &part.text)).sum::<u64>().saturating_add(SPARE)
    }
}

/// A prompt in the form for its agent's window: the short one if that is small.
pub(super) fn formed<'a>(draught: Draught<'a>, prompts: &Prompts, windows: &Windows) -> Draught<'a> {
    match prompts.short_form(draught.template, windows.prompts.get(&draught.agent).copied()) {
        Some(short) => shortened(draught, short),
        None => draught,
    }
}

fn shortened<'a>(mut draught: Draught<'a>, short: &'static str) -> Draught<'a> {
    draught.template = short;
    for (name, value) in draught.brief.drain(..) {
        draught.values.retain(|(known, _)| *known != name);
        draught.values.push((name, value));
    }
    draught
}

/// Puts the sources into a prompt, and makes the question of it.
pub(super) fn ask(
    mut draught: Draught<'_>,
    prompts: &Prompts,
    windows: &Windows,
    journal: &Journal,
    step: Step,
) -> Ask {
    let limit = windows.prompts.get(&draught.agent).copied().unwrap_or(u64::MAX);
    let most = windows.sources.unwrap_or(u64::MAX);
    let filled = |draught: &Draught<'_>| prompts.fill(draught.template, &draught.values);
    let asked =
        |draught: Draught<'_>, prompt, shown| Ask { agent: draught.agent, prompt, schema: draught.schema, shown };
    if !prompts.places(draught.template, SOURCE_TEXT) {
        let prompt = filled(&draught);
        return asked(draught, prompt, None);
    }
    // The prompt of the mapping has the concerns, and that of a specialist the passages on the sentence. A model on a laptop reads the
    // sources for half a minute: it maps without them, and judges without an extract that would be another one for each concern.
    let short = prompts.short(draught.template).filter(|_| limit <= MODEST);
    let whole = match step {
        Step::Map { .. } if short.is_some() => None,
        _ => with_whole(&mut draught, prompts, windows, journal),
    };
    if let Some(prompt) = whole {
        return asked(draught, prompt, None);
    }
    if let Some(short) = short.filter(|_| matches!(step, Step::Map { .. } | Step::Judge { .. })) {
        let draught = shortened(draught, short);
        let prompt = filled(&draught);
        return asked(draught, prompt, None);
    }
    let mut room = limit.saturating_sub(windows.of(&filled(&draught))).min(most);
    // Eight verdicts in full can fill a small window: the short form has their to-dos alone.
    if room < LEAST_ROOM.min(most)
        && let Some(short) = prompts.short(draught.template)
    {
        draught = shortened(draught, short);
        room = limit.saturating_sub(windows.of(&filled(&draught))).min(most);
    }
    let note = distrusted(journal);
    let extract = Extract::of(journal, step, room.saturating_sub(windows.tokens(&note)), windows);
    draught.values.push((SOURCE_TEXT, extract.text(journal) + &note));
    let prompt = filled(&draught);
    asked(draught, prompt, Some(extract.shown(journal)))
}

/// Returns the note to agents on the sources that an editor distrusts. Agents do not see the texts of these. Empty if there are none.
fn distrusted(journal: &Journal) -> String {
    let distrusted = journal.distrusted();
    if distrusted.is_empty() {
        return String::new();
    }
    let short = |text: &str, most: usize| sanitise::excerpt(&sanitise::one_line(text), most);
    let line =
        |(name, reason): &(&str, &str)| format!("\n- {}: {}", short(name, LONGEST_NAME), short(reason, LONGEST_REASON));
    format!(
        "\n\n[The editor distrusts these sources. State nothing on their word:{}]",
        distrusted.iter().map(line).collect::<String>()
    )
}

/// The prompt with the whole sources; none if they do not fit.
pub(super) fn with_whole(
    draught: &mut Draught<'_>,
    prompts: &Prompts,
    windows: &Windows,
    journal: &Journal,
) -> Option<Prompt> {
    let limit = windows.prompts.get(&draught.agent).copied().unwrap_or(u64::MAX);
    let most = windows.sources.unwrap_or(u64::MAX);
    let whole = writer::source_text(&journal.sources()) + &distrusted(journal);
    // A text that is many times too large need not be counted.
    let hopeless = whole.len() as u64 / tokens::LONGEST_TOKEN > limit.min(most);
    if !hopeless && (whole.len() as u64 <= most || windows.tokens(&whole) <= most) {
        draught.values.push((SOURCE_TEXT, whole));
        let prompt = prompts.fill(draught.template, &draught.values);
        if prompt.bytes() as u64 <= limit || windows.of(&prompt) <= limit {
            return Some(prompt);
        }
        draught.values.pop();
    }
    None
}

/// Parts of the sources: by source, sorted, none touching another.
#[derive(Debug, Default)]
struct Extract {
    parts: Vec<Vec<Range<usize>>>,
    /// The tokens of each source's heading, if only the sources that are shown have one.
    headings: Option<Vec<u64>>,
}

impl Extract {
    /// Returns the passages for a task, as many as fit into `room` tokens, then the text beside them.
    fn of(journal: &Journal, step: Step, room: u64, windows: &Windows) -> Self {
        let texts: Vec<(&str, &str)> = journal.texts().collect();
        // Each source has a heading, and each part a line that says where it stands. A section shows few of many sources.
        let headings: Vec<u64> = texts.iter().map(|(name, _)| windows.tokens(&heading(name, "100 %"))).collect();
        let brief = matches!(step, Step::ReviewSection { .. });
        let paid = if brief { windows.tokens(&left_out(texts.len())) } else { headings.iter().sum() };
        let mut extract = Self { parts: vec![Vec::new(); texts.len()], headings: brief.then_some(headings) };
        let mut room = Room { left: room.saturating_sub(paid), windows };
        let places = match step {
            Step::Draft => {
                let mut places = journal.dossier_places();
                places.extend(key_points::places(journal, room.left));
                places
            }
            step => about(journal, step),
        };
        let mut misses = 0;
        for place in &places {
            if misses > MISSES {
                break;
            }
            let Some((_, text)) = texts.get(place.source) else { continue };
            if !extract.add(place.source, place.start..place.end, text, &mut room) {
                misses += 1;
            }
        }
        let mut step = STEP;
        while extract.grow(&texts, step, &mut room) {
            step = step.saturating_mul(2);
        }
        extract
    }

    /// Adds a part; it is joined with those that it touches. False if it does not fit.
    fn add(&mut self, source: usize, part: Range<usize>, text: &str, room: &mut Room<'_>) -> bool {
        let Some(parts) = self.parts.get_mut(source) else { return false };
        let first = parts.partition_point(|known| known.end < part.start);
        let last = parts.partition_point(|known| known.start <= part.end);
        let touching = parts.get(first..last).unwrap_or_default();
        let start = touching.first().map_or(part.start, |known| known.start.min(part.start));
        let end = touching.last().map_or(part.end, |known| known.end.max(part.end));
        // Only text that is not there yet costs tokens.
        let mut at = start;
        let mut wanted = if touching.is_empty() { FRAME } else { 0 };
        if let Some(headings) = self.headings.as_ref().filter(|_| parts.is_empty()) {
            wanted += headings.get(source).copied().unwrap_or(0);
        }
        for stop in touching.iter().chain([&(end..end)]) {
            wanted += text.get(at..stop.start).map_or(0, |new| room.windows.tokens(new));
            at = stop.end;
        }
        if wanted > room.left {
            return false;
        }
        room.left -= wanted;
        parts.splice(first..last, std::iter::once(start..end));
        true
    }

    /// Lets each part reach further on both sides, by up to `step` bytes; false if nothing fits any more.
    fn grow(&mut self, texts: &[(&str, &str)], step: usize, room: &mut Room<'_>) -> bool {
        let mut grown = false;
        for (source, (_, text)) in texts.iter().enumerate() {
            for part in self.parts.get(source).cloned().unwrap_or_default() {
                let after = stop_after(text, part.end, step);
                let before = stop_before(text, part.start, step);
                for further in [part.start..after, before..part.end] {
                    grown |= further.len() > part.len() && self.add(source, further, text, room);
                }
            }
        }
        grown
    }

    fn text(&self, journal: &Journal) -> String {
        let mut said = String::new();
        let mut hidden = 0;
        for ((name, text), parts) in journal.texts().zip(&self.parts) {
            if parts.is_empty() && self.headings.is_some() {
                hidden += 1;
                continue;
            }
            let shown: usize = parts.iter().map(ExactSizeIterator::len).sum();
            said.push_str(&heading(name, &share(shown, text.len())));
            for part in parts {
                let _ = writeln!(said, "[from {} % of it]", part.start.saturating_mul(100) / text.len().max(1));
                said.push_str(text.get(part.clone()).unwrap_or_default().trim());
                said.push_str("\n[…]\n");
            }
            said.push('\n');
        }
        if hidden > 0 {
            said.push_str(&left_out(hidden));
        }
        said
    }

    fn shown(&self, journal: &Journal) -> ShownSources {
        let places = |(source, parts): (usize, &Vec<Range<usize>>)| {
            parts.iter().map(move |part| SourcePlace::new(source, part.clone())).collect::<Vec<_>>()
        };
        ShownSources {
            places: self.parts.iter().enumerate().flat_map(places).collect(),
            bytes: journal.texts().map(|(_, text)| text.len()).sum(),
        }
    }
}

/// The tokens that an extract may still take.
struct Room<'w> {
    left: u64,
    windows: &'w Windows,
}

pub(super) fn heading(name: &str, shown: &str) -> String {
    format!(
        "[Source: {name}. This is an extract, {shown} of it: the passages that a program chose for this task from the whole source. \
         […] stands for what is left out. Do not say that the source does not have something.]\n"
    )
}

fn left_out(sources: usize) -> String {
    format!("[Of {} nothing was chosen for this task.]\n", count(sources, "more source"))
}

/// The passages that bear on a step's task, the most important first.
fn about(journal: &Journal, step: Step) -> Vec<SourcePlace> {
    let round = step.round();
    if let Step::ReviewSection { section, .. } = step {
        return sections::section(journal, round, section).map(|one| one.passages.clone()).unwrap_or_default();
    }
    let mut places = Vec::new();
    let concerns = |wanted: &dyn Fn(u32) -> bool| -> Vec<u32> {
        let concerns = journal.concern_list(round);
        concerns.iter().map(|concern| concern.concern_id).filter(|id| wanted(*id)).collect()
    };
    let own = match step {
        Step::Judge { concern, .. } => vec![concern],
        Step::Map { .. } => concerns(&|_| true),
        // The concerns that have a to-do.
        Step::Revise { .. } => {
            let feedback = journal.feedback(round);
            let open = |id: u32| {
                feedback.is_none_or(|feedback| {
                    feedback.verdicts.iter().any(|verdict| verdict.concern_id == id && verdict.suggested_fix.is_some())
                })
            };
            concerns(&open)
        }
        _ => Vec::new(),
    };
    for concern in own {
        let witnesses = specialists::witnesses(journal, round, concern);
        places.extend(witnesses.iter().filter_map(|passage| specialists::place_of(journal, passage)));
    }
    // Then the best passage of each sentence, then the second of each.
    let sentences = of_sentences(journal, round);
    let deepest = sentences.iter().map(|of| of.passages.len()).max().unwrap_or(0);
    for rank in 0..deepest {
        places.extend(sentences.iter().filter_map(|of| of.passages.get(rank)).cloned());
    }
    places
}

/// The passages of each sentence of a round's draft.
pub(super) fn of_sentences(journal: &Journal, round: u32) -> Vec<SentenceSources> {
    if let Some(kept) =
        journal.proof(round).and_then(|proof| proof.kept.as_ref()).filter(|kept| !kept.sources.is_empty())
    {
        return kept.sources.clone();
    }
    let Some(draft) = journal.draft(round) else { return Vec::new() };
    proof::ledger_beside(&draft.article, &journal.sources(), &[], None, proof::Gravity::Block).passages
}

/// The end of the last line or sentence within the next `step` bytes, else that far.
fn stop_after(text: &str, from: usize, step: usize) -> usize {
    let end = text.ceil_char_boundary(from.saturating_add(step));
    let ahead = text.get(from..end).unwrap_or_default();
    let last = ahead.rfind('\n').or_else(|| ahead.rfind(". ").map(|at| at + 1)).filter(|at| *at > 0);
    last.filter(|_| end < text.len()).map_or(end, |at| from + at)
}

/// The beginning of the first line or sentence within the `step` bytes before, else that far.
fn stop_before(text: &str, from: usize, step: usize) -> usize {
    let start = text.floor_char_boundary(from.saturating_sub(step));
    let behind = text.get(start..from).unwrap_or_default();
    let first = behind.find('\n').map(|at| at + 1).or_else(|| behind.find(". ").map(|at| at + 2));
    first.filter(|at| start > 0 && *at < behind.len()).map_or(start, |at| start + at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        agents::template::tests::shipped,
        editorial::testing::{add, add_round, article, opening},
    };
    use copydesk_newsroom::{ArticleReviewResult, Concern, Draft, Outcome, Specialist};

    const TRUE: &str = "The plan lays 1.4 miles of paths around the pond.";

    /// A long source with the decisive fact in the middle, and a draft that has it wrong.
    fn journal(lines: usize) -> Journal {
        let filler =
            |n: usize| format!("Item {n}: somebody coughed, and a chair was moved across the floor of hall {n}.\n");
        let mut opening = opening();
        let (head, tail): (String, String) =
            ((0..lines).map(filler).collect(), (lines..2 * lines).map(filler).collect());
        opening.topic.source_text = format!("{head}{TRUE}\n{tail}");
        let mut journal = Journal::new(opening);
        add_round(&mut journal, 1, &[Specialist::Opinion]);
        let body = "It was a long evening. The plan lays 1.8 miles of paths around the pond.";
        add(
            &mut journal,
            Step::Draft,
            Outcome::Draft(Draft { article: article(body), stripped: vec![], undone: vec![] }),
        );
        let concern = Concern { concern_id: 1, excerpt: "1.8".into(), review_note: "“1.8” no.".into() };
        add(&mut journal, Step::Parse { round: 1 }, Outcome::Concerns(ArticleReviewResult { concerns: vec![concern] }));
        journal
    }

    fn asked(journal: &Journal, step: Step, limit: u64, sources: Option<u64>) -> Ask {
        let prompts = Prompts::new(&shipped()).unwrap();
        let windows = Windows {
            encoding: "o200k_base".into(),
            prompts: Agent::all().map(|agent| (agent, limit)).collect(),
            sources,
        };
        super::super::ask(&prompts, &windows, "Plain words.", journal, step).unwrap()
    }

    fn tokens_of(ask: &Ask) -> u64 {
        ask.prompt.messages.iter().map(|message| tokens::count("o200k_base", &message.text())).sum()
    }

    const STEPS: [Step; 4] =
        [Step::Draft, Step::Review { round: 1 }, Step::Map { round: 1 }, Step::Judge { round: 1, concern: 1 }];

    #[test]
    fn sources_that_fit_are_shown_whole() {
        let journal = journal(5);
        for step in STEPS {
            let ask = asked(&journal, step, 30_000, None);
            assert!(ask.shown.is_none() && ask.prompt.text().contains(&*journal.opening.topic.source_text), "{step}");
        }
    }

    #[test]
    fn of_sources_that_do_not_fit_a_prompt_shows_what_bears_on_its_task_and_says_so() {
        let journal = journal(2_000);
        for (limit, sources) in [(9_000, None), (30_000, Some(1_000))] {
            for step in STEPS {
                let ask = asked(&journal, step, limit, sources);
                let text = ask.prompt.text();
                assert!(tokens_of(&ask) <= limit, "{step}: {}", tokens_of(&ask));
                assert!(text.contains("This is an extract"), "{step}");
                assert!(step == Step::Draft || text.contains(TRUE), "{step}: what decides is there: {text}");
                let shown = ask.shown.unwrap();
                let whole = &journal.opening.topic.source_text;
                assert_eq!(shown.bytes, whole.len());
                for place in &shown.places {
                    assert!(text.contains(whole[place.start..place.end].trim()), "{step}");
                }
                let bytes: usize = shown.places.iter().map(|place| place.end - place.start).sum();
                assert!(bytes > 1_000, "{step}: the room is used: {bytes}");
            }
        }
        let judged = asked(&journal, Step::Judge { round: 1, concern: 1 }, 6_500, None);
        assert!(judged.shown.is_none() && judged.prompt.text().contains(TRUE), "the passages are enough for a laptop");
        assert!(tokens_of(&judged) < 2_000, "{}", tokens_of(&judged));
        // The writer sees something of every part.
        let shown = asked(&journal, Step::Draft, 6_500, None).shown.unwrap();
        let whole = journal.opening.topic.source_text.len();
        for fifth in 0..5 {
            let part = whole * fifth / 5..whole * (fifth + 1) / 5;
            assert!(shown.places.iter().any(|place| place.start < part.end && part.start < place.end), "{fifth}");
        }
    }

    #[test]
    fn feedback_that_fills_the_window_goes_in_its_short_form() {
        let mut journal = journal(2_000);
        let verdict =
            crate::editorial::testing::verdict(1, copydesk_newsroom::Status::Rewrite, Some("Write “1.4 miles”."));
        let long = copydesk_newsroom::Verdict { rationale: "It is too long. ".repeat(2_000), ..verdict };
        let feedback = crate::editorial::gate::compile(1, &[long]);
        add(&mut journal, Step::Feedback { round: 1 }, Outcome::Feedback(feedback));
        let ask = asked(&journal, Step::Revise { round: 1 }, 6_144, None);
        assert!(tokens_of(&ask) <= 6_144, "{}", tokens_of(&ask));
        assert!(
            ask.prompt.text().contains("Write “1.4 miles”.") && ask.shown.is_some_and(|shown| !shown.places.is_empty())
        );
    }

    #[test]
    fn a_window_without_room_for_sources_gets_none_and_a_prompt_without_them_needs_none() {
        let ask = asked(&journal(2_000), Step::Review { round: 1 }, 100, None);
        assert_eq!(ask.shown.map(|shown| shown.places.len()), Some(0));
        let mut files = shipped();
        files.remove("opinion.short");
        files
            .insert("opinion", ("opinion.md".into(), "You judge.\n<!-- user -->\n{{CONCERN_ID}} {{CONCERN}}\n".into()));
        let prompts = Prompts::new(&files).unwrap();
        let windows = Windows { prompts: Agent::all().map(|agent| (agent, 100)).collect(), ..Windows::default() };
        let step = Step::Judge { round: 1, concern: 1 };
        let ask = super::super::ask(&prompts, &windows, "", &journal(2_000), step).unwrap();
        assert!(ask.shown.is_none());
    }
}
