//! THE table. A row is an action, its group, name, title, what it does, its keys, and where it can be used.

use crate::tui::app::action::{Group, Place};

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActionRow {
    /// The action.
    pub action: Action,
    /// Its name, kebab-case. Scripts, tests and configurations use it: it never changes.
    pub name: &'static str,
    /// What it does in two or three words, as the footer and the palette show it.
    pub title: &'static str,
    /// What it does, in a sentence.
    pub help: &'static str,
    /// Its keys where the configuration names no others, the footer's first.
    pub keys: &'static [&'static str],
    /// Where it can be used.
    pub places: &'static [Place],
    /// What it belongs with.
    pub group: Group,
}

impl ActionRow {
    /// Whether the action belongs to a place (its own or a wider one).
    #[must_use]
    pub fn is_at(&self, place: Place) -> bool {
        place.chain().iter().any(|wider| self.places.contains(wider))
    }
}

impl Action {
    /// The action of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        ACTIONS.iter().find(|row| row.name == name).map(|row| row.action)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// What it does in two or three words.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.row().title
    }
}

/// Makes the enum and the table from one list, so that neither can have what the other lacks.
macro_rules! actions {
    ($($action:ident $group:ident $name:literal $title:literal $help:literal [$($key:literal)*] @ $($place:ident)+;)+) => {
        /// A command of the screen.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Action {
            $(#[doc = $help] $action,)+
        }

        /// Every action, in the order of the `?` page, the palette and docs/KEYS.md.
        pub const ACTIONS: &[ActionRow] = &[$(Action::$action.row_of(),)+];

        impl Action {
            const fn row_of(self) -> ActionRow {
                match self {
                    $(Self::$action => ActionRow {
                        action: self,
                        name: $name,
                        title: $title,
                        help: $help,
                        keys: &[$($key),*],
                        places: &[$(Place::$place),+],
                        group: Group::$group,
                    },)+
                }
            }

            /// Its row of the table.
            #[must_use]
            pub fn row(self) -> &'static ActionRow {
                match self {
                    $(Self::$action => const { &Self::$action.row_of() },)+
                }
            }
        }
    };
}

actions! {
    MoveUp Moving "move-up" "Up"
        "One line or one entry up." ["up" "k"] @ Desk Story Dialog Input Hits Claims Dead;
    MoveDown Moving "move-down" "Down"
        "One line or one entry down." ["down" "j"] @ Desk Story Dialog Input Hits Claims Dead;
    MoveLeft Moving "move-left" "Left"
        "One column to the left, or the choice before." ["left" "h"] @ Desk Story Dialog Hits Claims Dead;
    MoveRight Moving "move-right" "Right"
        "One column to the right, or the choice after." ["right" "l"] @ Desk Story Dialog Hits Claims Dead;
    PageUp Moving "page-up" "Page up"
        "One page up." ["pgup" "ctrl-b"] @ Desk Story Dialog Input Hits Claims Dead;
    PageDown Moving "page-down" "Page down"
        "One page down." ["pgdn" "space" "ctrl-f"] @ Desk Story Dialog Input Hits Claims Dead;
    GoFirst Moving "go-first" "To the start"
        "To the first line or entry." ["home" "g"] @ Desk Story Dialog Hits Claims Dead;
    GoLast Moving "go-last" "To the end"
        "To the last line or entry; text that is being written is followed from there." ["end" "G"] @ Desk Story Dialog Hits Claims Dead;
    NextPane Moving "next-pane" "Next pane"
        "To the next pane or field." ["tab"] @ Desk Story Dialog Input Editor Hits Claims Dead;
    PreviousPane Moving "previous-pane" "Previous pane"
        "To the pane or field before." ["shift-tab"] @ Desk Story Dialog Input Editor Hits Claims Dead;
    Open Moving "open" "Open"
        "Open what is selected." ["enter"] @ Desk Story Hits Claims Dead;
    Back Moving "back" "Back"
        "Leave a search or a filter, then the story; the story itself goes on." ["esc" "backspace"] @ Desk Story Hits Claims Dead;
    Confirm Moving "confirm" "Yes / choose"
        "Yes, or take what is selected or typed." ["enter" "y"] @ Dialog Input;
    Close Moving "close" "Close / no"
        "No, or close the page; nothing is changed." ["esc" "n" "q" "ctrl-c"] @ Dialog;

    NewFromFile Stories "new-from-file" "New story from a file"
        "Open a topic (JSON) or a source (.txt, .md) as a new story." ["n"] @ Desk;
    NewFromText Stories "new-from-text" "New story from pasted text"
        "Paste or type a source and open it as a new story." ["v" "ctrl-v"] @ Desk;
    NewByForm Stories "new-by-form" "New story by form"
        "Fill in a topic field by field." ["N"] @ Desk;
    SampleStory Stories "sample-story" "Sample story"
        "Open the story that comes with the program, to try it out." ["S"] @ Desk;
    Filter Stories "filter" "Filter"
        "Show only stories that match what you type." ["/" "f"] @ Desk;
    Sort Stories "sort" "Sort"
        "Sort the desk by the next column." ["s"] @ Desk;
    NextWaiting Stories "next-waiting" "Next in review"
        "Go to the next story that waits for you or is flagged: the most urgent first, then the oldest." ["w"] @ Desk Story;
    PreviousWaiting Stories "previous-waiting" "Previous in review"
        "Go to the story before in the review queue." ["W"] @ Desk Story;
    Pause Stories "pause" "Pause / go on"
        "Let the story stop after the call that is running, or go on after a pause." ["p"] @ Desk Story;
    Stop Stories "stop" "Stop"
        "Stop the story now; what is finished is kept, and it can be resumed." ["x"] @ Desk Story;
    Resume Stories "resume" "Resume"
        "Go on with a story that was stopped or broke off." ["r"] @ Desk Story;
    Reopen Stories "reopen" "Reopen"
        "Go back to the gate of a story that failed or was flagged; no call is repeated." ["R"] @ Desk Story;
    RaisePriority Stories "raise-priority" "Raise priority"
        "Let the story go before others." ["+" "="] @ Desk Story;
    LowerPriority Stories "lower-priority" "Lower priority"
        "Let other stories go first." ["-"] @ Desk Story;
    DeleteStory Stories "delete-story" "Delete the story"
        "Delete the story wholly: runs, calls, drafts and files; it asks first." ["D" "delete"] @ Desk;
    BackUp Stories "back-up" "Back up the desk"
        "Write the whole desk to one file; `copydesk restore` reads it." ["B"] @ Desk;
    ShowMemory Stories "show-memory" "The memory"
        "All records of earlier checks; what you type filters them." ["M"] @ Desk Story;
    ShowDead Stories "show-dead-letters" "Dead letters"
        "Steps that were given up after every redelivery: what failed, and what was tried." ["U"] @ Desk Story;

    ShowLive Looking "show-live" "Live"
        "The steps, and the draft as it is written." ["1"] @ Story;
    ShowConcerns Looking "show-concerns" "Concerns"
        "Each concern beside the draft, the verdict and the source." ["2"] @ Story;
    ShowChanges Looking "show-changes" "Changes"
        "What changed between two drafts." ["3"] @ Story;
    ShowArticle Looking "show-article" "Article"
        "The article as it will be read, and the sign-off." ["4"] @ Story;
    ShowCalls Looking "show-calls" "Calls"
        "The exact prompt and answer of every call." ["5"] @ Story;
    ShowLog Looking "show-log" "Log"
        "The audit log." ["6"] @ Story;
    ShowRuns Looking "show-runs" "Runs"
        "The story's runs, side by side." ["7"] @ Story;
    ShowProof Looking "show-proof" "Proof"
        "Every quotation, number, date and name of a draft beside its place in the source." ["8"] @ Story;
    ShowClaims Looking "show-claims" "Claims"
        "The claims of a draft that were checked: the passage of each, and what speaks against it." ["9"] @ Story;
    NextTab Looking "next-tab" "Next tab"
        "To the story's next tab." [">" "ctrl-right"] @ Story;
    PreviousTab Looking "previous-tab" "Previous tab"
        "To the story's tab before." ["<" "ctrl-left"] @ Story;
    NextConcern Looking "next-concern" "Next concern"
        "Select the next concern, whichever pane has the focus." ["J"] @ Concerns;
    PreviousConcern Looking "previous-concern" "Previous concern"
        "Select the concern before, whichever pane has the focus." ["K"] @ Concerns;
    ShowRemembered Looking "show-remembered" "What it was reused from"
        "The earlier check that the verdict on this concern was reused from." ["i"] @ Concerns;
    NextRound Looking "next-round" "Later round"
        "Show the round after, with its draft and its concerns." ["."] @ Live Concerns Article Proof;
    PreviousRound Looking "previous-round" "Earlier round"
        "Show the round before, with its draft and its concerns." [","] @ Live Concerns Article Proof;
    NextChange Looking "next-change" "Next change"
        "Jump to the next change." ["]"] @ Diff;
    PreviousChange Looking "previous-change" "Previous change"
        "Jump to the change before." ["["] @ Diff;
    NextUnasked Looking "next-unasked" "Next unasked change"
        "Jump to the next change that no to-do asked for." ["u"] @ Diff;
    ToggleDiffLayout Looking "toggle-diff-layout" "Side by side / inline"
        "Show changes side by side or inline." ["v"] @ Diff;
    ChooseDrafts Looking "choose-drafts" "Choose drafts"
        "Choose the two drafts to compare." ["d"] @ Diff;
    ToggleRaw Looking "toggle-raw" "Raw / pretty"
        "Show a call as it was sent, or laid out to be read." ["v"] @ Calls;
    NextFinding Looking "next-finding" "Next finding"
        "Select the next row that the proof finds fault with, whichever pane has the focus." ["J"] @ Proof;
    PreviousFinding Looking "previous-finding" "Previous finding"
        "Select the row before that the proof finds fault with, whichever pane has the focus." ["K"] @ Proof;
    FilterRows Looking "filter-rows" "Filter the rows"
        "Show all rows of the proof, the findings only, or those of one kind." ["i"] @ Proof;
    OrderRows Looking "order-rows" "Findings first / in order"
        "Show the findings before the other rows, or all rows as they stand in the draft." ["v"] @ Proof;
    Fork Looking "fork" "Fork from here"
        "Open a new run that shares everything up to the selected step; an answer that is known is taken again." ["F"] @ Story;
    ForkAgain Looking "fork-again" "Fork and ask again"
        "Open a new run that shares everything up to the selected step, and have that step done anew." ["A"] @ Story;

    OverrideVerdict Deciding "override-verdict" "Overrule the verdict"
        "Put your own verdict beside the specialist's, with your reason." ["o"] @ Concerns;
    AcceptFinding Deciding "accept-finding" "Accept the finding"
        "Let a finding of the proof stand, with your reason; both stay in the record." ["o"] @ Proof;
    StrikeRecord Deciding "strike-record" "Strike the record"
        "Strike this record out of the memory, with your reason: it is not offered again." ["x"] @ Memory;
    RestoreRecord Deciding "restore-record" "Restore the record"
        "Take the striking of this record back; it asks first." ["r"] @ Memory;
    RetryLetter Deciding "retry-letter" "Try again"
        "Try the step that was given up again, in a new run that repeats no other call; it asks first." ["r"] @ Dead;
    DropLetter Deciding "drop-letter" "Drop the letter"
        "Leave the step given up, with your reason; its run stays failed and flagged." ["x"] @ Dead;
    Feedback Deciding "feedback" "Feedback"
        "Write to-dos for the writer, one a line." ["f"] @ Story;
    EditDraft Deciding "edit-draft" "Edit the draft"
        "Edit the draft by hand; it becomes the next draft." ["e"] @ Story;
    EditOutside Deciding "edit-outside" "Edit in your editor"
        "Edit in the program that $VISUAL or $EDITOR names." ["E" "ctrl-e"] @ Story Editor;
    ForgetEdit Deciding "forget-edit" "Throw the edit away"
        "Delete the hand edit that was kept while it was typed; it asks first." ["ctrl-t"] @ Editor Input;
    UndoDecision Deciding "undo-decision" "Undo the last decision"
        "Take back the last decision of this gate, until the gate is left." ["z" "ctrl-z"] @ Story;
    AnotherRound Deciding "another-round" "One more round"
        "Allow this run one round of review more." ["a"] @ Story;
    Continue Deciding "continue" "Continue"
        "Leave the gate: back to the writer, or on to the sign-off where the draft passed." ["c"] @ Story;
    Stet Deciding "stet" "Stet"
        "Accept this draft as it stands; open verdicts are overruled." ["s"] @ Story;
    Spike Deciding "spike" "Spike"
        "Give the story up, with your reason." ["X"] @ Story;
    SignOff Deciding "sign-off" "Sign off"
        "Approve the article under your name." ["S"] @ Article;
    SendBack Deciding "send-back" "Send back"
        "Send the article back to the writer with to-dos." ["b"] @ Article;
    LetStand Deciding "let-stand" "Let the flags stand"
        "Take a flagged story out of the review queue as it is, with your reason; the flags stay in the record." ["T"] @ Story;

    Search Text "search" "Search"
        "Search in the text that is shown." ["/"] @ Text Claims;
    NextHit Text "next-hit" "Next hit"
        "Jump to the next place that was found." ["n"] @ Text Claims;
    PreviousHit Text "previous-hit" "Previous hit"
        "Jump to the place before that was found." ["N"] @ Text Claims;
    SearchEverywhere Text "search-everywhere" "Search everywhere"
        "Find passages in sources, the knowledge base and earlier stories, as you type." ["L"] @ Desk Story;
    NextScope Text "next-scope" "Where to search"
        "Search everywhere, in this story's sources, in the knowledge base, in the stories." ["s" "ctrl-o"] @ Query Hits;
    ToggleTrusted Text "toggle-trusted" "Trusted only / all"
        "Find trusted texts only, or all whatever their credibility." ["t" "ctrl-g"] @ Query Hits;
    CopyCitation Text "copy-citation" "Copy the citation"
        "Copy the file and the bytes of the selected passage to the clipboard." ["y"] @ Hits;
    Copy Text "copy" "Copy"
        "Copy what is selected to the clipboard." ["y"] @ Text Claims;
    CopyArticle Text "copy-article" "Copy the article"
        "Copy the whole article to the clipboard." ["Y"] @ Story;
    SaveMarkdown Text "save-markdown" "Save as Markdown"
        "Save the article as a Markdown file." ["ctrl-s"] @ Story;
    SaveHtml Text "save-html" "Save as HTML"
        "Save the article as an HTML file." ["H"] @ Story;

    Save Writing "save" "Save"
        "Take over what was written." ["ctrl-s" "alt-enter"] @ Editor Input Dialog;
    Cancel Writing "cancel" "Cancel"
        "Leave without taking over what was written." ["esc"] @ Editor Input;
    UndoTyping Writing "undo-typing" "Undo typing"
        "Take back what was typed last." ["ctrl-z" "ctrl-u"] @ Editor Input;
    RedoTyping Writing "redo-typing" "Redo typing"
        "Type again what was taken back." ["ctrl-y" "ctrl-r"] @ Editor Input;
    SelectAll Writing "select-all" "Select all"
        "Select the whole text." ["ctrl-a"] @ Editor Input;
    CutSelection Writing "cut" "Cut"
        "Cut the selected text." ["ctrl-x"] @ Editor Input;
    CopySelection Writing "copy-selection" "Copy the selection"
        "Copy the selected text." ["alt-c"] @ Editor Input;
    Paste Writing "paste" "Paste"
        "Insert what was cut or copied here; your terminal's own paste works too." ["ctrl-v"] @ Editor Input;

    Palette Screen "palette" "All actions"
        "Find any action by its name and run it." ["ctrl-p" ":"] @ Desk Story;
    Help Screen "help" "Help"
        "The keys that work here." ["?" "f1"] @ Everywhere;
    ShowNotices Screen "show-notices" "What was said"
        "All messages that stood at the foot of the screen, the newest first." ["!"] @ Desk Story;
    NextTheme Screen "next-theme" "Next theme"
        "Dark, light, high contrast, monochrome." ["t"] @ Desk Story;
    ToggleMouse Screen "toggle-mouse" "Mouse on / off"
        "Let the mouse select and scroll; while it is off, the terminal's own selection works." ["m"] @ Desk Story;
    Redraw Screen "redraw" "Draw again"
        "Draw the whole screen again." ["ctrl-l"] @ Everywhere;
    Quit Screen "quit" "Quit"
        "End the program; it asks only if something would stop, and `copydesk resume` goes on with it."
        ["q" "ctrl-c" "ctrl-q"] @ Desk Story Editor Input;
}
