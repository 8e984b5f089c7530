//! Colours and marks by their meaning. Only this file names colours.

use ratatui::style::{Color, Modifier, Style};

use crate::config::ThemeChoice;

/// Which colours the screen uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThemeName {
    /// Light text on a dark ground.
    Dark,
    /// Dark text on a light ground.
    Light,
    /// The strongest difference that sixteen colours give.
    HighContrast,
    /// No colour: bold, underline, reverse and struck through only.
    Monochrome,
}

impl ThemeName {
    /// In the order of the key that changes the theme.
    pub const ALL: [Self; 4] = [Self::Dark, Self::Light, Self::HighContrast, Self::Monochrome];

    /// The word in the configuration.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Light => "light",
            Self::HighContrast => "high_contrast",
            Self::Monochrome => "monochrome",
        }
    }
}

/// What a piece of the screen is, as a style. Status is never colour alone: each role that tells something is also a word or
/// a mark where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// Waits for somebody, REWRITE, flagged.
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

impl Theme {
    /// The theme of that name.
    #[must_use]
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
            ThemeName::Dark => colours(
                [
                    Color::DarkGray,
                    Color::Cyan,
                    Color::LightBlue,
                    Color::Green,
                    Color::LightRed,
                    Color::Yellow,
                    Color::LightMagenta,
                ],
                Color::Yellow,
                Color::Black,
            ),
            ThemeName::Light => colours(
                [Color::DarkGray, Color::Blue, Color::Blue, Color::Green, Color::Red, Color::Magenta, Color::Blue],
                Color::Yellow,
                Color::Black,
            ),
            ThemeName::HighContrast => colours(
                [
                    Color::Gray,
                    Color::LightCyan,
                    Color::White,
                    Color::LightGreen,
                    Color::LightRed,
                    Color::LightYellow,
                    Color::White,
                ],
                Color::LightYellow,
                Color::Black,
            ),
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
    #[must_use]
    pub fn row(&self) -> Style {
        self.selected.fg(Color::Reset).bg(Color::Reset)
    }
}

impl From<ThemeChoice> for ThemeName {
    fn from(choice: ThemeChoice) -> Self {
        match choice {
            ThemeChoice::Dark => Self::Dark,
            ThemeChoice::Light => Self::Light,
            ThemeChoice::HighContrast => Self::HighContrast,
            ThemeChoice::Monochrome => Self::Monochrome,
        }
    }
}
