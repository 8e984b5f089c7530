//! A style: its rules, read from files and held against an article.

use super::{
    house,
    names::{Dictionary, NamePlaces, names_in},
    note::{NoteLevel, StyleNote, sort},
    page::ProsePage,
    problem::StyleProblem,
    rule::{self, StyleRule},
};
use copydesk_newsroom::{ArticleResponse, PinnedRule};

/// A style: its rules, by name.
#[derive(Debug, Clone, Default)]
pub struct Style {
    rules: Vec<StyleRule>,
    /// The files of the rules of level `error`.
    demands: Vec<PinnedRule>,
    left_out: Vec<StyleProblem>,
}

impl Style {
    /// The desk's own style, compiled in.
    ///
    /// # Errors
    /// If none of its files is a rule, which its test rules out.
    pub fn of_the_house() -> Result<Self, Vec<StyleProblem>> {
        Self::read(house::FILES)
    }

    /// The rules of grammar, compiled in.
    pub(super) fn grammar() -> Self {
        Self::read(house::GRAMMAR).unwrap_or_default()
    }

    /// Reads a style from its files, each with its name (`Style/Rule.yml`; the name without its ending, with a point,
    /// names the rule).
    ///
    /// A file with a problem is left out and the rest is read. Styles are made for many versions of Vale, and no note
    /// on style is worth a check that does not run.
    ///
    /// # Errors
    /// Every problem of every file, if no rule remains.
    pub fn read<'f>(
        files: impl IntoIterator<Item = &'f (impl AsRef<str> + 'f, impl AsRef<str> + 'f)>,
    ) -> Result<Self, Vec<StyleProblem>> {
        let mut style = Self::default();
        let mut problems = Vec::new();
        for (name, text) in files {
            match rule::read(name.as_ref(), text.as_ref()) {
                Ok(rule::RuleFile::Rule(rule)) => {
                    if rule.level == NoteLevel::Error {
                        let (name, text) = (name.as_ref().to_owned(), text.as_ref().to_owned());
                        style.demands.push(PinnedRule { name, text });
                    }
                    style.rules.push(*rule);
                }
                Ok(rule::RuleFile::LeftOut(why)) => style.left_out.push(why),
                Err(more) => problems.extend(more),
            }
        }
        problems.sort();
        if style.rules.is_empty() && !problems.is_empty() {
            return Err(problems);
        }
        style.left_out.extend(
            problems.into_iter().map(|problem| StyleProblem {
                message: format!("the rule is left out: {}", problem.message),
                ..problem
            }),
        );
        style.left_out.sort();
        style.demands.sort_by(|one, other| one.name.cmp(&other.name));
        style.rules.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(style)
    }

    /// The rules' names, in order.
    pub fn rules(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().map(|rule| rule.name.as_str())
    }

    /// The files of the rules of level `error`, by name: what they say of a story's draft becomes to-dos.
    pub fn demands(&self) -> &[PinnedRule] {
        &self.demands
    }

    /// Files that are not applied, with the reason: rules of a kind that this desk does not know, and rules with a
    /// problem.
    pub fn left_out(&self) -> &[StyleProblem] {
        &self.left_out
    }

    /// Returns the rules' notes on `article`, in the order of its fields. Names that `dictionary` has from the sources are
    /// not judged. Never panics, whatever the texts and patterns; a rule whose pattern takes too long says so once.
    pub fn judge(&self, article: &ArticleResponse, dictionary: &Dictionary) -> Vec<StyleNote> {
        let page = ProsePage::new(article);
        let names = names_in(&page, dictionary);
        let mut notes = self.notes(&page, &names);
        sort(&mut notes);
        notes
    }

    pub(super) fn notes(&self, page: &ProsePage<'_>, names: &NamePlaces) -> Vec<StyleNote> {
        self.rules.iter().flat_map(|rule| rule.judge(page, names)).collect()
    }
}
