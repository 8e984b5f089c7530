//! What others may see of the desk's work while it goes on: metrics and health over HTTP, and a file of log lines. It only reads what the
//! desk has committed, so no story waits for it, and none fails with it.

mod exposition;
mod health;
mod log_file;
mod metrics;
mod server;

pub use health::{HealthCheck, HealthPart};
pub use log_file::LogFile;
pub use metrics::Meter;
pub use server::{CannotServe, MetricsServer};
