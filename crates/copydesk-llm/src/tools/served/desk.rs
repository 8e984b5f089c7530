//! The parts of the newsroom that tools need.

use std::sync::Arc;

use copydesk_core::ports::{Clock, DeliveryService, Passages, RequestBooks, Stories};
use copydesk_newsroom::{ArticleResponse, Source};
use copydesk_style::StyleReview;

/// The newsroom's house style, spelling and dictionary, held against an article with these sources. It blocks.
pub type StyleCheck = dyn Fn(&ArticleResponse, &[Source]) -> StyleReview + Send + Sync;

/// The parts of the newsroom that tools need.
#[derive(Clone)]
pub struct ServedDesk {
    pub style: Arc<StyleCheck>,
    pub passages: Arc<dyn Passages>,
    pub clock: Arc<dyn Clock>,
    /// The least credibility of what is found, from 0 to 1, and the most passages, unless a caller says otherwise.
    pub min_credibility: f64,
    pub top: usize,
    /// Says which stories nothing is told of; none if there are no stories.
    pub stories: Option<Arc<dyn Stories>>,
    /// Where requests are noted.
    pub books: Option<RequestBooks>,
    /// The port that sends stories; none if tools may send nothing.
    pub way_out: Option<Arc<dyn DeliveryService>>,
}
