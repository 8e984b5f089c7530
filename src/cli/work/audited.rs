//! The check of the whole database, with a bar while it takes.

use crate::{
    cli::wiring,
    config::Settings,
    headless,
    ports::{Archive as _, Audit, StoreError},
    store::Store,
};

/// Checks the whole database. `doctor`, `backup` and `audit` show how far it is.
pub(crate) async fn audited(settings: &Settings, store: &Store) -> Result<Audit, StoreError> {
    let bar = headless::Bar::new("checking the database", "events and texts");
    store.audit_with(wiring::outputs(settings).witnesses().await, bar.progress()).await
}
