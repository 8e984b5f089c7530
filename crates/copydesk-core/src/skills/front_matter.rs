//! The front matter of a `SKILL.md` or an `AGENTS.md`: its fields, each with its line. Every problem of it is collected.

use super::problem::SkillProblem;
use copydesk_text::{
    sanitise,
    yaml::{self, Node, Value},
};

/// Largest `SKILL.md` in bytes: about 5,000 tokens, which the specification recommends as the most.
pub const LARGEST_SKILL: usize = 20_000;

/// The line above and below the front matter.
const FENCE: &str = "---";

/// A kind of file.
pub(super) struct FrontForm {
    /// Such as `a skill`.
    pub(super) of: &'static str,
    /// The fields that it may have.
    pub(super) fields: &'static [&'static str],
    /// Where others belong, for the end of a message.
    pub(super) others: &'static str,
}

/// A file as its front matter and what follows, with the problems found so far.
pub(super) struct SkillFields<'t> {
    file: String,
    fields: Vec<(String, Node)>,
    /// The text below the front matter.
    pub(super) body: &'t str,
    /// The line where the body begins.
    pub(super) body_line: usize,
    pub(super) problems: Vec<SkillProblem>,
}

impl<'t> SkillFields<'t> {
    /// Takes a file apart, and refuses fields that its form does not have.
    ///
    /// # Errors
    /// There is no front matter, or it is no list of fields.
    pub(super) fn read(file: &str, text: &'t str, form: &FrontForm) -> Result<Self, SkillProblem> {
        let wrong = |line, message: String| SkillProblem { file: file.to_owned(), line: Some(line), message };
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let no_front = "the front matter is missing: the first line is ---, then name and description, then --- again";
        let mut lines = text.split_inclusive('\n');
        let first = lines.next().filter(|line| line.trim_end() == FENCE);
        let Some(first) = first else { return Err(wrong(1, no_front.to_owned())) };
        let mut yaml = 0;
        let mut count = 1;
        for line in lines {
            count += 1;
            if line.trim_end() == FENCE {
                let front = text.get(first.len()..first.len() + yaml).unwrap_or_default();
                let body = text.get(first.len() + yaml + line.len()..).unwrap_or_default();
                let fields = Self::fields(front).map_err(|(line, what)| {
                    wrong(line + 1, format!("the front matter is {what}; lines such as `name: my-skill` belong there"))
                })?;
                let mut read = Self { file: file.to_owned(), fields, body, body_line: count + 1, problems: Vec::new() };
                read.refuse_unknown(form);
                return Ok(read);
            }
            yaml += line.len();
        }
        Err(wrong(1, "the front matter has no end: put a line --- below its last field".to_owned()))
    }

    fn fields(front: &str) -> Result<Vec<(String, Node)>, (usize, String)> {
        let node = yaml::read(front)?;
        match node.value {
            Value::Map(fields) => Ok(fields),
            _ => Err((node.line, "no list of fields".to_owned())),
        }
    }

    fn refuse_unknown(&mut self, form: &FrontForm) {
        let unknown: Vec<(usize, String)> = self
            .fields
            .iter()
            .filter(|(name, _)| !form.fields.contains(&name.as_str()))
            .map(|(name, node)| (line_of(node), name.clone()))
            .collect();
        for (line, name) in unknown {
            let FrontForm { of, fields, others } = form;
            let message = format!("{name} is no field of {of}; they are {}{others}", fields.join(", "));
            self.wrong(line, message);
        }
    }

    /// Refuses a text that is too large for a prompt. `advice`: what to do then.
    pub(super) fn bounded(file: &str, text: &str, advice: &str) -> Result<(), Vec<SkillProblem>> {
        if text.len() <= LARGEST_SKILL {
            return Ok(());
        }
        let message = format!("it has {} bytes; at most {LARGEST_SKILL} are allowed{advice}", text.len());
        Err(vec![SkillProblem::new(file, message)])
    }

    /// The description in one line, and the text below the front matter; all problems of the file if there are any. `belongs`: what the
    /// text is to say.
    pub(super) fn finish(
        mut self,
        described: Option<(usize, String)>,
        belongs: &str,
    ) -> Result<(String, String), Vec<SkillProblem>> {
        let body = self.body.trim().replace("\r\n", "\n");
        if body.is_empty() {
            let message = format!("there is no text below the front matter; write there {belongs}");
            self.wrong(self.body_line, message);
        }
        self.problems.sort_by_key(|problem| problem.line);
        match described {
            Some((_, description)) if self.problems.is_empty() => Ok((sanitise::one_line(&description), body)),
            _ => Err(self.problems),
        }
    }

    pub(super) fn wrong(&mut self, line: usize, message: impl Into<String>) {
        self.problems.push(SkillProblem { file: self.file.clone(), line: Some(line), message: message.into() });
    }

    /// The text of a field and its line, if the field is there and is a text of `least` to `most` characters.
    pub(super) fn text(&mut self, name: &str, least: usize, most: usize) -> Option<(usize, String)> {
        let (_, node) = self.fields.iter().find(|(field, _)| field == name)?;
        let (line, found) = (line_of(node), scalar(node));
        let length = found.as_ref().map_or(0, |text| text.chars().count());
        match found {
            None => self.wrong(line, format!("{name} is no text; write it in one line, or below `{name}: >`")),
            Some(_) if length < least => self.wrong(line, format!("{name} is empty; write it, or delete the field")),
            Some(_) if length > most => {
                self.wrong(line, format!("{name} has {length} characters; at most {most} are allowed: shorten it"));
            }
            Some(text) => return Some((line, text)),
        }
        None
    }

    /// Likewise, of a field that must be there.
    pub(super) fn required(&mut self, name: &str, most: usize, belongs: &str) -> Option<(usize, String)> {
        if !self.fields.iter().any(|(field, _)| field == name) {
            self.wrong(1, format!("{name} is missing; add a line `{name}: {belongs}`"));
        }
        self.text(name, 1, most)
    }

    /// The texts of a list, each with its line; none if the field is not there.
    pub(super) fn list(&mut self, name: &str, example: &str) -> Option<Vec<(usize, String)>> {
        let (_, node) = self.fields.iter().find(|(field, _)| field == name)?;
        let texts = match &node.value {
            Value::List(items) => items.iter().map(|item| Some((line_of(item), scalar(item)?))).collect(),
            _ => None,
        };
        if texts.is_none() {
            let line = line_of(node);
            self.wrong(
                line,
                format!("{name} is no list of names; write `{name}: {example}`, or `{name}: []` for none"),
            );
        }
        texts
    }

    /// The entries of `metadata`, each with its line.
    pub(super) fn metadata(&mut self) -> Vec<(String, usize, String)> {
        let Some((_, node)) = self.fields.iter().find(|(field, _)| field == "metadata") else { return Vec::new() };
        let (mut entries, mut bad) = (Vec::new(), Vec::new());
        match &node.value {
            Value::Map(map) => {
                for (name, node) in map {
                    match scalar(node) {
                        Some(text) => entries.push((name.clone(), line_of(node), text)),
                        None => bad.push((line_of(node), format!("metadata.{name} is no text"))),
                    }
                }
            }
            _ if node.is_empty() => {}
            _ => bad.push((line_of(node), "metadata is no list of names and texts".to_owned())),
        }
        for (line, what) in bad {
            self.wrong(line, format!("{what}; lines such as `  author: The desk` belong below metadata"));
        }
        entries
    }
}

/// A text without the space around it.
fn scalar(node: &Node) -> Option<String> {
    match &node.value {
        Value::Text(..) if node.is_empty() => Some(String::new()),
        Value::Text(text, _) => Some(text.trim().to_owned()),
        _ => None,
    }
}

/// The line in the file: the fence stands above the first line of the front matter.
fn line_of(node: &Node) -> usize {
    node.line + 1
}
