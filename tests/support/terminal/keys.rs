//! Keys as the program's key map writes them (`ctrl-p`, `shift-tab`, `pgdn`, `j`), as the bytes that an xterm sends.

/// One piece of a line of keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Typed {
    /// A key by its name.
    Key(String),
    /// Text between quotation marks, as it stands.
    Text(String),
}

/// Splits `j ctrl-p "typed text" enter` at white space. Inside quotation marks `\"` and `\\` stand for themselves, `\n` is
/// the enter key's character.
pub fn split(keys: &str) -> Vec<Typed> {
    let mut pieces = Vec::new();
    let mut characters = keys.chars().peekable();
    while let Some(&next) = characters.peek() {
        if next.is_whitespace() {
            characters.next();
        } else if next == '"' && characters.clone().nth(1).is_some_and(|after| !after.is_whitespace()) {
            characters.next();
            pieces.push(Typed::Text(quoted(keys, &mut characters)));
        } else {
            let mut name = String::new();
            while let Some(c) = characters.next_if(|c| !c.is_whitespace()) {
                name.push(c);
            }
            pieces.push(Typed::Key(name));
        }
    }
    pieces
}

fn quoted(keys: &str, characters: &mut impl Iterator<Item = char>) -> String {
    let mut text = String::new();
    loop {
        match characters.next().unwrap_or_else(|| panic!("a quotation mark is missing at the end of {keys}")) {
            '"' => return text,
            '\\' => match characters.next() {
                Some('n') => text.push('\r'),
                Some(c) => text.push(c),
                None => panic!("nothing follows the last backslash of {keys}"),
            },
            c => text.push(c),
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Held {
    shift: bool,
    alt: bool,
    ctrl: bool,
}

impl Held {
    /// xterm's number for what is held; 1 where nothing is.
    fn number(self) -> u8 {
        1 + u8::from(self.shift) + 2 * u8::from(self.alt) + 4 * u8::from(self.ctrl)
    }
}

/// The bytes of one key. `application`: the program asked for application cursor keys.
pub fn bytes(key: &str, application: bool) -> Vec<u8> {
    let mut held = Held::default();
    let mut name = key;
    loop {
        let (flag, rest) = if let Some(rest) = name.strip_prefix("ctrl-") {
            (&mut held.ctrl, rest)
        } else if let Some(rest) = name.strip_prefix("alt-") {
            (&mut held.alt, rest)
        } else if let Some(rest) = name.strip_prefix("shift-") {
            (&mut held.shift, rest)
        } else {
            break;
        };
        assert!(!rest.is_empty(), "{key}: no key behind the modifier");
        *flag = true;
        name = rest;
    }
    let csi = |letter: char| match held.number() {
        1 if application => format!("\x1bO{letter}").into_bytes(),
        1 => format!("\x1b[{letter}").into_bytes(),
        number => format!("\x1b[1;{number}{letter}").into_bytes(),
    };
    let function = |letter: char| match held.number() {
        1 => format!("\x1bO{letter}").into_bytes(),
        number => format!("\x1b[1;{number}{letter}").into_bytes(),
    };
    let tilde = |code: u8| match held.number() {
        1 => format!("\x1b[{code}~").into_bytes(),
        number => format!("\x1b[{code};{number}~").into_bytes(),
    };
    match name {
        "up" => csi('A'),
        "down" => csi('B'),
        "right" => csi('C'),
        "left" => csi('D'),
        "home" => csi('H'),
        "end" => csi('F'),
        "insert" => tilde(2),
        "delete" | "del" => tilde(3),
        "pgup" | "pageup" => tilde(5),
        "pgdn" | "pagedown" => tilde(6),
        "f1" => function('P'),
        "f2" => function('Q'),
        "f3" => function('R'),
        "f4" => function('S'),
        "f5" => tilde(15),
        "f6" => tilde(17),
        "f7" => tilde(18),
        "f8" => tilde(19),
        "f9" => tilde(20),
        "f10" => tilde(21),
        "f11" => tilde(23),
        "f12" => tilde(24),
        "tab" if held.shift => b"\x1b[Z".to_vec(),
        "tab" => with_alt(held, vec![b'\t']),
        "enter" => with_alt(held, vec![b'\r']),
        "esc" => with_alt(held, vec![0x1b]),
        "backspace" if held.ctrl => with_alt(held, vec![8]),
        "backspace" => with_alt(held, vec![0x7f]),
        "space" => with_alt(held, vec![if held.ctrl { 0 } else { b' ' }]),
        character => with_alt(held, letter(key, character, held)),
    }
}

fn with_alt(held: Held, mut bytes: Vec<u8>) -> Vec<u8> {
    if held.alt {
        bytes.insert(0, 0x1b);
    }
    bytes
}

fn letter(key: &str, name: &str, held: Held) -> Vec<u8> {
    let mut characters = name.chars();
    let (Some(c), None) = (characters.next(), characters.next()) else { panic!("{key} is no key") };
    match c {
        _ if !held.ctrl && held.shift => c.to_uppercase().to_string().into_bytes(),
        _ if !held.ctrl => c.to_string().into_bytes(),
        'a'..='z' | 'A'..='Z' | '[' | '\\' | ']' | '^' | '_' => {
            vec![u8::try_from(u32::from(c) & 0x1f).expect("five bits")]
        }
        '/' => vec![0x1f],
        _ => panic!("{key}: no terminal sends that"),
    }
}
