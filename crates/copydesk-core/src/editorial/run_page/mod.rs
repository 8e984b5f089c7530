//! A run as one page to read: its events in order, the findings and changes of each round, the evidence of the proof and the claims, and
//! the costs. It is HTML that stands alone. The file `page_frame` keeps hostile text out of it.

mod rounds;
#[cfg(test)]
mod tests;
mod timeline;
mod whole;

pub use timeline::RunMaterial;
pub use whole::to_html;
