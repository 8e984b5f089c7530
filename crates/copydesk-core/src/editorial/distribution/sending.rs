//! Decides about a delivery that is known already.

use copydesk_newsroom::{DeliveryState, StoryDelivery};

/// The result for a person who publishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextSending {
    /// It is sent.
    Send,
    /// The target has it.
    Already,
    /// It is unknown whether the target has it: a person must say that it is to be sent again.
    Doubtful,
}

/// The next action for a delivery. `again`: a person says that it is to be sent whatever happened to it. The caller holds the story, so
/// that no other program is sending it: a delivery in the state of being sent was given up by a program that ended.
#[must_use]
pub fn next_sending(known: Option<&StoryDelivery>, again: bool) -> NextSending {
    let Some(delivery) = known.filter(|_| !again) else { return NextSending::Send };
    match delivery.state {
        DeliveryState::Waiting | DeliveryState::Failed => NextSending::Send,
        DeliveryState::Sent => NextSending::Already,
        DeliveryState::Sending | DeliveryState::Unknown if delivery.kind.may_repeat() => NextSending::Send,
        DeliveryState::Sending | DeliveryState::Unknown => NextSending::Doubtful,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_newsroom::TargetKind;

    #[test]
    fn what_may_have_arrived_is_sent_again_by_itself_only_where_that_does_no_harm() {
        use DeliveryState::{Failed, Sending, Sent, Unknown, Waiting};
        use NextSending::{Already, Doubtful, Send};
        let next = |kind, state, again| {
            let delivery = StoryDelivery {
                key: "k".into(),
                target: "t".into(),
                kind,
                place: "p".into(),
                version: "v".into(),
                digest: None,
                state,
                attempts: 1,
                answer: None,
                by: "Ada".into(),
            };
            next_sending(Some(&delivery), again)
        };
        assert_eq!(next_sending(None, false), Send);
        for kind in TargetKind::ALL {
            let doubt = if matches!(kind, TargetKind::Webhook | TargetKind::Folder) { Send } else { Doubtful };
            for (state, wanted) in
                [(Waiting, Send), (Failed, Send), (Sent, Already), (Sending, doubt), (Unknown, doubt)]
            {
                assert_eq!(next(kind, state, false), wanted, "{kind:?} {state:?}");
                assert_eq!(next(kind, state, true), Send);
            }
        }
    }
}
