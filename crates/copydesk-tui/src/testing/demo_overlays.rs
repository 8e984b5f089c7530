//! The overlays and the keys, for the snapshots.

use crate::{
    app::{
        model::Question,
        news::{FolderEntry, FolderListing},
    },
    screens::{
        files::FileBrowser,
        forms::{
            model::{Form, Purpose},
            purpose::DecisionPoint,
        },
    },
    testing::demo_story::BODY,
    widgets::field::Field,
};
use copydesk_core::editorial::{
    choices::GateSeen,
    testing::{article, overrule},
};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::*;

fn key() -> StoryKey {
    StoryKey::new(PathName::new("local-news").unwrap(), PathName::new("miller-park-vote").unwrap())
}

fn at() -> DecisionPoint {
    DecisionPoint { run: RunKey(1), story: key(), seen: GateSeen { at: Wait::Gate { round: 1 }, made: 0 } }
}

/// The file browser on a folder, with two files marked or with a problem.
pub(crate) fn files(typed: &str, marked: bool) -> FileBrowser {
    let entry = |name: &str, is_folder, what: &str| FolderEntry { name: name.into(), is_folder, what: what.into() };
    let entries = vec![
        entry("council minutes.docx", false, "a Word document (DOCX)"),
        entry("minutes.txt", false, "a text"),
        entry("park.json", false, "a topic (JSON)"),
        entry("press conference.vtt", false, "a file of captions"),
        entry("archive", true, "a folder"),
    ];
    let marks = if marked { vec!["minutes.txt".to_owned(), "press conference.vtt".to_owned()] } else { Vec::new() };
    let mut files = FileBrowser { typed: typed.into(), marked: marks, ..FileBrowser::default() };
    files.listing = Some(FolderListing { entries, ..FolderListing::default() });
    files.problem = (!marked).then(|| "minutes.txt: the file is empty".to_owned());
    files
}

pub(crate) fn overrule_form() -> Form {
    let mut form = Form::new(
        Purpose::Decide(at(), overrule(3, Status::Rewrite, None)),
        "Overrule the verdict on concern 3",
        "The specialist said REMOVE: \u{201c}all members were there\u{201d} is not in the source. Its verdict stays in the record \
         beside yours.",
        vec![
            Field::choice(
                "Status",
                "what should become of the words: left and right choose",
                ["KEEP", "REWRITE", "REMOVE"].map(str::to_owned).to_vec(),
                1,
            ),
            Field::text(
                "What the writer is to do",
                "one instruction; none with KEEP",
                "Say that Ms Okafor was absent.",
            ),
            Field::text("Why", "stays in the record with your name", ""),
        ],
    );
    form.focus = 1;
    form.problem = Some("Say why: a verdict is not overruled without a reason.".into());
    form
}

pub(crate) fn edit_form() -> Form {
    let mut form = Form::new(
        Purpose::Decide(at(), Choice::Edit { article: article(BODY) }),
        "Edit the draft of round 1 by hand",
        "Your text becomes the next draft; the writer is not asked. It is saved as you type.",
        vec![
            Field::line(
                "Headline",
                "one line",
                "Miller Park to reopen in April, after two years and a vote of five to two",
            ),
            Field::line("Second headline", "for another channel", "公園の話: the park reopens"),
            Field::line("Description", "one or two sentences", "The council voted to reopen the park."),
            Field::text("Article", "Markdown; ctrl-u takes back", BODY),
        ],
    );
    form.focus = 3;
    form.kept_at = Some("2026-10-06T12:03:07Z".into());
    form
}

pub(crate) fn question() -> Question {
    let text =
        "2 stories stop. Finished steps are safe. To resume them, run `copydesk resume` or open this screen again.";
    Question::new("Quit?", text, "quit", |_| {})
}
