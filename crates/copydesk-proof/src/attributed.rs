//! Who says what stands at a place of a draft, as the draft tells it: whoever checks a claim must know whose it is.

use std::ops::Range;

use crate::{
    binding::{Telling, teller},
    reading::{Name, ParsedText, Roster, Voice, names, voice},
};

/// The name of a speaker whom the words beside do not name.
const OPEN: &str = "somebody whom the draft does not name beside it";

/// The people to whom a text attributes the words at a place, joined by commas, each by the fullest name that the text has. None if it
/// attributes them to no person.
#[must_use]
pub fn attributed(text: &str, place: &Range<usize>) -> Option<String> {
    let reading = ParsedText::new(text);
    let names = names(&reading);
    let roster = Roster::new([(&reading, names.as_slice())]);
    let full = |name: &Name| {
        let known = roster.resolve(name).map_or(name, |known| &known.name);
        reading.slice(known.start..known.end).to_owned()
    };
    let touches = |start: usize, end: usize| start < place.end && place.start < end;
    let mut said: Vec<String> = Vec::new();
    let mut open = false;
    let mut add = |by: Option<&Name>| match by.map(full) {
        Some(name) if !said.contains(&name) => said.push(name),
        Some(_) => {}
        None => open = true,
    };
    for (index, _) in reading.quotations.iter().enumerate().filter(|(_, quoted)| touches(quoted.start, quoted.end)) {
        match voice(&reading, &names, index) {
            Voice::Named(name) => add(names.get(name)),
            Voice::Somebody => add(None),
            Voice::Untold => {}
        }
    }
    for (index, _) in reading.lines.iter().enumerate().filter(|(_, line)| touches(line.start, line.end)) {
        match teller(&reading, &names, index) {
            Some(Telling::By(name)) => add(Some(name)),
            Some(Telling::Open | Telling::Office(_)) => add(None),
            None => {}
        }
    }
    if said.is_empty() { open.then(|| OPEN.to_owned()) } else { Some(said.join(", ")) }
}

/// The names of a text that have more than one word, as it writes them, each once.
#[must_use]
pub fn full_names(text: &str) -> Vec<String> {
    let reading = ParsedText::new(text);
    let mut found: Vec<String> = Vec::new();
    for name in names(&reading).iter().filter(|name| name.words.len() > 1) {
        let written = reading.slice(name.start..name.end);
        if !found.iter().any(|known| known == written) {
            found.push(written.to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "Engineer Inez Calloway spoke. “I can get to the gate,” Calloway said. The plan costs $2 million. The path will be \
                        mended by May, according to Ana Reyes.\n\n“Nobody asked me,” he said.";

    fn said(part: &str) -> Option<String> {
        let start = BODY.find(part).unwrap();
        attributed(BODY, &(start..start + part.len()))
    }

    #[test]
    fn a_claim_is_whose_the_draft_says_it_is() {
        assert_eq!(said("I can get to the gate").as_deref(), Some("Inez Calloway"));
        assert_eq!(said("mended by May").as_deref(), Some("Ana Reyes"));
        assert_eq!(said("costs $2 million"), None);
        assert_eq!(said("Nobody asked me").as_deref(), Some(OPEN));
        assert_eq!(attributed("", &(0..9)), None);
    }
}
