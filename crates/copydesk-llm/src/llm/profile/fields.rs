//! The fields of a request for a server that refused one of the usual.

use serde_json::Value;

use copydesk_config::RequestFields;
use copydesk_core::ports::RequestField;

/// The fields of the next try; none if the refused one could not be sent otherwise, or was sent so already.
pub(super) fn without(fields: &RequestFields, refused: &RequestField) -> Option<RequestFields> {
    let mut next = fields.clone();
    match refused {
        RequestField::MaxTokens { wanted, .. } => {
            next.max_tokens = wanted.clone().unwrap_or_else(|| RequestFields::default().max_tokens);
        }
        RequestField::StreamOptions => next.stream_options = false,
        RequestField::SystemRole => next.system_role = false,
        RequestField::Temperature => drop(next.extra.insert("temperature".into(), Value::Null)),
        RequestField::ResponseFormat | RequestField::Tools | RequestField::Extra(_) => {}
    }
    (next != *fields).then_some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_field_is_sent_otherwise_once() {
        let usual = RequestFields::default();
        let max_tokens =
            RequestField::MaxTokens { field: "max_tokens".into(), wanted: Some("max_completion_tokens".into()) };
        let next = without(&usual, &max_tokens).unwrap();
        assert_eq!(next.max_tokens, "max_completion_tokens");
        assert_eq!(without(&next, &max_tokens), None);
        let next = without(&next, &RequestField::Temperature).unwrap();
        assert_eq!(next.extra.get("temperature"), Some(&Value::Null));
        let next = without(&next, &RequestField::SystemRole).unwrap();
        let next = without(&next, &RequestField::StreamOptions).unwrap();
        assert!(!next.system_role && !next.stream_options && next.max_tokens == "max_completion_tokens");
        assert_eq!(without(&usual, &RequestField::Tools), None);
    }
}
