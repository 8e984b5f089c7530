//! Asks the sources of a story, beside the other work. Only the latest question counts.

use std::sync::Arc;

use tokio::task::AbortHandle;

use crate::{
    app::{news::News, ticket::Ticket, trouble::Trouble},
    worker::{context::WorkerContext, search::replace},
};
use copydesk_newsroom::Journal;

/// The question that is being answered, if one is.
#[derive(Default)]
pub(crate) struct SourceQuestion(Option<AbortHandle>);

impl SourceQuestion {
    /// Asks another question; an earlier one is asked no longer.
    pub(crate) fn ask(&mut self, context: &WorkerContext, ticket: Ticket, journal: Arc<Journal>, question: String) {
        let context = context.clone();
        replace(&mut self.0, async move {
            let answer = context.tools.desk.answer(&journal, &question).await;
            context.say(News::SourcesAnswered { ticket, answer: answer.map(Box::new).map_err(Trouble::from) });
        });
    }

    pub(crate) fn stop(&mut self) {
        if let Some(running) = self.0.take() {
            running.abort();
        }
    }
}
