//! Shows the desk's work to other programs while it goes on: metrics and health over HTTP, a file of log lines, traces for a collector. It
//! only reads what the desk has committed. So no story waits for it, and none fails with it.

mod exposition;
mod health;
mod log_file;
mod metrics;
mod server;
#[cfg(feature = "otlp")]
mod traces;

pub use health::{HealthCheck, HealthPart};
pub use log_file::LogFile;
pub use metrics::Meter;
pub use server::{CannotServe, MetricsServer};
#[cfg(feature = "otlp")]
pub use traces::{TraceExporter, Tracing};
