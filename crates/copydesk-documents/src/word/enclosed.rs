//! Pages and texts that programs enclose in a Word document: a web archive (MHT), a rich text (RTF).

use encoding_rs::{UTF_8, WINDOWS_1252};

/// The first page of a web archive, out of its transfer encoding.
pub(super) fn page(archive: &str) -> String {
    let archive = archive.replace("\r\n", "\n");
    let boundary = archive.split_once("boundary=").map(|(_, rest)| rest.trim_start_matches('"'));
    let boundary = boundary.and_then(|rest| rest.split(['"', '\n', ';']).next()).map(|mark| format!("--{mark}"));
    let mut parts = archive.split(boundary.as_deref().unwrap_or("\n\n\n\n"));
    let whole = archive.as_str();
    let part = parts.find(|part| part.split("\n\n").next().is_some_and(|head| head.contains("text/html")));
    let (head, body) = part.unwrap_or(whole).trim_start().split_once("\n\n").unwrap_or_default();
    let head = head.to_ascii_lowercase();
    let bytes = if head.contains("quoted-printable") {
        quoted(body)
    } else if head.contains("base64") {
        sixes(body)
    } else {
        return body.to_owned();
    };
    let encoding = if head.contains("windows-1252") || head.contains("8859-1") { WINDOWS_1252 } else { UTF_8 };
    encoding.decode(&bytes).0.into_owned()
}

/// Quoted-printable: `=E9` is a byte, and a line that ends in `=` goes on.
fn quoted(text: &str) -> Vec<u8> {
    let joined = text.replace("=\n", "");
    let mut pieces = joined.split('=');
    let mut out = pieces.next().unwrap_or_default().as_bytes().to_vec();
    for piece in pieces {
        let byte = piece.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        out.push(byte.unwrap_or(b'='));
        out.extend(piece.get(if byte.is_some() { 2 } else { 0 }..).unwrap_or_default().bytes());
    }
    out
}

/// Base64.
fn sixes(text: &str) -> Vec<u8> {
    let value = |byte: u8| {
        let alphabet = (b'A'..=b'Z').chain(b'a'..=b'z').chain(b'0'..=b'9').chain([b'+', b'/']);
        alphabet.zip(0u32..).find(|(known, _)| *known == byte).map(|(_, value)| value)
    };
    let values: Vec<u32> = text.bytes().filter_map(value).collect();
    let four = |four: &[u32]| {
        let whole = (0..4).fold(0, |whole, at| whole << 6 | four.get(at).copied().unwrap_or(0));
        whole.to_be_bytes().into_iter().skip(1).take(four.len().saturating_sub(1)).collect::<Vec<u8>>()
    };
    values.chunks(4).flat_map(four).collect()
}

/// Groups of a rich text that are no words of it.
const UNSAID: [&str; 12] = [
    "fonttbl",
    "colortbl",
    "stylesheet",
    "info",
    "pict",
    "header",
    "footer",
    "generator",
    "themedata",
    "listtable",
    "fldinst",
    "*",
];

/// The words of a rich text.
pub(super) fn rtf(bytes: &[u8]) -> String {
    let text = WINDOWS_1252.decode_without_bom_handling(bytes).0;
    let mut out = String::new();
    let mut unsaid: Vec<bool> = Vec::new();
    let mut rest: &str = &text;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        let silent = unsaid.last().copied().unwrap_or_default();
        match c {
            '{' => unsaid.push(silent),
            '}' => drop(unsaid.pop()),
            '\\' => {
                let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
                let letters = letters.max(rest.chars().next().map_or(0, char::len_utf8));
                let (word, behind) = rest.split_at_checked(letters).unwrap_or((rest, ""));
                let number = behind.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(behind.len());
                let (number, after) = if word.starts_with(|c: char| c.is_ascii_alphabetic()) {
                    behind.split_at_checked(number).unwrap_or_default()
                } else {
                    ("", behind)
                };
                rest = if word.starts_with(|c: char| c.is_ascii_alphabetic()) {
                    after.strip_prefix(' ').unwrap_or(after)
                } else {
                    after
                };
                let said = match word {
                    "par" | "line" | "row" => "\n\n".to_owned(),
                    "tab" | "cell" | "~" => " ".to_owned(),
                    "{" | "}" | "\\" => word.to_owned(),
                    "lquote" => "‘".to_owned(),
                    "rquote" => "’".to_owned(),
                    "ldblquote" => "“".to_owned(),
                    "rdblquote" => "”".to_owned(),
                    "endash" => "–".to_owned(),
                    "emdash" => "—".to_owned(),
                    "'" => {
                        let byte = rest.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
                        rest = rest.get(2..).unwrap_or_default();
                        byte.map(|byte| WINDOWS_1252.decode_without_bom_handling(&[byte]).0.into_owned())
                            .unwrap_or_default()
                    }
                    "u" => {
                        // A sign for old programs follows it.
                        rest = rest
                            .strip_prefix("\\'")
                            .and_then(|rest| rest.get(2..))
                            .or_else(|| rest.strip_prefix('?'))
                            .unwrap_or(rest);
                        let unit =
                            number.parse::<i32>().ok().and_then(|unit| u32::try_from(unit.rem_euclid(0x1_0000)).ok());
                        unit.and_then(char::from_u32).map(String::from).unwrap_or_default()
                    }
                    _ => {
                        if UNSAID.contains(&word)
                            && let Some(last) = unsaid.last_mut()
                        {
                            *last = true;
                        }
                        continue;
                    }
                };
                if !silent {
                    out.push_str(&said);
                }
            }
            '\n' | '\r' => {}
            c if !silent => out.push(c),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_enclosed_is_read() {
        let archive = |how: &str, body: &str| {
            format!(
                "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=\"x1\"\r\n\r\n--x1\r\nContent-Type: text/html; charset=\"utf-8\"\r\n\
                     Content-Transfer-Encoding: {how}\r\n\r\n{body}\r\n--x1--"
            )
        };
        for (how, body) in [
            ("8bit", "<p>Café = 4 €"),
            ("quoted-printable", "<p>Caf=C3=A9 =3D=\r\n 4 =E2=82=AC"),
            ("base64", "PHA+Q2Fmw6kg\r\nPSA0IOKCrA=="),
        ] {
            assert_eq!(page(&archive(how, body)).trim_end(), "<p>Café = 4 €", "{how}");
        }
        let text = r"{\rtf1\ansi{\fonttbl{\f0 Arial;}}{\*\generator x;}\f0\fs24 The caf\'e9 \{no. 4\} \u8364?9 {\b shut}.\par It rained.}";
        assert_eq!(rtf(text.as_bytes()), "The café {no. 4} €9 shut.\n\nIt rained.");
    }

    #[test]
    fn nothing_enclosed_makes_it_fail() {
        for odd in ["", "{", "}}", "\\", "\\'", "\\'é", "\\u", "\\u99999999999?", "=", "=é", "boundary=\"", "--\n\n"]
        {
            let _ = (page(odd), rtf(odd.as_bytes()), quoted(odd), sixes(odd));
        }
    }
}
