//! Requests that are under way, or not written yet: plain data beside the connection.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use copydesk_core::ports::{RequestStart, RequestTicket};

/// Requests that are under way or not written yet.
#[derive(Default)]
pub(super) struct PendingRequests(Mutex<Pending>);

#[derive(Default)]
struct Pending {
    last: u64,
    /// By their tickets, so in the order in which they began.
    requests: BTreeMap<u64, PendingRequest>,
}

#[derive(Clone)]
pub(super) struct PendingRequest {
    /// The beginning to write; none if the row exists.
    pub(super) start: Option<Arc<RequestStart>>,
    pub(super) row: Option<i64>,
    /// Bytes and outcome, once it is over.
    pub(super) end: Option<(u64, String)>,
}

impl PendingRequests {
    fn lock(&self) -> std::sync::MutexGuard<'_, Pending> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn add(&self, request: PendingRequest) -> RequestTicket {
        let mut pending = self.lock();
        pending.last = pending.last.saturating_add(1);
        let ticket = pending.last;
        pending.requests.insert(ticket, request);
        RequestTicket(ticket)
    }

    pub(super) fn end(&self, ticket: RequestTicket, bytes_in: u64, outcome: &str) {
        if let Some(request) = self.lock().requests.get_mut(&ticket.0) {
            request.end = Some((bytes_in, outcome.to_owned()));
        }
    }

    /// Whether there is anything to be written.
    pub(super) fn waits(&self) -> bool {
        self.lock().requests.values().any(|request| request.end.is_some())
    }

    /// The requests that have ended, with their tickets. They are forgotten after the commit.
    pub(super) fn over(&self) -> Vec<(u64, PendingRequest)> {
        let pending = self.lock();
        let over = pending.requests.iter().filter(|(_, request)| request.end.is_some());
        over.map(|(ticket, request)| (*ticket, request.clone())).collect()
    }

    pub(super) fn forget(&self, written: &[u64]) {
        self.lock().requests.retain(|ticket, _| !written.contains(ticket));
    }
}
