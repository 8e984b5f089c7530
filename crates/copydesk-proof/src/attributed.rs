//! Who says what stands at a place of a draft, as the draft tells it: whoever checks a claim must know whose it is.

use std::ops::Range;

use crate::{
    binding::{Telling, teller},
    reading::{Name, ParsedText, Roster, Voice, names, voice},
};

/// The name of a speaker whom the words beside do not name.
const OPEN: &str = "somebody whom the draft does not name beside it";

/// The speakers of a text: of each quotation, then of each sentence that the text attributes to a person.
#[derive(Debug, Clone, Default)]
pub struct Attributions {
    /// Bytes of the text, with the speaker's name in its fullest form; no name if the text has none.
    said: Vec<(Range<usize>, Option<String>)>,
}

impl Attributions {
    /// Reads a text.
    pub fn of(text: &str) -> Self {
        let reading = ParsedText::new(text);
        let names = names(&reading);
        let roster = Roster::new([(&reading, names.as_slice())]);
        let full = |name: &Name| Some(roster.written(&reading, name).to_owned());
        let quotations = reading.quotations.iter().enumerate().filter_map(|(index, quoted)| {
            let by = match voice(&reading, &names, index) {
                Voice::Named(name) => full(names.get(name)?),
                Voice::Somebody => None,
                Voice::Untold => return None,
            };
            Some((quoted.start..quoted.end, by))
        });
        let sentences = reading.lines.iter().enumerate().filter_map(|(index, line)| {
            let by = match teller(&reading, &names, index)? {
                Telling::By(name) => full(name),
                Telling::Open | Telling::Office(_) => None,
            };
            Some((line.start..line.end, by))
        });
        Self { said: quotations.chain(sentences).collect() }
    }

    /// The people to whom the text attributes the words at a place, joined by commas, each by the fullest name that it has. None if it
    /// attributes them to no person.
    pub fn at(&self, place: &Range<usize>) -> Option<String> {
        let touching = self.said.iter().filter(|(said, _)| said.start < place.end && place.start < said.end);
        let (mut people, mut open): (Vec<&str>, bool) = (Vec::new(), false);
        for (_, by) in touching {
            match by {
                Some(name) if !people.contains(&name.as_str()) => people.push(name),
                Some(_) => {}
                None => open = true,
            }
        }
        if people.is_empty() { open.then(|| OPEN.to_owned()) } else { Some(people.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "Engineer Inez Calloway spoke. “I can get to the gate,” Calloway said. The plan costs $2 million. The path will be \
                        mended by May, according to Ana Reyes.\n\n“Nobody asked me,” he said.";

    fn said(part: &str) -> Option<String> {
        let start = BODY.find(part).unwrap();
        Attributions::of(BODY).at(&(start..start + part.len()))
    }

    #[test]
    fn a_claim_is_whose_the_draft_says_it_is() {
        assert_eq!(said("I can get to the gate").as_deref(), Some("Inez Calloway"));
        assert_eq!(said("mended by May").as_deref(), Some("Ana Reyes"));
        assert_eq!(said("costs $2 million"), None);
        assert_eq!(said("Nobody asked me").as_deref(), Some(OPEN));
        assert_eq!(Attributions::of("").at(&(0..9)), None);
    }
}
