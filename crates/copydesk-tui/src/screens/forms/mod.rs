pub(crate) mod answer;
pub(crate) mod draft;
pub(crate) mod drafting;
pub(crate) mod field_name;
pub(crate) mod history;
pub(crate) mod kept;
pub(crate) mod margin;
pub(crate) mod model;
pub(crate) mod purpose;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod top;
pub(crate) mod update;
pub(crate) mod view;

pub(crate) use draft::DraftState;
pub(crate) use field_name::FieldName;
pub(crate) use history::{TextChange, TypedHistory};
pub(crate) use margin::{Cursor, Margin, MarginNote, NoteOrigin, NotedChange};
pub(crate) use model::{Form, FormAnswer, FormStage, Purpose};
pub(crate) use purpose::DecisionPoint;
