//! The agents without a model. They work on any laptop without a network.
//!
//! Rules decide everything here, so the result is the same each time. Every word comes from a source or from the editor. The writer
//! takes whole sentences from the sources, and the reviewer shows the proof's findings. A specialist proposes the source's own words or
//! the removal of the sentence, and the reviser does exactly what a to-do says. If a rule cannot judge, the answer says so, and a person
//! or a model must.
//!
//! All are pure functions over the newsroom's types: they use no file, clock, network or random number.

mod chores;
mod copy;
mod heads;
pub mod mapping;
mod material;
pub(crate) mod notes;
pub mod review;
pub mod revise;
mod safety;
pub mod specialists;
pub mod speech;
mod turns;
mod value;
pub mod writer;

/// Helpers for the tests of this room.
#[cfg(test)]
mod given {
    use copydesk_newsroom::{ArticleResponse, Source};

    pub(super) fn article(body: &str) -> ArticleResponse {
        ArticleResponse { articleBody: body.to_owned(), ..ArticleResponse::default() }
    }

    pub(super) fn source(text: &str) -> Vec<Source> {
        vec![Source { name: "minutes".to_owned(), text: text.to_owned() }]
    }
}
