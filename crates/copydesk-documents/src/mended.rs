//! UTF-8 that somebody once read in another encoding and saved: `weâ€™re`, `cafÃ©`. Each run of such signs is put back into its bytes.

use copydesk_text::non_ascii;
use encoding_rs::{Encoding, MACINTOSH, WINDOWS_1252};

/// How a spoilt text tells itself, by the encoding that it was read in.
/// No text has a control character of Latin-1 by itself.
const SPOILT: [(&[&str], &Encoding); 2] = [
    (&["â€", "â‚", "â„", "âˆ", "ðŸ", "Ã", "Â", "Å‚", "Å„", "Å¡", "Å¾", "Ä‡", "Ä™", "Ð°", "Ð¾", "Î±"], WINDOWS_1252),
    (&["‚Ä", "√"], MACINTOSH),
];

/// A text may have been spoilt so many times.
const TIMES: usize = 3;

/// The text as it was, if it was spoilt.
pub(super) fn mended(text: String, notes: &mut Vec<String>) -> String {
    let mut text = text;
    let mut mended = false;
    for _ in 0..TIMES {
        let control = non_ascii(&text).any(|(_, c)| ('\u{80}'..='\u{9F}').contains(&c));
        let begins = |at: usize, sign: &str| text.get(at..).is_some_and(|rest| rest.starts_with(sign));
        let has = |signs: &[&str]| non_ascii(&text).any(|(at, _)| signs.iter().any(|sign| begins(at, sign)));
        let again = SPOILT.iter().filter(|(signs, _)| control || has(signs));
        let Some(whole) = again.into_iter().find_map(|(_, encoding)| restored(&text, encoding)) else { break };
        (text, mended) = (whole, true);
    }
    if mended {
        notes.push("some of it was UTF-8 read in another encoding and was put right".into());
    }
    text
}

/// The text with each run of strange signs that was UTF-8; none if there is no such run.
fn restored(text: &str, encoding: &'static Encoding) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut found = false;
    let mut lost = Vec::new();
    let mut rest = text;
    while let Some((at, _)) = non_ascii(rest).next() {
        let (before, tail) = rest.split_at_checked(at)?;
        let end = tail.find(|c: char| c.is_ascii()).unwrap_or(tail.len());
        let (run, behind) = tail.split_at_checked(end)?;
        out.push_str(before);
        rest = behind;
        // No sign by itself was a character of two bytes and more.
        let several = run.chars().nth(1).is_some();
        let bytes: Option<Vec<u8>> = several.then(|| run.chars().map(|c| byte(c, encoding)).collect()).flatten();
        match bytes.as_deref().map(std::str::from_utf8) {
            Some(Ok(whole)) => {
                found = true;
                out.push_str(whole);
            }
            // The third byte of a closing mark has no sign, and is often lost.
            Some(Err(_)) if run.ends_with("â€") || run.starts_with("â€") => {
                let bytes = bytes.unwrap_or_default();
                for chunk in bytes.utf8_chunks() {
                    out.push_str(chunk.valid());
                    match chunk.invalid() {
                        [] => {}
                        [0xE2, 0x80] => {
                            lost.push(out.len());
                            out.push('”');
                        }
                        other => out.push_str(&encoding.decode_without_bom_handling(other).0),
                    }
                }
            }
            _ => out.push_str(run),
        }
    }
    out.push_str(rest);
    (found || !lost.is_empty()).then_some(out)
}

/// The byte that a sign was read from.
fn byte(c: char, encoding: &'static Encoding) -> Option<u8> {
    // A byte that windows-1252 leaves undefined was often read as a control character.
    if ('\u{80}'..='\u{9F}').contains(&c) {
        return u8::try_from(u32::from(c)).ok();
    }
    let mut buffer = [0; 4];
    let (bytes, _, bad) = encoding.encode(c.encode_utf8(&mut buffer));
    match (&*bytes, bad) {
        ([byte], false) => Some(*byte),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_in_another_encoding_is_put_right() {
        for good in ["The fee is €45.", "It fell to −3 😀"] {
            let spoilt = WINDOWS_1252.decode_without_bom_handling(good.as_bytes()).0.into_owned();
            assert_eq!(mended(spoilt, &mut Vec::new()), good);
        }
        let good = "“We’re late – très late,” said Zoë Å. for £5…";
        let twice = |text: &str| WINDOWS_1252.decode_without_bom_handling(text.as_bytes()).0.into_owned();
        let mac = MACINTOSH.decode_without_bom_handling(good.as_bytes()).0.into_owned();
        let latin: String = good.bytes().map(char::from).collect();
        for spoilt in [twice(good), twice(&twice(good)), mac, latin] {
            assert_eq!(mended(spoilt.clone(), &mut Vec::new()), good, "{spoilt}");
        }
        for good in ["Święta Łucja płaci 30 €", "Жанна и Čapek"] {
            let latin: String = good.bytes().map(char::from).collect();
            assert_eq!(mended(latin, &mut Vec::new()), good);
            assert_eq!(mended(twice(good), &mut Vec::new()), good);
        }
        assert_eq!(mended("He said â€œno.â€".into(), &mut Vec::new()), "He said “no.”");
        for plain in ["SÃO PAULO, √2 and “é”", "Ângela, Ã la carte", "Ünal’s 45 €"] {
            let mut notes = Vec::new();
            assert_eq!((mended(plain.into(), &mut notes), notes.len()), (plain.to_owned(), 0));
        }
    }
}
