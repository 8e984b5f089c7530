//! The results of an evaluation: tables, the units that they were computed from, and the conditions of the measurement.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::statistics::MeanInterval;
use crate::{editorial::page_bars::ChartRow, headless::MeasuredShare, text::sanitise};

/// The conditions of a measurement. Only results under the same conditions are comparable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvalBasis {
    /// Of this program.
    pub version: String,
    pub engine: String,
    /// By agent; empty if no model is asked.
    pub models: BTreeMap<String, String>,
    /// SHA-256 of the configuration's file. None if none was read.
    pub configuration: Option<String>,
    /// SHA-256 of the prompts, the styles and what teaches agents: of each file's name and content, in the order of names. None if no model is
    /// asked.
    pub prompts: Option<String>,
    /// SHA-256 of the folders of house style, likewise. None if none is configured, or no story is read with them.
    pub house_style: Option<String>,
    /// SHA-256 of the recorded answers, if those are asked.
    pub recording: Option<String>,
    /// SHA-256 of the data, if it is measured as a whole; topics have a digest each.
    pub data: Option<String>,
}

impl EvalBasis {
    /// The names of the conditions that differ from another basis.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<&'static str> {
        let Self { version, engine, models, configuration, prompts, house_style, recording, data } = self;
        [
            ("version", *version == other.version),
            ("engine", *engine == other.engine),
            ("models", *models == other.models),
            ("configuration", *configuration == other.configuration),
            ("prompts", *prompts == other.prompts),
            ("house style", *house_style == other.house_style),
            ("recording", *recording == other.recording),
            ("data", *data == other.data),
        ]
        .into_iter()
        .filter_map(|(name, same)| (!same).then_some(name))
        .collect()
    }

    /// Each part with its words, as far as it is known.
    pub(super) fn parts(&self) -> Vec<(&'static str, String)> {
        let digests = [
            ("configuration (SHA-256)", &self.configuration),
            ("prompts (SHA-256)", &self.prompts),
            ("house style (SHA-256)", &self.house_style),
            ("recording (SHA-256)", &self.recording),
            ("data (SHA-256)", &self.data),
        ];
        let mut models: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (agent, model) in &self.models {
            models.entry(model).or_default().push(agent);
        }
        let models: Vec<String> =
            models.into_iter().map(|(model, agents)| format!("{model} ({})", agents.join(", "))).collect();
        let mut parts = vec![("program", format!("copydesk {}", self.version)), ("engine", self.engine.clone())];
        parts.extend((!models.is_empty()).then(|| ("models", models.join("; "))));
        parts.extend(digests.into_iter().filter_map(|(name, digest)| Some((name, digest.clone()?))));
        parts
    }
}

/// The content of a cell. Numbers are kept as computed, and rounded only on display.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EvalCell {
    /// Nothing was measured.
    None,
    Text {
        text: String,
    },
    Number {
        value: f64,
        decimals: usize,
    },
    Mean {
        #[serde(flatten)]
        mean: MeanInterval,
        decimals: usize,
    },
    Share {
        #[serde(flatten)]
        share: MeasuredShare,
    },
    /// The probability of a difference as large if there were none.
    Chance {
        value: f64,
    },
}

impl EvalCell {
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    #[must_use]
    pub fn number(value: Option<f64>, decimals: usize) -> Self {
        value.map_or(Self::None, |value| Self::Number { value, decimals })
    }

    #[must_use]
    pub fn count(value: u64) -> Self {
        Self::Number { value: crate::newsroom::amount(value), decimals: 0 }
    }

    #[must_use]
    pub fn mean(numbers: &[f64], decimals: usize) -> Self {
        MeanInterval::of(numbers).map_or(Self::None, |mean| Self::Mean { mean, decimals })
    }

    /// A mean with its standard deviation alone.
    #[must_use]
    pub(super) fn without_interval(self) -> Self {
        match self {
            Self::Mean { mean, decimals } => {
                Self::Mean { mean: MeanInterval { low: None, high: None, ..mean }, decimals }
            }
            other => other,
        }
    }

    #[must_use]
    pub fn share(part: usize, of: usize) -> Self {
        if of == 0 { Self::None } else { Self::Share { share: MeasuredShare::new(part, of) } }
    }

    #[must_use]
    pub fn chance(value: Option<f64>) -> Self {
        value.map_or(Self::None, |value| Self::Chance { value })
    }

    /// As a reader sees it.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::None => "–".to_owned(),
            Self::Text { text } => sanitise::one_line(text),
            Self::Number { value, decimals } => rounded(*value, *decimals),
            Self::Mean { mean: MeanInterval { mean, sd, n, low, high }, decimals } => {
                let shown = |value: &f64| rounded(*value, *decimals);
                let mean = shown(mean);
                match (sd.as_ref().map(shown), low.as_ref().map(shown), high.as_ref().map(shown)) {
                    (Some(sd), Some(low), Some(high)) => format!("{mean} ± {sd} ({low} to {high}; n {n})"),
                    (Some(sd), ..) => format!("{mean} ± {sd}"),
                    _ => format!("{mean} (n {n})"),
                }
            }
            Self::Share { share: MeasuredShare { part, of, share, low, high } } => {
                format!("{part} of {of}, {share:.1} % ({low:.1} to {high:.1})")
            }
            Self::Chance { value } if *value < 0.001 => "under 0.001".to_owned(),
            Self::Chance { value } => format!("{value:.3}"),
        }
    }

    /// Whether it stands at the right, as numbers do.
    pub(super) fn is_number(&self) -> bool {
        !matches!(self, Self::Text { .. })
    }

    /// Its bar in a chart. None if it has no size.
    pub(super) fn bar(&self, name: String) -> Option<ChartRow> {
        let (first, interval) = match self {
            Self::Number { value, .. } => (*value, None),
            Self::Mean { mean, .. } => (mean.mean, mean.low.zip(mean.high).map(|(low, high)| [low, high])),
            Self::Share { share } => (share.share, Some([share.low, share.high])),
            Self::None | Self::Text { .. } | Self::Chance { .. } => return None,
        };
        let words = match self {
            Self::Share { share } => format!("{:.1} % of {}", share.share, share.of),
            Self::Mean { mean, decimals } => format!("{:.decimals$}", mean.mean),
            cell => cell.words(),
        };
        Some(ChartRow { name, first, second: 0.0, interval, words })
    }
}

/// A column, with the unit of what stands in it; empty if its rows have units of their own, or there is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EvalColumn {
    pub name: String,
    pub unit: &'static str,
}

/// A row: what it is of, for programs and for readers, with a unit or an empty one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EvalRow {
    pub key: String,
    pub name: String,
    pub unit: &'static str,
    pub cells: Vec<EvalCell>,
}

/// A table. The first column names the rows; `columns` are those behind it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EvalTable {
    /// For programs; unique in its evaluation.
    pub key: String,
    pub title: String,
    /// The kind of the rows: the heading of the first column.
    pub of: String,
    pub columns: Vec<EvalColumn>,
    pub rows: Vec<EvalRow>,
    pub notes: Vec<String>,
    /// Keys of the rows that the page draws, each as a chart with a bar for each column.
    #[serde(skip)]
    pub drawn: Vec<&'static str>,
}

impl EvalTable {
    #[must_use]
    pub fn new(key: &str, title: &str, of: &str, columns: &[(&str, &'static str)]) -> Self {
        Self {
            key: key.to_owned(),
            title: title.to_owned(),
            of: of.to_owned(),
            columns: columns.iter().map(|&(name, unit)| EvalColumn { name: name.to_owned(), unit }).collect(),
            rows: Vec::new(),
            notes: Vec::new(),
            drawn: Vec::new(),
        }
    }

    pub fn add(&mut self, key: &str, name: &str, unit: &'static str, cells: Vec<EvalCell>) {
        self.rows.push(EvalRow { key: key.to_owned(), name: name.to_owned(), unit, cells });
    }

    /// The headings of all columns.
    pub(super) fn headings(&self) -> Vec<String> {
        let columns = self.columns.iter().map(|column| with_unit(&column.name, column.unit));
        std::iter::once(sanitise::one_line(&self.of)).chain(columns).collect()
    }

    /// The words of all rows.
    pub(super) fn words(&self) -> Vec<Vec<String>> {
        let words = |row: &EvalRow| {
            std::iter::once(with_unit(&row.name, row.unit)).chain(row.cells.iter().map(EvalCell::words)).collect()
        };
        self.rows.iter().map(words).collect()
    }
}

/// A number with so many decimals; a value that is rounded to nothing has no sign.
fn rounded(value: f64, decimals: usize) -> String {
    let shown = format!("{value:.decimals$}");
    if shown.bytes().all(|byte| b"-0.".contains(&byte)) { shown.replace('-', "") } else { shown }
}

/// A name with its unit, in one line.
pub(super) fn with_unit(name: &str, unit: &str) -> String {
    let name = sanitise::one_line(name);
    if unit.is_empty() { name } else { format!("{name}, {unit}") }
}

/// An evaluation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evaluation {
    /// Of its files, such as `pipeline`.
    pub name: &'static str,
    pub title: String,
    /// The command that measures it again.
    pub command: String,
    /// When its tables were made: ISO 8601, UTC.
    pub made_at: String,
    pub measured_on: EvalBasis,
    pub tables: Vec<EvalTable>,
    pub notes: Vec<String>,
    /// The units from which the tables were computed.
    pub units: Vec<serde_json::Value>,
}

impl Evaluation {
    /// One JSON object.
    ///
    /// # Errors
    /// If it cannot be written as JSON, which its types rule out.
    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }
}
