//! Pages that programs enclose in a Word document as a web archive (MHT).

use base64::{Engine as _, engine::general_purpose::STANDARD};
use encoding_rs::{UTF_8, WINDOWS_1252};

/// The first page of a web archive, out of its transfer encoding.
pub(super) fn page(archive: &str) -> String {
    let archive = archive.replace("\r\n", "\n");
    let boundary = archive.split_once("boundary=").map(|(_, rest)| rest.trim_start_matches('"'));
    let boundary = boundary.and_then(|rest| rest.split(['"', '\n', ';']).next()).map(|mark| format!("--{mark}"));
    // The archive's own head names the kind of its parts, too.
    let mut parts = archive.split(boundary.as_deref().unwrap_or("\n\n\n\n")).skip(usize::from(boundary.is_some()));
    let whole = archive.as_str();
    let part = parts.find(|part| part.split("\n\n").next().is_some_and(|head| head.contains("text/html")));
    let (head, body) = part.unwrap_or(whole).trim_start().split_once("\n\n").unwrap_or_default();
    let head = head.to_ascii_lowercase();
    let bytes = if head.contains("quoted-printable") {
        quoted_printable::decode(body, quoted_printable::ParseMode::Robust).unwrap_or_default()
    } else if head.contains("base64") {
        STANDARD.decode(body.split_whitespace().collect::<String>()).unwrap_or_default()
    } else {
        return body.to_owned();
    };
    let encoding = if head.contains("windows-1252") || head.contains("8859-1") { WINDOWS_1252 } else { UTF_8 };
    encoding.decode(&bytes).0.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_enclosed_is_read() {
        let archive = |how: &str, body: &str| {
            format!(
                "MIME-Version: 1.0\r\nContent-Type: multipart/related; type=\"text/html\"; boundary=\"x1\"\r\n\r\n--x1\r\nContent-Type: text/html; charset=\"utf-8\"\r\n\
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
    }

    #[test]
    fn nothing_enclosed_makes_it_fail() {
        for odd in ["", "=", "=é", "boundary=\"", "--\n\n"] {
            for how in ["quoted-printable", "base64"] {
                let _ = (page(odd), page(&format!("text/html; {how}\n\n{odd}")));
            }
        }
    }
}
