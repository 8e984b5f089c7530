//! The pages that can lie over the screen, each by its type.

use super::model::{Model, Overlay};
use crate::screens::{
    claims::model::ClaimsPage, day::model::DayPage, failed_steps::model::FailedStepsPage, files::model::FileBrowser,
    memory::model::RecordPage, publish::model::PublishPage, record::model::StoryRecordPage, search::model::SearchPage,
};

/// A page that is laid over the screen.
pub(crate) trait OverlayPage: Sized {
    fn of(overlay: &Overlay) -> Option<&Self>;
    fn of_mut(overlay: &mut Overlay) -> Option<&mut Self>;
}

macro_rules! overlay_pages {
    ($($name:ident: $page:ty),* $(,)?) => {$(
        impl OverlayPage for $page {
            fn of(overlay: &Overlay) -> Option<&Self> {
                if let Overlay::$name(page) = overlay { Some(page) } else { None }
            }

            fn of_mut(overlay: &mut Overlay) -> Option<&mut Self> {
                if let Overlay::$name(page) = overlay { Some(page) } else { None }
            }
        }
    )*};
}

overlay_pages! {
    Claims: ClaimsPage,
    Day: DayPage,
    FailedSteps: FailedStepsPage,
    Files: FileBrowser,
    Publish: PublishPage,
    Record: RecordPage,
    Search: SearchPage,
    StoryRecord: StoryRecordPage,
}

impl Model {
    /// The page of that type, if it lies on top.
    pub(crate) fn on_top<P: OverlayPage>(&self) -> Option<&P> {
        self.overlays.last().and_then(P::of)
    }

    pub(crate) fn on_top_mut<P: OverlayPage>(&mut self) -> Option<&mut P> {
        self.overlays.last_mut().and_then(P::of_mut)
    }

    /// The page of that type, also if another lies over it.
    pub(crate) fn laid_mut<P: OverlayPage>(&mut self) -> Option<&mut P> {
        self.overlays.iter_mut().find_map(P::of_mut)
    }
}
