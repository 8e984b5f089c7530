//! What lies over a screen, and the keys, for the snapshots.

use super::{demo::BODY, footer::Hint, help::HelpLine, palette::PaletteLine};
use crate::{
    editorial::next_steps::tests::article,
    newsroom::*,
    ports::RunKey,
    tui::model::{
        Question, Then,
        form::{Field, Form, Input, Purpose},
    },
};

fn key() -> StoryKey {
    StoryKey::new(PathName::new("local-news").unwrap(), PathName::new("miller-park-vote").unwrap())
}

pub(crate) fn override_form() -> Form {
    let mut form = Form::new(
        Purpose::Override { run: RunKey(1), story: key(), concern: 3 },
        "Overrule the verdict on concern 3",
        "The specialist said REMOVE: \u{201c}all members were there\u{201d} is not in the source. Its verdict stays in the record \
         beside yours.",
        vec![
            Field {
                label: "Status",
                hint: "what should become of the words: left and right choose",
                input: Input::Status(Status::Rewrite),
            },
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
    let before = Box::new(article(BODY));
    let mut form = Form::new(
        Purpose::Edit { run: RunKey(1), story: key(), round: 1, before },
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
    Question {
        title: "Quit".into(),
        text: "Two stories are at work and would stop. Nothing is lost: `copydesk resume` goes on with them where they stop."
            .into(),
        yes: "quit".into(),
        then: Then::Quit,
    }
}

fn hint(keys: &str, title: &str) -> Hint {
    Hint { keys: keys.into(), title: title.into(), off: None }
}

pub(crate) fn hints() -> Vec<Hint> {
    let off = Some("nobody is at work on this story".to_owned());
    let mut hints = vec![
        hint("enter", "open"),
        hint("n", "new story"),
        hint("/", "filter"),
        hint("o", "order"),
        hint("+ -", "priority"),
        hint("p", "pause"),
        Hint { off, ..hint("x", "stop") },
        hint("q", "quit"),
        hint("ctrl-p", "any action"),
    ];
    hints.push(hint("?", "all keys"));
    hints
}

pub(crate) fn gate() -> Vec<Hint> {
    vec![
        hint("c", "continue: back to the writer"),
        hint("v", "overrule"),
        hint("f", "add to-dos"),
        hint("e", "edit"),
        hint("s", "stet"),
        hint("u", "undo"),
    ]
}

pub(crate) fn begin() -> Vec<Hint> {
    vec![
        hint("s", "try the sample story: council minutes, no server needed"),
        hint("n", "from a file: a topic, or a plain text"),
        hint("p", "from text that you paste"),
        hint("f", "from a form that you fill in"),
    ]
}

pub(crate) fn help() -> Vec<HelpLine> {
    let line = |group: &str, keys: &str, title: &str, sentence: &str| HelpLine {
        group: group.into(),
        keys: keys.into(),
        title: title.into(),
        sentence: sentence.into(),
    };
    let mut lines = vec![
        line("Everywhere", "?", "All keys", "Shows this page."),
        line("Everywhere", "ctrl-p", "Any action", "Finds any action by a few letters of its name and does it."),
        line("Everywhere", "ctrl-t, alt-t", "Next colours", "Dark, light, high contrast, no colour."),
        line("Stories", "enter", "Open", "Opens the selected story: its steps, its concerns, its drafts, its log."),
        line(
            "Stories",
            "del",
            "Delete the story wholly",
            "Its runs, drafts, calls, vectors and files go, after you have typed its name; the audit log keeps that it was.",
        ),
    ];
    let more =
        ["Overrule a verdict", "Add to-dos", "Edit by hand", "Stet", "One round more", "Spike", "Undo", "Continue"];
    lines.extend(more.map(|title| line("At the gate", "alt-x", title, "What it does is said here in one sentence.")));
    lines
}

pub(crate) fn palette() -> Vec<PaletteLine> {
    let line = |title: &str, keys: &str, matched: &[u32], off: Option<&str>| PaletteLine {
        title: title.into(),
        keys: keys.into(),
        matched: matched.into(),
        off: off.map(str::to_owned),
    };
    vec![
        line("Overrule the verdict", "v", &[0, 1, 2, 3], None),
        line("Next order of the list", "o", &[5, 8, 9], None),
        line(
            "Go over to the source",
            "tab",
            &[3, 4, 5, 6],
            Some("this story has no source that is at hand on this machine"),
        ),
        line("Another round", "", &[3], Some("the story does not wait at a gate")),
    ]
}
