//! The keys of a rule's file, handed out one by one. Each error in them is collected with its line.

use std::cell::RefCell;

use super::{
    pattern::{self, Pattern},
    problem::StyleProblem,
};
use copydesk_text::yaml::{Node, Value};

/// A rule's keys.
pub(super) struct Fields<'f> {
    file: &'f str,
    entries: &'f [(String, Node)],
    known: RefCell<Vec<&'static str>>,
    problems: RefCell<Vec<StyleProblem>>,
}

impl<'f> Fields<'f> {
    pub fn new(file: &'f str, entries: &'f [(String, Node)]) -> Self {
        Self { file, entries, known: RefCell::default(), problems: RefCell::default() }
    }

    fn get(&self, key: &'static str) -> Option<&'f Node> {
        self.known.borrow_mut().push(key);
        self.entries.iter().find(|(name, _)| name == key).map(|(_, node)| node).filter(|node| !node.is_empty())
    }

    /// Notes a problem at a line.
    pub fn problem(&self, line: usize, message: impl Into<String>) {
        self.problems.borrow_mut().push(StyleProblem { file: self.file.to_owned(), line, message: message.into() });
    }

    /// Notes that a key is missing or empty.
    pub fn missing(&self, key: &'static str, belongs: &str) {
        let line = self.entries.iter().find(|(name, _)| name == key).map_or(1, |(_, node)| node.line);
        self.problem(line, format!("{key} is missing or empty; {belongs} belongs there"));
    }

    fn wrong(&self, key: &str, node: &Node, belongs: &str) {
        let is = match &node.value {
            Value::Text(text, _) => format!("{:?}", text.chars().take(60).collect::<String>()),
            Value::List(_) => "a list".to_owned(),
            Value::Map(_) => "a section".to_owned(),
        };
        self.problem(node.line, format!("{key} is {is}; {belongs} belongs there"));
    }

    /// A text, if there is one.
    pub fn text(&self, key: &'static str, belongs: &str) -> Option<(usize, &'f str)> {
        let node = self.get(key)?;
        if let Value::Text(text, _) = &node.value {
            return Some((node.line, text));
        }
        self.wrong(key, node, belongs);
        None
    }

    /// A text that the rule cannot do without.
    pub fn needed(&self, key: &'static str, belongs: &str) -> Option<(usize, &'f str)> {
        let text = self.text(key, belongs);
        if text.is_none() {
            self.missing(key, belongs);
        }
        text
    }

    /// `true` or `false`; false if it is left out.
    pub fn yes(&self, key: &'static str) -> bool {
        let Some(node) = self.get(key) else { return false };
        match &node.value {
            Value::Text(text, true) if matches!(text.as_str(), "true" | "True" | "yes" | "on") => true,
            Value::Text(text, true) if matches!(text.as_str(), "false" | "False" | "no" | "off") => false,
            _ => {
                self.wrong(key, node, "true or false");
                false
            }
        }
    }

    /// Nought or more.
    pub fn number(&self, key: &'static str) -> Option<f64> {
        let node = self.get(key)?;
        if let Value::Text(text, true) = &node.value
            && let Ok(number) = text.parse::<f64>()
            && number.is_finite()
            && number >= 0.0
        {
            return Some(number);
        }
        self.wrong(key, node, "a number");
        None
    }

    /// A whole number; none if it is left out or 0, which Vale takes for "no limit".
    pub fn whole(&self, key: &'static str) -> Option<usize> {
        let node = self.get(key)?;
        if let Value::Text(text, true) = &node.value
            && let Ok(number) = text.parse::<usize>()
        {
            return (number > 0).then_some(number);
        }
        self.wrong(key, node, "a whole number");
        None
    }

    /// The items of a list, or the value itself if it is none.
    fn items(&self, key: &'static str) -> &'f [Node] {
        match self.get(key) {
            Some(Node { value: Value::List(items), .. }) => items,
            Some(node) => std::slice::from_ref(node),
            None => &[],
        }
    }

    /// Texts: a list of them or a single one. Those of no length are left out.
    pub fn texts(&self, key: &'static str, belongs: &str) -> Vec<(usize, String)> {
        let mut texts = Vec::new();
        for item in self.items(key) {
            match &item.value {
                Value::Text(text, _) if text.is_empty() => {}
                Value::Text(text, _) => texts.push((item.line, text.clone())),
                _ => self.wrong(key, item, belongs),
            }
        }
        texts
    }

    /// Pairs of texts, in the file's order. Some styles write them as a list of small sections.
    pub fn pairs(&self, key: &'static str, belongs: &str) -> Vec<(usize, String, String)> {
        let mut pairs = Vec::new();
        for section in self.items(key) {
            let Value::Map(entries) = &section.value else {
                self.wrong(key, section, belongs);
                continue;
            };
            for (from, to) in entries {
                match &to.value {
                    Value::Text(text, _) => pairs.push((to.line, from.clone(), text.clone())),
                    _ => self.wrong(key, to, "a text"),
                }
            }
        }
        pairs
    }

    /// The name and the parameters of `action`, if there is one.
    pub fn action(&self) -> Option<(String, Vec<String>)> {
        let node = self.get("action")?;
        let Value::Map(entries) = &node.value else {
            self.wrong("action", node, "a section with a name and params");
            return None;
        };
        let entry = |key: &str| entries.iter().find(|(name, _)| name == key).map(|(_, node)| &node.value);
        let Some(Value::Text(name, _)) = entry("name") else {
            self.wrong("action", node, "a section with a name and params");
            return None;
        };
        let params = match entry("params") {
            Some(Value::List(items)) => items
                .iter()
                .filter_map(|item| match &item.value {
                    Value::Text(text, _) => Some(text.clone()),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        };
        Some((name.clone(), params))
    }

    /// Keys that are read by Vale for other ends and change no judgement here.
    pub fn ignore(&self, keys: &[&'static str]) {
        self.known.borrow_mut().extend(keys);
    }

    /// A pattern of the whole rule; a problem if it is none.
    pub fn compile(&self, line: usize, source: &str) -> Option<Pattern> {
        Pattern::new(source).map_err(|what| self.problem(line, format!("this {what}"))).ok()
    }

    /// None if one of a rule's patterns is none by itself: it is told with its own line.
    pub fn check_each<'p>(&self, patterns: impl IntoIterator<Item = (usize, &'p str)>) -> Option<()> {
        let mut fine = true;
        for (line, pattern) in patterns {
            if let Err(what) = Pattern::new(pattern) {
                let shown: String = pattern.chars().take(60).collect();
                self.problem(line, format!("{shown:?} {what}"));
                fine = false;
            }
        }
        fine.then_some(())
    }

    /// The problems found, with one for each key that nobody asked for.
    pub fn into_problems(self) -> Vec<StyleProblem> {
        let known = self.known.borrow().clone();
        for (key, node) in self.entries {
            if !known.contains(&key.as_str()) {
                let keys = known.join(", ");
                self.problem(node.line, format!("{key} is no key of this kind of rule; its keys are {keys}"));
            }
        }
        let mut problems = self.problems.into_inner();
        problems.sort_by_key(|problem| problem.line);
        problems
    }

    /// The exceptions of a rule: what they match anywhere in a find is let pass. As Vale does, the longest first, each in
    /// its own case.
    pub fn exceptions(&self) -> Option<Pattern> {
        let mut exceptions = self.texts("exceptions", "a list of words or patterns");
        self.check_each(exceptions.iter().map(|(line, pattern)| (*line, pattern.as_str())))?;
        exceptions.sort_by_key(|(_, text)| std::cmp::Reverse(text.len()));
        let line = exceptions.first().map_or(1, |(line, _)| *line);
        let each: Vec<String> = exceptions
            .into_iter()
            .map(|(_, text)| if text.starts_with("(?i)") { format!("(?:{text})") } else { format!("(?-i:{text})") })
            .collect();
        if each.is_empty() { None } else { self.compile(line, &pattern::words(&each, false, false)) }
    }
}
