//! Derives settings from what was learned of a model server. Nothing is asked and nothing is written here.

use serde_yaml::Value;

use crate::{
    cli::wiring::clock,
    config::{KeyChange, ModelSettings, RequestFields, SECTIONS, value_at},
    llm::{CAREFUL_WINDOW, ServerProfile, Stated},
    text::thousands,
};

/// The agents that have a model in a file: the Reporter, the Editor and the Publisher may have none.
pub(crate) fn agents(root: &Value) -> impl Iterator<Item = &'static str> {
    let has = |agent: &&str| {
        value_at(root, &format!("article_generation.agents.{agent}")).is_some_and(|section| section.is_mapping())
    };
    SECTIONS.map(|(section, _)| section).into_iter().filter(has)
}

/// The agent whose answer is an article.
const WRITER: &str = "writer_llm";
/// Tokens that two words of an article take, with what stands around the text: an English word has one and a third.
const TOKENS_OF_TWO: u64 = 3;
/// Most words of an article if the configuration does not say.
const WORDS: u64 = 1200;
/// Most tokens of an answer for the writer and for the others, as the template has them.
const MOST: (u64, u64) = (8192, 2048);
/// The per cent of a window that a prompt may fill at most.
const THRESHOLD: u64 = 90;
/// How much longer than measured a server may take to read.
const MARGIN: f64 = 2.0;
/// Time-outs are whole half minutes, and at most an hour.
const STEP: (u64, u64) = (30, 3600);
/// Stories at once, and specialists of one story at once: the template's, if the server takes as many.
const STORIES: u32 = 4;
const SPECIALISTS: u32 = 8;
/// Billions of parameters below which a model writes by sections.
const SMALL: f64 = 8.0;
/// Attempts after the first that a small model gets.
const SMALL_RETRIES: u64 = 3;

/// How settings that a person may have chosen are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    /// A newly chosen model: every setting is made to fit.
    New,
    /// A model in use: only what does not fit any more is named.
    Kept,
}

/// A configuration, and the agents in it that have the measured model.
pub(crate) struct FittedFile<'a> {
    root: &'a Value,
    /// Their sections, as [`agents`] names them.
    agents: Vec<&'static str>,
    /// The server's host with its port.
    host: String,
    /// The day on which this was learned, `2026-11-27`.
    date: String,
    fit: Fit,
}

impl<'a> FittedFile<'a> {
    /// What is learned today of a model's server, for these agents.
    pub(crate) fn new(root: &'a Value, agents: Vec<&'static str>, model: &ModelSettings, fit: Fit) -> Self {
        Self { root, agents, host: model.endpoint.server(), date: clock::today(), fit }
    }

    fn value(&self, path: &str) -> Option<Value> {
        value_at(self.root, path)
    }

    fn number(&self, path: &str) -> Option<u64> {
        self.value(path)?.as_u64()
    }

    /// A change with its note; none if the file lacks the key.
    fn learned(&self, path: &str, to: impl Into<Value>, how: &str) -> Option<KeyChange> {
        self.value(path)?;
        Some(KeyChange::new(path, to).learned(&self.date, how))
    }

    /// The same, unless a model in use has a setting that this test accepts.
    fn unless(&self, path: &str, to: u64, how: &str, is_fine: impl Fn(u64) -> bool) -> Option<KeyChange> {
        let kept = self.fit == Fit::Kept && self.number(path).is_some_and(is_fine);
        if kept { None } else { self.learned(path, to, how) }
    }

    /// The same, unless a model in use has this setting already.
    fn fits(&self, path: &str, to: impl Into<Value>, how: &str) -> Option<KeyChange> {
        let to = to.into();
        if self.fit == Fit::Kept && self.value(path).as_ref() == Some(&to) { None } else { self.learned(path, to, how) }
    }

    /// The most words of an article.
    fn words(&self) -> u64 {
        let length = self.value("article_generation.default_target_length_words");
        let length = length.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
        length.split(['-', '–']).next_back().and_then(|most| most.trim().parse().ok()).unwrap_or(WORDS)
    }
}

/// The settings that fit, in the order of the file.
pub(crate) fn fitted(profile: &ServerProfile, file: &FittedFile<'_>) -> Vec<KeyChange> {
    let mut changes: Vec<KeyChange> = Vec::new();
    changes.extend(writer_mode(profile, file));
    for agent in &file.agents {
        changes.extend(of_agent(profile, file, agent));
    }
    changes.extend(of_desk(profile, file));
    changes
}

/// A small model is asked for an article section by section.
fn writer_mode(profile: &ServerProfile, file: &FittedFile<'_>) -> Option<KeyChange> {
    let size = profile.billions.as_ref().filter(|_| file.agents.contains(&WRITER))?;
    let mode = if size.value < SMALL { "sections" } else { "whole" };
    file.fits("article_generation.writer_mode", mode, &format!("{:.1} billion parameters ({})", size.value, size.how))
}

fn of_agent(profile: &ServerProfile, file: &FittedFile<'_>, agent: &str) -> Vec<KeyChange> {
    let at = |key: &str| format!("article_generation.agents.{agent}.{key}");
    let (window, how) = match &profile.window {
        Some(Stated { value, how }) => (*value, how.clone()),
        None if file.fit == Fit::Kept => (file.number(&at("context_window")).unwrap_or(CAREFUL_WINDOW), String::new()),
        None => {
            (CAREFUL_WINDOW, format!("nobody says how large the window is; {} is careful", thousands(CAREFUL_WINDOW)))
        }
    };
    let mut changes = Vec::new();
    if !how.is_empty() {
        changes.extend(file.unless(&at("context_window"), window, &how, |now| now == window));
    }
    let fits = longest_answer(window, agent, file.words());
    let most = profile.longest_answer.as_ref().filter(|most| most.value < fits);
    let (answer, why) = match most {
        Some(most) => (most.value, most.how.clone()),
        None => (fits, format!("an answer that fits a window of {} beside its prompt", thousands(window))),
    };
    let is_fine = |now: u64| now <= window / 2 && most.is_none_or(|most| now <= most.value);
    changes.extend(file.unless(&at("max_tokens"), answer, &why, is_fine));
    let answer = match file.fit {
        Fit::New => answer,
        Fit::Kept => file.number(&at("max_tokens")).filter(|now| is_fine(*now)).unwrap_or(answer),
    };
    // Prompt and answer share the window.
    let threshold = (100 * window.saturating_sub(answer)).checked_div(window).unwrap_or(THRESHOLD).clamp(1, THRESHOLD);
    let why = format!("the rest is for an answer of {} tokens", thousands(answer));
    changes.extend(file.unless(&at("context_window_threshold"), threshold, &why, |now| now <= threshold));
    if profile.billions.as_ref().is_some_and(|size| size.value < SMALL) {
        let why = "a small model does not always keep to the form that is asked for";
        changes.extend(file.unless(&at("max_retries"), SMALL_RETRIES, why, |now| now >= SMALL_RETRIES));
    }
    changes.extend(timeout(profile, file, &at("timeout_seconds"), window * threshold / 100, answer));
    changes.extend(format(profile, file, &at("response_format")));
    changes.extend(request(profile, file, &at("request")));
    changes.extend(tools(profile, file, &at("tool_calls")));
    changes
}

/// Most tokens of an answer: an article of the usual length fits if the window is not too small for it and its prompt.
fn longest_answer(window: u64, agent: &str, words: u64) -> u64 {
    let (most, needed) = if agent == WRITER { (MOST.0, tokens_of(words)) } else { (MOST.1, MOST.1 / 2) };
    (window / 4).max(needed).min(window * 3 / 8).min(most).max(1)
}

/// Tokens that an article of so many words takes, in steps of 256.
fn tokens_of(words: u64) -> u64 {
    (words.saturating_mul(TOKENS_OF_TWO) / 2).div_ceil(256) * 256
}

/// The longest silence: a full prompt is read in it, with a margin. A server that sends an answer in one piece is silent while it writes,
/// too. The template's time is never shortened.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "seconds, at most an hour"
)]
fn timeout(profile: &ServerProfile, file: &FittedFile<'_>, path: &str, prompt: u64, answer: u64) -> Option<KeyChange> {
    let reading = profile.speed.reading?;
    let mut seconds = prompt as f64 / reading * MARGIN;
    let guessed = if profile.speed.late { ", as a careful guess" } else { "" };
    let mut how = format!("it reads {reading:.0} tokens a second{guessed}; a full prompt has {}", thousands(prompt));
    if let Some(writing) = profile.speed.writing.filter(|_| profile.speed.whole) {
        seconds += answer as f64 / writing * MARGIN;
        how = format!("{how}; its answers come in one piece, {writing:.0} tokens a second");
    }
    let needed = ((seconds as u64).div_ceil(STEP.0) * STEP.0).min(STEP.1);
    let now = file.value(path)?.as_f64()?;
    if now >= needed as f64 {
        let same = file.value(path)?;
        return if file.fit == Fit::New { file.learned(path, same, &how) } else { None };
    }
    file.learned(path, needed, &how)
}

fn format(profile: &ServerProfile, file: &FittedFile<'_>, path: &str) -> Option<KeyChange> {
    let Stated { value, how } = profile.format.as_ref()?;
    file.fits(path, <&str>::from(value), how)
}

fn request(profile: &ServerProfile, file: &FittedFile<'_>, path: &str) -> Option<KeyChange> {
    let learned = profile.request.as_ref();
    // Fields for another server do not fit this one; fields that a person chose for this one stay.
    let Some(Stated { value, how }) = learned else {
        let stays = file.fit == Fit::Kept || file.value(path)?.is_null();
        return if stays { None } else { file.learned(path, Value::Null, "it takes the usual fields") };
    };
    file.fits(path, section(value), how)
}

/// The section `request` of these fields.
fn section(fields: &RequestFields) -> Value {
    let max_tokens = if fields.max_tokens == RequestFields::default().max_tokens {
        Value::Null
    } else {
        Value::from(fields.max_tokens.as_str())
    };
    let nulls = fields.extra.keys().map(|key| (Value::from(key.as_str()), Value::Null));
    let extra = if fields.extra.is_empty() { Value::Null } else { Value::Mapping(nulls.collect()) };
    let entries = [
        ("max_tokens", max_tokens),
        ("stream_options", fields.stream_options.into()),
        ("system_role", fields.system_role.into()),
        ("extra", extra),
    ];
    Value::Mapping(entries.into_iter().map(|(key, value)| (Value::from(key), value)).collect())
}

fn tools(profile: &ServerProfile, file: &FittedFile<'_>, path: &str) -> Option<KeyChange> {
    let Stated { value, how } = profile.tools.as_ref()?;
    let name = if *value { "native" } else { "json" };
    file.fits(path, name, how)
}

/// The limits of the desk's requests to the server at once.
fn of_desk(profile: &ServerProfile, file: &FittedFile<'_>) -> Vec<KeyChange> {
    let Stated { value: at_once, how } = &profile.at_once;
    let mut changes = Vec::new();
    let (stories, specialists) = (u64::from((*at_once).min(STORIES)), u64::from((*at_once).min(SPECIALISTS)));
    // Stories that share a server which does one thing at a time only wait for one another.
    changes.extend(file.unless("desk.stories_at_once", stories, how, |_| true));
    changes.extend(file.unless("desk.specialists_of_a_story", specialists, how, |now| now <= specialists));
    changes.extend(own_limit(file, *at_once, how));
    changes
}

/// `desk.servers.own` with this server's number. The others that it names stay.
fn own_limit(file: &FittedFile<'_>, at_once: u32, how: &str) -> Option<KeyChange> {
    let path = "desk.servers.own";
    let mut entries = match file.value(path)? {
        Value::Sequence(entries) => entries,
        _ => Vec::new(),
    };
    let is_it = |entry: &Value| entry.get("host").and_then(Value::as_str) == Some(&file.host);
    let usual = || file.number("desk.servers.requests_at_once");
    let now = match entries.iter().find(|entry| is_it(entry)) {
        Some(entry) => entry.get("requests_at_once").and_then(Value::as_u64),
        None => usual(),
    };
    if file.fit == Fit::Kept && now.is_some_and(|now| now <= u64::from(at_once)) {
        return None;
    }
    let known = entries.iter_mut().find(|entry| is_it(entry)).and_then(|entry| entry.get_mut("requests_at_once"));
    if let Some(number) = known {
        *number = at_once.into();
    } else {
        let keys = [
            ("host", Value::from(file.host.as_str())),
            ("requests_at_once", at_once.into()),
            ("requests_per_minute", Value::Null),
            ("tokens_per_minute", Value::Null),
        ];
        entries.push(Value::Mapping(keys.into_iter().map(|(key, value)| (Value::from(key), value)).collect()));
    }
    file.learned(path, Value::Sequence(entries), how)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        config::{TEMPLATE, set_keys, with_shared},
        llm::{ServerKind, Speed},
        text::yaml,
    };

    fn profile(window: u64) -> ServerProfile {
        let stated = |value: u64| Stated { value, how: "it says so".into() };
        ServerProfile {
            kind: ServerKind::LlamaCpp,
            window: Some(stated(window)),
            longest_answer: None,
            at_once: Stated { value: 1, how: "1 slot".into() },
            format: None,
            request: None,
            tools: None,
            speed: Speed::default(),
            billions: None,
        }
    }

    fn changes(profile: &ServerProfile, yaml: &str, fit: Fit) -> Vec<(String, Value)> {
        let root = with_shared(yaml::value(yaml).unwrap());
        let host = "127.0.0.1:8080".to_owned();
        let file = FittedFile { root: &root, agents: agents(&root).collect(), host, date: "2026-11-27".into(), fit };
        let changes = fitted(profile, &file);
        set_keys(yaml, &changes).unwrap();
        changes.into_iter().map(|change| (change.path, change.to)).collect()
    }

    fn of(changes: &[(String, Value)], path: &str) -> Option<Value> {
        let path = path.replace("A.", "article_generation.agents.");
        changes.iter().find(|(known, _)| *known == path).map(|(_, to)| to.clone())
    }

    #[test]
    fn no_answer_is_longer_than_the_server_allows() {
        let longest_answer = Some(Stated { value: 1024, how: "it names 1,024".into() });
        let limited = changes(&ServerProfile { longest_answer, ..profile(32_768) }, TEMPLATE, Fit::New);
        assert_eq!(of(&limited, "A.writer_llm.max_tokens"), Some(1024.into()));
        assert_eq!(of(&limited, "A.article_review_llm.max_tokens"), Some(1024.into()));
    }

    #[test]
    fn a_small_model_gets_sections_and_more_attempts() {
        let of_size = |value: f64| {
            let billions = Some(Stated { value, how: "it says so".into() });
            changes(&ServerProfile { billions, ..profile(8192) }, TEMPLATE, Fit::New)
        };
        let small = of_size(1.5);
        assert_eq!(of(&small, "article_generation.writer_mode"), Some("sections".into()));
        assert_eq!(of(&small, "A.article_review_llm.max_retries"), Some(3.into()));
        let large = of_size(70.0);
        assert_eq!(of(&large, "article_generation.writer_mode"), Some("whole".into()));
        assert_eq!(of(&large, "A.article_review_llm.max_retries"), None);
    }

    #[test]
    fn an_answer_and_its_prompt_share_every_window() {
        for (window, writer, review) in
            [(2048, 768, 768), (4096, 1536, 1024), (8192, 2048, 2048), (16_384, 4096, 2048), (131_072, 8192, 2048)]
        {
            let changes = changes(&profile(window), TEMPLATE, Fit::New);
            assert_eq!(of(&changes, "A.writer_llm.max_tokens"), Some(writer.into()), "{window}");
            assert_eq!(of(&changes, "A.article_review_llm.max_tokens"), Some(review.into()), "{window}");
            let threshold = of(&changes, "A.writer_llm.context_window_threshold").unwrap().as_u64().unwrap();
            assert!(window * threshold / 100 + writer <= window && threshold <= 90, "{window}: {threshold}");
        }
    }

    #[test]
    fn the_longest_silence_is_twice_what_a_full_prompt_takes_and_never_below_the_template_s() {
        let at = |reading: f64, whole: bool| {
            let speed = Speed { reading: Some(reading), writing: Some(23.0), whole, late: false };
            changes(&ServerProfile { speed, ..profile(8192) }, TEMPLATE, Fit::New)
        };
        // 6,144 tokens at 71 a second take 87 s.
        let slow = at(71.0, false);
        assert_eq!(of(&slow, "A.writer_llm.timeout_seconds"), Some(180.into()));
        assert_eq!(of(&slow, "A.concern_mapping_llm.timeout_seconds"), Some(180.into()));
        let fast = at(2000.0, false);
        assert_eq!(of(&fast, "A.concern_mapping_llm.timeout_seconds"), Some(90.into()));
        // An answer of 2,048 tokens in one piece takes 89 s more.
        assert_eq!(of(&at(71.0, true), "A.writer_llm.timeout_seconds"), Some(360.into()));
        assert_eq!(of(&at(0.5, false), "A.writer_llm.timeout_seconds"), Some(3600.into()));
        assert_eq!(of(&changes(&profile(8192), TEMPLATE, Fit::New), "A.writer_llm.timeout_seconds"), None);
    }

    #[test]
    fn other_servers_keep_their_limits_and_a_fit_setting_of_a_person_is_not_named() {
        let own = "own: [{host: example.com, requests_at_once: 2, requests_per_minute: 50, tokens_per_minute: null}]";
        let yaml = TEMPLATE.replacen("own: null", own, 1);
        let new = changes(&profile(8192), &yaml, Fit::New);
        let own = of(&new, "desk.servers.own").unwrap();
        assert_eq!(
            (own[0]["requests_per_minute"].as_u64(), own[1]["host"].as_str()),
            (Some(50), Some("127.0.0.1:8080"))
        );

        let root = set_keys(
            &yaml,
            &[KeyChange::new("desk.servers.own", own), KeyChange::new("desk.specialists_of_a_story", 1)],
        );
        let mut kept = root.unwrap().replace("context_window: 32768", "context_window: 8192");
        for (from, to) in [("max_tokens: 8192", "max_tokens: 3000"), ("_threshold: 90", "_threshold: 60")] {
            kept = kept.replace(from, to);
        }
        assert_eq!(changes(&profile(8192), &kept, Fit::Kept), [], "a longer answer and four stories are choices");
        let smaller = changes(&profile(4096), &kept, Fit::Kept);
        assert_eq!(of(&smaller, "A.writer_llm.max_tokens"), Some(1536.into()));
        assert_eq!(of(&smaller, "A.writer_llm.context_window"), Some(4096.into()));
        // The size of the window is unknown: the value in the file counts.
        let silent = ServerProfile { window: None, ..profile(1) };
        assert_eq!(changes(&silent, &kept, Fit::Kept), []);
        assert_eq!(of(&changes(&silent, &kept, Fit::New), "A.writer_llm.context_window"), Some(4096.into()));
    }
}
