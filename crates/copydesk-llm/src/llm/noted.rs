//! Notes each request in the ledger: before it is sent, and when its answer is over.

use std::task::Poll;

use futures_util::{StreamExt as _, stream::poll_fn};
use reqwest::{Body, Response};
use url::Url;

use copydesk_core::ports::{Occasion, RequestBooks, RequestStart, RequestTicket, Withheld};

/// A request that was noted. If it is dropped, its answer is not waited for any more.
pub(crate) struct NotedRequest {
    books: Option<(RequestBooks, RequestTicket)>,
    bytes_in: u64,
    outcome: String,
}

/// The ledger's entry for a request, with the ledger; none if the occasion has no ledger.
pub(super) fn start(occasion: &Occasion, url: &Url, here: bool, bytes: usize) -> Option<(RequestBooks, RequestStart)> {
    let books = occasion.books.clone()?;
    let path = url.path().len().saturating_add(url.query().map_or(0, |query| query.len().saturating_add(1)));
    let start = RequestStart {
        at: format!("{:.3}", books.clock.now()),
        story: occasion.story.clone(),
        why: occasion.why.clone(),
        host: url.host_str().unwrap_or_default().to_owned(),
        port: url.port_or_known_default().unwrap_or(0),
        here,
        bytes_out: u64::try_from(path.saturating_add(bytes)).unwrap_or(u64::MAX),
    };
    Some((books, start))
}

impl NotedRequest {
    /// Notes a request that is about to be sent, or that it may not be.
    pub(super) async fn begin(
        noted: Option<(RequestBooks, RequestStart)>,
        allowed: Result<(), Withheld>,
    ) -> Result<Self, Withheld> {
        if let Err(withheld) = allowed {
            refused(noted, &withheld);
            return Err(withheld);
        }
        let mut books = None;
        if let Some((own, start)) = noted {
            let host = start.host.clone();
            let unnoted =
                |error: copydesk_core::ports::StoreError| Withheld::Unnoted { host, detail: error.to_string() };
            let ticket = own.ledger.begin(start).await.map_err(unnoted)?;
            books = Some((own, ticket));
        }
        Ok(Self { books, bytes_in: 0, outcome: "given up before it was answered".to_owned() })
    }

    /// Sets the bytes that came in, and the outcome.
    pub(crate) fn ended(mut self, bytes_in: u64, outcome: &str) {
        self.bytes_in = bytes_in;
        outcome.clone_into(&mut self.outcome);
    }

    /// A response whose bytes are counted until its end, or until its reader stops.
    pub(super) fn follows(mut self, response: Response) -> Response {
        let status = response.status().as_u16();
        if self.books.is_none() {
            return response;
        }
        self.outcome = status.to_string();
        let (parts, body) = http::Response::<Body>::from(response).into_parts();
        let mut chunks = Response::from(http::Response::new(body)).bytes_stream();
        let counted = poll_fn(move |context| {
            let chunk = std::task::ready!(chunks.poll_next_unpin(context));
            match &chunk {
                Some(Ok(chunk)) => self.bytes_in = self.bytes_in.saturating_add(chunk.len() as u64),
                Some(Err(_)) => self.outcome = format!("{status}, cut off"),
                None => {}
            }
            Poll::Ready(chunk)
        });
        http::Response::from_parts(parts, Body::wrap_stream(counted)).into()
    }
}

impl Drop for NotedRequest {
    fn drop(&mut self) {
        if let Some((books, ticket)) = self.books.take() {
            books.ledger.end(ticket, self.bytes_in, &self.outcome);
        }
    }
}

/// Notes a request that is not sent.
pub(super) fn refused(noted: Option<(RequestBooks, RequestStart)>, withheld: &Withheld) {
    if let Some((books, start)) = noted {
        books.ledger.refuse(RequestStart { bytes_out: 0, ..start }, withheld.in_short());
    }
}
