//! The settings of the screen, and the prices of models. Only the screen itself knows the actions and keys: here they are
//! names and texts with their lines.

use super::reader::Section;
use copydesk_newsroom::TokenPrice;

/// `tui`: the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tui {
    /// `theme`.
    pub theme: ThemeChoice,
    /// `mouse`: whether the mouse selects and scrolls from the start.
    pub mouse: bool,
    /// `bell`: whether the terminal's bell rings when a story waits.
    pub bell: bool,
    /// `gate_countdown_seconds`: after how many seconds a gate continues by itself; never where none.
    pub gate_countdown_seconds: Option<u64>,
    /// `keys`: other keys for actions.
    pub keys: Vec<Remap>,
    /// `notify`: whether the desktop tells when a story waits or has failed.
    pub notify: bool,
}

/// Which colours the screen uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThemeChoice {
    /// `dark`.
    Dark,
    /// `light`.
    Light,
    /// `high_contrast`.
    HighContrast,
    /// `colour_blind`.
    ColourBlind,
    /// `monochrome`.
    Monochrome,
}

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

/// The prices of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Price {
    /// The model's name, as `article_generation.agents` has it.
    pub model: String,
    /// The currency, such as EUR.
    pub currency: String,
    /// The price of a million tokens of prompts.
    pub prompt_per_million: f64,
    /// The price of a million tokens of answers.
    pub completion_per_million: f64,
    /// The price of a million tokens of prompts that the server has in its cache; none: that of all prompts.
    pub cached_per_million: Option<f64>,
}

impl Price {
    /// Returns the model's name and the prices of one token.
    #[must_use]
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

pub(super) fn read_tui(tui: &Section<'_>) -> Option<Tui> {
    let theme = tui.one_of(
        "theme",
        &[
            ("dark", ThemeChoice::Dark),
            ("light", ThemeChoice::Light),
            ("high_contrast", ThemeChoice::HighContrast),
            ("colour_blind", ThemeChoice::ColourBlind),
            ("monochrome", ThemeChoice::Monochrome),
        ],
        "the screen's colours",
    );
    let mouse = tui.yes_or_no("mouse", "whether the mouse selects and scrolls");
    let bell = tui.yes_or_no("bell", "whether the bell rings when a story waits");
    let gate_countdown_seconds =
        tui.whole_or_null("gate_countdown_seconds", 5..=86_400, "the seconds after which a gate continues by itself");
    let keys = tui
        .named_lists("keys", "other keys for actions, each with its list of keys, or {},")
        .into_iter()
        .map(|(action, keys, line)| Remap { action, keys, line })
        .collect();
    let notify = tui.yes_or_no("notify", "whether the desktop tells when a story waits");
    Some(Tui { theme: theme?, mouse, bell, gate_countdown_seconds, keys, notify })
}

pub(super) fn read_prices(root: &Section<'_>) -> Vec<Price> {
    let prices = root.sections_or_null("prices", "a list of what models cost", |price| Price {
        model: price.text("model", "the model's name as below article_generation.agents"),
        currency: price.text("currency", "a currency, such as EUR,"),
        prompt_per_million: price.number("prompt_per_million", 0.0..=1e6, "the price of a million tokens of prompts"),
        completion_per_million: price.number(
            "completion_per_million",
            0.0..=1e6,
            "the price of a million tokens of answers",
        ),
        cached_per_million: price.number_if_any(
            "cached_per_million",
            0.0..=1e6,
            "the price of a million tokens of prompts that the server has in its cache",
        ),
    });
    for (index, price) in prices.iter().enumerate() {
        if !price.model.is_empty() && prices.iter().take(index).any(|earlier| earlier.model == price.model) {
            root.problem("prices", format!("names the model {} twice; give each model once", price.model));
        }
    }
    prices
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
                theme: ThemeChoice::Dark,
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
                theme: ThemeChoice::HighContrast,
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
                format!(
                    "{}: desk.stories_at_once is out of range; how many stories a program works on at once, a whole number from 1 to 1000, belongs there",
                    line_of("stories_at_once")
                ),
                format!(
                    "{}: tui.theme is \"solarized\"; the screen's colours, one of dark, light, high_contrast, colour_blind, monochrome, belongs there",
                    line_of("theme: dark")
                ),
                format!(
                    "{}: tui.mouse is a text; whether the mouse selects and scrolls, true or false, belongs there",
                    line_of("mouse: true")
                ),
                format!(
                    "{}: tui.gate_countdown_seconds is out of range; null, or the seconds after which a gate continues by itself, a whole number from 5 to 86400, belongs there",
                    line_of("gate_countdown_seconds")
                ),
                format!(
                    "{}: tui.keys.palette is a text; a list of texts, such as [ctrl-k, \"?\"], belongs there",
                    line_of("keys: {}")
                ),
                format!(
                    "{}: tui.keys.sort is a list; a list of texts, such as [ctrl-k, \"?\"], belongs there",
                    line_of("keys: {}")
                ),
                format!("{prices}: prices[1] is a text; an entry with its keys belongs there"),
                format!("{prices}: prices names the model big twice; give each model once"),
                format!(
                    "{}: prices[0].prompt_per_million is out of range; the price of a million tokens of prompts, a number from 0 to 1000000, belongs there",
                    prices + 3
                ),
                format!(
                    "{}: prices[0].per is not a key of this section; its keys are model, currency, prompt_per_million, completion_per_million, cached_per_million",
                    prices + 5
                ),
            ]
        );
        assert!(
            problems(&TEMPLATE.replace("prices: null", "prices: []"))[0].contains("prices is a list; a list of what")
        );
    }
}
