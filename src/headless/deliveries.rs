//! Deliveries as lines and JSON: what would go where, and what became of it.

use serde_json::{Value, json};

use crate::{
    desk::{Dispatched, Planned},
    editorial::distribution::NextSending,
    newsroom::{DeliveryState, TargetKind, local_time},
    ports::KeptDelivery,
    text::count,
};

/// The line about a planned sending to one target.
#[must_use]
pub fn planned_line(planned: &Planned) -> String {
    let (target, place) = (planned.target(), planned.place());
    let bytes = u64::try_from(planned.parcel.bytes.len()).unwrap_or(u64::MAX);
    let notice = if planned.withdraws { "the notice of withdrawal, " } else { "" };
    let what = format!("{notice}{} ({})", planned.parcel.file_name, count(bytes, "byte"));
    match (planned.next, &planned.known) {
        (NextSending::Already, _) => format!("{target} ({place}) has it already; --again would send {what}"),
        (NextSending::Doubtful, _) => format!("{target} ({place}) may have it; --again would send {what}"),
        (NextSending::Send, Some(known)) if known.attempts > 0 => {
            format!("{what} would go to {target} ({place}) again, under the same key")
        }
        (NextSending::Send, _) => format!("{what} would go to {target} ({place})"),
    }
}

/// Likewise, as JSON.
#[must_use]
pub fn planned_json(planned: &Planned) -> Value {
    json!({
        "story": planned.parcel.story,
        "target": planned.target(),
        "kind": planned.kind(),
        "place": planned.place(),
        "withdraws": planned.withdraws,
        "key": planned.parcel.key,
        "file_name": planned.parcel.file_name,
        "bytes": planned.parcel.bytes.len(),
        "digest": planned.digest,
        "would_send": planned.next == NextSending::Send,
        "known": planned.known,
    })
}

/// The result of one delivery, and the next step.
#[must_use]
pub fn dispatched_line(story: &str, dispatched: &Dispatched) -> String {
    let delivery = &dispatched.delivery;
    let line = delivery.line();
    let again = format!("`copydesk publish {story} --to {} --again`", delivery.target);
    match (dispatched.next, delivery.state) {
        (NextSending::Already, _) => format!("{line} (earlier; {again} sends it once more)"),
        (_, DeliveryState::Unknown) if delivery.kind == TargetKind::Email => format!(
            "{line}. Ask the receivers. If they do not have it: {again}; the mail has the same Message-ID, so that a second one can be told"
        ),
        (_, DeliveryState::Unknown) if delivery.kind.may_repeat() => {
            format!("{line}. `copydesk publish {story} --to {}` sends it again, under the same key", delivery.target)
        }
        (_, DeliveryState::Unknown) => format!("{line}. Look there. If it is not there: {again}"),
        _ => line,
    }
}

/// A delivery in the report of its story.
#[must_use]
pub fn kept_line(kept: &KeptDelivery) -> String {
    format!("{}  {} ({})", local_time(&kept.changed_at), kept.delivery.line(), kept.delivery.by)
}
