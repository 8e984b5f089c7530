//! Prometheus' text format, version 0.0.4 (<https://prometheus.io/docs/instrumenting/exposition_formats/>).

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write as _,
};

use crate::newsroom::{Spread, amount};

/// The type of the text.
pub(super) const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Most characters of a label's value.
const LONGEST: usize = 100;

/// Bounds of durations, in milliseconds.
const DURATIONS: [u64; 15] =
    [10, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 900_000, 3_600_000];

/// Bounds of small counts.
const COUNTS: [u64; 7] = [1, 2, 3, 4, 5, 10, 20];

/// A text that is being written.
pub(super) struct Exposition<'e> {
    text: String,
    /// The highest value of each series of a counter: what was deleted since must not look like a restart.
    highest: &'e mut HashMap<String, f64>,
}

/// A label with its value.
pub(super) type Label<'l> = (&'l str, &'l str);

/// The values of a metric, each under its labels.
pub(super) trait Samples<'l, V>: IntoIterator<Item = (Vec<Label<'l>>, V)> {}

impl<'l, V, S: IntoIterator<Item = (Vec<Label<'l>>, V)>> Samples<'l, V> for S {}

impl<'e> Exposition<'e> {
    pub(super) fn new(highest: &'e mut HashMap<String, f64>) -> Self {
        Self { text: String::new(), highest }
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// Begins a metric.
    fn begin(&mut self, name: &str, kind: &str, help: &str) {
        let help = help.replace('\\', "\\\\").replace('\n', "\\n");
        // A `String` takes whatever is written.
        let _ = write!(self.text, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
    }

    fn line(&mut self, series: &str, value: f64) {
        let _ = writeln!(self.text, "{series} {value}");
    }

    fn count(&mut self, series: &str, value: f64) {
        let highest = self.highest.entry(series.to_owned()).or_insert(value);
        *highest = highest.max(value);
        let value = *highest;
        self.line(series, value);
    }

    /// A number that only grows.
    pub(super) fn counter<'l>(&mut self, name: &str, help: &str, samples: impl Samples<'l, f64>) {
        self.begin(name, "counter", help);
        for (labels, value) in samples {
            self.count(&format!("{name}{}", written(&labels)), value);
        }
    }

    /// A number that goes up and down.
    pub(super) fn gauge<'l>(&mut self, name: &str, help: &str, samples: impl Samples<'l, f64>) {
        self.begin(name, "gauge", help);
        for (labels, value) in samples {
            self.line(&format!("{name}{}", written(&labels)), value);
        }
    }

    /// Durations in milliseconds, shown in seconds.
    pub(super) fn durations<'l>(&mut self, name: &str, help: &str, samples: impl Samples<'l, &'l Spread>) {
        self.histogram(name, help, &DURATIONS, 1_000.0, samples);
    }

    /// Small counts.
    pub(super) fn counts<'l>(&mut self, name: &str, help: &str, samples: impl Samples<'l, &'l Spread>) {
        self.histogram(name, help, &COUNTS, 1.0, samples);
    }

    fn histogram<'l>(
        &mut self,
        name: &str,
        help: &str,
        bounds: &[u64],
        unit: f64,
        samples: impl Samples<'l, &'l Spread>,
    ) {
        self.begin(name, "histogram", help);
        for (labels, spread) in samples {
            let below = |bound: &str| {
                let mut labels = labels.clone();
                labels.push(("le", bound));
                format!("{name}_bucket{}", written(&labels))
            };
            for bound in bounds {
                self.count(&below(&(amount(*bound) / unit).to_string()), amount(spread.up_to(*bound)));
            }
            self.count(&below("+Inf"), amount(spread.count()));
            self.count(&format!("{name}_sum{}", written(&labels)), amount(spread.sum()) / unit);
            self.count(&format!("{name}_count{}", written(&labels)), amount(spread.count()));
        }
    }
}

/// Labels in braces; nothing if there are none.
fn written(labels: &[Label<'_>]) -> String {
    if labels.is_empty() {
        return String::new();
    }
    let labels: Vec<String> = labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
    format!("{{{}}}", labels.join(","))
}

/// A label's value: of bounded length, escaped, without control characters.
fn escaped(value: &str) -> String {
    let mut text = String::new();
    for c in value.chars().take(LONGEST) {
        match c {
            '\\' => text.push_str("\\\\"),
            '"' => text.push_str("\\\""),
            '\n' => text.push_str("\\n"),
            c if c.is_control() => text.push('\u{FFFD}'),
            c => text.push(c),
        }
    }
    text
}

/// The name of what is not shown by its own.
pub(super) const OTHER: &str = "other";

/// At most `most` keys: the values of the others are put together under the key `other`.
pub(super) fn bounded<K: Ord + Clone, V: Default + Clone>(
    map: &BTreeMap<K, V>,
    most: usize,
    other: impl Fn(&K) -> Option<K>,
    beyond: &K,
    merge: impl Fn(&mut V, &V),
) -> BTreeMap<K, V> {
    let mut kept: BTreeMap<K, V> = BTreeMap::new();
    for (key, value) in map {
        let key = other(key).unwrap_or_else(|| key.clone());
        let key = if kept.len() < most || kept.contains_key(&key) { &key } else { beyond };
        merge(kept.entry(key.clone()).or_default(), value);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_escaped_and_bounded_and_a_counter_never_falls() {
        let mut highest = HashMap::new();
        let long = "x".repeat(300);
        let write = |value: f64, highest: &mut HashMap<String, f64>| {
            let mut text = Exposition::new(highest);
            let labels = vec![("model", "a\"b\\c\nd\u{1b}"), ("server", long.as_str())];
            text.counter("calls_total", "Calls\nthat ended.", [(labels, value)]);
            text.gauge("waiting", "What waits.", [(vec![], value)]);
            text.into_text()
        };
        let first = write(7.0, &mut highest);
        let series = format!("calls_total{{model=\"a\\\"b\\\\c\\nd\u{FFFD}\",server=\"{}\"}}", "x".repeat(100));
        let expected = |gauge| {
            format!(
                "# HELP calls_total Calls\\nthat ended.\n# TYPE calls_total counter\n{series} 7\n\
                 # HELP waiting What waits.\n# TYPE waiting gauge\nwaiting {gauge}\n"
            )
        };
        assert_eq!(first, expected(7));
        assert_eq!(write(3.0, &mut highest), expected(3), "a story was deleted");
    }

    #[test]
    fn a_histogram_has_cumulative_buckets_in_seconds() {
        let mut spread = Spread::default();
        for number in [90, 100, 2_000, 9_000_000] {
            spread.add(number);
        }
        let mut highest = HashMap::new();
        let mut text = Exposition::new(&mut highest);
        text.durations("wait_seconds", "Waiting.", [(vec![("pool", "writer")], &spread)]);
        let text = text.into_text();
        for line in [
            "wait_seconds_bucket{pool=\"writer\",le=\"0.05\"} 0",
            "wait_seconds_bucket{pool=\"writer\",le=\"0.1\"} 2",
            "wait_seconds_bucket{pool=\"writer\",le=\"2.5\"} 3",
            "wait_seconds_bucket{pool=\"writer\",le=\"3600\"} 3",
            "wait_seconds_bucket{pool=\"writer\",le=\"+Inf\"} 4",
            "wait_seconds_sum{pool=\"writer\"} 9002.19",
            "wait_seconds_count{pool=\"writer\"} 4",
        ] {
            assert!(text.lines().any(|known| known == line), "{line}\n{text}");
        }
    }

    #[test]
    fn however_many_keys_there_are_few_are_shown() {
        let many: BTreeMap<String, u64> = (0..1_000).map(|n| (format!("tool{n:04}"), 1)).collect();
        let odd = |key: &String| key.ends_with('7').then(|| OTHER.to_owned());
        let kept = bounded(&many, 10, odd, &OTHER.to_owned(), |sum, one| *sum += one);
        assert_eq!((kept.len(), kept.values().sum::<u64>()), (10, 1_000));
        assert_eq!(kept[OTHER], 991);
    }
}
