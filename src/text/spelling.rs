//! The spelling of English words on both sides of the Atlantic: Hunspell's dictionaries, read by `spellbook`.
//!
//! A dictionary is unpacked and read when it is first asked: 15 ms and 7 MiB each.

use std::{io::Read as _, sync::LazyLock};

use spellbook::Dictionary;

const US: (&str, &[u8]) =
    (include_str!("../../assets/dictionaries/en_US.aff"), include_bytes!("../../assets/dictionaries/en_US.dic.zst"));

const GB: (&str, &[u8]) =
    (include_str!("../../assets/dictionaries/en_GB.aff"), include_bytes!("../../assets/dictionaries/en_GB.dic.zst"));

static AMERICAN: LazyLock<Dictionary> = LazyLock::new(|| read(US));

static BRITISH: LazyLock<Dictionary> = LazyLock::new(|| read(GB));

/// The American dictionary.
#[must_use]
pub fn american() -> &'static Dictionary {
    &AMERICAN
}

/// The British dictionary.
#[must_use]
pub fn british() -> &'static Dictionary {
    &BRITISH
}

fn read((rules, packed): (&str, &[u8])) -> Dictionary {
    let mut words = String::new();
    let unpacked = zstd::stream::read::Decoder::new(packed).and_then(|mut decoder| decoder.read_to_string(&mut words));
    debug_assert!(unpacked.is_ok(), "the dictionary is part of the program");
    Dictionary::new(rules, &words).unwrap_or_else(|_| Dictionary::new("", "0").unwrap_or_else(|_| unreachable!()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_of_the_atlantic_has_its_own_spelling() {
        assert!(american().check("color") && !american().check("colour"));
        assert!(british().check("colour") && !british().check("color"));
        assert!(american().check("committees") && british().check("committees"));
    }
}
