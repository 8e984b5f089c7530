//! The names of the fields that forms have.

/// The fields that forms have. A label is unique in its form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldName {
    AlternativeHeadline,
    Angle,
    Channel,
    Description,
    Desk,
    Draft,
    File,
    From,
    Headline,
    Length,
    Question,
    Reason,
    Search,
    Slug,
    Source,
    Style,
    Text,
    Title,
    To,
    ToDo,
    ToDos,
    Verdict,
}

impl FieldName {
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::AlternativeHeadline => "Alternative headline",
            Self::Angle => "Angle",
            Self::Channel => "Channel",
            Self::Description => "Description",
            Self::Desk => "Desk",
            Self::Draft => "Draft",
            Self::File => "File",
            Self::From => "From",
            Self::Headline => "Headline",
            Self::Length => "Length",
            Self::Question => "Question",
            Self::Reason => "Reason",
            Self::Search => "Search",
            Self::Slug => "Slug",
            Self::Source => "Source",
            Self::Style => "Style",
            Self::Text => "Text",
            Self::Title => "Title",
            Self::To => "To",
            Self::ToDo => "To do",
            Self::ToDos => "To-dos",
            Self::Verdict => "Verdict",
        }
    }
}

/// The fields of a hand edit, in the order of [`ArticleResponse::fields`].
pub(crate) const ARTICLE: [FieldName; 4] =
    [FieldName::Headline, FieldName::AlternativeHeadline, FieldName::Description, FieldName::Text];
