//! Stories that were written in several ways, and the tables of them: the measures of the paper's second table.

use std::collections::{BTreeMap, BTreeSet};

use copydesk::newsroom::amount;
use serde::{Deserialize, Serialize};

use super::{
    EvalCell, EvalTable,
    statistics::{MeanInterval, PairedTests, mcnemar},
};

/// Words that an article has more of.
const LEAST_WORDS: u64 = 200;
/// A fact-check score that a successful story is above.
const LEAST_SCORE: f64 = 0.5;

/// One way of writing stories.
struct EvalVariant {
    key: String,
    /// Its key with spaces.
    name: String,
}

/// A story that was written once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoryUnit {
    /// `channel/slug`.
    pub(crate) story: String,
    /// SHA-256 of the topic's file.
    pub(crate) topic: String,
    /// The newsroom desk, or the channel.
    pub(crate) desk: String,
    pub(crate) variant: String,
    /// 1 for the first.
    pub(crate) repetition: u32,
    #[serde(flatten)]
    pub(crate) measured: StoryMeasured,
}

/// The measures of a story's run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoryMeasured {
    /// Whether every stage was done and the article passed.
    pub(crate) passed: bool,
    pub(crate) error: Option<String>,
    /// None if there is no article.
    pub(crate) words: Option<u64>,
    pub(crate) flesch: Option<f64>,
    /// Claims of the article that a program can check. None if they were not checked.
    pub(crate) claims: Option<u64>,
    /// Of them: those that a source says, and nothing speaks against.
    pub(crate) verified: Option<u64>,
    /// Of them: those that are more similar to a passage than the configuration asks for.
    pub(crate) similar: Option<u64>,
    /// Claims by what their similarity was measured by: `cosine`, `words`.
    pub(crate) similarity_by: BTreeMap<String, u64>,
    /// Reviews that ended with a gate.
    pub(crate) rounds: u32,
    pub(crate) seconds: f64,
    pub(crate) calls: u64,
    /// Answers whose server did not count tokens.
    pub(crate) uncounted: u64,
    /// Sent and received, by agent.
    pub(crate) tokens: BTreeMap<String, [u64; 2]>,
    /// By currency.
    pub(crate) cost: BTreeMap<String, f64>,
    /// SHA-256 of the article.
    pub(crate) article: Option<String>,
}

impl StoryMeasured {
    fn score(part: Option<u64>, claims: Option<u64>) -> Option<f64> {
        let claims = claims.filter(|claims| *claims > 0)?;
        Some(amount(part?) / amount(claims))
    }

    /// As the paper defines it: claims that are similar to a passage, over all.
    pub(crate) fn score_by_similarity(&self) -> Option<f64> {
        Self::score(self.similar, self.claims)
    }

    /// As this program does: claims that match, over all.
    pub(crate) fn score_by_match(&self) -> Option<f64> {
        Self::score(self.verified, self.claims)
    }

    fn is_long(&self) -> bool {
        self.words.is_some_and(|words| words > LEAST_WORDS)
    }

    fn is_success(&self, score: Option<f64>) -> bool {
        self.passed && self.is_long() && score.is_some_and(|score| score > LEAST_SCORE)
    }

    fn tokens(&self, of: fn([u64; 2]) -> u64) -> Option<f64> {
        (!self.tokens.is_empty()).then(|| amount(self.tokens.values().map(|both| of(*both)).sum()))
    }
}

/// A property of stories: for programs, for readers, and whether a story has it.
type Counted = (&'static str, &'static str, fn(&StoryMeasured) -> bool);

/// In the order of the table. The first is the paper's success; the last three are its parts.
const COUNTED: [Counted; 5] = [
    ("success", "success", |story| story.is_success(story.score_by_similarity())),
    ("success_by_match", "success, if the score is that of matches", |story| story.is_success(story.score_by_match())),
    ("passed", "all stages done, and passed", |story| story.passed),
    ("long", "more than 200 words", StoryMeasured::is_long),
    ("similar", "score by similarity over 0.5", |story| {
        story.score_by_similarity().is_some_and(|score| score > LEAST_SCORE)
    }),
];

/// The value of a measure in a story; none if it has none.
type Value = fn(&StoryMeasured) -> Option<f64>;

/// A measure that has a mean: for programs, for readers, its unit and decimals, and its value.
type Averaged = (&'static str, &'static str, &'static str, usize, Value);

const AVERAGED: [Averaged; 9] = [
    ("score_by_similarity", "fact-check score, by similarity", "", 3, StoryMeasured::score_by_similarity),
    ("score_by_match", "fact-check score, by what matches", "", 3, StoryMeasured::score_by_match),
    ("flesch", "Flesch Reading Ease", "", 1, |story| story.flesch),
    ("words", "length", "words", 0, |story| story.words.map(amount)),
    // A story that never ran took no time.
    ("rounds", "revision cycles", "", 2, |story| (story.seconds > 0.0).then(|| f64::from(story.rounds))),
    ("seconds", "time", "s", 2, |story| (story.seconds > 0.0).then_some(story.seconds)),
    ("calls", "calls of models", "", 1, |story| (story.calls > 0).then(|| amount(story.calls))),
    ("tokens_in", "sent", "tokens", 0, |story| story.tokens(|[sent, _]| sent)),
    ("tokens_out", "received", "tokens", 0, |story| story.tokens(|[_, received]| received)),
];

/// The stories of one variant by topic, and within it by repetition.
type Topics<'u> = BTreeMap<&'u str, Vec<&'u StoryUnit>>;

/// The mean of each topic's repetitions: those of one topic are no further topics.
fn by_topic(topics: &Topics<'_>, of: impl Fn(&StoryMeasured) -> Option<f64>) -> BTreeMap<String, f64> {
    let mean = |(story, units): (&&str, &Vec<&StoryUnit>)| {
        let numbers: Vec<f64> = units.iter().filter_map(|unit| of(&unit.measured)).collect();
        let sum: f64 = numbers.iter().sum();
        (!numbers.is_empty()).then(|| ((*story).to_owned(), sum / amount(numbers.len() as u64)))
    };
    topics.iter().filter_map(mean).collect()
}

fn mean_of(topics: &Topics<'_>, of: impl Fn(&StoryMeasured) -> Option<f64>) -> Option<f64> {
    Some(MeanInterval::of(&by_topic(topics, of).into_values().collect::<Vec<_>>())?.mean)
}

fn means(topics: &Topics<'_>, of: impl Fn(&StoryMeasured) -> Option<f64>, decimals: usize) -> EvalCell {
    EvalCell::mean(&by_topic(topics, of).into_values().collect::<Vec<_>>(), decimals)
}

/// How many topics, by the first repetition of each: its others are not independent of it, as the interval needs.
fn counted(topics: &Topics<'_>, of: fn(&StoryMeasured) -> bool) -> EvalCell {
    let firsts = || topics.values().filter_map(|units| units.first());
    EvalCell::share(firsts().filter(|unit| of(&unit.measured)).count(), firsts().count())
}

/// The tables: the variants, by their keys, beside each other, tokens by agent, a row a desk, tests of the given pairs,
/// repetitions.
pub(crate) fn story_tables(
    title: &str,
    units: &[StoryUnit],
    keys: &[&str],
    pairs: &[(usize, usize)],
) -> Vec<EvalTable> {
    let named = |key: &&str| EvalVariant { key: (*key).to_owned(), name: key.replace('-', " ") };
    let mut of: Vec<(EvalVariant, Topics<'_>)> = keys.iter().map(|key| (named(key), Topics::new())).collect();
    for unit in units {
        if let Some((_, topics)) = of.iter_mut().find(|(variant, _)| variant.key == unit.variant) {
            topics.entry(&unit.story).or_default().push(unit);
        }
    }
    for units in of.iter_mut().flat_map(|(_, topics)| topics.values_mut()) {
        units.sort_by_key(|unit| unit.repetition);
    }
    let mut tables = vec![whole(title, &of)];
    tables.extend(agents(&of));
    tables.push(desks(&of));
    tables.extend(tests(&of, pairs));
    tables.extend(repetitions(&of));
    tables
}

fn names<'v>(of: &'v [(EvalVariant, Topics<'_>)]) -> Vec<(&'v str, &'static str)> {
    of.iter().map(|(variant, _)| (variant.name.as_str(), "")).collect()
}

fn whole(title: &str, of: &[(EvalVariant, Topics<'_>)]) -> EvalTable {
    let mut table = EvalTable::new("stories", title, "measure", &names(of));
    for (key, name, is) in COUNTED {
        table.add(key, name, "", of.iter().map(|(_, topics)| counted(topics, is)).collect());
    }
    for (key, name, unit, decimals, value) in AVERAGED {
        table.add(key, name, unit, of.iter().map(|(_, topics)| means(topics, value, decimals)).collect());
    }
    let units = || of.iter().flat_map(|(_, topics)| topics.values().flatten());
    let currencies: BTreeSet<&String> = units().flat_map(|unit| unit.measured.cost.keys()).collect();
    for currency in currencies {
        let cost = |story: &StoryMeasured| story.cost.get(currency).copied();
        let cells = of.iter().map(|(_, topics)| means(topics, cost, 4)).collect();
        table.add(&format!("cost_{currency}"), &format!("cost, {currency}"), "", cells);
    }
    table.notes.push(
        "Means: mean ± standard deviation of the topics (95 % interval by Student's t; n topics). Shares: topics by their first repetition, \
         95 % interval by Wilson."
            .to_owned(),
    );
    table.drawn = vec!["success", "score_by_similarity", "score_by_match", "rounds", "tokens_in"];
    table
}

/// None if no server counted tokens.
fn agents(of: &[(EvalVariant, Topics<'_>)]) -> Option<EvalTable> {
    let agents_of = |topics: &Topics<'_>| -> BTreeSet<String> {
        topics.values().flatten().flat_map(|unit| unit.measured.tokens.keys().cloned()).collect()
    };
    let agents: BTreeSet<String> = of.iter().flat_map(|(_, topics)| agents_of(topics)).collect();
    if agents.is_empty() {
        return None;
    }
    let names: Vec<(String, &'static str)> = of
        .iter()
        .flat_map(|(variant, _)| {
            let name = &variant.name;
            [
                (format!("{name}: sent"), "tokens"),
                (format!("{name}: received"), "tokens"),
                (format!("{name}: of all"), "%"),
            ]
        })
        .collect();
    let names: Vec<(&str, &'static str)> = names.iter().map(|(name, unit)| (name.as_str(), *unit)).collect();
    let mut table = EvalTable::new("agents", "Tokens a story, by agent", "agent", &names);
    for agent in agents {
        let cells = of.iter().flat_map(|(_, topics)| {
            // Over the stories whose tokens were counted, as the rows of all agents: those of one agent add up to them.
            let mean = |of: &dyn Fn([u64; 2]) -> u64| {
                let own = |story: &StoryMeasured| {
                    let tokens = || story.tokens.get(&agent).map_or(0, |both| of(*both));
                    (!story.tokens.is_empty()).then(|| amount(tokens()))
                };
                mean_of(topics, own).filter(|_| agents_of(topics).contains(&agent))
            };
            let all = mean_of(topics, |story| story.tokens(|both| both.iter().sum()));
            let both = mean(&|both| both.iter().sum());
            let share = both.zip(all.filter(|all| *all > 0.0)).map(|(both, all)| 100.0 * both / all);
            [
                EvalCell::number(mean(&|[sent, _]| sent), 0),
                EvalCell::number(mean(&|[_, received]| received), 0),
                EvalCell::number(share, 1),
            ]
        });
        table.add(&agent, &agent, "", cells.collect());
    }
    table.notes.push("Stories whose server counted no tokens are left out.".to_owned());
    Some(table)
}

fn desks(of: &[(EvalVariant, Topics<'_>)]) -> EvalTable {
    let columns = [
        ("variant", ""),
        ("stories", ""),
        ("success", ""),
        ("score by similarity", ""),
        ("score by what matches", ""),
        ("Flesch", ""),
        ("length", "words"),
        ("revision cycles", ""),
        ("time", "s"),
    ];
    let mut table = EvalTable::new("desks", "By desk", "desk", &columns);
    let all: BTreeSet<&str> =
        of.iter().flat_map(|(_, topics)| topics.values().flatten()).map(|unit| unit.desk.as_str()).collect();
    for desk in all {
        for (variant, topics) in of {
            let own: Topics<'_> = topics
                .iter()
                .filter(|(_, units)| units.first().is_some_and(|unit| unit.desk == desk))
                .map(|(story, units)| (*story, units.clone()))
                .collect();
            if own.is_empty() {
                continue;
            }
            let stories = own.values().map(Vec::len).sum::<usize>() as u64;
            let mut cells = vec![EvalCell::text(&variant.name), EvalCell::count(stories)];
            cells.extend(COUNTED.first().map(|(_, _, is)| counted(&own, *is)));
            let shown = AVERAGED.iter().filter(|(key, ..)| !["calls", "tokens_in", "tokens_out"].contains(key));
            // Of the few stories of a desk an interval says little, and takes the room of a column.
            cells.extend(shown.map(|(.., decimals, of)| means(&own, *of, *decimals).without_interval()));
            table.add(&format!("{desk}|{}", variant.key), desk, "", cells);
        }
    }
    table
}

/// None if no topic was written in both ways of a pair.
fn tests(of: &[(EvalVariant, Topics<'_>)], pairs: &[(usize, usize)]) -> Option<EvalTable> {
    let columns = [("measure", ""), ("difference", ""), ("p by t-test", ""), ("p by ranks", ""), ("p by McNemar", "")];
    let mut table = EvalTable::new("tests", "Differences on the same topics", "second less first", &columns);
    for &(first, second) in pairs {
        let Some(((one, ones), (two, twos))) = of.get(first).zip(of.get(second)) else { continue };
        let both: Vec<&str> = ones.keys().copied().filter(|story| twos.contains_key(story)).collect();
        if both.is_empty() {
            continue;
        }
        let (key, name) = (format!("{}|{}", one.key, two.key), format!("{} less {}", two.name, one.name));
        for (of, measure, is) in COUNTED.into_iter().take(2) {
            let first_of = |topics: &Topics<'_>, story: &str| {
                topics.get(story).and_then(|units| units.first()).is_some_and(|unit| is(&unit.measured))
            };
            let differ = |wanted: bool| {
                let differs = |story: &&&str| first_of(ones, story) == wanted && first_of(twos, story) != wanted;
                both.iter().filter(differs).count()
            };
            let (only_first, only_second) = (differ(true), differ(false));
            let p = mcnemar(only_first, only_second).filter(|_| both.len() > 1);
            let said = EvalCell::text(format!(
                "{only_second} of {} only by the second, {only_first} only by the first",
                both.len()
            ));
            let cells = vec![EvalCell::text(measure), said, EvalCell::None, EvalCell::None, EvalCell::chance(p)];
            table.add(&format!("{key}|{of}"), &name, "", cells);
        }
        for (of, measure, _, decimals, value) in AVERAGED {
            let (ones, twos) = (by_topic(ones, value), by_topic(twos, value));
            let pairs: Vec<(f64, f64)> =
                ones.iter().filter_map(|(story, first)| Some((*first, *twos.get(story)?))).collect();
            let Some(PairedTests { difference, by_t, by_ranks }) = PairedTests::of(&pairs) else { continue };
            let cells = vec![
                EvalCell::text(measure),
                EvalCell::Mean { mean: difference, decimals },
                EvalCell::chance(by_t),
                EvalCell::chance(by_ranks),
                EvalCell::None,
            ];
            table.add(&format!("{key}|{of}"), &name, "", cells);
        }
    }
    table.notes.push(
        "p: how often a difference as large comes about by chance, two-sided: paired t-test, signed ranks (Wilcoxon), McNemar's exact test \
         of the first repetitions. It is not corrected for the number of rows. A dash: fewer than two pairs, or none that differs."
            .to_owned(),
    );
    (!table.rows.is_empty()).then_some(table)
}

/// How much stories of the same topic differ. None if none was written twice.
fn repetitions(of: &[(EvalVariant, Topics<'_>)]) -> Option<EvalTable> {
    let repeated = |topics: &Topics<'_>| topics.values().filter(|units| units.len() > 1).count();
    if of.iter().all(|(_, topics)| repeated(topics) == 0) {
        return None;
    }
    let mut table = EvalTable::new("repetitions", "The same topic again", "measure", &names(of));
    let other = |(_, topics): &(EvalVariant, Topics<'_>)| {
        let differs = |units: &&Vec<&StoryUnit>| {
            let articles: BTreeSet<Option<&str>> = units.iter().map(|unit| unit.measured.article.as_deref()).collect();
            units.len() > 1 && articles.len() > 1
        };
        EvalCell::share(topics.values().filter(differs).count(), repeated(topics))
    };
    table.add("articles", "topics whose articles differ", "", of.iter().map(other).collect());
    for (key, name, unit, decimals, value) in AVERAGED {
        let cells = of.iter().map(|(_, topics)| EvalCell::number(within(topics, value), decimals + 1)).collect();
        table.add(key, name, unit, cells);
    }
    table.notes.push("Rows below the first: standard deviation within a topic, pooled over the topics.".to_owned());
    Some(table)
}

/// The standard deviation within topics, pooled.
fn within(topics: &Topics<'_>, of: Value) -> Option<f64> {
    let (mut squares, mut freedom) = (0.0, 0);
    for units in topics.values() {
        let numbers: Vec<f64> = units.iter().filter_map(|unit| of(&unit.measured)).collect();
        if numbers.len() < 2 {
            continue;
        }
        let mean = numbers.iter().sum::<f64>() / amount(numbers.len() as u64);
        squares += numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>();
        freedom += numbers.len() as u64 - 1;
    }
    (freedom > 0).then(|| (squares / amount(freedom)).sqrt())
}

/// Notes that a reader of the measures needs: definitions, and the parts of the stories that were not measured.
pub(crate) fn story_notes(units: &[StoryUnit]) -> Vec<String> {
    let mut notes = vec![
        "Success, as the paper defines it: all stages are done and the article passed, it has more than 200 words, and its fact-check score by \
         similarity is over 0.5."
            .to_owned(),
        "Fact-check score by similarity: claims whose similarity to a passage is over the configured least (the paper: cosine over 0.7), \
         over all. By what matches: claims that a source says and nothing speaks against, over all."
            .to_owned(),
        "Time: from begun to ended, in an empty desk of its own. Flesch and words are counted as textstat 0.7.13 counts; the 100 of the earlier \
         paper is no value that articles of several hundred words have."
            .to_owned(),
    ];
    let mut by: BTreeMap<&str, u64> = BTreeMap::new();
    for (measure, number) in units.iter().flat_map(|unit| &unit.measured.similarity_by) {
        *by.entry(measure).or_default() += number;
    }
    let by: Vec<String> = by
        .into_iter()
        .map(|(measure, number)| {
            format!(
                "{number} claims by {}",
                if measure == "words" { "shared words, since there is no embedder" } else { measure }
            )
        })
        .collect();
    notes.extend((!by.is_empty()).then(|| format!("Similarity was measured of {}.", by.join(", of "))));
    let uncounted: u64 = units.iter().map(|unit| unit.measured.uncounted).sum();
    notes.extend(
        (uncounted > 0)
            .then(|| format!("The servers did not count the tokens of {uncounted} answers: they are missing here.")),
    );
    let errors = units.iter().filter(|unit| unit.measured.error.is_some()).count();
    notes.extend((errors > 0).then(|| format!("{errors} of {} stories ended with an error.", units.len())));
    notes
}

#[cfg(test)]
mod tests;
