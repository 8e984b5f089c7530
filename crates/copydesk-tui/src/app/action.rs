//! The contexts in which keys work, and the groups of actions.

/// The part of the screen that gets the keys. Contexts are nested: a tab of a story is also a text and a story. In the order of the
/// documentation: the tabs of a story stand together, and then the pages over the screen. The last three stand in rows of the table only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Hash, strum::VariantArray)]
pub enum KeyContext {
    /// The list of stories.
    Desk,
    /// The tab of the steps and the draft as it is written.
    Live,
    /// The tab of concerns, verdicts and passages.
    Concerns,
    /// The tab of changes between drafts.
    Diff,
    /// The tab of the article, the place of its sign-off.
    Article,
    /// The tab of prompts and answers.
    Calls,
    /// The tab of the audit log.
    Log,
    /// The tab of a story's runs.
    Runs,
    /// The Proof page.
    Proof,
    /// The page of sources and research.
    Sources,
    /// A record of the memory, over the screen.
    Memory,
    /// The line of the search in everything that is indexed.
    Query,
    /// The hits of that search: the list, or the selected passage.
    Hits,
    /// The page of a draft's claims.
    Claims,
    /// The page of failed steps.
    FailedSteps,
    /// The publish page.
    Publish,
    /// The record page.
    StoryRecord,
    /// The day in numbers.
    Day,
    /// A question, a list to choose from, or a page over the screen such as the help.
    Dialog,
    /// A list of a form. Letters are for its fields of text, and none acts.
    Choice,
    /// One line of text: a filter, a search, a field, the palette's query.
    Input,
    /// Several lines of text: a reason, feedback, a draft edited by hand.
    Editor,
    /// Any tab of a story.
    Story,
    /// A tab of a story that shows text; all tabs do.
    Text,
    Everywhere,
}

impl KeyContext {
    /// Whether it is one of a story's tabs.
    pub fn is_story_tab(self) -> bool {
        (Self::Live..=Self::Sources).contains(&self)
    }

    /// Whether it is that context, or lies in it.
    pub fn is_in(self, wider: Self) -> bool {
        let is_tab = self.is_story_tab();
        match wider {
            Self::Everywhere => true,
            Self::Story => is_tab || matches!(self, Self::Story | Self::Text),
            Self::Text => is_tab || self == Self::Text,
            Self::Dialog => matches!(self, Self::Dialog | Self::Memory | Self::Choice),
            Self::Input => matches!(self, Self::Input | Self::Query),
            _ => self == wider,
        }
    }

    /// Whether it is a page with keys of its own that lies over the screen.
    pub fn is_page(self) -> bool {
        (Self::Memory..=Self::Day).contains(&self)
    }

    /// The name in the documentation and in messages.
    pub fn title(self) -> &'static str {
        match self {
            Self::Everywhere => "everywhere",
            Self::Desk => "the desk",
            Self::Story => "a story",
            Self::Text => "a story's text",
            Self::Live => "live",
            Self::Concerns => "concerns",
            Self::Diff => "changes",
            Self::Article => "the article",
            Self::Calls => "calls",
            Self::Log => "the log",
            Self::Runs => "runs",
            Self::Proof => "the proof",
            Self::Sources => "the sources",
            Self::Memory => "a memory record",
            Self::Query => "the search line",
            Self::Hits => "the search",
            Self::Claims => "the claims",
            Self::FailedSteps => "the failed steps",
            Self::Publish => "the publish page",
            Self::StoryRecord => "the record page",
            Self::Day => "the day in numbers",
            Self::Dialog => "a dialog",
            Self::Choice => "a list in a form",
            Self::Input => "a line of text",
            Self::Editor => "the editor",
        }
    }
}

/// A section of the `?` page and of the documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::VariantArray)]
pub enum Group {
    Moving,
    Stories,
    Looking,
    Deciding,
    Text,
    Writing,
    Screen,
}

impl Group {
    pub fn title(self) -> &'static str {
        match self {
            Self::Moving => "Moving",
            Self::Stories => "Stories",
            Self::Looking => "Inside a story",
            Self::Deciding => "Deciding",
            Self::Text => "Finding, copying and saving",
            Self::Writing => "Writing",
            Self::Screen => "The screen",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use strum::VariantArray as _;

    use super::*;
    use crate::app::actions::{ACTIONS, Action};

    #[test]
    fn each_action_has_one_name_that_a_script_can_use() {
        let mut names = HashSet::new();
        let mut titles = HashSet::new();
        for row in ACTIONS {
            assert!(names.insert(row.name), "{} stands twice", row.name);
            assert!(titles.insert(row.title), "{} stands twice", row.title);
            assert!(row.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'), "{}", row.name);
            assert!(row.title.is_ascii() && row.title.chars().count() <= 32, "{}: too long for a footer", row.title);
            assert!(row.help.ends_with('.') && !row.help.contains('\n'), "{}: a sentence", row.name);
            assert!(!row.places.is_empty(), "{}: usable nowhere", row.name);
            assert_eq!(Action::named(row.name), Some(row.action));
            assert_eq!(row.action.row(), row);
        }
        assert_eq!(Action::named("no-such-action"), None);
    }

    #[test]
    fn groups_stand_together_and_in_their_order() {
        let mut groups: Vec<Group> = ACTIONS.iter().map(|row| row.group).collect();
        groups.dedup();
        assert_eq!(groups, Group::VARIANTS);
    }

    #[test]
    fn every_place_can_be_left_and_explained() {
        for place in KeyContext::VARIANTS.iter().copied().filter(|place| *place != KeyContext::Everywhere) {
            let here: Vec<Action> = ACTIONS.iter().filter(|row| row.is_at(place)).map(|row| row.action).collect();
            assert!(here.contains(&Action::Help), "{place:?}");
            let leaves = [Action::Quit, Action::Back, Action::Cancel, Action::Close];
            assert!(leaves.iter().any(|leave| here.contains(leave)), "{place:?}: {here:?}");
        }
    }
}
