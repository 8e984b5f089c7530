//! Short forms of first names: `Liz` is an `Elizabeth`.
//!
//! Why: people who write to each other use the short form, a report the full one. Neither is misspelt and neither is new.

use crate::proof::sources::archive::Archive;

/// First names with their short forms.
const FORMS: &[&str] = &[
    "abigail abby",
    "alexander alexandra alex sandra",
    "andrew andy drew",
    "anthony tony",
    "barbara barb",
    "benjamin ben benny",
    "catherine katherine kathryn cathy kathy kate katie",
    "charles charlie chuck",
    "christopher christine christina chris tina",
    "daniel danielle dan danny",
    "david dave",
    "deborah debra deb debbie",
    "edward ed eddie ted",
    "elizabeth elisabeth liz lizzy beth betty eliza",
    "emily em",
    "frederick fred freddie",
    "gabriel gabriella gabby gabe",
    "gregory greg",
    "jacob jake",
    "james jim jimmy",
    "jennifer jen jenny",
    "jessica jess",
    "john jack johnny",
    "jonathan jon",
    "joseph joe",
    "joshua josh",
    "kenneth ken",
    "lawrence larry",
    "leonard leo",
    "margaret maggie meg peggy",
    "matthew matt",
    "michael mike mick",
    "nathan nathaniel nate",
    "nicholas nicole nick nicky",
    "pamela pam",
    "patricia patrick pat patty",
    "peter pete",
    "philip phillip phil",
    "rebecca becky",
    "richard rick dick rich",
    "robert bob rob bobby",
    "ronald ron",
    "samuel samantha sam",
    "stephen steven stephanie steve steph",
    "susan suzanne sue susie",
    "theodore theo ted",
    "thomas tom tommy",
    "timothy tim",
    "victoria vicky tori",
    "vincent vince",
    "william bill will billy",
    "zachary zach",
];

/// Whether the sources have another form of a folded first name.
pub fn known_otherwise(archive: &Archive<'_>, word: &str) -> bool {
    FORMS
        .iter()
        .map(|line| line.split(' '))
        .filter(|forms| forms.clone().any(|form| form == word))
        .flatten()
        .any(|form| archive.seen(form).is_some_and(|seen| seen.capital))
}

#[cfg(test)]
mod tests {
    use crate::proof::trial::check_texts;

    #[test]
    fn a_short_form_and_the_full_name_are_one() {
        let source = "Liz asked the harbour office about the ferry, and Tom was there.";
        for draft in ["Then the office wrote to Elizabeth.", "Then the office wrote to Thomas."] {
            assert_eq!(check_texts(draft, source), [], "{draft}");
        }
        assert_eq!(check_texts("Then the office wrote to Margaret.", source).len(), 1);
    }
}
