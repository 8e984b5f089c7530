//! One rule: what every rule of Vale's has, and the kind that says how it looks.

use std::ops::Range;

use super::{
    LARGEST, Level, MOST, Names, Note, Problem,
    capitalization::Capitalization,
    conditional::Conditional,
    consistency::Consistency,
    existence::Existence,
    fields::Fields,
    message,
    metric::Metric,
    names_of,
    occurrence::Occurrence,
    page::{Block, Page, Prose, STAND_IN},
    pattern::{GivenUp, Patience, Pattern},
    repetition::Repetition,
    scope::{Scope, Unit},
    substitution::Substitution,
    yaml::{self, Value},
};

/// A rule.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    pub name: String,
    level: Level,
    message: String,
    scopes: Vec<Scope>,
    /// Most notes on one article, where the rule says so.
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
    Metric(Metric),
}

/// A stretch of text that a rule looks at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch<'p> {
    /// Its text.
    pub text: &'p str,
    /// Where it begins in its prose.
    offset: usize,
    prose: &'p Prose,
    field: &'static str,
    /// The sources' names in its field.
    names: &'p [Range<usize>],
}

impl Stretch<'_> {
    /// The place in the field of a range of this text.
    fn place(&self, range: &Range<usize>) -> Range<usize> {
        self.prose.place(&(self.offset + range.start..self.offset + range.end))
    }

    /// Whether a range is nobody's to judge: it lies within a name of the sources, or is nothing but stand-ins.
    pub fn is_exempt(&self, range: &Range<usize>) -> bool {
        let text = self.text.get(range.clone()).unwrap_or_default();
        if text.chars().all(|c| c == STAND_IN || c.is_whitespace()) {
            return true;
        }
        let place = self.place(range);
        let index = self.names.partition_point(|name| name.end < place.end);
        self.names.get(index).is_some_and(|name| name.start <= place.start)
    }
}

/// What a rule has found in a stretch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// Where, in the stretch; an empty range speaks of the whole.
    pub range: Range<usize>,
    /// What the message is filled with.
    pub values: Vec<String>,
    /// What to write instead.
    pub replacement: Option<String>,
}

/// What a file turned out to be.
pub(super) enum Read {
    Rule(Box<Rule>),
    /// A rule of Vale's that is not applied here.
    LeftOut(Problem),
}

/// The kinds of rule that are applied.
const KINDS: [&str; 8] =
    ["existence", "substitution", "occurrence", "repetition", "consistency", "capitalization", "conditional", "metric"];

/// Vale's other kinds, and why they are not applied.
const LEFT_OUT: [(&str, &str); 4] = [
    ("spelling", "spelling is checked with the desk's own dictionary"),
    ("sequence", "it needs Vale's tagger for parts of speech"),
    ("script", "it is a program, and a style runs none here"),
    ("readability", "the desk measures readability itself; `metric` rules can set a limit"),
];

/// Reads a rule's file.
pub(super) fn read(file: &str, text: &str) -> Result<Read, Vec<Problem>> {
    let problem = |line, message: String| Problem { file: file.to_owned(), line, message };
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
    let Some((line, extends)) = fields.text("extends", &known) else {
        fields.missing("extends", &known);
        fields.ignore(&["message", "level", "scope", "limit"]);
        return Err(fields
            .into_problems()
            .into_iter()
            .filter(|problem| problem.message.contains("extends "))
            .collect());
    };
    if let Some((_, why)) = LEFT_OUT.iter().find(|(kind, _)| *kind == extends) {
        return Ok(Read::LeftOut(problem(line, format!("the rule is left out, as it extends {extends}: {why}"))));
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
        "metric" => Metric::read(&fields).map(Kind::Metric),
        other => {
            let message = format!("extends is {other:?}; {known} belongs there");
            return Err(vec![problem(line, message)]);
        }
    };
    let problems = fields.into_problems();
    match kind {
        Some(kind) if problems.is_empty() => Ok(Read::Rule(Box::new(Rule {
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
fn name(file: &str) -> String {
    let stem = file.strip_suffix(".yml").or_else(|| file.strip_suffix(".yaml")).unwrap_or(file);
    let parts: Vec<&str> = stem.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".").collect();
    parts.get(parts.len().saturating_sub(2)..).unwrap_or_default().join(".")
}

fn level(fields: &Fields<'_>) -> Level {
    match fields.text("level", "suggestion, warning or error") {
        None | Some((_, "warning")) => Level::Warning,
        Some((_, "suggestion")) => Level::Suggestion,
        Some((_, "error")) => Level::Error,
        Some((line, other)) => {
            fields.problem(line, format!("level is {other:?}; suggestion, warning or error belongs there"));
            Level::Warning
        }
    }
}

fn scopes(fields: &Fields<'_>) -> Vec<Scope> {
    let mut scopes = Vec::new();
    for (line, text) in fields.texts("scope", "a scope such as text, heading or sentence") {
        match Scope::read(&text) {
            Ok(scope) => scopes.push(scope),
            Err(what) => fields.problem(line, what),
        }
    }
    if scopes.is_empty() {
        // Vale's own default.
        scopes.extend(Scope::read("text"));
    }
    scopes
}

impl Rule {
    /// What the rule says of an article.
    pub fn judge(&self, page: &Page<'_>, names: &Names) -> Vec<Note> {
        if let Kind::Metric(metric) = &self.kind {
            let found = metric.look(page);
            return found.map(|value| self.note("articleBody", "", 0..0, &[value], None)).into_iter().collect();
        }
        let stretches = self.stretches(page, names);
        let Ok(found) = self.look(&stretches) else {
            let note = self.note("articleBody", "", 0..0, &[], None);
            return vec![Note {
                message: "This rule was given up: its pattern takes too long on this text.".into(),
                ..note
            }];
        };
        let mut notes: Vec<Note> = Vec::new();
        for (index, Found { range, values, replacement }) in found {
            let Some(stretch) = stretches.get(index) else { continue };
            if !range.is_empty() && stretch.is_exempt(&range) {
                continue;
            }
            let place = stretch.place(&range);
            let text = page.text(stretch.field).get(place.clone()).unwrap_or_default();
            notes.push(self.note(stretch.field, text, place, &values, replacement));
            if notes.len() >= self.limit {
                break;
            }
        }
        notes
    }

    fn look(&self, stretches: &[Stretch<'_>]) -> Result<Vec<(usize, Found)>, GivenUp> {
        let each = |look: &dyn Fn(&Stretch<'_>) -> Result<Vec<Found>, GivenUp>| {
            let mut all = Vec::new();
            for (index, stretch) in stretches.iter().enumerate() {
                all.extend(look(stretch)?.into_iter().map(|found| (index, found)));
            }
            Ok(all)
        };
        let patience = Patience::new();
        match &self.kind {
            Kind::Existence(kind) => each(&|stretch| kind.look(stretch.text, &patience)),
            Kind::Substitution(kind) => each(&|stretch| kind.look(stretch.text, &patience)),
            Kind::Occurrence(kind) => each(&|stretch| kind.look(stretch.text, &patience)),
            Kind::Repetition(kind) => each(&|stretch| kind.look(stretch.text, &patience)),
            Kind::Capitalization(kind) => each(&|stretch| kind.look(stretch, &patience)),
            Kind::Consistency(kind) => kind.look(stretches, &patience),
            Kind::Conditional(kind) => kind.look(stretches, &patience),
            Kind::Metric(_) => Ok(Vec::new()),
        }
    }

    fn note(
        &self,
        field: &'static str,
        text: &str,
        place: Range<usize>,
        values: &[String],
        replacement: Option<String>,
    ) -> Note {
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        Note {
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
    fn stretches<'p>(&self, page: &'p Page<'_>, names: &'p Names) -> Vec<Stretch<'p>> {
        let whole = |field, prose: &'p Prose| Stretch {
            text: &prose.text,
            offset: 0,
            prose,
            field,
            names: names_of(names, field),
        };
        let wants = |unit: Unit, block: &Block| {
            let asks = |scope: &&Scope| scope.unit == unit && (!block.quoted || scope.cites());
            self.scopes.iter().filter(asks).any(|scope| scope.holds(&block.place()))
        };
        let mut stretches = Vec::new();
        if self.scopes.iter().any(|scope| scope.unit == Unit::Raw) {
            stretches.extend(page.raw.iter().map(|(field, prose)| whole(field, prose)));
        }
        for block in &page.blocks {
            // A summary is running text; a rule that looks at all of it at once finds in a block what it finds there.
            if wants(Unit::Block, block) || block.runs() && wants(Unit::Summary, block) {
                stretches.push(whole(block.field, &block.prose));
            }
            if block.runs() && wants(Unit::Sentence, block) {
                stretches.extend(block.sentences.iter().filter_map(|sentence| {
                    let text = block.prose.text.get(sentence.clone())?;
                    Some(Stretch { text, offset: sentence.start, ..whole(block.field, &block.prose) })
                }));
            }
        }
        stretches
    }
}

/// The exceptions of a rule: what they match anywhere in a find is let pass. As Vale does, the longest first, each in
/// its own case.
pub(super) fn exceptions(fields: &Fields<'_>) -> Option<Pattern> {
    let mut exceptions = fields.texts("exceptions", "a list of words or patterns");
    if !fields.check_each(exceptions.iter().map(|(line, pattern)| (*line, pattern.as_str()))) {
        return None;
    }
    exceptions.sort_by_key(|(_, text)| std::cmp::Reverse(text.len()));
    let line = exceptions.first().map_or(1, |(line, _)| *line);
    let each: Vec<String> = exceptions
        .into_iter()
        .map(|(_, text)| if text.starts_with("(?i)") { format!("(?:{text})") } else { format!("(?-i:{text})") })
        .collect();
    if each.is_empty() { None } else { fields.compile(line, &super::pattern::words(&each, false, false)) }
}
