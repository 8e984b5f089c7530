//! How values are read that serde's own types do not bound: numbers in a range, times, parts that may be null. Each error is a message
//! for the person who wrote the file.

use std::{collections::BTreeMap, time::Duration};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error},
};
use serde_yaml::{Mapping, Value};

use super::{
    Secret,
    problem::{joined, located},
};

/// A value that is there, or null. Serde takes a missing key for null, unless a function reads it.
pub(super) fn nullable<'de, D: Deserializer<'de>, T: Deserialize<'de>>(value: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(value)
}

/// A list; null has no entries.
pub(super) fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(value: D) -> Result<Vec<T>, D::Error> {
    nullable(value).map(Option::unwrap_or_default)
}

/// A whole number within a range.
pub(super) fn whole<'de, const LEAST: u64, const MOST: u64, D: Deserializer<'de>, T: TryFrom<u64>>(
    value: D,
) -> Result<T, D::Error> {
    let number = Value::deserialize(value)?.as_u64().filter(|number| (LEAST..=MOST).contains(number));
    number
        .and_then(|number| T::try_from(number).ok())
        .ok_or_else(|| D::Error::custom(format!("must be a whole number from {LEAST} to {MOST}")))
}

/// A whole number within a range, or null.
pub(super) fn whole_or_null<'de, const LEAST: u64, const MOST: u64, D: Deserializer<'de>, T: TryFrom<u64>>(
    value: D,
) -> Result<Option<T>, D::Error> {
    match Value::deserialize(value)? {
        Value::Null => Ok(None),
        value => whole::<LEAST, MOST, _, _>(value)
            .map(Some)
            .map_err(|_| D::Error::custom(format!("must be null or a whole number from {LEAST} to {MOST}"))),
    }
}

/// Days within a century, or null.
pub(super) fn days<'de, D: Deserializer<'de>>(value: D) -> Result<Option<u32>, D::Error> {
    whole_or_null::<1, 36_500, _, _>(value)
}

/// A number from 0 to a limit.
pub(super) fn number<'de, const MOST: u64, D: Deserializer<'de>>(value: D) -> Result<f64, D::Error> {
    in_range(value, 0.0, MOST)
}

/// The same, or null.
pub(super) fn number_or_null<'de, const MOST: u64, D: Deserializer<'de>>(value: D) -> Result<Option<f64>, D::Error> {
    match Value::deserialize(value)? {
        Value::Null => Ok(None),
        value => number::<MOST, _>(value)
            .map(Some)
            .map_err(|_| D::Error::custom(format!("must be null or a number from 0 to {MOST}"))),
    }
}

/// Seconds that a request may take, or for which something rests: some, and at most a day.
pub(super) fn seconds<'de, D: Deserializer<'de>>(value: D) -> Result<f64, D::Error> {
    in_range(value, 0.05, 86_400)
}

/// The same as a time.
pub(super) fn some_time<'de, D: Deserializer<'de>>(value: D) -> Result<Duration, D::Error> {
    seconds(value).map(Duration::from_secs_f64)
}

/// Seconds from 0 to a limit, as a time.
pub(super) fn time<'de, const MOST: u64, D: Deserializer<'de>>(value: D) -> Result<Duration, D::Error> {
    number::<MOST, _>(value).map(Duration::from_secs_f64)
}

/// Minutes within a week, as a time.
pub(super) fn minutes<'de, const LEAST: u64, D: Deserializer<'de>>(value: D) -> Result<Duration, D::Error> {
    whole::<LEAST, 10_080, _, u64>(value).map(|minutes| Duration::from_secs(60 * minutes))
}

fn in_range<'de, D: Deserializer<'de>>(value: D, least: f64, most: u64) -> Result<f64, D::Error> {
    #[expect(clippy::cast_precision_loss, reason = "limits are small")]
    let range = least..=most as f64;
    let number = Value::deserialize(value)?.as_f64().filter(|number| range.contains(number));
    number.ok_or_else(|| D::Error::custom(format!("must be a number from {least} to {most}")))
}

/// The thing that a word stands for.
pub(super) fn choice<E: Error, T: Copy>(word: &str, choices: &[(&str, T)]) -> Result<T, E> {
    let found = choices.iter().find(|(known, _)| *known == word).map(|(_, thing)| *thing);
    found.ok_or_else(|| {
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        E::custom(format!("must be one of {}", words.join(", ")))
    })
}

/// A text, or a number that was written without quotation marks.
#[derive(Deserialize)]
#[serde(untagged, expecting = "must be a text")]
pub(super) enum TextOrNumber {
    Text(String),
    Number(serde_yaml::Number),
}

impl From<TextOrNumber> for String {
    fn from(word: TextOrNumber) -> Self {
        match word {
            TextOrNumber::Text(text) => text,
            TextOrNumber::Number(number) => number.to_string(),
        }
    }
}

/// Secrets by free names, of any characters.
pub(super) fn secrets<'de, D: Deserializer<'de>>(value: D) -> Result<BTreeMap<String, Secret>, D::Error> {
    let words = BTreeMap::<String, TextOrNumber>::deserialize(value)?;
    Ok(words.into_iter().map(|(name, word)| (name, Secret::new(word.into()))).collect())
}

/// Takes one key out of a section whose other keys depend on it.
pub(super) fn take<T: DeserializeOwned, E: Error>(keys: &mut Mapping, key: &'static str) -> Result<T, E> {
    read_at(key, keys.remove(key).ok_or_else(|| E::missing_field(key))?)
}

/// Reads the rest of such a section.
pub(super) fn read<T: DeserializeOwned, E: Error>(keys: Mapping) -> Result<T, E> {
    read_at("", keys.into())
}

/// Reads a part of the file by itself. Its error begins with a dot and the key, which [`located`] takes apart again.
fn read_at<T: DeserializeOwned, E: Error>(section: &str, value: Value) -> Result<T, E> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let (key, message) = located(&error);
        let key = joined(section, &key);
        E::custom(if key.is_empty() { message } else { format!(".{key}: {message}") })
    })
}
