//! What a program wrote to its terminal, and what a person sees of it: only whole synchronised updates, with what vt100 leaves
//! out (text struck through, modes that it does not know).

use std::{
    collections::BTreeSet,
    hash::{DefaultHasher, Hash, Hasher},
    ops::Range,
    time::Instant,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};

use super::shot::Shot;

/// vt100 0.16 overflows where a line wraps on a screen of one row, and where a wide character comes into one column.
const LEAST: u16 = 2;

/// What is heard and copied rather than seen.
#[derive(Debug, Default)]
struct Aside {
    bells: usize,
    copied: Option<Vec<u8>>,
    title: String,
}

impl vt100::Callbacks for Aside {
    fn audible_bell(&mut self, _: &mut vt100::Screen) {
        self.bells += 1;
    }

    fn copy_to_clipboard(&mut self, _: &mut vt100::Screen, _: &[u8], data: &[u8]) {
        self.copied = Some(data.to_vec());
    }

    fn set_window_title(&mut self, _: &mut vt100::Screen, title: &[u8]) {
        self.title = String::from_utf8_lossy(title).into_owned();
    }
}

pub struct Glass {
    front: vt100::Parser<Aside>,
    /// The same screen, on which italic means struck through.
    struck: vt100::Parser,
    /// The start of a sequence whose end has not come yet.
    rest: Vec<u8>,
    /// What waits for the end of a synchronised update: for the front, for the other.
    waiting: (Vec<u8>, Vec<u8>),
    in_update: bool,
    /// DEC's private modes that the program set.
    modes: BTreeSet<u16>,
    cursor_hidden: bool,
    cursor_shape: u16,
    keyboards: i32,
    /// Everything, as it was written.
    pub raw: Vec<u8>,
    /// Synchronised updates so far, and when the last one was complete.
    pub updates: u64,
    pub updated: Option<Instant>,
    /// When anything was last written.
    pub written: Option<Instant>,
    /// A part of the screen (rows, columns) of which every update leaves a mark: when it was complete, and the part's digest.
    watched: Option<(Range<u16>, Range<u16>)>,
    pub marks: Vec<(Instant, u64)>,
}

impl Glass {
    pub fn new(rows: u16, cols: u16) -> Self {
        let (rows, cols) = (rows.max(LEAST), cols.max(LEAST));
        Self {
            front: vt100::Parser::new_with_callbacks(rows, cols, 0, Aside::default()),
            struck: vt100::Parser::new(rows, cols, 0),
            rest: Vec::new(),
            waiting: (Vec::new(), Vec::new()),
            in_update: false,
            modes: BTreeSet::new(),
            cursor_hidden: false,
            cursor_shape: 0,
            keyboards: 0,
            raw: Vec::new(),
            updates: 0,
            updated: None,
            written: None,
            watched: None,
            marks: Vec::new(),
        }
    }

    /// Watches a part of the screen from now on.
    pub fn watch(&mut self, rows: Range<u16>, columns: Range<u16>) {
        self.watched = Some((rows, columns));
        self.marks.clear();
    }

    /// A digest of the watched part; none where nothing is watched.
    pub fn digest(&self) -> Option<u64> {
        let (rows, columns) = self.watched.clone()?;
        let mut hasher = DefaultHasher::new();
        let colour = |colour| match colour {
            vt100::Color::Default => 0,
            vt100::Color::Idx(number) => 1 << 24 | u32::from(number),
            vt100::Color::Rgb(r, g, b) => 2 << 24 | u32::from_be_bytes([0, r, g, b]),
        };
        for (row, column) in rows.flat_map(|row| columns.clone().map(move |column| (row, column))) {
            if let Some(cell) = self.front.screen().cell(row, column) {
                cell.contents().hash(&mut hasher);
                (cell.bold(), cell.dim(), cell.italic(), cell.underline(), cell.inverse()).hash(&mut hasher);
                (colour(cell.fgcolor()), colour(cell.bgcolor())).hash(&mut hasher);
            }
        }
        Some(hasher.finish())
    }

    /// Takes what the program wrote; `at` is when it came.
    pub fn take(&mut self, bytes: &[u8], at: Instant) {
        self.raw.extend_from_slice(bytes);
        self.written = Some(at);
        let mut bytes = [std::mem::take(&mut self.rest), bytes.to_vec()].concat();
        let mut from = 0;
        while let Some(escape) = bytes[from..].iter().position(|byte| *byte == 0x1b).map(|place| from + place) {
            let Some(second) = bytes.get(escape + 1) else {
                self.pass(&bytes[from..escape]);
                self.rest = bytes.split_off(escape);
                break;
            };
            if *second != b'[' {
                self.pass(&bytes[from..escape + 2]);
                from = escape + 2;
                continue;
            }
            self.pass(&bytes[from..escape]);
            let body = &bytes[escape + 2..];
            let Some(length) = body.iter().position(|byte| (0x40..=0x7e).contains(byte)) else {
                self.rest = bytes.split_off(escape);
                break;
            };
            from = escape + 2 + length + 1;
            let (parameters, last) = (body[..length].to_vec(), body[length]);
            self.sequence(&parameters, last, at);
        }
        if self.rest.is_empty() {
            self.pass(&bytes[from..]);
        }
        if !self.in_update {
            self.show();
        }
    }

    /// The program has gone: what waits is shown as it is.
    pub fn end(&mut self) {
        let rest = std::mem::take(&mut self.rest);
        self.pass(&rest);
        self.show();
    }

    pub fn resize(&mut self, rows: u16, cols: u16) {
        let (rows, cols) = (rows.max(LEAST), cols.max(LEAST));
        self.front.screen_mut().set_size(rows, cols);
        self.struck.screen_mut().set_size(rows, cols);
    }

    fn pass(&mut self, bytes: &[u8]) {
        self.waiting.0.extend_from_slice(bytes);
        self.waiting.1.extend_from_slice(bytes);
    }

    fn show(&mut self) {
        self.front.process(&self.waiting.0);
        self.struck.process(&self.waiting.1);
        self.waiting = (Vec::new(), Vec::new());
    }

    /// A control sequence: its parameters (with what marks them as private) and its last byte.
    fn sequence(&mut self, parameters: &[u8], last: u8, at: Instant) {
        let text = String::from_utf8_lossy(parameters).into_owned();
        let whole = format!("\x1b[{text}{}", char::from(last));
        match (text.as_bytes().first(), last) {
            (Some(b'?'), b'h' | b'l') => {
                for mode in text.trim_start_matches('?').split(';').filter_map(|mode| mode.parse().ok()) {
                    self.mode(mode, last == b'h', at);
                }
            }
            (Some(b'>'), b'u') => self.keyboards += 1,
            (Some(b'<'), b'u') => self.keyboards -= 1,
            (_, b'q') if text.ends_with(' ') => self.cursor_shape = text.trim().parse().unwrap_or(0),
            (Some(b'?' | b'>' | b'<' | b'='), b'm') => {}
            (_, b'm') => {
                for (waiting, struck) in [(&mut self.waiting.0, false), (&mut self.waiting.1, true)] {
                    let kept = looks(&text, struck);
                    if !kept.is_empty() {
                        waiting.extend_from_slice(format!("\x1b[{}m", kept.join(";")).as_bytes());
                    }
                }
                return;
            }
            _ => {}
        }
        self.pass(whole.as_bytes());
    }

    fn mode(&mut self, mode: u16, on: bool, at: Instant) {
        match mode {
            25 => self.cursor_hidden = !on,
            2026 => {
                if self.in_update && !on {
                    self.updates += 1;
                    self.updated = Some(at);
                    self.show();
                    self.marks.extend(self.digest().map(|digest| (at, digest)));
                }
                self.in_update = on;
            }
            _ if on => drop(self.modes.insert(mode)),
            _ => drop(self.modes.remove(&mode)),
        }
    }

    pub fn shot(&self) -> Shot {
        Shot::of(self.front.screen(), self.struck.screen())
    }

    /// The cell of the cursor, also of a hidden one: row and column.
    pub fn caret(&self) -> (u16, u16) {
        self.front.screen().cursor_position()
    }

    pub fn application_cursor(&self) -> bool {
        self.modes.contains(&1)
    }

    /// Whether the program asked for pasted text between brackets.
    pub fn bracketed_paste(&self) -> bool {
        self.modes.contains(&2004)
    }

    pub fn bells(&self) -> usize {
        self.front.callbacks().bells
    }

    pub fn title(&self) -> &str {
        &self.front.callbacks().title
    }

    pub fn copied(&self) -> Option<String> {
        let data = self.front.callbacks().copied.as_ref()?;
        let bytes = BASE64_STANDARD.decode(data).expect("what is copied is base64");
        Some(String::from_utf8(bytes).expect("what is copied is UTF-8"))
    }

    /// What the program set and did not undo, in words; empty where a shell finds its terminal as it was.
    pub fn left_behind(&self) -> Vec<String> {
        let mut left: Vec<String> = self.modes.iter().map(|mode| mode_name(*mode)).collect();
        let screen = self.front.screen();
        let colours = screen.fgcolor() != vt100::Color::Default || screen.bgcolor() != vt100::Color::Default;
        let marks = screen.bold() || screen.dim() || screen.italic() || screen.underline() || screen.inverse();
        for (is, what) in [
            (self.in_update, "a synchronised update that has no end"),
            (self.cursor_hidden, "the cursor is hidden"),
            (self.cursor_shape != 0, "the cursor's shape"),
            (self.keyboards != 0, "the keyboard's protocol"),
            (colours || marks || self.struck.screen().italic(), "the colours and marks of text"),
        ] {
            if is {
                left.push(what.to_owned());
            }
        }
        left
    }
}

fn mode_name(mode: u16) -> String {
    let name = match mode {
        1 => "application cursor keys",
        47 | 1047 | 1049 => "the alternate screen",
        9 | 1000 | 1002 | 1003 | 1005 | 1006 | 1015 | 1016 => "the mouse",
        1004 => "focus reports",
        2004 => "bracketed paste",
        _ => "a mode",
    };
    format!("{name} (mode {mode})")
}

/// The parameters of `CSI … m` that vt100 is to see: without the underline's colour, whose arguments it would take for
/// looks, and with struck text as italic on the second screen, and nowhere on the first.
fn looks(parameters: &str, struck: bool) -> Vec<String> {
    if parameters.is_empty() {
        return vec!["0".to_owned()];
    }
    let mut kept = Vec::new();
    let mut left = parameters.split(';');
    while let Some(parameter) = left.next() {
        match parameter {
            "" => kept.push("0".to_owned()),
            "38" | "48" | "58" => {
                let kind = left.next().unwrap_or_default();
                let arguments = left.by_ref().take(if kind == "2" { 3 } else { 1 });
                let colour = [parameter, kind].into_iter().chain(arguments).collect::<Vec<_>>().join(";");
                if parameter != "58" {
                    kept.push(colour);
                }
            }
            "9" | "29" => {
                if struck {
                    kept.push(if parameter == "9" { "3" } else { "23" }.to_owned());
                }
            }
            "3" | "23" if struck => {}
            "59" => {}
            "4:0" => kept.push("24".to_owned()),
            _ if parameter.starts_with("4:") => kept.push("4".to_owned()),
            _ if parameter.starts_with("58:") => {}
            _ => kept.push(parameter.to_owned()),
        }
    }
    kept
}
