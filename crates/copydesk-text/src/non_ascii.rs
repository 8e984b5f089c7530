//! The characters of a text that are outside ASCII: most texts have few, and what looks for one of them need not read the others.

/// So many bytes are asked at once whether they are ASCII.
const STRETCH: usize = 64;

/// The characters outside ASCII, each with its place in bytes, in order.
pub fn non_ascii(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + ascii_at_the_head(text.as_bytes().get(at..)?);
        let found = text.get(start..)?.chars().next()?;
        at = start + found.len_utf8();
        Some((start, found))
    })
}

/// How many bytes are ASCII before the first that is not. It is not inlined, because this crate is compiled for speed and others are not.
#[inline(never)]
fn ascii_at_the_head(bytes: &[u8]) -> usize {
    let plain: usize = bytes.chunks(STRETCH).take_while(|stretch| stretch.is_ascii()).map(<[u8]>::len).sum();
    let rest = bytes.get(plain..).unwrap_or_default();
    plain + rest.iter().take_while(|byte| byte.is_ascii()).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn they_are_those_that_a_walk_over_all_characters_finds(text in "([a-z \n]{0,90}(é|“|👩|я){0,3}){0,4}") {
            let walked: Vec<_> = text.char_indices().filter(|(_, c)| !c.is_ascii()).collect();
            prop_assert_eq!(non_ascii(&text).collect::<Vec<_>>(), walked);
        }
    }
}
