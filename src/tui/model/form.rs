//! Questions that want an answer in writing: fields, what they are for, what was wrong with the last answer.

use tui_textarea::{TextArea, WrapMode};

use crate::{
    newsroom::{ArticleResponse, Status, StoryKey},
    ports::RunKey,
};

/// What a form is for.
#[derive(Debug, Clone, PartialEq)]
pub enum Purpose {
    /// Overruling the verdict on a concern.
    Override {
        /// The run.
        run: RunKey,
        /// The story.
        story: StoryKey,
        /// The concern.
        concern: u32,
    },
    /// To-dos for the writer.
    Feedback {
        /// The run.
        run: RunKey,
        /// The story.
        story: StoryKey,
    },
    /// A hand edit of a draft.
    Edit {
        /// The run.
        run: RunKey,
        /// The story.
        story: StoryKey,
        /// The round whose draft it is.
        round: u32,
        /// The draft as it was.
        before: Box<ArticleResponse>,
    },
    /// Accepting a draft as it stands.
    Stet {
        /// The run.
        run: RunKey,
        /// The story.
        story: StoryKey,
    },
    /// Giving a story up.
    Spike {
        /// The run.
        run: RunKey,
        /// The story.
        story: StoryKey,
    },
    /// Sending an article back from sign-off.
    SendBack {
        /// The run.
        run: RunKey,
        /// The story.
        story: StoryKey,
    },
    /// A story from files.
    NewFromFile,
    /// A story from pasted or typed text.
    NewFromText,
    /// Where to write an article.
    SaveArticle {
        /// Markdown or HTML.
        html: bool,
    },
    /// Where to write a copy of the whole desk.
    Backup,
    /// Deleting a story wholly; its slug must be typed.
    Delete {
        /// The story.
        story: StoryKey,
    },
    /// A word to search for in the text that is shown.
    Search,
}

/// What a field holds.
#[derive(Debug, Clone)]
pub enum Input {
    /// One line.
    Line(TextArea<'static>),
    /// Many lines.
    Text(TextArea<'static>),
    /// One of the three statuses.
    Status(Status),
}

/// One field.
#[derive(Debug, Clone)]
pub struct Field {
    /// What it is.
    pub label: &'static str,
    /// What belongs there.
    pub hint: &'static str,
    /// What is there.
    pub input: Input,
}

impl Field {
    /// A field of one line.
    #[must_use]
    pub fn line(label: &'static str, hint: &'static str, text: &str) -> Self {
        Self { label, hint, input: Input::Line(area(text)) }
    }

    /// A field of many lines.
    #[must_use]
    pub fn text(label: &'static str, hint: &'static str, text: &str) -> Self {
        Self { label, hint, input: Input::Text(area(text)) }
    }

    /// Its text; the status's name where it is one.
    #[must_use]
    pub fn value(&self) -> String {
        match &self.input {
            Input::Line(area) | Input::Text(area) => area.lines().join("\n"),
            Input::Status(status) => status.name().to_owned(),
        }
    }
}

/// A text editor that wraps softly; undo and paste are its own.
fn area(text: &str) -> TextArea<'static> {
    let mut area = TextArea::new(text.lines().map(str::to_owned).collect());
    area.set_wrap_mode(WrapMode::WordOrGlyph);
    area.set_max_histories(1000);
    area
}

/// A form.
#[derive(Debug, Clone)]
pub struct Form {
    /// What it is for.
    pub purpose: Purpose,
    /// Its title.
    pub title: String,
    /// What it does, in a sentence or two.
    pub explanation: String,
    /// Its fields.
    pub fields: Vec<Field>,
    /// The field with the cursor.
    pub focus: usize,
    /// What was wrong with the last answer.
    pub problem: Option<String>,
    /// Whether the answer is on its way: nothing is said to be done before it is in the database.
    pub sent: bool,
    /// When the text was last saved while it is typed: ISO 8601, UTC. Only hand edits are.
    pub kept_at: Option<String>,
}

impl Form {
    /// A form with the cursor in its first field.
    #[must_use]
    pub fn new(purpose: Purpose, title: impl Into<String>, explanation: impl Into<String>, fields: Vec<Field>) -> Self {
        Self {
            purpose,
            title: title.into(),
            explanation: explanation.into(),
            fields,
            focus: 0,
            problem: None,
            sent: false,
            kept_at: None,
        }
    }

    /// The text of a field; empty where there is none.
    #[must_use]
    pub fn value(&self, place: usize) -> String {
        self.fields.get(place).map(Field::value).unwrap_or_default()
    }

    /// Moves the cursor to another field, around the end.
    pub fn move_focus(&mut self, by: isize) {
        let length = isize::try_from(self.fields.len()).unwrap_or(1).max(1);
        let next = isize::try_from(self.focus).unwrap_or(0).saturating_add(by).rem_euclid(length);
        self.focus = usize::try_from(next).unwrap_or(0);
    }
}
