//! Data as JSON or as TOON (Token-Oriented Object Notation, <https://toonformat.dev>, specification 4.4): whichever counts fewer tokens.

use serde::Serialize;
use serde_json::Value;

/// How data is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Notation {
    Toon,
    /// Without white space.
    Json,
}

/// Data as text, in the notation that counts fewer tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoded {
    pub text: String,
    pub notation: Notation,
    /// Its tokens in TOON. None if TOON cannot hold it: it goes 256 levels deep at most.
    pub toon_tokens: Option<u64>,
    /// Its tokens in JSON without white space.
    pub json_tokens: u64,
}

/// Writes `value` in TOON if that counts fewer tokens than JSON without white space, and in that JSON if not.
pub fn smaller(value: &Value, count: impl Fn(&str) -> u64) -> Encoded {
    let json = value.to_string();
    let json_tokens = count(&json);
    let toon = toon_format::encode_default(value).ok();
    let toon_tokens = toon.as_deref().map(count);
    match (toon, toon_tokens) {
        (Some(text), Some(tokens)) if tokens < json_tokens => {
            Encoded { text, notation: Notation::Toon, toon_tokens, json_tokens }
        }
        _ => Encoded { text: json, notation: Notation::Json, toon_tokens, json_tokens },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tokens;

    fn written(value: &Value) -> Encoded {
        smaller(value, |text| tokens::count("o200k_base", text))
    }

    #[test]
    fn a_table_is_written_in_toon_and_reads_back_as_it_was() {
        let rows: Vec<Value> =
            (0..20).map(|year| json!({"year": 2000 + year, "rate": 1.5, "homes": 40 + year})).collect();
        let table = json!({ "rows": rows });
        let encoded = written(&table);
        assert!(encoded.text.starts_with("rows[20]{year,rate,homes}:\n  2000,1.5,40\n"), "{}", encoded.text);
        assert_eq!(encoded.notation, Notation::Toon);
        assert!(encoded.toon_tokens < Some(encoded.json_tokens), "{encoded:?}");
        assert_eq!(toon_format::decode_default::<Value>(&encoded.text).unwrap(), table);
    }

    #[test]
    fn data_that_toon_makes_longer_stays_json() {
        let nested = json!([{"a": [[1], [2, [3]]]}, {"b": {"c": [{"d": []}, "x: y"]}}]);
        let encoded = written(&nested);
        assert_eq!((encoded.notation, encoded.text.as_str()), (Notation::Json, nested.to_string().as_str()));
        assert!(encoded.toon_tokens >= Some(encoded.json_tokens), "{encoded:?}");
    }

    #[test]
    fn data_that_is_too_deep_for_toon_stays_json() {
        let deep = (0..300).fold(json!(1), |inner, _| json!([inner]));
        let encoded = written(&deep);
        assert_eq!((encoded.notation, encoded.toon_tokens), (Notation::Json, None));
        assert_eq!(encoded.text, deep.to_string());
    }
}
