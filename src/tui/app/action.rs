//! Every command of the screen, once. The table of actions drives the key map, the footer, the `?` page, the palette,
//! docs/KEYS.md and the names that the configuration may remap; its order is the order of them all.
//!
//! Says what there is, not what happens: nothing here knows the screen's state, and nothing elsewhere dispatches on a raw
//! key but the typing of text.

/// Where the keys go. A tab of a story is also a text and a story; each place but those where text is typed is reached
/// by what works everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// Whatever is shown. In a table row only: no screen is "everywhere".
    Everywhere,
    /// The list of stories.
    Desk,
    /// A story, whichever of its tabs is shown.
    Story,
    /// A tab of a story that shows text: all of them.
    Text,
    /// The tab of the steps and the draft as it is written.
    Live,
    /// The tab of concerns, verdicts and passages.
    Concerns,
    /// The tab of changes between drafts.
    Diff,
    /// The tab of the article, where it is signed off.
    Article,
    /// The tab of prompts and answers.
    Calls,
    /// The tab of the audit log.
    Log,
    /// The tab of a story's runs.
    Runs,
    /// The tab of the proof sheet.
    Proof,
    /// A record of the memory, over the screen.
    Memory,
    /// The line of the search over all that is indexed.
    Query,
    /// What that search has found: the list, or the selected passage.
    Hits,
    /// The claims of a draft, over the screen: the list, or the selected one.
    Claims,
    /// The steps that were given up, over the screen: the list, or the story of the selected one.
    Dead,
    /// A question, a list to choose from, or a page over the screen such as the help.
    Dialog,
    /// One line of text: a filter, a search, a field, the palette's query.
    Input,
    /// Several lines of text: a reason, feedback, a draft edited by hand.
    Editor,
}

impl Place {
    /// Every place in which the keys can be, in the order of the documentation.
    pub const ALL: [Self; 17] = [
        Self::Desk,
        Self::Live,
        Self::Concerns,
        Self::Diff,
        Self::Article,
        Self::Calls,
        Self::Log,
        Self::Runs,
        Self::Proof,
        Self::Memory,
        Self::Query,
        Self::Hits,
        Self::Claims,
        Self::Dead,
        Self::Dialog,
        Self::Input,
        Self::Editor,
    ];

    /// The rows' places that count here, the nearest first.
    #[must_use]
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
            Self::Memory => &[Self::Memory, Self::Dialog, Self::Everywhere],
            Self::Query => &[Self::Query, Self::Input, Self::Everywhere],
            Self::Hits => &[Self::Hits, Self::Everywhere],
            Self::Claims => &[Self::Claims, Self::Everywhere],
            Self::Dead => &[Self::Dead, Self::Everywhere],
            Self::Dialog => &[Self::Dialog, Self::Everywhere],
            Self::Input => &[Self::Input, Self::Everywhere],
            Self::Editor => &[Self::Editor, Self::Everywhere],
        }
    }

    /// The place in a few words, as the documentation and messages name it.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Everywhere => "everywhere",
            Self::Desk => "the desk",
            Self::Story => "a story",
            Self::Text => "a story's text",
            Self::Live => "a story, live",
            Self::Concerns => "concerns",
            Self::Diff => "changes",
            Self::Article => "the article",
            Self::Calls => "calls",
            Self::Log => "the log",
            Self::Runs => "runs",
            Self::Proof => "the proof",
            Self::Memory => "a record of the memory",
            Self::Query => "the search line",
            Self::Hits => "what was found",
            Self::Claims => "the claims",
            Self::Dead => "dead letters",
            Self::Dialog => "a dialog",
            Self::Input => "a line of text",
            Self::Editor => "the editor",
        }
    }
}

/// What actions belong together on the `?` page and in the documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
    /// Getting about.
    Moving,
    /// The desk's stories.
    Stories,
    /// Looking into one story.
    Looking,
    /// What an editor decides.
    Deciding,
    /// Finding, copying and saving text.
    Text,
    /// Writing text.
    Writing,
    /// The screen itself.
    Screen,
}

impl Group {
    /// All, in order.
    pub const ALL: [Self; 7] =
        [Self::Moving, Self::Stories, Self::Looking, Self::Deciding, Self::Text, Self::Writing, Self::Screen];

    /// The group's heading.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Moving => "Moving about",
            Self::Stories => "Stories",
            Self::Looking => "Looking into a story",
            Self::Deciding => "Deciding",
            Self::Text => "Finding, copying, saving",
            Self::Writing => "Writing",
            Self::Screen => "The screen",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::tui::app::actions::{ACTIONS, Action};

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
        for place in Place::ALL {
            let here: Vec<Action> = ACTIONS.iter().filter(|row| row.is_at(place)).map(|row| row.action).collect();
            assert!(here.contains(&Action::Help), "{place:?}");
            let leaves = [Action::Quit, Action::Back, Action::Cancel, Action::Close];
            assert!(leaves.iter().any(|leave| here.contains(leave)), "{place:?}: {here:?}");
        }
    }
}
