//! What follows a sign-off: deliveries, stories that rest on the same passages, and who was asked for a reply.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{
    desk::{Dispatched, Planned},
    editorial::{distribution::NextSending, replies::in_a_line},
    newsroom::{DeliveryState, ListedRun, SharingStory, StoryReply, TargetKind, local_time},
    ports::KeptDelivery,
    text::{count, sanitise},
};

/// Most stories that are named one by one.
const MOST: usize = 20;

/// Most texts that are named of one story.
const MOST_TEXTS: usize = 3;

/// The other stories that rest on passages of a story; nothing if there are none.
pub fn sharing_lines(shared: &[SharingStory]) -> Vec<String> {
    let head = match shared.len() {
        0 => return Vec::new(),
        1 => "1 other story rests on the same passages:".to_owned(),
        several => format!("{several} other stories rest on the same passages:"),
    };
    let line = |other: &SharingStory| {
        let signed = other
            .signed_by
            .as_ref()
            .map_or_else(String::new, |editor| format!(", signed off by {}", sanitise::excerpt(editor, 40)));
        let mut texts: Vec<String> =
            other.texts.iter().take(MOST_TEXTS).map(|name| sanitise::excerpt(name, 60)).collect();
        texts.extend((other.texts.len() > MOST_TEXTS).then(|| "…".to_owned()));
        format!(
            "  {}: {} of {}{signed}",
            sanitise::one_line(&other.story),
            count(other.passages, "passage"),
            texts.join(", ")
        )
    };
    let more = shared.len().saturating_sub(MOST);
    let more = (more > 0).then(|| format!("  and {more} more (`copydesk show --json` has them all)"));
    std::iter::once(head).chain(shared.iter().take(MOST).map(line)).chain(more).collect()
}

/// Who was asked for a reply, what they said, and whom the draft accuses without an entry; nothing if there is neither.
pub fn reply_lines(run: &ListedRun, replies: &[StoryReply], now: Timestamp) -> Vec<String> {
    let unasked = run.unasked.iter().map(|name| {
        let name = sanitise::one_line(name);
        format!("  {name}: accused, and not asked. `copydesk reply {} \"{name}\" --by TIME` notes it", run.story)
    });
    let lines: Vec<String> =
        replies.iter().map(|reply| format!("  {}", in_a_line(reply, now))).chain(unasked).collect();
    if lines.is_empty() { lines } else { std::iter::once("Right of reply:".to_owned()).chain(lines).collect() }
}

/// The line about a planned sending to one target.
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
pub fn kept_line(kept: &KeptDelivery) -> String {
    format!("{}  {} ({})", local_time(&kept.changed_at), kept.delivery.line(), kept.delivery.by)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::newsroom::ReplyAnswer;

    #[test]
    fn who_was_asked_is_told_with_what_they_said_and_who_was_not_with_what_to_do() {
        let now = "2026-10-06T12:00:00Z".parse().unwrap();
        let reply = |name: &str, due: Option<&str>, answer: Option<&str>| StoryReply {
            name: name.into(),
            about: "the money".into(),
            asked_at: "2026-10-05T12:00:00.000Z".into(),
            asked_by: "Ada".into(),
            due: due.map(str::to_owned),
            answer: answer.map(|text| ReplyAnswer {
                text: text.into(),
                at: "2026-10-06T09:00:00.000Z".into(),
                by: "Ada".into(),
            }),
        };
        let mut run = ListedRun::example("desk/park", "The park", "success");
        assert_eq!(reply_lines(&run, &[], now), Vec::<String>::new());
        run.unasked = vec!["Carl Day".into()];
        let replies = [
            reply("Ann Lee", Some("2026-10-06T10:00:00.000Z"), None),
            reply("Bob Ray", Some("2026-10-06T10:00:00.000Z"), Some("No.\u{1b}[2J\nNever.")),
            reply("Dee Fox", Some("2026-10-06T14:00:00.000Z"), None),
            reply("Eve Gray", None, None),
        ];
        let lines = reply_lines(&run, &replies, now);
        for (line, says) in lines.iter().zip([
            "Right of reply:",
            "OVERDUE: due ",
            "“No. Never.”",
            "(in 2 h)",
            "no time set",
            "Carl Day: accused, and not asked. `copydesk reply desk/park \"Carl Day\" --by TIME`",
        ]) {
            assert!(line.contains(says), "{says}: {line}");
        }
        assert_eq!(lines.len(), 6);
        assert!(!lines[3].contains("OVERDUE"), "{}", lines[3]);
    }

    #[test]
    fn other_stories_are_named_with_what_they_share() {
        let other = |story: &str, signed_by: Option<&str>, passages, texts: &[&str]| SharingStory {
            story: story.into(),
            title: "t".into(),
            signed_by: signed_by.map(str::to_owned),
            passages,
            texts: texts.iter().map(|text| (*text).to_owned()).collect(),
        };
        assert_eq!(sharing_lines(&[]), Vec::<String>::new());
        let stories = [
            other("desk/mill", Some("Ada"), 3, &["minutes\u{1b}[2J.txt"]),
            other("desk/pool", None, 1, &["a", "b", "c", "d"]),
        ];
        assert_eq!(
            sharing_lines(&stories),
            [
                "2 other stories rest on the same passages:",
                "  desk/mill: 3 passages of minutes.txt, signed off by Ada",
                "  desk/pool: 1 passage of a, b, c, …",
            ]
        );
        assert_eq!(sharing_lines(&stories[1..])[0], "1 other story rests on the same passages:");
        let many = vec![other("desk/mill", None, 1, &["a"]); 25];
        assert_eq!(sharing_lines(&many).last().unwrap(), "  and 5 more (`copydesk show --json` has them all)");
    }
}
