//! The agents without a model: a desk that works on any laptop, with the network cable out.
//!
//! Everything here is decided by rules that can be read, and comes out the same each time. No word leaves this room that
//! neither a source nor the editor wrote: the writer takes whole sentences from the sources, the reviewer shows what the
//! proof found, a specialist proposes the source's own words or the removal of the sentence, and the reviser does exactly
//! what a to-do says. If a rule cannot judge, the answer says so, and a human or a model must.
//!
//! Pure functions over the newsroom's types: no file, clock, network or chance.

mod blocks;
mod chores;
mod copy;
mod heads;
mod layout;
pub mod mapping;
mod material;
mod repairs;
pub mod review;
pub mod revise;
mod safety;
pub mod specialists;
mod turns;
mod value;
mod votes;
pub mod writer;

/// What the tests of this room begin with.
#[cfg(test)]
mod given {
    use crate::newsroom::{ArticleResponse, Source};

    pub(super) fn article(body: &str) -> ArticleResponse {
        ArticleResponse {
            headline: String::new(),
            alternativeHeadline: String::new(),
            articleBody: body.to_owned(),
            description: String::new(),
        }
    }

    pub(super) fn source(text: &str) -> Vec<Source> {
        vec![Source { name: "minutes".to_owned(), text: text.to_owned() }]
    }
}
