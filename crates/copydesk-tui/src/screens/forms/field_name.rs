//! The names of the fields that forms have.

use strum::IntoStaticStr;

/// The fields that forms have. A label is unique in its form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
pub enum FieldName {
    About,
    Address,
    Note,
    #[strum(serialize = "What they said")]
    Said,
    Who,
    #[strum(serialize = "Alternative headline")]
    AlternativeHeadline,
    Angle,
    #[strum(serialize = "Begin with")]
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
    Until,
    Version,
    Editor,
    File,
    Find,
    Folder,
    Format,
    From,
    Headline,
    #[strum(serialize = "Replace with")]
    Instead,
    Length,
    #[strum(serialize = "Server")]
    MailServer,
    Model,
    Mouse,
    #[strum(serialize = "Your name")]
    Name,
    #[strum(serialize = "New desk")]
    NewDesk,
    #[strum(serialize = "AI notice")]
    Notice,
    Password,
    #[strum(serialize = "Name of the place")]
    Place,
    Question,
    Questions,
    Reason,
    Search,
    Secret,
    #[strum(serialize = "Another server")]
    Server,
    #[strum(serialize = "Its key")]
    ServerKey,
    #[strum(serialize = "Its name")]
    Slug,
    Source,
    Spelling,
    Style,
    #[strum(serialize = "Publish to")]
    Targets,
    Text,
    Title,
    To,
    #[strum(serialize = "To do")]
    ToDo,
    #[strum(serialize = "To-dos")]
    ToDos,
    User,
    Verdict,
    Why,
}

/// The fields of a hand edit, in the order of [`ArticleResponse::fields`].
pub(crate) const ARTICLE: [FieldName; 4] =
    [FieldName::Headline, FieldName::AlternativeHeadline, FieldName::Description, FieldName::Text];
