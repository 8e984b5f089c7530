//! The story that is open.

use crate::{app::model::Model, screens::story::model::StoryView};

pub(crate) fn opened(model: &mut Model) -> Option<&mut StoryView> {
    model.story.as_deref_mut()
}
