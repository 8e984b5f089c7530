//! The steps of a run, by name, and the pool of workers that each belongs to.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{ResearchErrand, Writing};

/// One step of a run. Rounds and concern ids count from 1.
///
/// The name of a step (`draft`, `r1.review`, `r2.c3.judge`, `publish`) is stable: the database keeps it, events print
/// it, and a person types it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Step {
    /// The Reporter writes the questions of an assignment.
    Plan,
    /// A turn of an agent with tools: the Reporter's, or another's before its own step.
    Turn { errand: ResearchErrand, turn: u32 },
    /// A call that a turn asked for.
    Tool { errand: ResearchErrand, turn: u32, call: u32 },
    /// The Editor holds the findings of a pass against the questions.
    Coverage { pass: u32 },
    /// Turns the findings into the source of the story.
    Dossier,
    /// The writer's first draft, or the draft that was handed in. This step puts written sections together.
    Draft,
    /// A call on the way to the first draft, if it takes more than one.
    Write(Writing),
    /// The round's draft is held against its sources, before any model is asked about it.
    Prove { round: u32 },
    /// A model thinks about some of the sentences that the proof could not bind, a batch at a time.
    Opinion { round: u32, batch: u32 },
    /// The round's draft is cut into sections, if it does not fit the reviewer's window together with its sources.
    Sections { round: u32 },
    /// The reviewer reads a section of the round's draft.
    ReviewSection { round: u32, section: u32 },
    /// The reviewer reads the round's draft, or what was said of its sections is put together.
    Review { round: u32 },
    /// The bullets become concerns.
    Parse { round: u32 },
    /// Each concern gets its specialist.
    Map { round: u32 },
    /// A model writes what is asked of the passages.
    Questions { round: u32, concern: u32 },
    /// The institutional memory and the knowledge base are asked.
    LookUp { round: u32, concern: u32 },
    /// Outside evidence is searched for.
    Search { round: u32, concern: u32 },
    /// The pages that the search cited are opened.
    Open { round: u32, concern: u32 },
    /// The specialist decides.
    Judge { round: u32, concern: u32 },
    /// The draft's claims are held against the sources and the knowledge base.
    Claims { round: u32 },
    /// The Editor says which verdicts need research.
    Triage { round: u32 },
    /// An editor decides at the round's gate, or at its sign-off; decisions are numbered within the round.
    Decide { round: u32, number: u32 },
    /// The round passes, goes back to the writer, or was the last.
    Gate { round: u32 },
    /// The Publisher looks at a draft that passed, before it is signed.
    Prepare { round: u32 },
    /// The verdicts become to-dos.
    Feedback { round: u32 },
    /// The writer revises the round's draft; the result is the next round's.
    Revise { round: u32 },
    /// The run ends: canonical output, flags.
    Publish,
}

impl Step {
    /// The round that the step belongs to; 0 before the first review, `u32::MAX` for the end.
    pub fn round(self) -> u32 {
        match self {
            Self::Draft
            | Self::Write(_)
            | Self::Plan
            | Self::Coverage { .. }
            | Self::Dossier
            | Self::Turn { errand: ResearchErrand::Pass(_) | ResearchErrand::Gaps(_), .. }
            | Self::Tool { errand: ResearchErrand::Pass(_) | ResearchErrand::Gaps(_), .. } => 0,
            Self::Turn { errand: ResearchErrand::Round(round) | ResearchErrand::Check { round, .. }, .. }
            | Self::Tool { errand: ResearchErrand::Round(round) | ResearchErrand::Check { round, .. }, .. }
            | Self::Triage { round }
            | Self::Prove { round }
            | Self::Opinion { round, .. }
            | Self::Sections { round }
            | Self::ReviewSection { round, .. }
            | Self::Review { round }
            | Self::Parse { round }
            | Self::Map { round }
            | Self::Questions { round, .. }
            | Self::LookUp { round, .. }
            | Self::Search { round, .. }
            | Self::Open { round, .. }
            | Self::Judge { round, .. }
            | Self::Claims { round }
            | Self::Decide { round, .. }
            | Self::Gate { round }
            | Self::Prepare { round }
            | Self::Feedback { round }
            | Self::Revise { round } => round,
            Self::Publish => u32::MAX,
        }
    }

    /// The concern that the step is about, if it is about one.
    pub fn concern(self) -> Option<u32> {
        match self {
            Self::Questions { concern, .. }
            | Self::LookUp { concern, .. }
            | Self::Search { concern, .. }
            | Self::Open { concern, .. }
            | Self::Turn { errand: ResearchErrand::Check { concern, .. }, .. }
            | Self::Tool { errand: ResearchErrand::Check { concern, .. }, .. }
            | Self::Judge { concern, .. } => Some(concern),
            _ => None,
        }
    }
}

/// The name of each step, and the words for it.
macro_rules! steps {
    ($($step:pat => $name:literal, $words:literal $(, $argument:expr)?;)+) => {
        impl Step {
            /// For a person, such as `Round 1, concern 2`.
            pub fn in_words(self) -> String {
                match self { $($step => format!($words $(, $argument)?),)+ }
            }
        }

        impl fmt::Display for Step {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match *self { $($step => write!(f, $name),)+ }
            }
        }
    };
}

steps! {
    Step::Plan => "plan", "Questions";
    Step::Turn { errand, turn } => "{errand}.t{turn}", "{}, turn {turn}", errand.in_words();
    Step::Tool { errand, turn, call } => "{errand}.t{turn}.k{call}", "{}, turn {turn}, call {call}", errand.in_words();
    Step::Coverage { pass } => "p{pass}.coverage", "Research {pass}, what is missing";
    Step::Dossier => "dossier", "Dossier";
    Step::Triage { round } => "r{round}.triage", "Round {round}, triage";
    Step::Draft => "draft", "First draft";
    Step::Write(writing) => "draft.{writing}", "First draft, {}", writing.in_words();
    Step::Prove { round } => "r{round}.proof", "Round {round}, proof";
    Step::Opinion { round, batch } => "r{round}.o{batch}", "Round {round}, second opinion {batch}";
    Step::Claims { round } => "r{round}.claims", "Round {round}, claims";
    Step::Sections { round } => "r{round}.sections", "Round {round}, sections";
    Step::ReviewSection { round, section } => "r{round}.s{section}", "Round {round}, review, section {section}";
    Step::Review { round } => "r{round}.review", "Round {round}, review";
    Step::Parse { round } => "r{round}.parse", "Round {round}, concerns";
    Step::Map { round } => "r{round}.map", "Round {round}, assigning";
    Step::Questions { round, concern } => "r{round}.c{concern}.questions", "Round {round}, concern {concern}, questions";
    Step::LookUp { round, concern } => "r{round}.c{concern}.lookup", "Round {round}, concern {concern}, look-up";
    Step::Search { round, concern } => "r{round}.c{concern}.search", "Round {round}, concern {concern}, search";
    Step::Open { round, concern } => "r{round}.c{concern}.open", "Round {round}, concern {concern}, citations";
    Step::Judge { round, concern } => "r{round}.c{concern}.judge", "Round {round}, concern {concern}";
    Step::Decide { round, number } => "r{round}.d{number}", "Round {round}, decision {number}";
    Step::Gate { round } => "r{round}.gate", "Round {round}";
    Step::Prepare { round } => "r{round}.prepare", "Round {round}, publisher";
    Step::Feedback { round } => "r{round}.feedback", "Round {round}, feedback";
    Step::Revise { round } => "r{round}.revise", "Round {round}, revision";
    Step::Publish => "publish", "End of the run";
}

/// A step's name that this version does not know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not the name of a step, such as draft, r1.review, r1.c2.judge or publish")]
pub struct UnknownStep(pub String);

impl FromStr for Step {
    type Err = UnknownStep;

    fn from_str(name: &str) -> Result<Self, UnknownStep> {
        let unknown = || UnknownStep(name.to_owned());
        let number = |text: &str, mark: char| text.strip_prefix(mark).and_then(|digits| digits.parse::<u32>().ok());
        let mut pieces = name.split('.');
        let (first, second, third) = (pieces.next().unwrap_or_default(), pieces.next(), pieces.next());
        if pieces.next().is_some() {
            return Err(unknown());
        }
        match (first, second, third) {
            ("draft", None, None) => Ok(Self::Draft),
            ("draft", Some(writing), None) => Writing::named(writing).map(Self::Write).ok_or_else(unknown),
            ("publish", None, None) => Ok(Self::Publish),
            ("plan", None, None) => Ok(Self::Plan),
            ("dossier", None, None) => Ok(Self::Dossier),
            (errand, Some(turn), call) if number(turn, 't').is_some() => {
                let errand: ResearchErrand = ResearchErrand::named(errand).ok_or_else(unknown)?;
                let turn = number(turn, 't').ok_or_else(unknown)?;
                match call {
                    None => Ok(Self::Turn { errand, turn }),
                    Some(call) => Ok(Self::Tool { errand, turn, call: number(call, 'k').ok_or_else(unknown)? }),
                }
            }
            (pass, Some("coverage"), None) => Ok(Self::Coverage { pass: number(pass, 'p').ok_or_else(unknown)? }),
            (round, Some(what), None) => {
                let round = number(round, 'r').ok_or_else(unknown)?;
                match what {
                    "triage" => Ok(Self::Triage { round }),
                    "proof" => Ok(Self::Prove { round }),
                    "claims" => Ok(Self::Claims { round }),
                    "sections" => Ok(Self::Sections { round }),
                    "review" => Ok(Self::Review { round }),
                    "parse" => Ok(Self::Parse { round }),
                    "map" => Ok(Self::Map { round }),
                    "gate" => Ok(Self::Gate { round }),
                    "prepare" => Ok(Self::Prepare { round }),
                    "feedback" => Ok(Self::Feedback { round }),
                    "revise" => Ok(Self::Revise { round }),
                    numbered => match ['d', 'o', 's'].map(|mark| number(numbered, mark)) {
                        [Some(number), ..] => Ok(Self::Decide { round, number }),
                        [_, Some(batch), _] => Ok(Self::Opinion { round, batch }),
                        [.., Some(section)] => Ok(Self::ReviewSection { round, section }),
                        _ => Err(unknown()),
                    },
                }
            }
            (round, Some(concern), Some(what)) => {
                let round = number(round, 'r').ok_or_else(unknown)?;
                let concern = number(concern, 'c').ok_or_else(unknown)?;
                match what {
                    "questions" => Ok(Self::Questions { round, concern }),
                    "lookup" => Ok(Self::LookUp { round, concern }),
                    "search" => Ok(Self::Search { round, concern }),
                    "open" => Ok(Self::Open { round, concern }),
                    "judge" => Ok(Self::Judge { round, concern }),
                    _ => Err(unknown()),
                }
            }
            _ => Err(unknown()),
        }
    }
}

impl TryFrom<String> for Step {
    type Error = UnknownStep;
    fn try_from(name: String) -> Result<Self, UnknownStep> {
        name.parse()
    }
}

impl From<Step> for String {
    fn from(step: Step) -> Self {
        step.to_string()
    }
}

/// A kind of work: one pool for each kind of agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, strum::IntoStaticStr, strum::EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Pool {
    /// Drafts and revises.
    Writer,
    /// Decides gates by policy, checks claims, and whatever a story needs before its next agent.
    Editor,
    /// Holds drafts against their sources and reviews them.
    Review,
    /// Routes concerns.
    Mapping,
    /// Decides concerns.
    Specialist,
    /// Searches outside the house, and opens what it finds.
    Reporter,
    /// Writes what a run leaves.
    Publisher,
}

named!(Pool);

impl Pool {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Writer, Self::Editor, Self::Review, Self::Mapping, Self::Specialist, Self::Reporter, Self::Publisher];

    /// The pool whose work a step is.
    pub fn of(step: Step) -> Self {
        match step {
            Step::Draft | Step::Write(_) | Step::Revise { .. } => Self::Writer,
            Step::Prove { .. }
            | Step::Opinion { .. }
            | Step::Sections { .. }
            | Step::ReviewSection { .. }
            | Step::Review { .. } => Self::Review,
            Step::Map { .. } => Self::Mapping,
            Step::Questions { .. }
            | Step::LookUp { .. }
            | Step::Turn { errand: ResearchErrand::Check { .. }, .. }
            | Step::Judge { .. } => Self::Specialist,
            Step::Turn { errand: ResearchErrand::Gaps(_), .. }
            | Step::Parse { .. }
            | Step::Coverage { .. }
            | Step::Dossier
            | Step::Triage { .. }
            | Step::Claims { .. }
            | Step::Decide { .. }
            | Step::Gate { .. }
            | Step::Feedback { .. } => Self::Editor,
            Step::Search { .. } | Step::Open { .. } | Step::Plan | Step::Turn { .. } | Step::Tool { .. } => {
                Self::Reporter
            }
            Step::Prepare { .. } | Step::Publish => Self::Publisher,
        }
    }
}

impl ResearchErrand {
    /// The step whose answer ends the errand; none of the Reporter's errands, which end with findings.
    pub fn serves(self) -> Option<Step> {
        match self {
            Self::Pass(_) | Self::Round(_) => None,
            Self::Gaps(pass) => Some(Step::Coverage { pass }),
            Self::Check { round, concern } => Some(Step::Judge { round, concern }),
        }
    }

    /// The errand that comes before a step, if an agent with tools does it.
    pub fn before(step: Step) -> Option<Self> {
        match step {
            Step::Coverage { pass } => Some(Self::Gaps(pass)),
            Step::Judge { round, concern } => Some(Self::Check { round, concern }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_reads_back_from_its_name() {
        let (round, concern) = (2, 13);
        let (pass, after) = (ResearchErrand::Pass(1), ResearchErrand::Round(round));
        for step in [
            Step::Plan,
            Step::Turn { errand: pass, turn: 3 },
            Step::Turn { errand: after, turn: 1 },
            Step::Tool { errand: pass, turn: 1, call: 2 },
            Step::Tool { errand: after, turn: 12, call: 1 },
            Step::Turn { errand: ResearchErrand::Gaps(2), turn: 1 },
            Step::Tool { errand: ResearchErrand::Check { round, concern }, turn: 1, call: 2 },
            Step::Coverage { pass: 2 },
            Step::Dossier,
            Step::Triage { round },
            Step::Draft,
            Step::Write(Writing::Plan),
            Step::Write(Writing::Section(12)),
            Step::Write(Writing::Mend(3)),
            Step::Write(Writing::Heads),
            Step::Write(Writing::Again),
            Step::Prove { round },
            Step::Opinion { round, batch: 12 },
            Step::Claims { round },
            Step::Sections { round },
            Step::ReviewSection { round, section: 11 },
            Step::Review { round },
            Step::Parse { round },
            Step::Map { round },
            Step::Questions { round, concern },
            Step::LookUp { round, concern },
            Step::Search { round, concern },
            Step::Open { round, concern },
            Step::Judge { round, concern },
            Step::Decide { round, number: 4 },
            Step::Gate { round },
            Step::Prepare { round },
            Step::Feedback { round },
            Step::Revise { round },
            Step::Publish,
        ] {
            assert_eq!(step.to_string().parse(), Ok(step));
        }
        for wrong in [
            "",
            "r1",
            "r1.c2",
            "rx.review",
            "r1.review.x",
            "draft.draft",
            "r1.c1.judge.x",
            "r-1.map",
            "r1.ox",
            "r1.sx",
            "q1.t1",
            "p1.t1.x1",
            "p1.tx",
            "r1.coverage",
        ] {
            assert_eq!(wrong.parse::<Step>(), Err(UnknownStep(wrong.to_owned())));
        }
    }
}

#[cfg(test)]
mod pool_tests {
    use super::*;

    #[test]
    fn a_pool_is_known_by_its_name() {
        for pool in Pool::ALL {
            assert_eq!(pool.name().parse::<Pool>(), Ok(pool));
        }
        assert!("printers".parse::<Pool>().is_err());
        assert_eq!(Pool::of("r2.c3.judge".parse().unwrap()), Pool::Specialist);
        assert_eq!(Pool::of(Step::Publish), Pool::Publisher);
    }
}
