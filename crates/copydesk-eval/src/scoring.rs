//! Measures the rules: compares their findings with texts that people have judged.
//!
//! Why: a rule without a measurement is an opinion. A text counts as called inconsistent if any rule reports it. Each rule is also measured
//! alone, and by what the others lose without it.

use std::{
    collections::{BTreeMap, BTreeSet},
    thread,
};

use anyhow::{Result, anyhow};
use copydesk::proof::{Gravity, rule};

use crate::evaluation::float;

/// A text that a person has judged, and the rules that reported it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JudgedText {
    /// Whether the person found that its source supports it.
    pub(crate) consistent: bool,
    /// The rules that have a finding in it, by name.
    pub(crate) rules: BTreeSet<String>,
}

/// The score of one file of texts. Precision and recall are those of calling a text inconsistent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FileScore {
    /// The number of texts.
    pub(crate) n: usize,
    /// Mean of the shares of consistent and of inconsistent texts that are judged right, 0 to 1. If a file has texts
    /// of one kind only, it is their share.
    pub(crate) balanced_accuracy: f64,
    /// Share of the texts called inconsistent that are; none if none is called so.
    pub(crate) precision: Option<f64>,
    /// Share of the inconsistent texts that are called so; none if there are none.
    pub(crate) recall: Option<f64>,
}

/// The score of one rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RuleScore {
    pub(crate) gravity: &'static str,
    /// The number of texts that it reports.
    pub(crate) fires: usize,
    /// How many of these are inconsistent.
    pub(crate) right: usize,
    /// Their share.
    pub(crate) precision: Option<f64>,
    /// Mean balanced accuracy of all rules, minus that without this one.
    pub(crate) adds: f64,
}

/// All scores.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scores {
    /// The least grave rules that were asked.
    pub(crate) level: &'static str,
    /// By file name.
    pub(crate) files: BTreeMap<String, FileScore>,
    /// Mean over the files, all with equal weight.
    pub(crate) mean_balanced_accuracy: f64,
    /// By rule name; only rules with findings.
    pub(crate) rules: BTreeMap<String, RuleScore>,
}

/// Judges each on as many threads as the machine has, in their order.
pub(crate) fn judge_all<T: Sync, J: Send>(all: &[T], judge: impl Fn(&T) -> J + Sync) -> Result<Vec<J>> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let share = all.len().div_ceil(threads).max(1);
    let judge = |some: &[T]| some.iter().map(&judge).collect::<Vec<_>>();
    thread::scope(|scope| {
        let workers: Vec<_> = all.chunks(share).map(|some| scope.spawn(|| judge(some))).collect();
        let mut judged = Vec::new();
        for worker in workers {
            judged.extend(worker.join().map_err(|_| anyhow!("a rule of the proof broke off; please report it"))?);
        }
        Ok(judged)
    })
}

/// The gravity of a rule; a rule that this version does not know counts as a note.
fn gravity(name: &str) -> Gravity {
    rule(name).map_or(Gravity::Note, |rule| rule.gravity)
}

/// Measures the rules that are at least as grave as `least` on `files`, each a name and its texts. A file without texts is
/// left out.
pub(crate) fn score(files: &[(String, Vec<JudgedText>)], least: Gravity) -> Scores {
    let counted: Vec<(String, Vec<JudgedText>)> = files
        .iter()
        .map(|(name, texts)| {
            let texts = texts.iter().map(|text| JudgedText {
                consistent: text.consistent,
                rules: text.rules.iter().filter(|name| gravity(name) >= least).cloned().collect(),
            });
            (name.clone(), texts.collect())
        })
        .collect();
    let files = counted.as_slice();
    let by_file: BTreeMap<String, FileScore> = files
        .iter()
        .filter(|(_, texts)| !texts.is_empty())
        .map(|(name, texts)| (name.clone(), file(texts, None)))
        .collect();
    let mean_balanced_accuracy = mean(files, None);
    let names: BTreeSet<&str> =
        files.iter().flat_map(|(_, texts)| texts).flat_map(|text| &text.rules).map(String::as_str).collect();
    let rules = names
        .into_iter()
        .map(|name| {
            let spoken = || files.iter().flat_map(|(_, texts)| texts).filter(|text| text.rules.contains(name));
            let (spoke, right) = (spoken().count(), spoken().filter(|text| !text.consistent).count());
            let adds = mean_balanced_accuracy - mean(files, Some(name));
            let gravity = gravity(name).name();
            (name.to_owned(), RuleScore { gravity, fires: spoke, right, precision: share(right, spoke), adds })
        })
        .collect();
    Scores { level: least.name(), files: by_file, mean_balanced_accuracy, rules }
}

/// Mean balanced accuracy, with one rule silent.
fn mean(files: &[(String, Vec<JudgedText>)], silent: Option<&str>) -> f64 {
    let all: Vec<f64> = files
        .iter()
        .filter(|(_, texts)| !texts.is_empty())
        .map(|(_, texts)| file(texts, silent).balanced_accuracy)
        .collect();
    if all.is_empty() { 0.0 } else { all.iter().sum::<f64>() / float(all.len()) }
}

fn file(texts: &[JudgedText], silent: Option<&str>) -> FileScore {
    let called = |text: &JudgedText| text.rules.iter().any(|rule| Some(rule.as_str()) != silent);
    let count = |consistent: bool, wanted: bool| {
        texts.iter().filter(|text| text.consistent == consistent && called(text) == wanted).count()
    };
    let (caught, missed) = (count(false, true), count(false, false));
    let (wronged, left) = (count(true, true), count(true, false));
    let recall = share(caught, caught + missed);
    let kinds: Vec<f64> = [recall, share(left, left + wronged)].into_iter().flatten().collect();
    let balanced_accuracy = match kinds.as_slice() {
        [one, other] => f64::midpoint(*one, *other),
        [one] => *one,
        _ => 0.0,
    };
    FileScore { n: texts.len(), balanced_accuracy, precision: share(caught, caught + wronged), recall }
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| float(part) / float(whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(consistent: bool, rules: &[&str]) -> JudgedText {
        JudgedText { consistent, rules: rules.iter().map(|&rule| rule.to_owned()).collect() }
    }

    const NAME: &str = "name.swapped";
    const MISSING: &str = "name.not_found";
    const OTHER: &str = "of another version";

    fn files() -> [(String, Vec<JudgedText>); 3] {
        let one = vec![
            text(false, &[OTHER, MISSING]),
            text(false, &[OTHER]),
            text(false, &[MISSING]),
            text(false, &[]),
            text(true, &[OTHER]),
            text(true, &[]),
        ];
        let other = vec![text(false, &[MISSING, NAME])];
        [("one".to_owned(), one), ("other".to_owned(), other), ("empty".to_owned(), Vec::new())]
    }

    fn file(n: usize, balanced_accuracy: f64, precision: f64, recall: f64) -> FileScore {
        FileScore { n, balanced_accuracy, precision: Some(precision), recall: Some(recall) }
    }

    fn rule(gravity: Gravity, right: usize, fires: usize, adds: f64) -> RuleScore {
        RuleScore { gravity: gravity.name(), fires, right, precision: share(right, fires), adds }
    }

    #[test]
    fn each_kind_of_text_weighs_the_same_and_each_rule_is_worth_what_goes_with_it() {
        let expected = Scores {
            level: "note",
            files: [("one".to_owned(), file(6, 0.625, 0.75, 0.75)), ("other".to_owned(), file(1, 1.0, 1.0, 1.0))]
                .into(),
            mean_balanced_accuracy: 0.8125,
            rules: [
                // Without it half of the inconsistent texts are caught, and both consistent ones are left in peace.
                (OTHER.to_owned(), rule(Gravity::Note, 2, 3, 0.8125 - 0.875)),
                (MISSING.to_owned(), rule(Gravity::Concern, 3, 3, 0.8125 - 0.75)),
                (NAME.to_owned(), rule(Gravity::Concern, 1, 1, 0.0)),
            ]
            .into(),
        };
        assert_eq!(score(&files(), Gravity::Note), expected);
    }

    #[test]
    fn rules_below_the_level_are_silent() {
        let scores = score(&files(), Gravity::Concern);
        assert_eq!((scores.level, scores.mean_balanced_accuracy), ("concern", 0.875));
        assert_eq!(scores.rules.keys().collect::<Vec<_>>(), [MISSING, NAME]);
    }

    #[test]
    fn nothing_to_judge_is_no_success() {
        let expected =
            Scores { level: "note", files: BTreeMap::new(), mean_balanced_accuracy: 0.0, rules: BTreeMap::new() };
        assert_eq!(score(&[], Gravity::Note), expected);
    }
}
