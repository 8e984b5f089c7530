//! A screen as a picture: one text element a row, with the system's monospace font, on a dark frame. The same screen gives the
//! same bytes; nothing outside the file is named.

use std::fmt::Write as _;

use vt100::Color;

use super::shot::{Look, Shot};

/// Pixels of a character at [`FONT`], which every monospace font is close to; `textLength` makes it exact.
const WIDTH: f64 = 8.4;
/// As high as fonts draw their lines and corners, so that frames have no gaps.
const HEIGHT: f64 = 16.5;
const FONT: u32 = 14;
const MARGIN: f64 = 12.0;
/// The window's bar.
const BAR: f64 = 28.0;
const GROUND: &str = "#16181d";
const TEXT: &str = "#d7dae0";

/// The sixteen colours, as a dark terminal shows them.
const SIXTEEN: [&str; 16] = [
    "#2a2e37", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#c8ccd4", "#7f848e", "#f08a92",
    "#b1d895", "#f0d399", "#82c4f8", "#d79bea", "#7fd0da", "#ffffff",
];

pub fn to_svg(shot: &Shot, title: &str) -> String {
    head(shot, title, "") + &bar(shot, title) + &rows(shot) + "</svg>\n"
}

/// Screens one after the other, each with its title and how many seconds it stands; then the first one comes again. Who asked for less
/// motion sees the last one.
pub fn to_moving_svg(frames: &[(Shot, String, f64)], title: &str) -> String {
    let whole: f64 = frames.iter().map(|(.., seconds)| seconds).sum();
    let (mut style, mut drawn, mut begins) = (String::new(), String::new(), 0.0);
    for (at, (shot, caption, seconds)) in frames.iter().enumerate() {
        let (from, to) = (100.0 * begins / whole, 100.0 * (begins + seconds) / whole);
        begins += seconds;
        let _ = write!(
            style,
            "@keyframes f{at}{{0%{{visibility:{}}}{}%{{visibility:visible}}{}%,100%{{visibility:hidden}}}}\
             .f{at}{{visibility:hidden;animation:f{at} {}s step-end infinite}}",
            if at == 0 { "visible" } else { "hidden" },
            number(from),
            number(to),
            number(whole)
        );
        let _ = write!(drawn, "<g class=\"f{at}\">\n{}{}</g>\n", bar(shot, caption), rows(shot));
    }
    let last = frames.len().saturating_sub(1);
    let _ = write!(
        style,
        "@media(prefers-reduced-motion:reduce){{g{{animation:none!important}}.f{last}{{visibility:visible}}}}"
    );
    frames.first().map_or_else(String::new, |(shot, ..)| head(shot, title, &style) + &drawn + "</svg>\n")
}

fn head(shot: &Shot, title: &str, style: &str) -> String {
    let (rows, cols) = shot.size();
    let (width, height) = (pixels(cols, WIDTH) + 2.0 * MARGIN, pixels(rows, HEIGHT) + 2.0 * MARGIN + BAR);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\">\n\
         <title>{2}</title>\n\
         <style>text{{font:{FONT}px ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",\"Liberation Mono\",monospace;\
         white-space:pre;fill:{TEXT}}}.b{{font-weight:700}}.i{{font-style:italic}}.u{{text-decoration:underline}}\
         .s{{text-decoration:line-through}}.u.s{{text-decoration:underline line-through}}.d{{opacity:.65}}{style}</style>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{GROUND}\"/>\n",
        number(width),
        number(height),
        escaped(title),
    );
    for (place, colour) in [(20.0, "#ff5f57"), (40.0, "#febc2e"), (60.0, "#28c840")] {
        let _ = writeln!(svg, "<circle cx=\"{}\" cy=\"16\" r=\"5.5\" fill=\"{colour}\"/>", number(place));
    }
    svg
}

/// The title in the window's bar.
fn bar(shot: &Shot, title: &str) -> String {
    let middle = number(pixels(shot.size().1, WIDTH) / 2.0 + MARGIN);
    format!("<text x=\"{middle}\" y=\"21\" text-anchor=\"middle\" class=\"d\">{}</text>\n", escaped(title))
}

fn rows(shot: &Shot) -> String {
    let mut svg = String::new();
    for (row, cells) in shot.rows.iter().enumerate() {
        let top = BAR + MARGIN + pixels(row, HEIGHT);
        let mut grounds = String::new();
        let mut texts = String::new();
        for (column, length, look, text) in pieces(shot, row, cells.len()) {
            let left = MARGIN + pixels(column, WIDTH);
            let wide = number(pixels(length, WIDTH));
            let (fg, bg) = colours(look);
            if let Some(bg) = bg {
                let _ = write!(
                    grounds,
                    "<rect x=\"{}\" y=\"{}\" width=\"{wide}\" height=\"{}\" fill=\"{bg}\"/>",
                    number(left),
                    number(top),
                    number(HEIGHT)
                );
            }
            let underlined = look.underline || look.struck;
            if text.trim().is_empty() && !underlined {
                continue;
            }
            let _ = write!(texts, "<tspan x=\"{}\"", number(left));
            if length > 1 {
                let _ = write!(texts, " textLength=\"{wide}\"");
            }
            if let Some(fg) = fg {
                let _ = write!(texts, " style=\"fill:{fg}\"");
            }
            let marks =
                [(look.bold, "b"), (look.italic, "i"), (look.underline, "u"), (look.struck, "s"), (look.dim, "d")];
            let classes: Vec<&str> = marks.iter().filter(|(on, _)| *on).map(|(_, class)| *class).collect();
            if !classes.is_empty() {
                let _ = write!(texts, " class=\"{}\"", classes.join(" "));
            }
            let _ = write!(texts, ">{}</tspan>", escaped(&text));
        }
        if !grounds.is_empty() {
            let _ = writeln!(svg, "{grounds}");
        }
        if !texts.is_empty() {
            let _ = writeln!(svg, "<text y=\"{}\" xml:space=\"preserve\">{texts}</text>", number(top + HEIGHT * 0.76));
        }
    }
    svg
}

/// A row's runs of one look with their first columns and lengths in columns; without the white space at a plain run's ends,
/// and split where a run is only kept together by spaces that nobody sees.
fn pieces(shot: &Shot, row: usize, cols: usize) -> Vec<(usize, usize, Look, String)> {
    let mut pieces: Vec<(usize, usize, Look, String)> = Vec::new();
    let cells = &shot.rows[row];
    let cursor = shot.cursor.filter(|(line, _)| usize::from(*line) == row).map(|(_, column)| usize::from(column));
    for (column, cell) in cells.iter().enumerate().take(cols) {
        let mut look = cell.look;
        look.inverse ^= cursor == Some(column);
        let text = match cell.width {
            0 => {
                if let Some((_, length, ..)) = pieces.last_mut() {
                    *length += 1;
                }
                continue;
            }
            _ if cell.text.is_empty() => " ",
            _ => &cell.text,
        };
        // Characters that a font may draw in another width stand by themselves, so that they move no others.
        let alone = !text.is_ascii();
        match pieces.last_mut() {
            Some((first, length, last, run))
                if *last == look && *first + *length == column && (!alone && run.is_ascii() || same(run, text)) =>
            {
                run.push_str(text);
                *length += 1;
            }
            _ => pieces.push((column, 1, look, text.to_owned())),
        }
    }
    pieces.into_iter().filter_map(|(column, length, look, text)| trimmed(column, length, look, text)).collect()
}

/// Whether `run` is `text` again and again, as in a rule across the screen.
fn same(run: &str, text: &str) -> bool {
    !text.is_ascii() && text.chars().count() == 1 && run.chars().all(|c| text.contains(c))
}

/// A run whose white space is seen stays whole; another loses what is empty at both ends.
fn trimmed(column: usize, length: usize, look: Look, text: String) -> Option<(usize, usize, Look, String)> {
    let seen = look.bg != Color::Default || look.inverse || look.underline || look.struck;
    if seen || !text.is_ascii() {
        return Some((column, length, look, text));
    }
    let kept = text.trim();
    let before = text.len() - text.trim_start().len();
    (!kept.is_empty()).then(|| (column + before, kept.len(), look, kept.to_owned()))
}

/// Text and ground; none where it is the frame's own.
fn colours(look: Look) -> (Option<String>, Option<String>) {
    let (fg, bg) = (hex(look.fg), hex(look.bg));
    if look.inverse {
        return (Some(bg.unwrap_or_else(|| GROUND.to_owned())), Some(fg.unwrap_or_else(|| TEXT.to_owned())));
    }
    (fg, bg)
}

fn hex(colour: Color) -> Option<String> {
    match colour {
        Color::Default => None,
        Color::Rgb(r, g, b) => Some(format!("#{r:02x}{g:02x}{b:02x}")),
        Color::Idx(number) => Some(match number {
            0..=15 => SIXTEEN[usize::from(number)].to_owned(),
            16..=231 => {
                let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
                let cube = number - 16;
                format!("#{:02x}{:02x}{:02x}", level(cube / 36), level(cube / 6 % 6), level(cube % 6))
            }
            232.. => {
                let grey = 8 + 10 * (number - 232);
                format!("#{grey:02x}{grey:02x}{grey:02x}")
            }
        }),
    }
}

fn pixels(count: usize, each: f64) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(0)) * each
}

/// At most two digits behind the point, none that say nothing.
fn number(pixels: f64) -> String {
    let text = format!("{pixels:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
