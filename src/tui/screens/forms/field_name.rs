//! The names of the fields that forms have.

/// The fields that forms have. A label is unique in its form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldName {
    AlternativeHeadline,
    Angle,
    Begin,
    Bell,
    Channel,
    Colours,
    Comment,
    Description,
    Desk,
    Do,
    Draft,
    Due,
    Editor,
    File,
    Find,
    From,
    Headline,
    Instead,
    Length,
    Model,
    Mouse,
    Name,
    NewDesk,
    Question,
    Reason,
    Search,
    Server,
    ServerKey,
    Slug,
    Source,
    Style,
    Text,
    Title,
    To,
    ToDo,
    ToDos,
    Verdict,
    Why,
}

impl FieldName {
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::AlternativeHeadline => "Alternative headline",
            Self::Angle => "Angle",
            Self::Begin => "Begin with",
            Self::Bell => "Bell",
            Self::Channel => "Channel",
            Self::Colours => "Colours",
            Self::Comment => "Comment",
            Self::Description => "Description",
            Self::Desk => "Desk",
            Self::Do => "Do",
            Self::Draft => "Draft",
            Self::Due => "Due",
            Self::Editor => "Editor",
            Self::File => "File",
            Self::Find => "Find",
            Self::From => "From",
            Self::Headline => "Headline",
            Self::Instead => "Replace with",
            Self::Length => "Length",
            Self::Model => "Model",
            Self::Mouse => "Mouse",
            Self::NewDesk => "New desk",
            Self::Name => "Your name",
            Self::Question => "Question",
            Self::Reason => "Reason",
            Self::Search => "Search",
            Self::Server => "Another server",
            Self::ServerKey => "Its key",
            Self::Slug => "Slug",
            Self::Source => "Source",
            Self::Style => "Style",
            Self::Text => "Text",
            Self::Title => "Title",
            Self::To => "To",
            Self::ToDo => "To do",
            Self::ToDos => "To-dos",
            Self::Verdict => "Verdict",
            Self::Why => "Why",
        }
    }
}

/// The fields of a hand edit, in the order of [`ArticleResponse::fields`].
pub(crate) const ARTICLE: [FieldName; 4] =
    [FieldName::Headline, FieldName::AlternativeHeadline, FieldName::Description, FieldName::Text];
