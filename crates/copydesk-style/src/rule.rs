//! One rule: what every rule of Vale's has, and the kind that says how it looks.

use std::ops::Range;

use super::{
    capitalization::Capitalization,
    conditional::Conditional,
    consistency::Consistency,
    existence::Existence,
    fields::Fields,
    message,
    names::{NamePlaces, names_of},
    note::{MOST, NoteLevel, StyleNote},
    occurrence::Occurrence,
    page::{Prose, ProseBlock, ProsePage, STAND_IN},
    pattern::{GivenUp, PatternBudget},
    problem::StyleProblem,
    repetition::Repetition,
    scope::{RuleScope, ScopeUnit},
    stretch::{RuleMatch, Stretch},
    substitution::Substitution,
};
use copydesk_text::yaml::{self, Value};

/// Largest file of a style in bytes.
pub(super) const LARGEST: usize = 1024 * 1024;

/// A rule.
#[derive(Debug, Clone)]
pub(super) struct StyleRule {
    pub name: String,
    pub level: NoteLevel,
    message: String,
    scopes: Vec<RuleScope>,
    /// Most notes on one article, if the rule says so.
    limit: usize,
    kind: Kind,
}

/// How a rule looks: Vale's `extends`.
#[derive(Debug, Clone)]
enum Kind {
    Existence(Existence),
    Substitution(Substitution),
    Occurrence(Occurrence),
    Repetition(Repetition),
    Consistency(Consistency),
    Capitalization(Capitalization),
    Conditional(Conditional),
}

/// A rule's file, as it was read.
pub(super) enum RuleFile {
    Rule(Box<StyleRule>),
    /// A rule of Vale's that is not applied here.
    LeftOut(StyleProblem),
}

/// The kinds of rule that are applied.
const KINDS: [&str; 7] =
    ["existence", "substitution", "occurrence", "repetition", "consistency", "capitalization", "conditional"];

/// Vale's other kinds, and why they are not applied.
const LEFT_OUT: [(&str, &str); 5] = [
    ("spelling", "spelling is checked with the desk's own dictionary"),
    ("sequence", "it needs Vale's tagger for parts of speech"),
    ("script", "it is a program, and a style runs none here"),
    ("readability", "the desk measures readability itself"),
    ("metric", "the desk measures readability itself"),
];

/// Reads a rule's file.
pub(super) fn read(file: &str, text: &str) -> Result<RuleFile, Vec<StyleProblem>> {
    let problem = |line, message: String| StyleProblem { file: file.to_owned(), line, message };
    if text.len() > LARGEST {
        return Err(vec![problem(1, format!("the file is larger than {} kB", LARGEST / 1024))]);
    }
    let node = yaml::read(text).map_err(|(line, what)| vec![problem(line, format!("this is {what}"))])?;
    let Value::Map(entries) = &node.value else {
        return Err(vec![problem(
            node.line,
            "this is no list of keys; extends, message and the rest belong there".into(),
        )]);
    };
    let fields = Fields::new(file, entries);
    let known = format!("one of {}", KINDS.join(", "));
    let Some((line, extends)) = fields.needed("extends", &known) else {
        fields.ignore(&["message", "level", "scope", "limit"]);
        return Err(fields
            .into_problems()
            .into_iter()
            .filter(|problem| problem.message.contains("extends "))
            .collect());
    };
    if let Some((_, why)) = LEFT_OUT.iter().find(|(kind, _)| *kind == extends) {
        return Ok(RuleFile::LeftOut(problem(line, format!("the rule is left out, as it extends {extends}: {why}"))));
    }
    let message = fields.text("message", "a sentence, with %s for what was found,").map(|(_, message)| message);
    if message.is_none_or(|message| message.trim().is_empty()) {
        fields.missing("message", "a sentence, with %s for what was found,");
    }
    let level = level(&fields);
    let scopes = scopes(&fields);
    let limit = fields.whole("limit").unwrap_or(MOST).min(MOST);
    fields.ignore(&["link", "description", "name", "vocab"]);
    let kind = match extends {
        "existence" => Existence::read(&fields).map(Kind::Existence),
        "substitution" => Substitution::read(&fields).map(Kind::Substitution),
        "occurrence" => Occurrence::read(&fields).map(Kind::Occurrence),
        "repetition" => Repetition::read(&fields).map(Kind::Repetition),
        "consistency" => Consistency::read(&fields).map(Kind::Consistency),
        "capitalization" => Capitalization::read(&fields).map(Kind::Capitalization),
        "conditional" => Conditional::read(&fields).map(Kind::Conditional),
        other => {
            let message = format!("extends is {other:?}; {known} belongs there");
            return Err(vec![problem(line, message)]);
        }
    };
    let problems = fields.into_problems();
    match kind {
        Some(kind) if problems.is_empty() => Ok(RuleFile::Rule(Box::new(StyleRule {
            name: name(file),
            level,
            message: match &kind {
                Kind::Substitution(kind) => kind.message(message.unwrap_or_default()),
                _ => message.unwrap_or_default().to_owned(),
            },
            scopes,
            limit,
            kind,
        }))),
        _ => Err(problems),
    }
}

/// `Copydesk/Weasel.yml` is the rule `Copydesk.Weasel`.
pub(super) fn name(file: &str) -> String {
    let stem = file.strip_suffix(".yml").or_else(|| file.strip_suffix(".yaml")).unwrap_or(file);
    let parts: Vec<&str> = stem.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".").collect();
    parts.get(parts.len().saturating_sub(2)..).unwrap_or_default().join(".")
}

fn level(fields: &Fields<'_>) -> NoteLevel {
    match fields.text("level", "suggestion, warning or error") {
        None | Some((_, "warning")) => NoteLevel::Warning,
        Some((_, "suggestion")) => NoteLevel::Suggestion,
        Some((_, "error")) => NoteLevel::Error,
        Some((line, other)) => {
            fields.problem(line, format!("level is {other:?}; suggestion, warning or error belongs there"));
            NoteLevel::Warning
        }
    }
}

fn scopes(fields: &Fields<'_>) -> Vec<RuleScope> {
    let mut scopes = Vec::new();
    for (line, text) in fields.texts("scope", "a scope such as text, heading or sentence") {
        match RuleScope::read(&text) {
            Ok(scope) => scopes.push(scope),
            Err(what) => fields.problem(line, what.to_string()),
        }
    }
    if scopes.is_empty() {
        // Vale's own default.
        scopes.extend(RuleScope::read("text"));
    }
    scopes
}

impl StyleRule {
    /// Returns the rule's notes on an article.
    pub fn judge(&self, page: &ProsePage<'_>, names: &NamePlaces) -> Vec<StyleNote> {
        let stretches = self.stretches(page, names);
        let Ok(found) = self.matches(&stretches) else {
            let note = self.note("articleBody", "", 0..0, &[], None);
            return vec![StyleNote {
                message: "This rule was given up: its pattern takes too long on this text.".into(),
                ..note
            }];
        };
        let mut notes: Vec<StyleNote> = Vec::new();
        for (index, RuleMatch { range, values, replacement }) in found {
            let Some(stretch) = stretches.get(index) else { continue };
            if !range.is_empty() && stretch.is_exempt(&range) {
                continue;
            }
            let place = stretch.place(&range);
            let text = page.text(stretch.field).get(place.clone()).unwrap_or_default();
            let hidden = stretch.hidden(&range, page.text(stretch.field));
            let values: Vec<String> = values.iter().map(|value| with_hidden(value, &hidden)).collect();
            let replacement = replacement.map(|words| with_hidden(&words, &hidden));
            notes.push(self.note(stretch.field, text, place, &values, replacement));
            if notes.len() >= self.limit {
                break;
            }
        }
        notes
    }

    fn matches(&self, stretches: &[Stretch<'_>]) -> Result<Vec<(usize, RuleMatch)>, GivenUp> {
        let each = |look: &dyn Fn(&Stretch<'_>) -> Result<Vec<RuleMatch>, GivenUp>| {
            let mut all = Vec::new();
            for (index, stretch) in stretches.iter().enumerate() {
                all.extend(look(stretch)?.into_iter().map(|found| (index, found)));
            }
            Ok(all)
        };
        let patience = PatternBudget::new();
        match &self.kind {
            Kind::Existence(kind) => each(&|stretch| kind.matches(stretch.text, &patience)),
            Kind::Substitution(kind) => each(&|stretch| kind.matches(stretch.text, &patience)),
            Kind::Occurrence(kind) => each(&|stretch| kind.matches(stretch.text, &patience)),
            Kind::Repetition(kind) => each(&|stretch| kind.matches(stretch.text, &patience)),
            Kind::Capitalization(kind) => each(&|stretch| kind.matches(stretch, &patience)),
            Kind::Consistency(kind) => kind.matches(stretches, &patience),
            Kind::Conditional(kind) => kind.matches(stretches, &patience),
        }
    }

    fn note(
        &self,
        field: &'static str,
        text: &str,
        place: Range<usize>,
        values: &[String],
        replacement: Option<String>,
    ) -> StyleNote {
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        StyleNote {
            rule: self.name.clone(),
            level: self.level,
            message: message::fill(&self.message, &values),
            field,
            start: place.start,
            end: place.end,
            text: text.to_owned(),
            replacement,
        }
    }

    /// The stretches of an article that the rule's scopes name, each once, in order.
    fn stretches<'p>(&self, page: &'p ProsePage<'_>, names: &'p NamePlaces) -> Vec<Stretch<'p>> {
        let whole = |field, prose: &'p Prose| Stretch {
            text: &prose.text,
            offset: 0,
            prose,
            field,
            names: names_of(names, field),
        };
        let wants = |unit: ScopeUnit, block: &ProseBlock| {
            let asks = |scope: &&RuleScope| scope.unit == unit && (!block.quoted || scope.cites());
            self.scopes.iter().filter(asks).any(|scope| scope.holds(block.kind, block.title))
        };
        let mut stretches = Vec::new();
        if self.scopes.iter().any(|scope| scope.unit == ScopeUnit::Raw) {
            stretches.extend(page.raw.iter().map(|(field, prose)| whole(field, prose)));
        }
        for block in &page.blocks {
            // A summary is running text; a rule that looks at all of it at once finds in a block what it finds there.
            if wants(ScopeUnit::Block, block) || block.runs() && wants(ScopeUnit::Summary, block) {
                stretches.push(whole(block.field, &block.prose));
            }
            if block.runs() && wants(ScopeUnit::Sentence, block) {
                stretches.extend(block.sentences.iter().filter_map(|sentence| {
                    let text = block.prose.text.get(sentence.clone())?;
                    Some(Stretch { text, offset: sentence.start, ..whole(block.field, &block.prose) })
                }));
            }
        }
        stretches
    }
}

/// The words that no rule judges, such as a quotation, in the places that stood in for them.
fn with_hidden(words: &str, hidden: &[&str]) -> String {
    let mut next = hidden.iter();
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        if c == STAND_IN
            && let Some(said) = next.next()
        {
            out.push_str(said);
        } else {
            out.push(c);
        }
    }
    out
}
