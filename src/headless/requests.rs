//! The ledger over all requests as lines.

use crate::{
    newsroom::local_time,
    ports::KeptRequest,
    text::{count, sanitise},
};

/// A line for each request, and what they come to.
pub fn request_lines(requests: &[KeptRequest]) -> Vec<String> {
    let mut lines: Vec<String> = requests.iter().map(line).collect();
    let sent = || requests.iter().filter(|request| request.bytes_out > 0);
    let away: Vec<&KeptRequest> = sent().filter(|request| request.left).collect();
    let bytes: u64 = away.iter().map(|request| request.bytes_out).sum();
    let here = sent().count() - away.len();
    lines.push(format!(
        "{} to other machines ({}), {} to this one.",
        count(away.len(), "request"),
        count(bytes, "byte"),
        count(here, "request")
    ));
    lines
}

fn line(request: &KeptRequest) -> String {
    let KeptRequest { at, story, deleted_story, why, host, port, left, bytes_out, bytes_in, outcome } = request;
    let story = match (story, deleted_story) {
        (Some(story), _) => story,
        (None, true) => "a deleted story",
        (None, false) => "no story",
    };
    let place = if *left { "" } else { " (this machine)" };
    let back = bytes_in.map_or_else(|| "?".to_owned(), |bytes| bytes.to_string());
    let outcome = outcome.as_deref().unwrap_or("no answer was noted");
    let line =
        format!("{} {host}:{port}{place} {story} {why}: {bytes_out} bytes out, {back} in, {outcome}", local_time(at));
    sanitise::one_line(&line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_request_is_a_line_and_what_left_is_summed_up() {
        let sent = KeptRequest {
            at: "2026-10-06T12:00:00.000Z".into(),
            story: Some("desk/park".into()),
            deleted_story: false,
            why: "r1.review: reviewer\u{1b}[2J".into(),
            host: "models.example".into(),
            port: 443,
            left: true,
            bytes_out: 1_200,
            bytes_in: Some(34),
            outcome: Some("200".into()),
        };
        let here = KeptRequest { story: None, left: false, bytes_in: None, outcome: None, ..sent.clone() };
        let gone = KeptRequest { story: None, deleted_story: true, bytes_out: 0, ..sent.clone() };
        let lines = request_lines(&[sent, here, gone]);
        assert!(lines[0].contains("models.example:443 desk/park r1.review: reviewer"), "{lines:?}");
        assert!(lines[0].ends_with("1200 bytes out, 34 in, 200") && !lines[0].contains('\u{1b}'), "{lines:?}");
        assert!(lines[1].contains("(this machine) no story") && lines[1].ends_with("? in, no answer was noted"));
        assert!(lines[2].contains("a deleted story"));
        assert_eq!(lines[3], "1 request to other machines (1200 bytes), 1 request to this one.");
    }
}
