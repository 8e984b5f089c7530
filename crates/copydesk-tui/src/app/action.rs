//! The contexts in which keys work, and the groups of actions.

/// The part of the screen that gets the keys. Contexts are nested: a tab of a story is also a text and a story.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyContext {
    /// Used in rows of the table only: no screen is "everywhere".
    Everywhere,
    /// The list of stories.
    Desk,
    /// Any tab of a story.
    Story,
    /// A tab of a story that shows text; all tabs do.
    Text,
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
    /// One line of text: a filter, a search, a field, the palette's query.
    Input,
    /// Several lines of text: a reason, feedback, a draft edited by hand.
    Editor,
}

impl KeyContext {
    /// Every context that a screen can have, in the order of the documentation.
    pub const ALL: [Self; 21] = [
        Self::Desk,
        Self::Live,
        Self::Concerns,
        Self::Diff,
        Self::Article,
        Self::Calls,
        Self::Log,
        Self::Runs,
        Self::Proof,
        Self::Sources,
        Self::Memory,
        Self::Query,
        Self::Hits,
        Self::Claims,
        Self::FailedSteps,
        Self::Publish,
        Self::StoryRecord,
        Self::Day,
        Self::Dialog,
        Self::Input,
        Self::Editor,
    ];

    /// The context and the wider ones that contain it, the nearest first.
    pub fn chain(self) -> &'static [Self] {
        match self {
            Self::Everywhere => &[Self::Everywhere],
            Self::Desk => &[Self::Desk, Self::Everywhere],
            Self::Story => &[Self::Story, Self::Everywhere],
            Self::Text => &[Self::Text, Self::Story, Self::Everywhere],
            Self::Live => &[Self::Live, Self::Text, Self::Story, Self::Everywhere],
            Self::Concerns => &[Self::Concerns, Self::Text, Self::Story, Self::Everywhere],
            Self::Diff => &[Self::Diff, Self::Text, Self::Story, Self::Everywhere],
            Self::Article => &[Self::Article, Self::Text, Self::Story, Self::Everywhere],
            Self::Calls => &[Self::Calls, Self::Text, Self::Story, Self::Everywhere],
            Self::Log => &[Self::Log, Self::Text, Self::Story, Self::Everywhere],
            Self::Runs => &[Self::Runs, Self::Text, Self::Story, Self::Everywhere],
            Self::Proof => &[Self::Proof, Self::Text, Self::Story, Self::Everywhere],
            Self::Sources => &[Self::Sources, Self::Text, Self::Story, Self::Everywhere],
            Self::Memory => &[Self::Memory, Self::Dialog, Self::Everywhere],
            Self::Query => &[Self::Query, Self::Input, Self::Everywhere],
            Self::Hits => &[Self::Hits, Self::Everywhere],
            Self::Claims => &[Self::Claims, Self::Everywhere],
            Self::FailedSteps => &[Self::FailedSteps, Self::Everywhere],
            Self::Publish => &[Self::Publish, Self::Everywhere],
            Self::StoryRecord => &[Self::StoryRecord, Self::Everywhere],
            Self::Day => &[Self::Day, Self::Everywhere],
            Self::Dialog => &[Self::Dialog, Self::Everywhere],
            Self::Input => &[Self::Input, Self::Everywhere],
            Self::Editor => &[Self::Editor, Self::Everywhere],
        }
    }

    /// The name of a page with keys of its own that lies over the screen.
    pub fn page_name(self) -> Option<&'static str> {
        match self {
            Self::Memory => Some("a memory record"),
            Self::Query | Self::Hits => Some("the search"),
            Self::Claims => Some("the claims"),
            Self::FailedSteps => Some("the failed steps"),
            Self::Publish => Some("the publish page"),
            Self::StoryRecord => Some("the record page"),
            Self::Day => Some("the day in numbers"),
            _ => None,
        }
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
            Self::Hits => "the hits",
            Self::Claims => "the claims",
            Self::FailedSteps => "failed steps",
            Self::Publish => "the publish page",
            Self::StoryRecord => "the record page",
            Self::Day => "the day in numbers",
            Self::Dialog => "a dialog",
            Self::Input => "a line of text",
            Self::Editor => "the editor",
        }
    }
}

/// A section of the `?` page and of the documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
    pub const ALL: [Self; 7] =
        [Self::Moving, Self::Stories, Self::Looking, Self::Deciding, Self::Text, Self::Writing, Self::Screen];

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
        assert_eq!(groups, Group::ALL);
    }

    #[test]
    fn every_place_can_be_left_and_explained() {
        for place in KeyContext::ALL {
            let here: Vec<Action> = ACTIONS.iter().filter(|row| row.is_at(place)).map(|row| row.action).collect();
            assert!(here.contains(&Action::Help), "{place:?}");
            let leaves = [Action::Quit, Action::Back, Action::Cancel, Action::Close];
            assert!(leaves.iter().any(|leave| here.contains(leave)), "{place:?}: {here:?}");
        }
    }
}
