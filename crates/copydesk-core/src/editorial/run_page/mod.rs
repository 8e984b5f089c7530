//! A run as one page to read: what happened in which order, what each round found and changed, what the proof and the
//! claims rest on, and what it cost. It is HTML that stands alone. The file `page_frame` says what keeps hostile text
//! out of it.

mod costs;
mod evidence;
mod material;
mod rounds;
#[cfg(test)]
mod tests;
mod timeline;
mod whole;

pub use material::{ReportedCall, RunMaterial};
pub use whole::to_html;
