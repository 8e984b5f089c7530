//! A topic file is read strictly (docs/reference/contract.md): every problem of it is said at once.

use serde_json::{Map, Value};

use crate::editorial::aliasing;
use copydesk_newsroom::{Alias, PathName, Secrecy, SourceMetadata, StoryKey, Topic};
use copydesk_text::{count, sanitise, time_code::time_code};

/// The largest topic file or source that is read, in bytes. A book is about one megabyte; no model takes sixteen.
pub const MAX_BYTES: u64 = 16 << 20;

/// The fields of a topic.
const KEYS: [&str; 8] = [
    "source_text",
    "source_metadata",
    "style_mode",
    "target_length_words",
    "optional_angle",
    "confidential",
    "aliases",
    "readers",
];

/// The configuration's contribution to a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopicDefaults {
    /// `allowed_styles`.
    pub allowed_styles: Vec<String>,
    /// `default_style_mode`.
    pub style_mode: String,
    /// `default_target_length_words`.
    pub target_length_words: String,
}

/// Why a file cannot become a topic.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TopicError {
    /// Larger than [`MAX_BYTES`].
    #[error("it is {} MB; a source may have {} MB at most: split it, or cut it to what the story needs", .bytes >> 20, MAX_BYTES >> 20)]
    TooLarge { bytes: u64 },
    /// Not UTF-8.
    #[error("it is not UTF-8 text (first bad byte at offset {offset}): save it as UTF-8, or export it as text first")]
    NotUtf8 { offset: usize },
    #[error("it is not JSON: {message}")]
    NotJson { message: String },
    /// JSON, but not a topic: a sentence for each problem, which says what belongs in a field. The story is the one that the file names, if it
    /// names one that can be a file.
    #[error("{}", .problems.join("; "))]
    Problems { problems: Vec<String>, story: Option<StoryKey> },
}

/// The place at which a text stops being JSON, in plain words, with the reader's own reason.
pub(super) fn json_flaw(text: &str, error: &serde_json::Error) -> String {
    if text.trim().is_empty() {
        "it is empty".to_owned()
    } else if error.is_eof() {
        "it ends in the middle".to_owned()
    } else {
        format!("look at line {}, column {} ({error})", error.line(), error.column())
    }
}

/// Decodes a topic file and cleans it for the desk: JSON is UTF-8, a plain source may be anything.
///
/// # Errors
/// [`TopicError`] if it is too large, or no text.
pub fn text(bytes: &[u8]) -> Result<String, TopicError> {
    let size = bytes.len() as u64;
    if size > MAX_BYTES {
        return Err(TopicError::TooLarge { bytes: size });
    }
    let text = std::str::from_utf8(bytes).map_err(|error| TopicError::NotUtf8 { offset: error.valid_up_to() })?;
    Ok(sanitise::clean(text).into_owned())
}

/// Reads a topic file and its story's secrecy, which says what must not leave this machine.
///
/// # Errors
/// [`TopicError`], with every problem of the file at once.
pub fn parse(bytes: &[u8], defaults: &TopicDefaults) -> Result<(Topic, Secrecy), TopicError> {
    let text = text(bytes).map_err(|error| match (&error, named_in(bytes)) {
        (TopicError::NotUtf8 { .. }, story @ Some(_)) => {
            TopicError::Problems { problems: vec![error.to_string()], story }
        }
        _ => error,
    })?;
    let value: Value =
        serde_json::from_str(&text).map_err(|error| TopicError::NotJson { message: json_flaw(&text, &error) })?;
    let Value::Object(file) = value else {
        let problems =
            vec![format!("it is {}; a topic is an object with source_text and source_metadata", kind(&value))];
        return Err(TopicError::Problems { problems, story: None });
    };
    let mut reader = Reader { problems: Vec::new() };
    reader.unknown_keys("", &file, &KEYS);
    let source_text = reader.required(&file, "", "source_text", "the text that the article is written from");
    let empty = Map::new();
    let metadata = match file.get("source_metadata") {
        Some(Value::Object(metadata)) => metadata,
        other => {
            reader.wrong::<()>("source_metadata", other, "an object that says where the text comes from");
            &empty
        }
    };
    let inside = "source_metadata.";
    reader.unknown_keys(
        inside,
        metadata,
        &["source_file", "channel_name", "video_id", "video_title", "publish_date", "topic_slug", "topic_title"],
    );
    let mut field = |name: &str, what: &str| reader.required(metadata, inside, name, what);
    let source_file = field("source_file", "the path of this file");
    let channel = field("channel_name", "the channel's name");
    let video_id = field("video_id", "the recording's or document's id");
    let video_title = field("video_title", "the recording's or document's title");
    let slug = field("topic_slug", "a short name such as miller-park");
    let topic_title = field("topic_title", "the working title");
    // As written, not as cleaned: a name that hides a character is no name.
    let raw = |name: &str| metadata.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let named = |read: String, name: &str| if read.is_empty() { read } else { raw(name) };
    let channel_name = reader.path_name("source_metadata.channel_name", named(channel, "channel_name"));
    let topic_slug = reader.path_name("source_metadata.topic_slug", named(slug, "topic_slug"));
    let publish_date = match metadata.get("publish_date") {
        Some(Value::Null) => None,
        Some(Value::String(date)) if !sanitise::is_blank(date) => Some(sanitise::one_line(date)),
        other => reader.wrong(
            "source_metadata.publish_date",
            other,
            "a date such as \"2026-10-06\", or null if there is none",
        ),
    };
    let style_mode = reader.optional(&file, "style_mode").unwrap_or_else(|| defaults.style_mode.clone());
    if !defaults.allowed_styles.contains(&style_mode) {
        let styles = defaults.allowed_styles.join(", ");
        let style = sanitise::excerpt(&style_mode, 60);
        reader.problems.push(format!("style_mode is {style:?}; the configuration allows {styles}"));
    }
    let target_length_words =
        reader.optional(&file, "target_length_words").unwrap_or_else(|| defaults.target_length_words.clone());
    let optional_angle = match file.get("optional_angle") {
        Some(Value::Null) => None,
        Some(Value::String(angle)) if sanitise::is_blank(angle) => None,
        _ => reader.optional(&file, "optional_angle"),
    };
    let secrecy = reader.secrecy(&file);
    let (Some(channel_name), Some(topic_slug)) = (channel_name, topic_slug) else {
        return Err(TopicError::Problems { problems: together(reader.problems), story: None });
    };
    if !reader.problems.is_empty() {
        let story = Some(StoryKey::new(channel_name, topic_slug));
        return Err(TopicError::Problems { problems: together(reader.problems), story });
    }
    let topic = Topic {
        source_text,
        source_metadata: SourceMetadata {
            source_file: sanitise::one_line(&source_file),
            channel_name,
            video_id: sanitise::one_line(&video_id),
            video_title: sanitise::one_line(&video_title),
            publish_date,
            topic_slug,
            topic_title: sanitise::one_line(&topic_title),
        },
        style_mode,
        target_length_words,
        optional_angle,
    };
    Ok((topic, secrecy))
}

/// Most missing fields that have a sentence each.
const MOST_MISSING: usize = 3;

/// The problems, with many missing fields in one sentence.
fn together(problems: Vec<String>) -> Vec<String> {
    let (missing, others): (Vec<String>, Vec<String>) = problems.into_iter().partition(|one| one.contains(MISSING));
    if missing.len() <= MOST_MISSING {
        return missing.into_iter().chain(others).collect();
    }
    let names: Vec<&str> = missing.iter().filter_map(|one| Some(one.split_once(MISSING)?.0)).collect();
    let one = format!("{} are missing: {}", count(names.len(), "field"), names.join(", "));
    std::iter::once(one).chain(others).collect()
}

/// The middle of the sentence about a missing text.
const MISSING: &str = " is missing; it must be a non-empty string";

/// The secrecy that a possible topic file states, as far as the file can be read.
pub fn secrecy_in(bytes: &[u8]) -> Secrecy {
    let Ok(Value::Object(file)) = serde_json::from_slice(bytes) else { return Secrecy::default() };
    Reader { problems: Vec::new() }.secrecy(&file)
}

/// The story that is named in a file whose text is not UTF-8, if that is a topic as far as it can be read.
fn named_in(bytes: &[u8]) -> Option<StoryKey> {
    let file: Value = serde_json::from_str(&String::from_utf8_lossy(bytes)).ok()?;
    let name = |field: &str| {
        let name = file.get("source_metadata")?.get(field)?.as_str()?;
        PathName::new(name).ok().filter(|_| !name.contains(char::REPLACEMENT_CHARACTER))
    };
    Some(StoryKey::new(name("channel_name")?, name("topic_slug")?))
}

/// A line as a title: without the mark of a heading, or the time code of a transcript.
fn titled(line: &str) -> &str {
    time_code(line).map_or(line, |(_, words)| words).trim_start_matches('#').trim()
}

/// A topic from the text of a source: its title is the first line, its slug the file's name. The source is called by its file, as a reader
/// knows it and a draft cites it.
///
/// # Errors
/// If the text is too large or has no line with anything in it.
pub fn from_plain_source(
    path: &str,
    file_stem: &str,
    source_text: String,
    channel: PathName,
    defaults: &TopicDefaults,
) -> Result<Topic, TopicError> {
    if source_text.len() as u64 > MAX_BYTES {
        let problem = TopicError::TooLarge { bytes: source_text.len() as u64 }.to_string();
        return Err(unreadable_source(file_stem, channel, problem));
    }
    let topic_slug = PathName::slugify(file_stem);
    let first = source_text.lines().map(|line| titled(line.trim())).find(|line| !line.is_empty());
    let Some(first) = first else {
        return Err(unreadable_source(file_stem, channel, "it is empty; a source needs text".into()));
    };
    let title = sanitise::excerpt(first, 120);
    let file_name = path.rsplit(['/', '\\']).next().map(sanitise::one_line).filter(|name| !name.is_empty());
    Ok(Topic {
        source_metadata: SourceMetadata {
            source_file: path.to_owned(),
            channel_name: channel,
            video_id: topic_slug.to_string(),
            video_title: file_name.unwrap_or_else(|| title.clone()),
            publish_date: None,
            topic_slug,
            topic_title: title,
        },
        source_text,
        style_mode: defaults.style_mode.clone(),
        target_length_words: defaults.target_length_words.clone(),
        optional_angle: None,
    })
}

/// A source that cannot be read; its file's name still names its story.
pub fn unreadable_source(file_stem: &str, channel: PathName, problem: String) -> TopicError {
    let story = Some(StoryKey::new(channel, PathName::slugify(file_stem)));
    TopicError::Problems { problems: vec![problem], story }
}

struct Reader {
    problems: Vec<String>,
}

impl Reader {
    fn unknown_keys(&mut self, inside: &str, object: &Map<String, Value>, known: &[&str]) {
        for key in object.keys().filter(|key| !known.contains(&key.as_str())) {
            let key = sanitise::excerpt(key, 60);
            self.problems.push(format!("{inside}{key} is not a field of a topic; the fields are {}", known.join(", ")));
        }
    }

    /// Notes a field that is not as it must be. It counts as empty.
    fn wrong<T: Default>(&mut self, field: &str, found: Option<&Value>, belongs: &str) -> T {
        let found = match found {
            None => "is missing".to_owned(),
            Some(Value::String(text)) if sanitise::is_blank(text) => "is empty".to_owned(),
            Some(other) => format!("is {}", kind(other)),
        };
        self.problems.push(format!("{field} {found}; it must be {belongs}"));
        T::default()
    }

    fn required(&mut self, object: &Map<String, Value>, inside: &str, name: &str, what: &str) -> String {
        match object.get(name) {
            // Cleaned again: JSON's own escapes hide what was not visible in the file.
            Some(Value::String(text)) if !sanitise::is_blank(text) => sanitise::clean(text).into_owned(),
            other => self.wrong(&format!("{inside}{name}"), other, &format!("a non-empty string: {what}")),
        }
    }

    fn optional(&mut self, object: &Map<String, Value>, name: &str) -> Option<String> {
        match object.get(name) {
            None => None,
            Some(Value::String(text)) if !sanitise::is_blank(text) => Some(sanitise::one_line(text)),
            other => self.wrong(name, other, "a non-empty string, or left out"),
        }
    }

    fn secrecy(&mut self, file: &Map<String, Value>) -> Secrecy {
        let confidential = match file.get("confidential") {
            None => false,
            Some(Value::Bool(confidential)) => *confidential,
            other => {
                self.wrong::<()>("confidential", other, "true or false, without quotation marks");
                // Whoever writes the key means something by it.
                true
            }
        };
        let mut aliases = Vec::new();
        match file.get("aliases") {
            None => {}
            Some(Value::Object(named)) => {
                for (name, label) in named {
                    match label {
                        Value::String(label) => aliases.push(Alias { name: name.clone(), label: label.clone() }),
                        other => self.wrong("a label in aliases", Some(other), "a string such as \"SOURCE-1\""),
                    }
                }
            }
            other => self.wrong("aliases", other, "an object of names and labels, such as {\"Ann Lee\": \"SOURCE-1\"}"),
        }
        let errors = aliasing::checked(&aliases, std::iter::empty()).err().into_iter().flatten();
        self.problems.extend(errors.map(|error| format!("aliases: {error}")));
        let readers = match file.get("readers") {
            None => Vec::new(),
            Some(Value::Array(named)) => {
                let logins = named.iter().map(|name| name.as_str().filter(|name| !sanitise::is_blank(name)));
                let readers: Vec<String> = logins.clone().flatten().map(str::to_owned).collect();
                if readers.len() < named.len() {
                    self.problems.push("readers: each must be the name of a user or group of the database".to_owned());
                }
                readers
            }
            other => self.wrong("readers", other, "a list of users or groups of the database, such as [\"ada\"]"),
        };
        if !confidential && file.contains_key("readers") {
            self.problems.push("readers is for a confidential story: add \"confidential\": true".to_owned());
        }
        Secrecy { confidential, aliases, readers }
    }

    fn path_name(&mut self, field: &str, name: String) -> Option<PathName> {
        if name.is_empty() {
            return None;
        }
        match PathName::new(name) {
            Ok(name) => Some(name),
            Err(error) => {
                self.problems.push(format!("{field} {error}"));
                None
            }
        }
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn defaults() -> TopicDefaults {
        TopicDefaults {
            allowed_styles: vec!["NATURE_NEWS".into(), "SCIAM_MAGAZINE".into()],
            style_mode: "SCIAM_MAGAZINE".into(),
            target_length_words: "900-1200".into(),
        }
    }

    fn good() -> Value {
        json!({
            "source_text": "The council voted.",
            "source_metadata": {
                "source_file": "park.json", "channel_name": "desk", "video_id": "v", "video_title": "Minutes",
                "publish_date": null, "topic_slug": "park", "topic_title": "The park"
            }
        })
    }

    fn read(value: &Value) -> Result<Topic, TopicError> {
        parse(&serde_json::to_vec(value).unwrap(), &defaults()).map(|(topic, _)| topic)
    }

    #[test]
    fn what_must_not_leave_is_read_and_what_is_unclear_is_refused() {
        let secrecy = |key: &str, value: Value| {
            let mut topic = good();
            topic[key] = value;
            let bytes = serde_json::to_vec(&topic).unwrap();
            (
                parse(&bytes, &defaults()).map(|(_, secrecy)| secrecy).map_err(|error| error.to_string()),
                secrecy_in(&bytes),
            )
        };
        let confidential = Secrecy { confidential: true, ..Secrecy::default() };
        assert_eq!(secrecy("confidential", json!(true)), (Ok(confidential.clone()), confidential));
        let aliases = vec![Alias { name: "Ann Lee".into(), label: "SOURCE-1".into() }];
        let hides = Secrecy { aliases, ..Secrecy::default() };
        assert_eq!(secrecy("aliases", json!({"Ann Lee": "SOURCE-1"})), (Ok(hides.clone()), hides));
        for (key, value, found) in [
            ("confidential", json!("true"), "confidential is a string; it must be true or false"),
            ("confidential", json!(null), "confidential is null"),
            ("aliases", json!(["Ann Lee"]), "aliases is a list"),
            ("aliases", json!({"Ann Lee": 1}), "a label in aliases is a number"),
            ("aliases", json!({"Ann Lee": "Ann"}), "is no label"),
            ("aliases", json!({"": "SOURCE-1"}), "is no name"),
            ("aliases", json!({"Ann Lee": "SOURCE-1", "Bob Ray": "SOURCE-1"}), "given twice"),
            ("readers", json!("ada"), "readers is a string; it must be a list"),
            ("readers", json!(["ada", ""]), "the name of a user or group"),
            ("readers", json!(["ada"]), "readers is for a confidential story"),
        ] {
            let (read, kept) = secrecy(key, value.clone());
            assert!(read.as_ref().is_err_and(|said| said.contains(found)), "{value}: {read:?}");
            assert_eq!(kept.confidential, key == "confidential", "an unclear word for a secret is taken for one");
        }
    }

    fn with(path: &str, value: Value) -> Value {
        let mut topic = good();
        *topic.pointer_mut(path).unwrap() = value;
        topic
    }

    fn problems(value: &Value) -> String {
        read(value).unwrap_err().to_string()
    }

    #[test]
    fn what_is_left_out_comes_from_the_configuration() {
        let topic = read(&good()).unwrap();
        assert_eq!(
            (topic.style_mode.as_str(), topic.target_length_words.as_str(), topic.optional_angle),
            ("SCIAM_MAGAZINE", "900-1200", None)
        );
    }

    #[test]
    fn every_problem_is_said_at_once_with_field_and_remedy() {
        let mut topic = good();
        topic["source_text"] = json!("  ");
        topic["style"] = json!("x");
        topic["style_mode"] = json!("TABLOID");
        topic["optional_angle"] = json!(3);
        topic["source_metadata"].as_object_mut().unwrap().remove("video_id");
        topic["source_metadata"]["channel_name"] = json!("../x");
        let said = problems(&topic);
        for part in [
            "source_text is empty; it must be a non-empty string",
            "style is not a field of a topic",
            "\"TABLOID\"; the configuration allows NATURE_NEWS, SCIAM_MAGAZINE",
            "optional_angle is a number",
            "source_metadata.video_id is missing",
            "source_metadata.channel_name holds '/'",
        ] {
            assert!(said.contains(part), "{part:?} in {said:?}");
        }
    }

    #[test]
    fn many_missing_fields_are_named_in_one_sentence() {
        let mut topic = good();
        topic["source_metadata"] = json!({ "channel_name": "desk", "publish_date": null });
        let said = problems(&topic);
        let fields = "5 fields are missing: source_metadata.source_file, source_metadata.video_id, source_metadata.video_title, \
                      source_metadata.topic_slug, source_metadata.topic_title";
        assert!(said.contains(fields), "{said}");
    }

    #[test]
    fn a_publication_date_is_null_only_where_the_file_says_so() {
        let mut topic = good();
        topic["source_metadata"].as_object_mut().unwrap().remove("publish_date");
        assert!(problems(&topic).contains("publish_date is missing"));
        assert!(problems(&with("/source_metadata/publish_date", json!(""))).contains("publish_date is empty"));
    }

    #[test]
    fn a_rejected_topic_still_names_its_story_where_it_can() {
        let Err(TopicError::Problems { story, .. }) = read(&with("/source_text", json!(""))) else { unreachable!() };
        assert_eq!(story.unwrap().to_string(), "desk/park");
        for slug in ["../x", "/abs", "a\u{0}b", "CON", &"x".repeat(300)] {
            let Err(TopicError::Problems { story, .. }) = read(&with("/source_metadata/topic_slug", json!(slug)))
            else {
                unreachable!("{slug:?}")
            };
            assert_eq!(story, None, "{slug:?}");
        }
    }

    #[test]
    fn a_file_that_is_not_utf_8_still_names_its_story_where_that_can_be_read() {
        let latin = |topic: Value| {
            let text = serde_json::to_vec(&topic).unwrap();
            text.into_iter().map(|byte| if byte == b'~' { 0xE9 } else { byte }).collect::<Vec<u8>>()
        };
        let told = parse(&latin(with("/source_text", json!("The maire ~lu."))), &defaults()).unwrap_err();
        assert!(told.to_string().starts_with("it is not UTF-8 text (first bad byte at offset "), "{told}");
        assert!(matches!(told, TopicError::Problems { story: Some(story), .. } if story.to_string() == "desk/park"));
        for field in ["channel_name", "topic_slug"] {
            let told = parse(&latin(with(&format!("/source_metadata/{field}"), json!("caf~"))), &defaults());
            assert!(matches!(told, Err(TopicError::NotUtf8 { .. })), "{field}: {told:?}");
        }
    }

    #[test]
    fn a_source_that_cannot_be_read_is_named_by_its_file() {
        let channel = PathName::new("desk").unwrap();
        let large = "x ".repeat(9 << 20);
        let told = from_plain_source("in/A b.txt", "A b", large, channel.clone(), &defaults()).unwrap_err();
        assert!(told.to_string().starts_with("it is 18 MB; "), "{told}");
        let TopicError::Problems { story, .. } = told else { unreachable!() };
        assert_eq!(story, Some(StoryKey::new(channel.clone(), PathName::new("a-b").unwrap())));
        let damaged = unreadable_source("A b", channel, "it is damaged".into());
        assert_eq!(damaged, TopicError::Problems { problems: vec!["it is damaged".into()], story });
    }

    #[test]
    fn bytes_that_are_no_text_or_no_json_say_where() {
        assert_eq!(parse(b"ab\xff", &defaults()), Err(TopicError::NotUtf8 { offset: 2 }));
        assert!(parse(b"{\"a\": ", &defaults()).unwrap_err().to_string().contains("it ends in the middle"));
        assert!(parse(b"[]", &defaults()).unwrap_err().to_string().contains("it is a list"));
        let huge = vec![b' '; 50 << 20];
        assert!(parse(&huge, &defaults()).unwrap_err().to_string().starts_with("it is 50 MB; a source may have 16 MB"));
    }

    #[test]
    fn a_plain_source_is_titled_by_its_first_line_and_called_by_its_file() {
        let channel = PathName::new("newsroom").unwrap();
        let topic = from_plain_source(
            "in/Notes 1.txt",
            "Notes 1",
            "\n# Park vote\n\nText.".into(),
            channel.clone(),
            &defaults(),
        )
        .unwrap();
        assert_eq!(topic.story().to_string(), "newsroom/notes-1");
        let SourceMetadata { topic_title, video_title, .. } = &topic.source_metadata;
        assert_eq!((topic_title.as_str(), video_title.as_str()), ("Park vote", "Notes 1.txt"));
        let talk = from_plain_source(
            "talk.vtt",
            "talk",
            "[00:00:01] VOSS: Good evening.".into(),
            channel.clone(),
            &defaults(),
        )
        .unwrap();
        assert_eq!(talk.source_metadata.topic_title, "VOSS: Good evening.");
        assert!(from_plain_source("x.txt", "x", " \n".into(), channel, &defaults()).is_err());
    }
}
