//! How a model writes the first draft, and what it writes on the way.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::SourcePlace;

/// How a model writes the first draft (`article_generation.writer_mode`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum WriterMode {
    /// One call writes the whole article.
    #[default]
    Whole,
    /// A plan, then a call for each section, then the headlines. For small models.
    Sections,
}

named!(WriterMode);

/// A call on the way to the first draft. Sections count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Writing {
    /// The key points, each with the source's lines that belong to it.
    Plan,
    /// The text of one section.
    Section(u32),
    /// The same section once more, because a program found fault with it.
    Mend(u32),
    /// Headline, second headline and description, from the text.
    Heads,
    /// The whole draft once more, because it is far too short or too long, or repeats its source.
    Again,
}

impl fmt::Display for Writing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plan => f.write_str("plan"),
            Self::Section(section) => write!(f, "s{section}"),
            Self::Mend(section) => write!(f, "m{section}"),
            Self::Heads => f.write_str("heads"),
            Self::Again => f.write_str("again"),
        }
    }
}

impl Writing {
    /// The call of that name, if one has it.
    pub fn named(name: &str) -> Option<Self> {
        let number = |mark| name.strip_prefix(mark).and_then(|digits: &str| digits.parse().ok());
        match name {
            "plan" => Some(Self::Plan),
            "heads" => Some(Self::Heads),
            "again" => Some(Self::Again),
            _ => number('s').map(Self::Section).or_else(|| number('m').map(Self::Mend)),
        }
    }

    /// For a person, such as `section 2`.
    pub fn in_words(self) -> String {
        match self {
            Self::Plan => "plan".to_owned(),
            Self::Section(section) => format!("section {section}"),
            Self::Mend(section) => format!("section {section}, once more"),
            Self::Heads => "headlines".to_owned(),
            Self::Again => "once more".to_owned(),
        }
    }
}

/// The plan of a first draft: its sections.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArticlePlan {
    /// The sections, in their order.
    pub sections: Vec<PlannedSection>,
    /// The sections to write next if the text stays short: what the plan left out, in the order of its weight.
    pub spare: Vec<PlannedSection>,
}

/// A section that is to be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedSection {
    /// The section's subject in the model's words; empty if a program planned it.
    pub point: String,
    /// The source's lines that it may use, each with who says it. Places are checked: a line is the source's own words.
    pub lines: Vec<SourcePlace>,
    /// About how many words it gets.
    pub words: usize,
}

/// The text of a section.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenSection {
    pub text: String,
    /// Its sentences that a program found fault with.
    pub faults: Vec<SectionFault>,
}

impl WrittenSection {
    /// Words of the text, as every page counts them.
    pub fn words(&self) -> usize {
        self.text.split_whitespace().count()
    }
}

/// A sentence that says more than its lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SectionFault {
    /// Which sentence of the section, from 1.
    pub sentence: usize,
    /// Words that its lines do not have, in no form and no near synonym.
    pub words: Vec<String>,
}

/// Headline, second headline and description of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(non_snake_case, reason = "field names are the contract of whoever reads the file")]
pub struct Headlines {
    pub headline: String,
    pub alternativeHeadline: String,
    pub description: String,
}
