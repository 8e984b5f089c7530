//! The table of actions: group, name, title, help, keys and contexts of each. Footer, `?` page, palette, key map and
//! docs/KEYS.md are made from it, in its order.

use crate::app::{Group, KeyContext};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActionRow {
    pub action: Action,
    /// Kebab-case. Scripts, tests and configurations use it.
    pub name: &'static str,
    /// Two or three words for the footer and the palette.
    pub title: &'static str,
    /// One or two sentences for the `?` page.
    pub help: &'static str,
    /// The default keys; the footer shows the first.
    pub keys: &'static [&'static str],
    /// The contexts in which it can be used.
    pub places: &'static [KeyContext],
    pub group: Group,
}

impl ActionRow {
    /// Whether the action can be used in the context or in a wider one.
    pub fn is_at(&self, place: KeyContext) -> bool {
        self.places.iter().any(|wider| place.is_in(*wider))
    }
}

impl Action {
    /// The action of a name.
    pub fn named(name: &str) -> Option<Self> {
        ACTIONS.iter().find(|row| row.name == name).map(|row| row.action)
    }

    pub fn name(self) -> &'static str {
        self.row().name
    }

    pub fn title(self) -> &'static str {
        self.row().title
    }
}

/// Actions by their names, in the order in which they are offered.
macro_rules! listed {
    [$($action:ident)+] => {
        &[$($crate::app::actions::Action::$action),+]
    };
}
pub(crate) use listed;

/// Makes the enum and the table from one list, so that they always agree.
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
                        places: &[$(KeyContext::$place),+],
                        group: Group::$group,
                    },)+
                }
            }

            pub fn row(self) -> &'static ActionRow {
                match self {
                    $(Self::$action => const { &Self::$action.row_of() },)+
                }
            }
        }
    };
}

// A row: action, group, name, title, help, keys, contexts. The rows of a group stand together.
actions! {
    MoveUp Moving "move-up" "Up"
        "Move one line or one entry up." ["up" "k"] @ Desk Story Dialog Input Hits Claims FailedSteps Publish StoryRecord Day;
    MoveDown Moving "move-down" "Down"
        "Move one line or one entry down." ["down" "j"] @ Desk Story Dialog Input Hits Claims FailedSteps Publish StoryRecord Day;
    MoveLeft Moving "move-left" "Left"
        "Move one column to the left, or select the previous choice." ["left" "h"] @ Desk Story Dialog Hits Claims FailedSteps Publish StoryRecord Day;
    MoveRight Moving "move-right" "Right"
        "Move one column to the right, or select the next choice." ["right" "l"] @ Desk Story Dialog Hits Claims FailedSteps Publish StoryRecord Day;
    PageUp Moving "page-up" "Page up"
        "Move one page up." ["pgup" "ctrl-b"] @ Desk Story Dialog Input Hits Claims FailedSteps Publish StoryRecord Day;
    PageDown Moving "page-down" "Page down"
        "Move one page down." ["pgdn" "space"] @ Desk Story Dialog Input Hits Claims FailedSteps Publish StoryRecord Day;
    GoFirst Moving "go-first" "To the start"
        "Move to the first line or entry." ["home" "g"] @ Desk Story Dialog Hits Claims FailedSteps Publish StoryRecord Day;
    GoLast Moving "go-last" "To the end"
        "Move to the last line or entry. While a draft is being written, the page follows it from there." ["end" "G"] @ Desk Story Dialog Hits Claims FailedSteps Publish StoryRecord Day;
    NextPane Moving "next-pane" "Next pane"
        "Move to the next pane or field." ["tab"] @ Desk Story Dialog Input Editor Hits Claims FailedSteps Publish StoryRecord Day;
    PreviousPane Moving "previous-pane" "Previous pane"
        "Move to the previous pane or field." ["shift-tab"] @ Desk Story Dialog Input Editor Hits Claims FailedSteps Publish StoryRecord Day;
    Open Moving "open" "Open"
        "Open the selected entry." ["enter"] @ Desk Story Hits Claims FailedSteps Day;
    Back Moving "back" "Back"
        "Leave a search or a filter, then the story. The work on the story continues." ["esc" "backspace"] @ Desk Story Hits Claims FailedSteps Publish StoryRecord Day;
    Confirm Moving "confirm" "OK"
        "Say yes, or use the selected entry or the typed text." ["enter" "y"] @ Dialog Input;
    Close Moving "close" "Close"
        "Say no, or close the page. Nothing changes." ["esc" "n" "q" "ctrl-c"] @ Dialog;

    NewFromFile Stories "new-from-file" "New story from a file"
        "Open a topic (JSON), or a document as the source of a new story." ["n"] @ Desk;
    NewFromText Stories "new-from-text" "New story from pasted text"
        "Paste or type a source and open it as a new story." ["ctrl-v"] @ Desk;
    NewByForm Stories "new-by-form" "New story by form"
        "Fill in a topic field by field." ["N"] @ Desk;
    NewFromQuestion Stories "new-from-question" "New story from a question"
        "Say what a story is to be about. The Reporter researches it before the first draft." ["Q"] @ Desk;
    SampleStory Stories "sample-story" "Sample story"
        "Open the sample story of the program, to try it out." ["Z"] @ Desk;
    WatchRecorded Stories "watch-recorded" "Watch a recorded story"
        "Watch every step of a recorded story, without a model. Your own desk stays as it is." ["v"] @ Desk;
    Filter Stories "filter" "Filter"
        "Show only stories that match what you type." ["/" "ctrl-f"] @ Desk;
    Sort Stories "sort" "Sort"
        "Sort the desk by the next column." ["ctrl-o"] @ Desk;
    NextWaiting Stories "next-waiting" "Next in review"
        "Go to the next story that waits for you or is flagged. The most urgent comes first, then the oldest." ["w"] @ Desk Story;
    PreviousWaiting Stories "previous-waiting" "Previous in review"
        "Go to the previous story in the review queue." ["W"] @ Desk Story;
    Pause Stories "pause" "Pause / unpause"
        "Pause the story after the running call, or let a paused story continue." ["p"] @ Desk Story;
    Stop Stories "stop" "Stop"
        "Stop the story now. Finished steps are kept, and you can resume it." ["x"] @ Desk Story;
    Resume Stories "resume" "Resume"
        "Continue a story that was stopped or interrupted." ["r"] @ Desk Story;
    Reopen Stories "reopen" "Reopen"
        "Go back to the gate of a story that ended. No call is repeated." ["R"] @ Desk Story;
    RaisePriority Stories "raise-priority" "Raise priority"
        "Work on this story before others." ["+" "="] @ Desk Story;
    LowerPriority Stories "lower-priority" "Lower priority"
        "Work on other stories first." ["-"] @ Desk Story;
    SetDeadline Stories "set-deadline" "Deadline"
        "Set when the story must be ready. The desk marks a story that is late." ["d"] @ Desk;
    AssignEditor Stories "assign-editor" "Assign an editor"
        "Give the story to an editor, to yourself or to a colleague." ["@"] @ Desk;
    OnlyMine Stories "only-mine" "Only what waits for me"
        "Show only the stories that wait for your decision and belong to you or to nobody; again: all stories." ["i"] @ Desk;
    DeleteStory Stories "delete-story" "Delete the story"
        "Delete the story with its runs, calls, drafts and files. Copydesk asks first." ["D" "delete"] @ Desk;
    BackUp Stories "back-up" "Back up the desk"
        "Write the whole desk to one file. `copydesk restore` reads it." ["B"] @ Desk;
    ShowMemory Stories "show-memory" "Memory"
        "Show all records of earlier checks. Type to filter them." ["M"] @ Desk Story;
    ShowFailedSteps Stories "show-failed-steps" "Failed steps"
        "Show the steps that failed after their last retry, with each error." ["U"] @ Desk Story;
    ShowDay Stories "show-day" "Day in numbers"
        "Show what was done today, or on another day: stories, calls, tokens, cost, failures, the slowest calls." ["#"] @ Desk Story;
    PreviousDay Stories "previous-day" "Day before"
        "Show the numbers of the day before." [","] @ Day;
    NextDay Stories "next-day" "Day after"
        "Show the numbers of the day after. Those of today change as you look." ["."] @ Day;

    ShowLive Looking "show-live" "Live"
        "Show the steps, and the draft while it is written." ["1"] @ Story Claims Publish StoryRecord;
    ShowConcerns Looking "show-concerns" "Concerns"
        "Show each concern beside the draft, the verdict and the source." ["2"] @ Story Claims Publish StoryRecord;
    ShowChanges Looking "show-changes" "Changes"
        "Show the changes between two drafts." ["3"] @ Story Claims Publish StoryRecord;
    ShowArticle Looking "show-article" "Article"
        "Show the article as readers will see it, and the sign-off." ["4"] @ Story Claims Publish StoryRecord;
    ShowCalls Looking "show-calls" "Calls"
        "Show the exact prompt and answer of every call." ["5"] @ Story Claims Publish StoryRecord;
    ShowLog Looking "show-log" "Log"
        "Show the audit log." ["6"] @ Story Claims Publish StoryRecord;
    ShowRuns Looking "show-runs" "Runs"
        "Show the story's runs, side by side." ["7"] @ Story Claims Publish StoryRecord;
    ShowProof Looking "show-proof" "Proof"
        "Show every quotation, number, date and name of a draft beside its place in the source." ["8"] @ Story Claims Publish StoryRecord;
    ShowClaims Looking "show-claims" "Claims"
        "Show the checked claims of a draft, each with its best passage and the evidence against it." ["9"] @ Story Claims Publish StoryRecord;
    ShowSources Looking "show-sources" "Sources"
        "Show every source with its date, credibility and use, and what the Reporter searched, opened and kept." ["0"] @ Story Claims Publish StoryRecord;
    ShowPublish Looking "show-publish" "Publish"
        "Show where the story goes out and what went where, its embargo, and the article as it would go out." ["P"] @ Story Claims Publish StoryRecord;
    ShowRecord Looking "show-record" "Record"
        "Show who examined, decided and signed what, the versions and the replies. Correct or withdraw the story there." ["V"] @ Story Claims Publish StoryRecord;
    AskSources Looking "ask-sources" "Ask the sources"
        "Ask a question about the story. The answer comes from its sources alone, each sentence with its passage." ["Q"] @ Story;
    OpenPreview Looking "open-preview" "Open in the browser"
        "Write the article as a web page and open it with the system's browser." ["v"] @ Publish;
    NextTab Looking "next-tab" "Next tab"
        "Go to the story's next tab." [">" "ctrl-right"] @ Story;
    PreviousTab Looking "previous-tab" "Previous tab"
        "Go to the story's previous tab." ["<" "ctrl-left"] @ Story;
    NextConcern Looking "next-concern" "Next concern"
        "Select the next concern, in any pane." ["J"] @ Concerns;
    PreviousConcern Looking "previous-concern" "Previous concern"
        "Select the previous concern, in any pane." ["K"] @ Concerns;
    ShowRemembered Looking "show-remembered" "Earlier check"
        "Show the earlier check from which the verdict on this concern comes." ["v"] @ Concerns;
    NextRound Looking "next-round" "Later draft"
        "Show the next draft with its concerns." ["."] @ Live Concerns Article Proof;
    PreviousRound Looking "previous-round" "Earlier draft"
        "Show the previous draft with its concerns." [","] @ Live Concerns Article Proof;
    NextChange Looking "next-change" "Next change"
        "Jump to the next change." ["J" "]"] @ Diff;
    PreviousChange Looking "previous-change" "Previous change"
        "Jump to the previous change." ["K" "["] @ Diff;
    NextUnasked Looking "next-unasked" "Next change nobody asked for"
        "Jump to the next change that no to-do asked for." ["}"] @ Diff;
    ToggleDiffLayout Looking "toggle-diff-layout" "Side by side / inline"
        "Show changes side by side or inline." ["v"] @ Diff;
    ChooseDrafts Looking "choose-drafts" "Choose drafts"
        "Choose the two drafts to compare." ["ctrl-o"] @ Diff;
    ToggleRaw Looking "toggle-raw" "Raw / pretty"
        "Show a call as it was sent, or formatted for reading." ["v"] @ Calls;
    NextFinding Looking "next-finding" "Next finding"
        "Select the next finding of the proof, in any pane." ["J"] @ Proof;
    PreviousFinding Looking "previous-finding" "Previous finding"
        "Select the previous finding of the proof, in any pane." ["K"] @ Proof;
    Fork Looking "fork" "Restart from here"
        "Open a new run that shares everything before the selected step. It reuses known answers." ["F"] @ Story;
    ForkAgain Looking "fork-again" "Restart and ask again"
        "Open a new run that shares everything before the selected step, and ask for that step again." ["A"] @ Story;
    Listen Looking "listen" "Listen to the recording"
        "Play the place of the recording that the selected row rests on. The record keeps who listened." ["v"] @ Proof;

    OverruleVerdict Deciding "overrule-verdict" "Overrule the verdict"
        "Put your own verdict beside the specialist's, with your reason." ["o"] @ Concerns;
    ApplyFix Deciding "apply-fix" "Take the fix"
        "Make the fix for the selected concern in the text. It is offered if the fix names words that stand there." ["u"] @ Concerns;
    AcceptFinding Deciding "accept-finding" "Let it stand"
        "Let a finding of the proof stand, with your reason. The record keeps both." ["o"] @ Proof;
    AddWord Deciding "add-word" "Add to the dictionary"
        "Accept the word of a spelling note: it goes into the newsroom's dictionary. Copydesk asks first." ["n"] @ Proof;
    AcceptChange Deciding "accept-change" "Accept the change"
        "Let the change stand, and go to the next one. The record keeps who accepted it." ["u"] @ Diff;
    TakeBack Deciding "take-back" "Take the change back"
        "Put the old words back. Your text then becomes the next draft." ["o"] @ Diff;
    StrikeRecord Deciding "strike-record" "Strike the record"
        "Strike this record from the memory, with your reason. It is not used again." ["x"] @ Memory;
    RestoreRecord Deciding "restore-record" "Restore the record"
        "Use this struck record again. Copydesk asks first." ["r"] @ Memory;
    RetryFailedStep Deciding "retry-failed-step" "Retry the step"
        "Retry the failed step in a new run that repeats no other call. Copydesk asks first." ["r"] @ FailedSteps;
    DropFailedStep Deciding "drop-failed-step" "Drop the failed step"
        "Do not retry the step, with your reason. Its run stays failed and flagged." ["x"] @ FailedSteps;
    SendStory Deciding "send-story" "Send it out"
        "Send the signed story to the selected target. Copydesk asks first." ["c"] @ Publish;
    SendEverywhere Deciding "send-everywhere" "Send it to all"
        "Send the signed story to all targets. Copydesk asks first." ["*"] @ Publish;
    SetEmbargo Deciding "set-embargo" "Embargo"
        "Set the time before which nothing of the story goes out." ["d"] @ Publish;
    AskForReply Deciding "ask-for-reply" "Ask for a reply"
        "Note that somebody was asked for a reply, and by when." ["Q"] @ StoryRecord;
    NoteReply Deciding "note-reply" "Note the reply"
        "Note what somebody said who was asked." ["n"] @ StoryRecord;
    CorrectStory Deciding "correct-story" "Correct"
        "Reopen the signed version, with a note for readers. The corrected version waits for its own signature." ["e"] @ StoryRecord;
    WithdrawStory Deciding "withdraw-story" "Withdraw"
        "Take back the version that is out, with your reason. The publish page then sends the notice." ["x"] @ StoryRecord;
    Triage Deciding "triage" "To the Reporter / the writer"
        "Send the selected concern to the Reporter first, or straight to the writer." [";"] @ Concerns;
    SendReporter Deciding "send-reporter" "Send the Reporter"
        "Ask the Reporter one question. The answer is looked for before the writer revises." ["I"] @ Story;
    AddSource Deciding "add-source" "Add a source"
        "Add a document or a recording to the story's sources." ["n"] @ Sources;
    RemoveSource Deciding "remove-source" "Remove the source"
        "Check nothing against this source from now on, with your reason. The record keeps its text." ["D"] @ Sources;
    DistrustSource Deciding "distrust-source" "Distrust the source"
        "Let nothing rest on this source from now on, with your reason. It stays in the record and is shown." ["o"] @ Sources;
    AllowCall Deciding "allow-call" "Allow the call"
        "Allow a call of the Reporter that acts outside this desk, such as one that sends something. Copydesk asks first." ["u"] @ Live;
    RefuseCall Deciding "refuse-call" "Refuse the call"
        "Refuse a call of the Reporter that acts outside this desk. The Reporter goes on without it." ["o"] @ Live;
    Feedback Deciding "feedback" "Feedback"
        "Write to-dos for the writer, one on each line." ["f"] @ Story;
    EditDraft Deciding "edit-draft" "Edit the draft"
        "Edit the draft by hand, at a gate and at sign-off. It uses up no round, and no model is asked." ["e"] @ Story;
    EditOutside Deciding "edit-outside" "Edit in your editor"
        "Edit the text in the program that $VISUAL or $EDITOR names." ["E" "ctrl-e"] @ Story Editor;
    ForgetEdit Deciding "forget-edit" "Discard the edit"
        "Delete the saved hand edit. Copydesk asks first." ["ctrl-t"] @ Editor Input;
    UndoDecision Deciding "undo-decision" "Undo the last decision"
        "Take back your last decision at this gate. At sign-off, go back to the gate in a new run." ["z"] @ Story;
    AnotherRound Deciding "another-round" "One more round"
        "Allow this run one more round of review." ["a"] @ Story;
    Continue Deciding "continue" "Send to the writer"
        "Send the draft to the writer with its to-dos, or to the sign-off if it passed." ["c"] @ Story;
    Stet Deciding "stet" "Stet"
        "Accept this draft as it stands. This overrules the open verdicts." ["s"] @ Story;
    Spike Deciding "spike" "Spike"
        "Give the story up, with your reason." ["X"] @ Story;
    SignOff Deciding "sign-off" "Sign off"
        "Approve the article under your name." ["S"] @ Article Live;
    SendBack Deciding "send-back" "Send back"
        "Send the article back to the writer with to-dos." ["b"] @ Article Live;
    AcceptFlags Deciding "accept-flags" "Accept the flags"
        "Take a flagged story out of the review queue as it is, with your reason. The record keeps the flags." ["T"] @ Story;

    Search Text "search" "Search"
        "Search in the text on the screen." ["/" "ctrl-f"] @ Text Claims;
    NextHit Text "next-hit" "Next hit"
        "Jump to the next hit." [")" "f3"] @ Text Claims;
    PreviousHit Text "previous-hit" "Previous hit"
        "Jump to the previous hit." ["(" "shift-f3"] @ Text Claims;
    SearchEverywhere Text "search-everywhere" "Search everywhere"
        "Find passages in sources, in the knowledge base and in earlier stories, while you type." ["L"] @ Desk Story;
    NextScope Text "next-scope" "Where to search"
        "Choose where to search: everywhere, this story's sources, the knowledge base, the stories." ["ctrl-o"] @ Query Hits;
    ToggleTrusted Text "toggle-trusted" "Trusted only / all"
        "Search only trusted texts, or all texts." ["ctrl-g"] @ Query Hits;
    CopyCitation Text "copy-citation" "Copy the citation"
        "Copy the file and the place of the selected passage to the clipboard." ["y"] @ Hits;
    Copy Text "copy" "Copy"
        "Copy the selection to the clipboard." ["y"] @ Text Claims;
    CopyArticle Text "copy-article" "Copy the article"
        "Copy the whole article to the clipboard." ["Y"] @ Story;
    SaveMarkdown Text "save-markdown" "Save the article"
        "Save the article as a file: Markdown, HTML, Word, JSON or ninjs, by the end of its name." ["ctrl-s"] @ Story;
    SaveHtml Text "save-html" "Save as HTML"
        "Save the article as an HTML file." ["H"] @ Story;

    Save Writing "save" "Save"
        "Save the text." ["ctrl-s" "alt-enter"] @ Editor Input Choice;
    Cancel Writing "cancel" "Cancel"
        "Leave without saving the text." ["esc"] @ Editor Input;
    NextNote Writing "next-note" "Next note"
        "Go to the next words with a note: a concern, a finding, a change, spelling or house style." ["J" "alt-n" "alt-down"] @ Article Editor Input;
    PreviousNote Writing "previous-note" "Previous note"
        "Go to the previous words with a note." ["K" "alt-p" "alt-up"] @ Article Editor Input;
    AcceptNote Writing "accept-note" "Accept the note"
        "Make the fix of the note in the text, or let a change stand. It is offered if the fix names words that stand there." ["u" "alt-a"] @ Article Editor Input;
    RejectNote Writing "reject-note" "Reject the note"
        "Let the words stand, with a reason from a list or your own. Of a change, the old words come back." ["o" "alt-r"] @ Article Editor Input;
    CommentHere Writing "comment" "Comment"
        "Note something on the selected words, or on the sentence, for the record alone." ["alt-m"] @ Article Editor Input;
    FindReplace Writing "find-replace" "Find and replace"
        "Find words in the draft, and put others in their place." ["ctrl-f"] @ Editor;
    FindAgain Writing "find-again" "Find again"
        "Go to the next place of the words that you looked for." ["f3"] @ Editor;
    UndoTyping Writing "undo-typing" "Undo typing"
        "Undo the last typing." ["ctrl-z" "ctrl-u"] @ Editor Input;
    RedoTyping Writing "redo-typing" "Redo typing"
        "Restore the typing that you undid." ["ctrl-y" "ctrl-r"] @ Editor Input;
    SelectAll Writing "select-all" "Select all"
        "Select the whole text." ["ctrl-a"] @ Editor Input;
    CutSelection Writing "cut" "Cut"
        "Cut the selected text." ["ctrl-x"] @ Editor Input;
    CopySelection Writing "copy-selection" "Copy the selection"
        "Copy the selected text." ["alt-c"] @ Editor Input;
    Paste Writing "paste" "Paste"
        "Insert the text that you cut or copied here. Your terminal's own paste works too." ["ctrl-v"] @ Editor Input;

    Palette Screen "palette" "All actions"
        "Find any action by its name and run it." ["ctrl-p" ":"] @ Desk Story;
    Help Screen "help" "Help"
        "Show the keys that work here." ["?" "f1"] @ Everywhere;
    ShowNotices Screen "show-notices" "Messages"
        "Show all messages of this session, the newest first." ["!"] @ Desk Story;
    ShowSettings Screen "show-settings" "Settings"
        "Change your name, the model, the colours, the mouse and the bell. Copydesk writes them to the configuration." ["O"] @ Desk Story Publish;
    ConnectModel Screen "connect-model" "Connect a model"
        "Choose one model for all agents, from the servers on this machine or another one." ["C"] @ Desk Story;
    TryModels Screen "try-models" "Try the models"
        "Try the configured models on small cases with known answers, and say for what work each will do. It takes some minutes." ["%"] @ Desk;
    NextTheme Screen "next-theme" "Next theme"
        "Change to the next theme: dark, light, high contrast, monochrome." ["t"] @ Desk Story;
    ToggleMouse Screen "toggle-mouse" "Mouse on / off"
        "Let the mouse select and scroll. When it is off, your terminal selects text." ["m"] @ Desk Story;
    Redraw Screen "redraw" "Draw again"
        "Draw the whole screen again." ["ctrl-l"] @ Everywhere;
    Suspend Screen "suspend" "Suspend"
        "Give the terminal back to the shell. `fg` there brings the screen back." ["ctrl-z"] @ Desk Story Dialog Hits Claims FailedSteps Publish StoryRecord Day;
    Quit Screen "quit" "Quit"
        "End the program. Copydesk asks first if a story would stop; `copydesk resume` resumes it."
        ["q" "ctrl-c" "ctrl-q"] @ Desk Story Editor Input;
}
