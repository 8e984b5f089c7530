//! A country and its people: a person from `America` is an `American`. And a place with a name in each language: `Sachsen` is Saxony.
//!
//! Why: a draft that has one and a source that has the other name the same thing. Regular endings are removed; the others are listed.

use crate::words::list::WordGroups;

static IRREGULAR: WordGroups = WordGroups::new(include_str!("../../../../assets/words/demonyms.txt"));

/// Endings that turn a place into its people.
const ENDINGS: [&str; 5] = ["n", "an", "ian", "ean", "ese"];

/// Fewest letters of a place.
const SHORTEST: usize = 4;

/// Whether `named` holds for the place of a people, or for the people of a place.
pub fn related(word: &str, named: impl Fn(&str) -> bool) -> bool {
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
    place || people || IRREGULAR.beside(word).any(named)
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_texts, notes};

    #[test]
    fn a_people_stands_for_its_place_and_the_place_for_its_people() {
        let source = "Ines is American, Otto comes from Korea, and Jean lives in France. A Californian met them.";
        assert_eq!(check_texts("Turnout in Saxony was 74 percent.", "Ergebnis Sachsen\nWahlbeteiligung: 74 %"), []);
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
    }
}
