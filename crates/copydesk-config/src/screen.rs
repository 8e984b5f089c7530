//! The settings of the screen, and the prices of models. Only the screen itself knows the actions and keys: here they are
//! names and texts with their lines.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

use super::fields::{TextOrNumber, number, number_or_null, whole_or_null};
use copydesk_newsroom::{TokenPrice, named};

/// `tui`: the screen.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tui {
    pub theme: ThemeName,
    /// Whether the mouse selects and scrolls from the start.
    pub mouse: bool,
    /// Whether the terminal's bell rings when a story waits.
    pub bell: bool,
    /// After how many seconds a gate continues by itself; none: never.
    #[serde(deserialize_with = "whole_or_null::<5, 86_400, _, _>")]
    pub gate_countdown_seconds: Option<u64>,
    /// Other keys for actions.
    #[serde(deserialize_with = "remaps")]
    pub keys: Vec<Remap>,
    /// Whether the desktop tells when a story waits or has failed.
    pub notify: bool,
}

/// Which colours the screen uses, in the order of the key that changes them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, strum::VariantArray, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ThemeName {
    /// Light text on a dark ground.
    #[default]
    Dark,
    /// Dark text on a light ground.
    Light,
    /// The strongest difference that sixteen colours give.
    HighContrast,
    /// Blue for good and orange for bad, on a dark ground, for readers who cannot tell green from red.
    ColourBlind,
    /// No colour: bold, underline, reverse and struck through only.
    Monochrome,
}

named!(ThemeName);

/// Other keys for an action, as they were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remap {
    /// The action's name.
    pub action: String,
    /// All keys it is to have; none take its keys away.
    pub keys: Vec<String>,
    /// The line of the file, from 1.
    pub line: usize,
}

/// Reads keys; the settings then fill in their lines.
fn remaps<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<Remap>, D::Error> {
    let keys = BTreeMap::<String, Vec<TextOrNumber>>::deserialize(value)?;
    let words = |keys: Vec<TextOrNumber>| keys.into_iter().map(String::from).collect();
    Ok(keys.into_iter().map(|(action, keys)| Remap { action, keys: words(keys), line: 0 }).collect())
}

/// The prices of a model.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// The model's name, as `article_generation.agents` has it.
    pub model: String,
    /// The currency, such as EUR.
    pub currency: String,
    /// The price of a million tokens of prompts.
    #[serde(deserialize_with = "number::<1_000_000, _>")]
    pub prompt_per_million: f64,
    /// The price of a million tokens of answers.
    #[serde(deserialize_with = "number::<1_000_000, _>")]
    pub completion_per_million: f64,
    /// The price of a million tokens of prompts that the server has in its cache; none: that of all prompts.
    #[serde(default, deserialize_with = "number_or_null::<1_000_000, _>")]
    pub cached_per_million: Option<f64>,
}

impl Price {
    /// Returns the model's name and the prices of one token.
    pub fn by_token(&self) -> (String, TokenPrice) {
        let price = TokenPrice {
            currency: self.currency.clone(),
            sent: self.prompt_per_million / 1e6,
            cached: self.cached_per_million.unwrap_or(self.prompt_per_million) / 1e6,
            received: self.completion_per_million / 1e6,
        };
        (self.model.clone(), price)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{ConfigError, Settings, TEMPLATE, load};

    fn read(yaml: &str) -> Result<Settings, ConfigError> {
        load(Path::new("config/config.yaml"), yaml, Path::new("/desk"))
    }

    fn problems(yaml: &str) -> Vec<String> {
        let error = read(yaml).unwrap_err();
        error.problems.iter().map(|p| format!("{}: {} {}", p.line, p.key, p.message)).collect()
    }

    fn line_of(text: &str) -> usize {
        TEMPLATE.lines().position(|line| line.contains(text)).unwrap() + 1
    }

    #[test]
    fn the_templates_screen() {
        let settings = read(TEMPLATE).unwrap();
        assert_eq!(
            settings.tui,
            Tui {
                theme: ThemeName::Dark,
                mouse: true,
                bell: true,
                gate_countdown_seconds: None,
                keys: vec![],
                notify: true
            }
        );
        assert_eq!((settings.prices, settings.desk.stories_at_once), (vec![], 4));
    }

    #[test]
    fn keys_and_prices_are_read_with_their_lines() {
        let yaml = TEMPLATE
            .replace("keys: {}", "keys:\n    palette: [ctrl-k, \":\"]\n    next-hit: [n, y, 1, +, \"-\", on]\n    toggle-mouse: []")
            .replace("gate_countdown_seconds: null", "gate_countdown_seconds: 5")
            .replace("theme: dark", "theme: high_contrast")
            .replace(
                "prices: null",
                "prices:\n  - model: big-model\n    currency: EUR\n    prompt_per_million: 2.5\n    completion_per_million: 10\n    cached_per_million: 0.25\n  - {model: small, currency: EUR, prompt_per_million: 0, completion_per_million: 0.1}",
            );
        let settings = read(&yaml).unwrap();
        let line = line_of("keys: {}");
        let remap = |action: &str, keys: &[&str], line| Remap {
            action: action.into(),
            keys: keys.iter().map(|key| (*key).to_owned()).collect(),
            line,
        };
        assert_eq!(
            settings.tui,
            Tui {
                theme: ThemeName::HighContrast,
                mouse: true,
                bell: true,
                gate_countdown_seconds: Some(5),
                keys: vec![
                    remap("palette", &["ctrl-k", ":"], line + 1),
                    remap("next-hit", &["n", "y", "1", "+", "-", "on"], line + 2),
                    remap("toggle-mouse", &[], line + 3),
                ],
                notify: true,
            }
        );
        let price = |model: &str, prompt_per_million, completion_per_million| Price {
            model: model.into(),
            currency: "EUR".into(),
            prompt_per_million,
            completion_per_million,
            cached_per_million: None,
        };
        let big = Price { cached_per_million: Some(0.25), ..price("big-model", 2.5, 10.0) };
        assert_eq!(settings.prices, [big, price("small", 0.0, 0.1)]);
        let cached: Vec<f64> = settings.prices.iter().map(|price| price.by_token().1.cached * 1e6).collect();
        assert_eq!(cached, [0.25, 0.0], "a model without its own price for the cache has that of all prompts");
    }

    #[test]
    fn each_wrong_setting_of_the_screen_is_told_with_its_line() {
        let yaml = TEMPLATE
            .replace("theme: dark", "theme: solarized")
            .replace("mouse: true", "mouse: sometimes")
            .replace("gate_countdown_seconds: null", "gate_countdown_seconds: 4")
            .replace("keys: {}", "keys: {palette: ctrl-k, sort: [[s]]}")
            .replace("stories_at_once: 4", "stories_at_once: 0")
            .replace(
                "prices: null",
                "prices:\n  - model: big\n    currency: EUR\n    prompt_per_million: -1\n    completion_per_million: 1\n    per: month\n  - free\n  - {model: big, currency: EUR, prompt_per_million: 1, completion_per_million: 1}",
            );
        let prices = line_of("prices: null");
        assert_eq!(
            problems(&yaml),
            [
                format!("{}: desk.stories_at_once must be a whole number from 1 to 1000", line_of("stories_at_once")),
                format!(
                    "{}: tui.theme must be one of dark, light, high_contrast, colour_blind, monochrome",
                    line_of("theme: dark")
                ),
                format!("{}: tui.mouse must be true or false", line_of("mouse: true")),
                format!(
                    "{}: tui.gate_countdown_seconds must be null or a whole number from 5 to 86400",
                    line_of("gate_countdown_seconds")
                ),
                format!("{}: tui.keys.palette must be a list", line_of("keys: {}")),
                format!("{}: tui.keys.sort[0] must be a text", line_of("keys: {}")),
                format!("{}: prices[0].prompt_per_million must be a number from 0 to 1000000", prices + 3),
            ]
        );
        let price = "{model: big, currency: EUR, prompt_per_million: 1, completion_per_million: 1}";
        let twice = TEMPLATE.replace("prices: null", &format!("prices:\n  - {price}\n  - {price}"));
        assert_eq!(
            problems(&twice),
            [format!("{}: prices[1].model must be a name of its own; \"big\" stands there twice", prices + 2)]
        );
    }
}
