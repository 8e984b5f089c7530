//! Finds the names of a text: runs of capitalised words, without the titles before them.

use std::ops::Range;

use crate::{
    reading::{Name, ParsedText, Token},
    words::{WordList, base, entries, is_title, names::is_adverb, nicknames::is_first_name, words},
};

/// The letters behind a family name in capital letters: a seat, a degree, an honour.
static BEHIND: WordList =
    words("mp am ms msp mla mep td qc kc sc obe mbe cbe kbe dbe md phd jd dds rn esq cpa jp dl frs");

/// Small words within a name. They are no names by themselves, and are written in small letters or in capitals.
static PARTICLES: WordList = words(
    "van von vom der den de del della delle dello di da dal dalla dalle dai dei degli dos das du des la las los le te ter ten op zu zum zur \
     bin bint ben ibn abu umm ould al el af av",
);

/// Particles that begin a surname by themselves: `De Gaulle`, not `La Paz`.
static LEADING: WordList = words("van von de di da du del della");

/// Words that tell two people of one name apart.
static GENERATIONS: WordList = words("jr sr ii iii iv v vi");

/// Forms of address, also in other languages. The other ones stand in the list of titles, too.
static ADDRESSES: WordList = words(
    "mr mrs ms miss sir dame mme mlle monsieur madame mademoiselle herr frau señor señora sra signor signora senhor senhora",
);

/// The names of a text: runs of capitalised words within a sentence, without titles. A single word that begins its
/// sentence is not a name by itself.
pub fn as_written(reading: &ParsedText<'_>) -> Vec<Name> {
    let mut found = Vec::new();
    let mut index = 0;
    // "M. Ruud" beside "Mme Lie" is a man, and no Martin.
    let french = reading.tokens.iter().any(|token| token.capital && matches!(&*token.word, "mme" | "mlle"));
    while index < reading.tokens.len() {
        let mut end = run(reading, index);
        index += usize::from(french && end > index + 1 && reading.tokens.get(index).is_some_and(|m| m.word == "m"));
        if end == index {
            index += 1;
            continue;
        }
        split(reading, index..end, &mut found);
        // "Tom Dale, Jr."
        let next = reading.tokens.get(end).filter(|next| matches!(next.word.as_str(), "jr" | "sr"));
        let gap = |next: &Token| reading.tokens.get(end - 1).and_then(|last| reading.text.get(last.end..next.start));
        if let (Some(next), Some(name)) = (next.filter(|next| gap(next) == Some(", ")), found.last_mut()) {
            name.generation = Some(next.word.to_string());
            end += 1;
        }
        index = end;
    }
    found
}

/// The index after the run of capitalised words that begins at `index`.
fn run(reading: &ParsedText<'_>, index: usize) -> usize {
    let mut end = index;
    while let Some(token) = reading.tokens.get(end) {
        if !token.capital {
            // No name begins with a particle in small letters.
            let Some(next) = (end > index).then(|| over_particles(reading, end)).flatten() else { break };
            end = next;
            continue;
        }
        if end > index {
            let Some(before) = reading.tokens.get(end - 1) else { break };
            let gap = reading.text.get(before.end..token.start).unwrap_or("\n");
            // "Mary St. Claire"
            let initial = before.word.chars().count() == 1 || is_title(&before.word) || before.word == "st";
            let joined =
                matches!(gap, " " | "-" | "‑" | "\u{A0}" | "\n") || gap == ". " && initial || matches!(gap, "." | ".-");
            if !joined || before.line != token.line || before.word.ends_with("'s") || before.quoted() != token.quoted()
            {
                break;
            }
        }
        end += 1;
    }
    end
}

/// The index of the capitalised word behind particles in small letters that stand between two such words.
fn over_particles(reading: &ParsedText<'_>, at: usize) -> Option<usize> {
    let small =
        |at: &usize| reading.tokens.get(*at).is_some_and(|token| !token.capital && PARTICLES.contains(&token.word));
    let end = (at..at + 3).take_while(small).last()? + 1;
    let joined = |at: usize| {
        let Some([one, two]) = reading.tokens.get(at.saturating_sub(1)..=at) else { return false };
        let gap = reading.text.get(one.end..two.start);
        matches!(gap, Some(" " | "-" | "\u{A0}")) && one.line == two.line && one.manner == two.manner
    };
    (reading.tokens.get(end).is_some_and(|token| token.capital) && (at..=end).all(joined)).then_some(end)
}

fn split(reading: &ParsedText<'_>, run: Range<usize>, found: &mut Vec<Name>) {
    let Some(tokens) = reading.tokens.get(run.clone()) else { return };
    // "John Major", "Mr Major": right behind a first name or a form of address, the word is a surname.
    let office = |word: &str| {
        matches!(word, "president" | "chairman" | "chairwoman" | "speaker" | "secretary" | "deputy" | "justice")
    };
    let surname = matches!(tokens, [.., first, last] if is_title(&last.word)
        && (is_first_name(&first.word) || is_address(&first.word) && !office(&last.word)
            || matches!(&*last.word, "king" | "bishop" | "major" | "dean" | "marshal" | "abbot" | "prince" | "pope")
                && !is_title(&first.word) && entries(&first.word).is_empty()));
    let before = tokens.get(..tokens.len() - usize::from(surname)).unwrap_or_default();
    let Some(after_titles) = before.iter().rposition(|token| is_title(&token.word)) else {
        push(reading, run, false, found);
        return;
    };
    let middle = run.start + after_titles;
    if middle > run.start {
        // "Town Engineer": a word before a title is part of the title, or a name of its own.
        let first = tokens.iter().position(|token| is_title(&token.word)).map_or(middle, |at| run.start + at);
        // "Right Hon. Ada Ruud": the word belongs to the form of address.
        let address = matches!(tokens, [one, ..] if matches!(one.word.as_str(), "right" | "rt" | "very"));
        if !(address && first == run.start + 1) {
            push(reading, run.start..first, false, found);
        }
    }
    push(reading, middle + 1..run.end, true, found);
}

/// Whether a word is a form of address, which says nothing about a person's office.
pub fn is_address(word: &str) -> bool {
    ADDRESSES.contains(word)
}

fn push(reading: &ParsedText<'_>, mut run: Range<usize>, titled: bool, found: &mut Vec<Name>) {
    // Every first word of a sentence is capitalised, so a stop word or an adverb there is not part of the name.
    let opening = |at: usize| run.len() > 1 && opens(reading, at);
    let apart = |at: usize, token: &Token| {
        token.stop && token.word.chars().count() > 1 || opening(at) && is_adverb(&token.word)
    };
    let first = run.clone().find(|&at| reading.tokens.get(at).is_some_and(|token| !apart(at, token)));
    run.start = first.unwrap_or(run.end);
    // "Donald Verrilli Jr" and "Ada Ruud MP": the family name stands before it.
    let behind = |token: &Token| {
        matches!(token.word.as_str(), "jr" | "sr" | "esq") || BEHIND.contains(&token.word) && shouted(reading, token)
    };
    let first = run.clone().next().and_then(|at| reading.tokens.get(at));
    let person = |token: &Token| is_first_name(&token.word) || entries(&token.word).is_empty();
    let initial = run.clone().nth(1).and_then(|at| reading.tokens.get(at)).is_some_and(|token| token.word.len() == 1);
    let numbered = || initial || first.is_some_and(person);
    let mut generation = None;
    while run.len() > 1
        && let Some(token) = reading.tokens.get(run.end - 1)
    {
        // "Henry Ford II", not "World War II".
        let roman = run.len() > 2 && token.capital && GENERATIONS.contains(&token.word) && numbered();
        if !roman && !behind(token) {
            break;
        }
        generation = generation.or_else(|| GENERATIONS.contains(&token.word).then(|| token.word.to_string()));
        run.end -= 1;
    }
    let Some(tokens) = reading.tokens.get(run.clone()) else { return };
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return };
    let particle = |at: usize| {
        let is = |at: usize| {
            tokens.get(at).is_some_and(|token| {
                at + 1 < tokens.len() && PARTICLES.contains(&token.word) && !(token.capital && token.word == "ben")
            })
        };
        // "Van der Meer" and "De Gaulle", but "La Paz" and "Van Gogh Museum".
        let leads = is(1) || tokens.len() == 2 && tokens.first().is_some_and(|token| LEADING.contains(&token.word));
        is(at) && (at > 0 || leads)
    };
    let word = |at: usize, token: &Token| (particle(at), base(&token.word).to_owned());
    let (particles, words): (Vec<_>, Vec<_>) =
        tokens.iter().enumerate().map(|(at, token)| word(at, token)).partition(|(particle, _)| *particle);
    let plain = |words: Vec<(bool, String)>| words.into_iter().map(|(_, word)| word).collect::<Vec<String>>();
    let (start, end) = (first.start, last.end - possessive(reading, last));
    let addressed = first.aside() || titled && is_address(reading.word_before(run.start, 1));
    let (words, particles) = (plain(words), plain(particles));
    found.push(Name { tokens: run, start, end, words, titled, addressed, particles, generation });
}

/// Whether any word would be capitalised here: at the start of a sentence, or after a colon or an opening mark.
pub fn opens(reading: &ParsedText<'_>, index: usize) -> bool {
    let Some(token) = reading.tokens.get(index) else { return false };
    let Some(before) = index.checked_sub(1).and_then(|at| reading.tokens.get(at)) else { return true };
    let gap = reading.text.get(before.end..token.start).unwrap_or_default();
    before.line != token.line || gap.ends_with('\'') || gap.contains([':', '“', '"', '‘', '(', '[', '—', '|', '#', '*'])
}

/// Whether a word is written in capitals throughout.
pub fn shouted(reading: &ParsedText<'_>, token: &Token) -> bool {
    let written = reading.slice(token.start..token.end);
    written.chars().filter(|c| c.is_alphabetic()).count() > 1 && !written.chars().any(char::is_lowercase)
}

/// Bytes of a written possessive ending.
pub fn possessive(reading: &ParsedText<'_>, token: &Token) -> usize {
    let text = reading.slice(token.start..token.end);
    let ending = text.rfind(['\'', '’']).filter(|_| base(&token.word).len() < token.word.len());
    ending.map_or(0, |at| text.len() - at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let reading = ParsedText::new(text);
        as_written(&reading).iter().map(|name| reading.slice(name.start..name.end).to_owned()).collect()
    }

    #[test]
    fn titles_are_no_part_of_a_name() {
        assert_eq!(
            found("Town Engineer Anneliese Roth met Dr. Marisol Keane and Mayor Brandvold’s aide on Canal Road."),
            ["Anneliese Roth", "Marisol Keane", "Brandvold", "Canal Road"]
        );
        assert_eq!(
            found("We met Councillors Peter Saddler and Mehra, and Cllr Hilary Dunmore."),
            ["Peter Saddler", "Mehra", "Hilary Dunmore"]
        );
    }

    #[test]
    fn an_adverb_before_a_name_is_no_part_of_it() {
        assert_eq!(
            found("Later Conrad Ohm said so. Finally Ada Ruud left. Kelly Strand met Early Berg. Yesterday it rained."),
            ["Conrad Ohm", "Ada Ruud", "Kelly Strand", "Early Berg", "Yesterday"]
        );
    }

    #[test]
    fn what_is_behind_a_name_or_a_form_of_address_is_no_part_of_it() {
        assert_eq!(
            found("Ada Ruud MP and Bo Strand-Lunde AM, with Eva Lie, MD, met Right Hon. Tom Berg and MS. HOLT KC."),
            ["Ada Ruud", "Bo Strand-Lunde", "Eva Lie", "MD", "Tom Berg", "HOLT"]
        );
    }

    #[test]
    fn a_rank_behind_a_first_name_is_a_surname() {
        assert_eq!(
            found(
                "Then John Major met Major John Howe and Governor Stephen King in Canal City, and Mr Major left with Mr President."
            ),
            ["John Major", "John Howe", "Stephen King", "Canal", "Major"]
        );
    }

    #[test]
    fn particles_and_generations_belong_to_a_name() {
        let reading = ParsedText::new(
            "Ilse van der Meer met Robert De Niro, Jan Berg, Jr., Henry Ford II, George W. Lie III and Van de Velde in La Paz during World War II.",
        );
        let shown = |name: &Name| {
            let generation = name.generation.as_deref().unwrap_or_default();
            format!("{}|{}|{generation}", name.words.join(" "), name.particles.join(" "))
        };
        let all: Vec<String> = as_written(&reading).iter().map(shown).collect();
        let wanted = [
            "ilse meer|van der|",
            "robert niro|de|",
            "jan berg||jr",
            "henry ford||ii",
            "george w lie||iii",
            "velde|van de|",
            "la paz||",
        ];
        assert_eq!(all.get(..7).unwrap(), wanted);
        assert_eq!(all.last().unwrap(), "world war ii||");
    }

    #[test]
    fn a_label_an_initial_and_a_full_name_may_be_one_person() {
        let reading = ParsedText::new("E. HALE: Yes.\n\nCommissioner Edwin Hale and Rosalind Hale spoke.");
        let all = as_written(&reading);
        let name = |text: &str| all.iter().find(|n| reading.slice(n.start..n.end) == text).unwrap().clone();
        assert!(name("E. HALE").may_be(&name("Edwin Hale")) && !name("E. HALE").may_be(&name("Rosalind Hale")));
    }
}
