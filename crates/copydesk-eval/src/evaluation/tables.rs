//! The results of an evaluation: tables, the units that they were computed from, and the conditions of the measurement.

use std::collections::BTreeMap;

use copydesk::{editorial::page_bars::ChartRow, newsroom::amount, text::sanitise};
use serde::{Deserialize, Serialize};

use super::statistics::{MeanInterval, MeasuredShare};

/// Tables with the units that they were computed from.
pub(crate) type TablesAndUnits = (Vec<EvalTable>, Vec<serde_json::Value>);

/// The conditions of a measurement. Only results under the same conditions are comparable.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EvalBasis {
    /// Of this program.
    pub(crate) version: String,
    pub(crate) engine: String,
    /// By agent; empty if no model is asked.
    pub(crate) models: BTreeMap<String, String>,
    /// SHA-256 of the configuration's file. None if none was read.
    pub(crate) configuration: Option<String>,
    /// SHA-256 of the prompts, the styles and what teaches agents: of each file's name and content, in the order of names. None if no model is
    /// asked.
    pub(crate) prompts: Option<String>,
    /// SHA-256 of the folders of house style, likewise. None if none is configured, or no story is read with them.
    pub(crate) house_style: Option<String>,
    /// SHA-256 of the recorded answers, if those are asked.
    pub(crate) recording: Option<String>,
    /// SHA-256 of the data, if it is measured as a whole; topics have a digest each.
    pub(crate) data: Option<String>,
}

impl EvalBasis {
    /// The names of the conditions that differ from another basis.
    pub(crate) fn differences(&self, other: &Self) -> serde_json::Result<Vec<String>> {
        let (one, other) = (serde_json::to_value(self)?, serde_json::to_value(other)?);
        let parts = one.as_object().into_iter().flatten();
        Ok(parts.filter(|(name, part)| other.get(name) != Some(part)).map(|(name, _)| name.replace('_', " ")).collect())
    }

    /// Each part with its words, as far as it is known.
    pub(crate) fn parts(&self) -> Vec<(&'static str, String)> {
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
pub(crate) enum EvalCell {
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
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    pub(crate) fn number(value: Option<f64>, decimals: usize) -> Self {
        value.map_or(Self::None, |value| Self::Number { value, decimals })
    }

    pub(crate) fn count(value: u64) -> Self {
        Self::Number { value: amount(value), decimals: 0 }
    }

    pub(crate) fn mean(numbers: &[f64], decimals: usize) -> Self {
        MeanInterval::of(numbers).map_or(Self::None, |mean| Self::Mean { mean, decimals })
    }

    /// A mean with its standard deviation alone.
    pub(crate) fn without_interval(self) -> Self {
        match self {
            Self::Mean { mean, decimals } => {
                Self::Mean { mean: MeanInterval { low: None, high: None, ..mean }, decimals }
            }
            other => other,
        }
    }

    pub(crate) fn share(part: usize, of: usize) -> Self {
        if of == 0 { Self::None } else { Self::Share { share: MeasuredShare::new(part, of) } }
    }

    pub(crate) fn chance(value: Option<f64>) -> Self {
        value.map_or(Self::None, |value| Self::Chance { value })
    }

    /// As a reader sees it.
    pub(crate) fn words(&self) -> String {
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
    fn is_number(&self) -> bool {
        !matches!(self, Self::Text { .. })
    }

    /// Its bar in a chart. None if it has no size.
    pub(crate) fn bar(&self, name: String) -> Option<ChartRow> {
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

/// A cell with a count.
pub(crate) fn count(number: usize) -> EvalCell {
    EvalCell::count(number as u64)
}

/// A cell with a share in per cent.
pub(crate) fn percent(share: Option<f64>) -> EvalCell {
    EvalCell::number(share.map(|share| share * 100.0), 1)
}

/// A column, with the unit of what stands in it; empty if its rows have units of their own, or there is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct EvalColumn {
    pub(crate) name: String,
    pub(crate) unit: &'static str,
}

/// A row: what it is of, for programs and for readers, with a unit or an empty one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct EvalRow {
    pub(crate) key: String,
    pub(crate) name: String,
    pub(crate) unit: &'static str,
    pub(crate) cells: Vec<EvalCell>,
}

/// A table. The first column names the rows; `columns` are those behind it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct EvalTable {
    /// For programs; unique in its evaluation.
    pub(crate) key: String,
    pub(crate) title: String,
    /// The kind of the rows: the heading of the first column.
    pub(crate) of: String,
    pub(crate) columns: Vec<EvalColumn>,
    pub(crate) rows: Vec<EvalRow>,
    pub(crate) notes: Vec<String>,
    /// Keys of the rows that the page draws, each as a chart with a bar for each column.
    #[serde(skip)]
    pub(crate) drawn: Vec<&'static str>,
}

impl EvalTable {
    pub(crate) fn new(key: &str, title: &str, of: &str, columns: &[(&str, &'static str)]) -> Self {
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

    pub(crate) fn add(&mut self, key: &str, name: &str, unit: &'static str, cells: Vec<EvalCell>) {
        self.rows.push(EvalRow { key: key.to_owned(), name: name.to_owned(), unit, cells });
    }

    /// Whether a column, from 0, has numbers alone.
    pub(crate) fn has_numbers(&self, place: usize) -> bool {
        self.rows.iter().filter_map(|row| row.cells.get(place)).all(EvalCell::is_number)
    }

    /// The headings of all columns.
    pub(crate) fn headings(&self) -> Vec<String> {
        let columns = self.columns.iter().map(|column| with_unit(&column.name, column.unit));
        std::iter::once(sanitise::one_line(&self.of)).chain(columns).collect()
    }

    /// The words of all rows.
    pub(crate) fn words(&self) -> Vec<Vec<String>> {
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
pub(crate) fn with_unit(name: &str, unit: &str) -> String {
    let name = sanitise::one_line(name);
    if unit.is_empty() { name } else { format!("{name}, {unit}") }
}

/// An evaluation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Evaluation {
    /// Of its files, such as `pipeline`.
    pub(crate) name: &'static str,
    pub(crate) title: String,
    /// The command that measures it again.
    pub(crate) command: String,
    /// When its tables were made: ISO 8601, UTC.
    pub(crate) made_at: String,
    pub(crate) measured_on: EvalBasis,
    pub(crate) tables: Vec<EvalTable>,
    pub(crate) notes: Vec<String>,
    /// The units from which the tables were computed.
    pub(crate) units: Vec<serde_json::Value>,
}
