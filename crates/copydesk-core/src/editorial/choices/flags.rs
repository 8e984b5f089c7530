//! Accepting the flags of a story: a decision about a run that has ended, which changes nothing in it.

use super::{refused::Refused, texts::said};
use copydesk_newsroom::{ListedRun, RunState};
use copydesk_text::sanitise;

/// The reason for accepting a run's flags, cleaned.
///
/// # Errors
/// [`Refused`] if it has none that are open, or if nothing is said.
pub fn accept_flags(run: &ListedRun, reason: &str) -> Result<String, Refused> {
    let now = match (run.state, &run.signed_by, &run.settled_by) {
        (RunState::Open, _, _) => Some("has not ended".to_owned()),
        (_, Some(by), _) => Some(format!("is signed off by {by}")),
        (_, _, Some(by)) => Some(format!("has had its flags accepted by {by}")),
        _ if run.reasons().is_empty() => Some("is not flagged".to_owned()),
        _ => None,
    };
    if let Some(now) = now {
        let when = "for a flagged story that nobody has decided";
        return Err(Refused::NotNow { what: "Accepting flags", when, now });
    }
    if !run.current {
        return Err(Refused::Replaced { what: "Accepting flags" });
    }
    said(reason, "say why you accept the flags")?;
    Ok(sanitise::clean(reason).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flagged() -> ListedRun {
        ListedRun { flags: vec!["a flag".into()], ..ListedRun::example("desk/park", "The park", "failed") }
    }

    #[test]
    fn only_the_open_flags_of_a_storys_current_run_can_be_accepted_and_for_a_reason() {
        assert_eq!(accept_flags(&flagged(), " It is \u{1b}[31mart.\n"), Ok("It is art.".to_owned()));
        let by = || Some("Ada".to_owned());
        for (run, why) in [
            (ListedRun { state: RunState::Open, ..flagged() }, "this story has not ended"),
            (ListedRun { flags: vec![], ..flagged() }, "this story is not flagged"),
            (ListedRun { signed_by: by(), ..flagged() }, "this story is signed off by Ada"),
            (ListedRun { settled_by: by(), ..flagged() }, "this story has had its flags accepted by Ada"),
            (ListedRun { current: false, ..flagged() }, "A later run has replaced this one"),
        ] {
            let said = accept_flags(&run, "So.").unwrap_err().to_string();
            assert!(said.starts_with("Accepting flags is possible ") && said.contains(why), "{said}");
        }
        assert_eq!(accept_flags(&flagged(), " \n"), Err(Refused::Text("say why you accept the flags")));
    }
}
