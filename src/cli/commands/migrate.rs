//! `copydesk migrate`: the desk from a file to a PostgreSQL server, or back.

use crate::cli::prelude::*;
use crate::config::{DatabasePlace, Endpoint};
#[cfg(feature = "postgres")]
use crate::store::{MigrationError, MigrationPlace, migrate as carry};

#[derive(Debug, Args)]
pub(crate) struct MigrateArgs {
    /// The empty place that it goes to: a file, or an address such as `postgres://desk@127.0.0.1:5432/newsroom`.
    #[arg(long, value_name = "PLACE")]
    to: String,
}

/// Carries the desk of the configuration over. What it came from stays as it is.
pub(crate) async fn migrate(config: Option<&Path>, arguments: MigrateArgs) -> Result<Exit> {
    let settings = settings::load(config)?;
    let to = DatabasePlace::named(&arguments.to).map_err(|problem| wrong_use(format!("--to {problem}")))?;
    if let DatabasePlace::Server(server) = &to
        && settings.privacy.local_only
        && !server.endpoints.iter().all(Endpoint::is_loopback)
    {
        return Err(wrong_use(format!(
            "{to} is not this machine, and privacy.local_only is true: set it to false, or name a server here"
        )));
    }
    carried(&settings, &to).await
}

#[cfg(feature = "postgres")]
async fn carried(settings: &Settings, to: &DatabasePlace) -> Result<Exit> {
    let place = |place: &DatabasePlace| match place {
        DatabasePlace::File(file) => MigrationPlace::File(file.clone()),
        DatabasePlace::Server(server) => MigrationPlace::Server(server.url.reveal().to_owned()),
    };
    let (from, there) = (place(&settings.database), place(to));
    let bar = headless::Bar::new("carrying over", "rows");
    let progress = bar.progress();
    let carried = tokio::task::spawn_blocking(move || carry(&from, &there, &progress)).await?;
    drop(bar);
    let carried = carried.map_err(|error| match error {
        MigrationError::Store(error) => error.into(),
        MigrationError::Differs { .. } => error.into(),
        MigrationError::NotEmpty { .. } | MigrationError::InUse { .. } | MigrationError::NoDesk { .. } => {
            wrong_use(error.to_string())
        }
    })?;
    headless::message(&format!(
        "Carried over to {to}. Stories: {}. Rows: {}, each compared by its digest. {} is as it was.",
        carried.stories, carried.rows, settings.database
    ));
    headless::message("Set `database` in the configuration to the new place, then run `copydesk audit verify`.");
    Ok(Exit::Fine)
}

#[cfg(not(feature = "postgres"))]
#[expect(clippy::unused_async, reason = "a build with servers waits for the rows")]
async fn carried(_: &Settings, to: &DatabasePlace) -> Result<Exit> {
    Err(wrong_use(format!(
        "cannot carry the desk to {to}: this program was built without PostgreSQL; install a released one, or build it with --features postgres"
    )))
}
