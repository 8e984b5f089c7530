//! A country and its people: who comes from `America` is an `American`.
//!
//! Why: a draft that has the one where its source has the other neither misspells a name nor brings a new one. Regular
//! endings are taken off; the rest is a list of countries.

use crate::proof::sources::archive::Archive;

/// A country, and the words for its people and what is theirs.
const IRREGULAR: &[&str] = &[
    "belgium belgian belgians",
    "brazil brazilian brazilians",
    "britain british briton britons uk",
    "canada canadian canadians",
    "china chinese",
    "denmark danish dane danes",
    "egypt egyptian egyptians",
    "england english englishman englishmen",
    "europe european europeans eu",
    "finland finnish finn finns",
    "france french frenchman frenchmen",
    "germany german germans",
    "greece greek greeks",
    "iraq iraqi iraqis",
    "ireland irish",
    "israel israeli israelis",
    "italy italian italians",
    "mexico mexican mexicans",
    "netherlands dutch holland",
    "norway norwegian norwegians",
    "pakistan pakistani pakistanis",
    "peru peruvian peruvians",
    "poland polish pole poles",
    "portugal portuguese",
    "scotland scottish scot scots",
    "spain spanish spaniard spaniards",
    "sweden swedish swede swedes",
    "switzerland swiss",
    "thailand thai",
    "turkey turkish turk turks",
    "ukraine ukrainian ukrainians",
    "usa us america american americans",
    "wales welsh",
];

/// Endings that make a people of a place, without the letters that the place can lose before them.
const ENDINGS: [&str; 5] = ["n", "an", "ian", "ean", "ese"];

/// Fewest letters of a place.
const SHORTEST: usize = 4;

/// Whether the sources name the place that a folded word belongs to, or what belongs to it where it is a place.
pub fn related(archive: &Archive<'_>, word: &str) -> bool {
    // Who chats writes no capitals.
    let named = |other: &str| archive.seen(other).is_some();
    let singular = word.strip_suffix('s').unwrap_or(word);
    let from = ENDINGS.iter().filter_map(|ending| singular.strip_suffix(ending));
    let place = from
        .filter(|rest| rest.len() >= SHORTEST)
        .any(|rest| named(rest) || ["a", "e", "o", "y"].iter().any(|last| named(&format!("{rest}{last}"))));
    let stem = word.trim_end_matches(['a', 'e', 'o', 'y']);
    let people = word.len() >= SHORTEST
        && ENDINGS
            .iter()
            .flat_map(|ending| [format!("{word}{ending}"), format!("{stem}{ending}")])
            .any(|one| named(&one) || named(&format!("{one}s")));
    let listed = || IRREGULAR.iter().filter(|group| group.split(' ').any(|one| one == word));
    place || people || listed().flat_map(|group| group.split(' ')).any(named)
}

#[cfg(test)]
mod tests {
    use crate::proof::trial::{check_texts, notes};

    #[test]
    fn a_people_stands_for_its_place_and_the_place_for_its_people() {
        let source = "Ines is American, Otto comes from Korea, and Jean lives in France. A Californian met them.";
        for draft in [
            "Then Ines from America spoke.",
            "Then the Korean guest spoke.",
            "Then the French guest spoke.",
            "Then the Californians spoke.",
            "Then somebody from California spoke.",
        ] {
            assert_eq!(check_texts(draft, source), [], "{draft}");
            assert_eq!(notes(draft, source), [], "{draft}");
        }
        assert_eq!(notes("Then the Spanish guest spoke.", source).len(), 1);
    }
}
