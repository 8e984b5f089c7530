//! Colours and marks by their meaning. Only this file names colours.

use ratatui::prelude::Color::{
    Black, Cyan, Gray, Green, Indexed, LightBlue, LightCyan, LightGreen, LightMagenta, LightRed, LightYellow, White,
    Yellow,
};
use ratatui::prelude::{Color, Modifier, Style};

pub use copydesk_config::ThemeName;

/// The style of each role on the screen. Status is never colour alone: each role that tells something also has a word or a mark.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Theme {
    /// Which it is.
    pub name: ThemeName,
    /// Running text.
    pub text: Style,
    /// Less important: hints, times, borders of panes without the focus.
    pub dim: Style,
    /// Keys in the footer, names of panes with the focus.
    pub accent: Style,
    /// Titles and headings.
    pub heading: Style,
    /// Block quotations and quoted sources.
    pub quote: Style,
    /// Done, KEEP, signed.
    pub good: Style,
    /// Failed, REMOVE, refused.
    pub bad: Style,
    /// Waits for an editor, REWRITE, flagged.
    pub warn: Style,
    /// At work now.
    pub running: Style,
    /// The selected row.
    pub selected: Style,
    /// The passage that is talked about: a concern's excerpt, a search hit.
    pub marked: Style,
    /// Words that were added.
    pub added: Style,
    /// Words that were removed.
    pub removed: Style,
    /// A verdict that was overruled.
    pub struck: Style,
    /// Text that leaves this machine: the name of a host that is not this one.
    pub outside: Style,
}

/// The light theme's colours, by their number among 256. Terminals choose the first sixteen themselves, and their green
/// and yellow are hard to read on white; these colours are fixed.
const LIGHT: [u8; 7] = [240, 19, 24, 22, 124, 94, 54];
/// Okabe and Ito's palette for readers with any kind of colour vision (<https://jfly.uni-koeln.de/color/>), in the
/// nearest of the 256 colours. White is for keys; then come bluish white, sky blue, vermilion, yellow, reddish purple.
const COLOUR_BLIND: [u8; 7] = [247, 255, 152, 74, 202, 227, 175];
/// The grey of the dark theme, by its number among 256: the terminal's own dark grey is the ground itself in some palettes.
const DARK_DIM: u8 = 247;
/// The ground and the text of a marked passage in the light theme.
const LIGHT_GROUND: u8 = 222;
const LIGHT_ON: u8 = 16;

impl Theme {
    /// The theme of that name.
    pub fn named(name: ThemeName) -> Self {
        let plain = Style::new();
        let bold = plain.add_modifier(Modifier::BOLD);
        let colours = |[dim, accent, quote, good, bad, warn, running]: [Color; 7], ground: Color, on: Color| Self {
            name,
            text: plain,
            dim: plain.fg(dim),
            accent: bold.fg(accent),
            heading: bold,
            quote: plain.fg(quote).add_modifier(Modifier::ITALIC),
            good: plain.fg(good),
            bad: bold.fg(bad),
            warn: plain.fg(warn),
            running: plain.fg(running),
            selected: plain.add_modifier(Modifier::REVERSED),
            marked: bold.fg(on).bg(ground),
            added: plain.fg(good).add_modifier(Modifier::UNDERLINED),
            removed: plain.fg(bad).add_modifier(Modifier::CROSSED_OUT),
            struck: plain.fg(dim).add_modifier(Modifier::CROSSED_OUT),
            outside: bold.fg(warn),
        };
        match name {
            ThemeName::Dark => {
                colours([Indexed(DARK_DIM), Cyan, LightBlue, Green, LightRed, Yellow, LightMagenta], Yellow, Black)
            }
            ThemeName::Light => colours(LIGHT.map(Indexed), Indexed(LIGHT_GROUND), Indexed(LIGHT_ON)),
            ThemeName::HighContrast => {
                colours([Gray, LightCyan, White, LightGreen, LightRed, LightYellow, White], LightYellow, Black)
            }
            ThemeName::ColourBlind => colours(COLOUR_BLIND.map(Indexed), Indexed(COLOUR_BLIND[5]), Indexed(LIGHT_ON)),
            ThemeName::Monochrome => Self {
                name,
                text: plain,
                dim: plain,
                accent: bold,
                heading: bold.add_modifier(Modifier::UNDERLINED),
                quote: plain.add_modifier(Modifier::ITALIC),
                good: plain,
                bad: bold,
                warn: bold,
                running: plain,
                selected: plain.add_modifier(Modifier::REVERSED),
                marked: bold.add_modifier(Modifier::REVERSED),
                added: bold.add_modifier(Modifier::UNDERLINED),
                removed: plain.add_modifier(Modifier::CROSSED_OUT),
                struck: plain.add_modifier(Modifier::CROSSED_OUT),
                outside: bold.add_modifier(Modifier::UNDERLINED),
            },
        }
    }

    /// The selected row of a list: one background from end to end.
    pub(crate) fn row(&self) -> Style {
        self.selected.fg(Color::Reset).bg(Color::Reset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance of a colour of the 6 × 6 × 6 cube or the greys, as WCAG 2 has it.
    fn luminance(number: u8) -> f64 {
        let level = |step: u8| if step == 0 { 0.0 } else { f64::from(55 + 40 * u32::from(step)) };
        let channels = match number {
            16..=231 => [(number - 16) / 36, (number - 16) / 6 % 6, (number - 16) % 6].map(level),
            232..=255 => [f64::from(8 + 10 * u32::from(number - 232)); 3],
            _ => panic!("the terminal chooses colour {number}"),
        };
        let linear = channels.map(|value| {
            let value = value / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    #[test]
    fn the_grey_of_the_dark_theme_can_be_read_on_black_and_on_dark_grounds() {
        // Black, and the lightest of the greys that palettes call dark.
        for ground in [16, 236] {
            let contrast = (luminance(DARK_DIM) + 0.05) / (luminance(ground) + 0.05);
            assert!(contrast >= 4.5, "on {ground}: {contrast:.1}");
        }
    }

    #[test]
    fn the_theme_for_the_colour_blind_can_be_read_on_black() {
        for colour in COLOUR_BLIND {
            let contrast = (luminance(colour) + 0.05) / 0.05;
            assert!(contrast >= 4.5, "{colour} has a contrast of {contrast:.1}");
        }
    }

    #[test]
    fn the_light_theme_can_be_read_on_white() {
        for colour in LIGHT {
            let contrast = 1.05 / (luminance(colour) + 0.05);
            assert!(contrast >= 4.5, "{colour} has a contrast of {contrast:.1}");
        }
        let marked = (luminance(LIGHT_GROUND) + 0.05) / (luminance(LIGHT_ON) + 0.05);
        assert!(marked >= 7.0, "{marked:.1}");
    }
}
