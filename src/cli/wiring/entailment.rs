//! The entailment model that the configuration names.

use std::{path::Path, sync::Arc};

use crate::{config::Settings, ports::Entailment};

/// The configured model; none if there is none. Its files are read when it is asked for the first time.
pub(crate) fn entailment(settings: &Settings) -> Option<Arc<dyn Entailment>> {
    settings.proof.entailment.as_ref().map(|entailment| of_folder(&entailment.model_dir))
}

#[cfg(feature = "embedding")]
fn of_folder(model_dir: &Path) -> Arc<dyn Entailment> {
    Arc::new(crate::knowledge::CrossEncoder::new(model_dir))
}

#[cfg(not(feature = "embedding"))]
fn of_folder(_: &Path) -> Arc<dyn Entailment> {
    Arc::new(Unbuilt)
}

/// The entailment of a build without the feature: it says that it is missing.
#[cfg(not(feature = "embedding"))]
struct Unbuilt;

#[cfg(not(feature = "embedding"))]
#[async_trait::async_trait]
impl Entailment for Unbuilt {
    async fn weigh(&self, _: Vec<(String, String)>) -> Result<crate::ports::Weighings, crate::ports::EntailmentError> {
        Err(crate::ports::EntailmentError::NotBuiltIn)
    }
}
