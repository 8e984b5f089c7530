//! A packet of claims for an expert outside the house, and the answers that come back: one Markdown file that a person fills in and a
//! program reads strictly.
//!
//! The packet is written again from the journal when it comes back, and each line that is not to be filled in must be as it was. So a packet of
//! another story, of an earlier draft, or with other statements is refused, and no answer stands under a statement that nobody was asked about.
//! Names that the story hides are hidden in the packet, too.

use sha2::{Digest as _, Sha256};

use crate::{
    editorial::{aliasing::Aliasing, decisions::effective_verdicts},
    newsroom::{Choice, Claim, Journal, Passage, Status, Wait},
    text::sanitise,
};

/// Largest file that is read back, in bytes; most characters of a comment and of a name.
pub const MOST_BYTES: usize = 1 << 20;
const LONGEST_COMMENT: usize = 4_000;
const LONGEST_NAME: usize = 120;

const HEAD: &str = "# Questions to an expert";
const STORY: &str = "Story: ";
const DRAFT: &str = "Draft: ";
const CLAIMS: &str = "Claims: ";
const EXPERT: &str = "Expert:";
const COMMENT: &str = "Comment:";

/// What an expert says of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpertVerdict {
    Right,
    Wrong,
    CannotSay,
}

impl ExpertVerdict {
    const ALL: [Self; 3] = [Self::Right, Self::Wrong, Self::CannotSay];

    fn in_words(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
            Self::CannotSay => "cannot say",
        }
    }
}

/// An answer to one claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpertAnswer {
    /// The claim's number in the draft, from 1.
    pub claim: usize,
    pub verdict: ExpertVerdict,
    /// It may be empty.
    pub comment: String,
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpertAnswers {
    pub expert: String,
    pub answers: Vec<ExpertAnswer>,
    /// Claims that have no answer.
    pub open: Vec<usize>,
}

/// Why a packet cannot be written or read back. Each message is a sentence of its own.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PacketError {
    #[error("the claims of this draft were not checked, so there are none to ask about (claims.enabled)")]
    NoClaims,
    #[error("there is no claim {number}; the draft has claims 1 to {last}")]
    NoSuchClaim { number: usize, last: usize },
    #[error("the story waits for nobody, so no answers can be taken in")]
    WaitsForNobody,
    #[error("it is no packet: its first line is not “{HEAD}”")]
    NoPacket,
    #[error("it is larger than {} kB", MOST_BYTES >> 10)]
    TooLarge,
    #[error("it is a packet of {theirs}, and this story is {story}")]
    OtherStory { theirs: String, story: String },
    #[error("the draft has changed since the packet was written. Write a new packet and ask again")]
    OtherDraft,
    #[error(
        "line {line} is not as the packet was written: it should be “{wanted}”. Only answers, comments and the name may be filled in"
    )]
    Changed { line: usize, wanted: String },
    #[error("nobody's name stands behind “{EXPERT}”")]
    NoName,
    #[error("claim {0} has more than one answer")]
    TwoAnswers(usize),
    #[error("claim {0} has a comment, and no answer is marked with an x")]
    CommentAlone(usize),
    #[error("the comment on claim {0} has more than {LONGEST_COMMENT} characters")]
    LongComment(usize),
    #[error("no claim has an answer")]
    NoAnswer,
}

/// Writes a packet about these claims of the draft of a round; about all, if none is named.
///
/// # Errors
/// [`PacketError`] if there are no such claims.
pub fn written(journal: &Journal, round: u32, numbers: &[usize]) -> Result<String, PacketError> {
    let claims = &journal.claims(round).ok_or(PacketError::NoClaims)?.claims;
    let mut chosen: Vec<usize> = if numbers.is_empty() { (1..=claims.len()).collect() } else { numbers.to_vec() };
    chosen.sort_unstable();
    chosen.dedup();
    if chosen.is_empty() {
        return Err(PacketError::NoClaims);
    }
    let aliasing = Aliasing::of(&journal.opening.secrecy.aliases);
    let named = chosen.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let mut lines = vec![
        HEAD.to_owned(),
        String::new(),
        "Please read each statement, put an x between the brackets of one answer, and write what you want to say under “Comment:”.".to_owned(),
        "Write your name behind “Expert:”. Leave every other line as it is, and send the file back.".to_owned(),
        String::new(),
        format!("{STORY}{}", aliasing.hidden(&journal.opening.topic.story().to_string())),
        format!("{DRAFT}{}", digest(journal, round)),
        format!("{CLAIMS}{named}"),
        String::new(),
        EXPERT.to_owned(),
    ];
    for number in chosen {
        let claim = number.checked_sub(1).and_then(|at| claims.get(at));
        let claim = claim.ok_or(PacketError::NoSuchClaim { number, last: claims.len() })?;
        put_claim(&mut lines, number, claim, &aliasing);
    }
    Ok(lines.join("\n") + "\n")
}

fn put_claim(lines: &mut Vec<String>, number: usize, claim: &Claim, aliasing: &Aliasing) {
    let quote = |text: &str| format!("> {}", sanitise::one_line(&aliasing.hidden(text)));
    lines.extend([String::new(), format!("## Claim {number}"), String::new(), quote(&claim.text), String::new()]);
    let passages: Vec<&Passage> = passages(claim);
    if passages.is_empty() {
        lines.push("No passage of the sources bears on it.".to_owned());
    }
    for passage in passages {
        let file = sanitise::one_line(&aliasing.hidden(&passage.file));
        lines.extend([format!("Passage from {file}:"), String::new(), quote(&passage.text), String::new()]);
    }
    lines.push(String::new());
    lines.extend(ExpertVerdict::ALL.map(|verdict| format!("[ ] {}", verdict.in_words())));
    lines.extend([String::new(), COMMENT.to_owned(), String::new(), end_of(number)]);
}

fn end_of(number: usize) -> String {
    format!("----- end of claim {number} -----")
}

/// The passages that bear on a claim, each once.
fn passages(claim: &Claim) -> Vec<&Passage> {
    let all = claim.passage.iter().chain(claim.witnesses.iter().map(|witness| &witness.passage));
    let mut passages: Vec<&Passage> = Vec::new();
    for passage in all {
        if !passages.iter().any(|known| known.text == passage.text) {
            passages.push(passage);
        }
    }
    passages
}

/// SHA-256 of the draft and its claims.
fn digest(journal: &Journal, round: u32) -> String {
    let draft = journal.draft(round).and_then(|draft| serde_json::to_vec(&draft.article).ok());
    let claims = journal.claims(round).and_then(|claims| serde_json::to_vec(claims).ok());
    let mut digest = Sha256::new();
    digest.update(draft.unwrap_or_default());
    digest.update(claims.unwrap_or_default());
    hex::encode(digest.finalize())
}

/// Reads a packet that came back while the draft of `round` waits.
///
/// # Errors
/// [`PacketError`] with what is wrong with it.
pub fn read(journal: &Journal, round: u32, text: &str) -> Result<ExpertAnswers, PacketError> {
    if text.len() > MOST_BYTES {
        return Err(PacketError::TooLarge);
    }
    let text = sanitise::clean(text.trim_start_matches('\u{FEFF}'));
    let theirs: Vec<&str> = text.lines().map(str::trim_end).collect();
    if theirs.first() != Some(&HEAD) {
        return Err(PacketError::NoPacket);
    }
    let aliasing = Aliasing::of(&journal.opening.secrecy.aliases);
    let field = |name: &str| theirs.iter().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    let story = aliasing.hidden(&journal.opening.topic.story().to_string()).into_owned();
    if field(STORY) != story {
        return Err(PacketError::OtherStory { theirs: sanitise::excerpt(field(STORY), 80), story });
    }
    if field(DRAFT) != digest(journal, round) {
        return Err(PacketError::OtherDraft);
    }
    let numbers: Vec<usize> = field(CLAIMS).split(',').filter_map(|number| number.trim().parse().ok()).collect();
    let ours = written(journal, round, &numbers)?;
    let mut reader =
        PacketReader { lines: theirs, at: 0, answers: Vec::new(), open: Vec::new(), expert: String::new() };
    reader.read(&ours, &aliasing)?;
    let PacketReader { answers, open, expert, .. } = reader;
    if answers.is_empty() {
        return Err(PacketError::NoAnswer);
    }
    Ok(ExpertAnswers { expert, answers, open })
}

struct PacketReader<'t> {
    lines: Vec<&'t str>,
    at: usize,
    expert: String,
    answers: Vec<ExpertAnswer>,
    open: Vec<usize>,
}

impl PacketReader<'_> {
    /// Goes through the packet as it was written, beside the one that came back.
    fn read(&mut self, ours: &str, aliasing: &Aliasing) -> Result<(), PacketError> {
        let mut claim = 0;
        let mut marked: Vec<ExpertVerdict> = Vec::new();
        let mut ours = ours.lines();
        while let Some(wanted) = ours.next() {
            let line = self.lines.get(self.at).copied().unwrap_or_default();
            self.at += 1;
            let changed = PacketError::Changed { line: self.at, wanted: sanitise::excerpt(wanted, 80) };
            if wanted == EXPERT {
                let name = line.strip_prefix(EXPERT).ok_or(changed)?;
                self.expert = sanitise::excerpt(&aliasing.restored(name), LONGEST_NAME);
                if sanitise::is_blank(&self.expert) {
                    return Err(PacketError::NoName);
                }
            } else if let Some(answer) = wanted.strip_prefix("[ ] ") {
                let mark = line.strip_suffix(answer).map(str::trim_end);
                let verdict = ExpertVerdict::ALL.into_iter().find(|verdict| verdict.in_words() == answer);
                match (mark, verdict) {
                    (Some("[ ]" | "[]"), Some(_)) => {}
                    (Some("[x]" | "[X]" | "[ x]" | "[x ]" | "[ x ]"), Some(verdict)) => marked.push(verdict),
                    _ => return Err(changed),
                }
            } else if wanted == COMMENT {
                let first = line.strip_prefix(COMMENT).ok_or(changed)?;
                // An empty line and the end follow in the packet as it was written.
                let end = ours.by_ref().find(|line| line.starts_with("-----")).unwrap_or_default();
                let comment = self.comment(first, end, claim)?;
                self.answered(claim, &std::mem::take(&mut marked), &aliasing.restored(&comment))?;
            } else if line == wanted {
                if let Some(number) = wanted.strip_prefix("## Claim ") {
                    claim = number.parse().unwrap_or(0);
                }
            } else {
                return Err(changed);
            }
        }
        match self.lines.iter().skip(self.at).position(|line| !line.is_empty()) {
            Some(more) => Err(PacketError::Changed { line: self.at + more + 1, wanted: String::new() }),
            None => Ok(()),
        }
    }

    fn comment(&mut self, first: &str, end: &str, claim: usize) -> Result<String, PacketError> {
        let mut lines = vec![first];
        loop {
            let line = self.lines.get(self.at).copied();
            self.at += 1;
            match line {
                Some(line) if line == end => break,
                Some(line) => lines.push(line),
                None => return Err(PacketError::Changed { line: self.at, wanted: end.to_owned() }),
            }
        }
        let comment = lines.join("\n").trim().to_owned();
        if comment.chars().count() > LONGEST_COMMENT {
            return Err(PacketError::LongComment(claim));
        }
        Ok(comment)
    }

    fn answered(&mut self, claim: usize, marked: &[ExpertVerdict], comment: &str) -> Result<(), PacketError> {
        match marked {
            [verdict] => self.answers.push(ExpertAnswer { claim, verdict: *verdict, comment: comment.to_owned() }),
            [] if comment.is_empty() => self.open.push(claim),
            [] => return Err(PacketError::CommentAlone(claim)),
            _ => return Err(PacketError::TwoAnswers(claim)),
        }
        Ok(())
    }
}

/// The answers as decisions of the editor who takes them in: an answer to a claim on which a verdict stands overrules that verdict if it says
/// otherwise. At a gate a wrong claim becomes a to-do. Each answer is a comment, too.
#[must_use]
pub fn choices(journal: &Journal, wait: Wait, answers: &ExpertAnswers) -> Vec<Choice> {
    let round = wait.round();
    let at_gate = matches!(wait, Wait::Gate { .. });
    let claims = journal.claims(round).map(|claims| claims.claims.as_slice()).unwrap_or_default();
    let (mut choices, mut wrong) = (Vec::new(), Vec::new());
    for answer in &answers.answers {
        let Some(claim) = answer.claim.checked_sub(1).and_then(|at| claims.get(at)) else { continue };
        let said = if answer.comment.is_empty() { String::new() } else { format!(": {}", answer.comment) };
        let words =
            format!("{} (expert) on claim {}: {}{said}", answers.expert, answer.claim, answer.verdict.in_words());
        let overruled = at_gate.then(|| overruling(journal, round, claim, answer, &words)).flatten();
        if overruled.is_none() && at_gate && answer.verdict == ExpertVerdict::Wrong {
            let excerpt = sanitise::excerpt(&claim.text, 160);
            wrong.push(sanitise::one_line(&format!("Correct “{excerpt}”: {words}")));
        }
        choices.extend(overruled);
        choices.push(Choice::Comment { about: claim.text.clone(), text: words });
    }
    if !wrong.is_empty() {
        choices.push(Choice::Feedback { text: wrong.join("\n") });
    }
    choices
}

/// The decision on the concern that is about a claim, if its verdict says otherwise than the expert.
fn overruling(journal: &Journal, round: u32, claim: &Claim, answer: &ExpertAnswer, words: &str) -> Option<Choice> {
    let about = |excerpt: &str| {
        let excerpt = excerpt.trim_matches(['“', '”', '"']);
        !sanitise::is_blank(excerpt) && (claim.text.contains(excerpt) || excerpt.contains(claim.text.as_str()))
    };
    let concern = journal.concerns(round)?.concerns.iter().find(|concern| about(&concern.excerpt))?.concern_id;
    let stands = effective_verdicts(journal, round).into_iter().find(|verdict| verdict.concern_id == concern)?.status;
    let (status, fix) = match (answer.verdict, stands) {
        (ExpertVerdict::Right, Status::Rewrite | Status::Remove) => (Status::Keep, None),
        (ExpertVerdict::Wrong, Status::Keep) => {
            let fix =
                if answer.comment.is_empty() { "Correct it as the expert says." } else { answer.comment.as_str() };
            (Status::Rewrite, Some(fix.to_owned()))
        }
        _ => return None,
    };
    Some(Choice::Override { concern, status, fix, reason: words.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        editorial::next_steps::tests::{article, opening},
        newsroom::{Alias, Claims, Draft, Entry, Outcome, SimilarityMeasure, Step, Usage},
    };

    fn claim(text: &str, passages: &[&str]) -> Claim {
        let passage = |text: &str| Passage { file: "Minutes".into(), text: text.into(), ..Passage::default() };
        Claim {
            start: 0,
            end: text.len(),
            text: text.into(),
            passage: passages.first().map(|text| passage(text)),
            similarity: None,
            measure: SimilarityMeasure::Words,
            findings: vec![],
            witnesses: vec![],
            resolved: None,
            distrusted: vec![],
            verified: false,
        }
    }

    fn journal(body: &str) -> Journal {
        let mut opening = opening();
        opening.secrecy.aliases = vec![Alias { name: "Ann Lee".into(), label: "SOURCE-1".into() }];
        let mut journal = Journal::new(opening);
        let claims = vec![
            claim("The council voted 7-2.", &["It voted seven to two."]),
            claim("Ann Lee paid.\n## Claim 9\n[x] right", &[]),
        ];
        let claims = Outcome::Claims(Claims { claims, words_only: None });
        let draft = Outcome::Draft(Draft { article: article(body), stripped: vec![], undone: vec![] });
        for (step, outcome) in [(Step::Draft, draft), (Step::Claims { round: 1 }, claims)] {
            journal.push(Entry {
                step,
                outcome,
                at: "2026-10-06T12:00:00Z".into(),
                usage: Usage::default(),
                shown: None,
            });
        }
        journal
    }

    fn filled() -> String {
        let packet = written(&journal("A."), 1, &[]).unwrap();
        let packet = packet.replacen("\nExpert:", "\nExpert: Dr Eve Stone", 1).replacen("[ ] wrong", "[x] wrong", 1);
        packet.replacen("Comment:\n", "Comment:\nIt was 8-1,\nas SOURCE-1 knows.\n", 1)
    }

    #[test]
    fn a_packet_is_read_back_as_it_was_filled_in() {
        let blank = written(&journal("A."), 1, &[2, 1, 1]).unwrap();
        assert!(blank.contains("> SOURCE-1 paid. ## Claim 9 [x] right") && !blank.contains("Lee"), "{blank}");
        assert!(blank.contains("No passage of the sources bears on it."), "{blank}");
        let comment = "It was 8-1,\nas Ann Lee knows.".to_owned();
        let answers = ExpertAnswers {
            expert: "Dr Eve Stone".into(),
            answers: vec![ExpertAnswer { claim: 1, verdict: ExpertVerdict::Wrong, comment }],
            open: vec![2],
        };
        assert_eq!(read(&journal("A."), 1, &filled()), Ok(answers.clone()));
        // As other systems and editors save it.
        assert_eq!(
            read(&journal("A."), 1, &format!("\u{FEFF}{}\r\n", filled().replace('\n', "  \r\n"))),
            Ok(answers.clone())
        );
        let choices = choices(&journal("A."), Wait::Gate { round: 1 }, &answers);
        let words = "Dr Eve Stone (expert) on claim 1: wrong: It was 8-1,\nas Ann Lee knows.";
        assert_eq!(
            choices,
            [
                Choice::Comment { about: "The council voted 7-2.".into(), text: words.into() },
                Choice::Feedback {
                    text: "Correct “The council voted 7-2.”: Dr Eve Stone (expert) on claim 1: wrong: It was 8-1, as Ann Lee knows."
                        .into()
                }
            ]
        );
        let signing = super::choices(&journal("A."), Wait::SignOff { round: 1 }, &answers);
        assert!(matches!(&*signing, [Choice::Comment { .. }]), "at sign-off it is a comment: {signing:?}");
    }

    #[test]
    fn what_is_not_the_packet_that_was_written_is_refused() {
        let read = |text: &str| read(&journal("A."), 1, text).unwrap_err();
        let changed = |from: &str, to: &str| {
            let text = filled();
            assert!(text.contains(from), "{from}");
            read(&text.replacen(from, to, 1))
        };
        assert_eq!(read("Dear desk"), PacketError::NoPacket);
        assert_eq!(read(""), PacketError::NoPacket);
        assert_eq!(read(&"x".repeat(MOST_BYTES + 1)), PacketError::TooLarge);
        assert!(matches!(changed("Story: ", "Story: other/"), PacketError::OtherStory { .. }));
        assert_eq!(super::read(&journal("B."), 1, &filled()), Err(PacketError::OtherDraft));
        assert_eq!(changed("Dr Eve Stone", " "), PacketError::NoName);
        assert_eq!(changed("[ ] cannot say", "[x] cannot say"), PacketError::TwoAnswers(1));
        assert_eq!(changed("[x] wrong", "[ ] wrong"), PacketError::CommentAlone(1));
        assert_eq!(changed("It was", &"x".repeat(LONGEST_COMMENT)), PacketError::LongComment(1));
        for (from, to) in [
            ("> The council voted 7-2.", "> The council voted 8-1."),
            ("> It voted seven", "> It voted eight"),
            ("[x] wrong", "[x] quite wrong"),
            ("[x] wrong", "x wrong"),
            ("## Claim 2", "## Claim 1"),
            ("----- end of claim 2 -----", ""),
            ("Claims: 1,2", "Claims: 1"),
            ("Expert: Dr", "Name: Dr"),
        ] {
            assert!(matches!(changed(from, to), PacketError::Changed { .. }), "{from}");
        }
        assert!(matches!(changed("Claims: 1,2", "Claims: 1,2,7"), PacketError::NoSuchClaim { number: 7, last: 2 }));
        assert!(matches!(read(&format!("{}More.", filled())), PacketError::Changed { .. }));
        assert_eq!(
            read(&filled().replacen("[x] wrong", "[ ] wrong", 1).replace("It was 8-1,\nas SOURCE-1 knows.\n", "")),
            PacketError::NoAnswer
        );
        assert_eq!(written(&journal("A."), 1, &[3]), Err(PacketError::NoSuchClaim { number: 3, last: 2 }));
        assert_eq!(written(&journal("A."), 2, &[]), Err(PacketError::NoClaims));
    }
}
