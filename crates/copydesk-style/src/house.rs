//! The rules that are compiled in. Copy the folder `assets/styles/Copydesk` to have a house style of your own.

use copydesk_newsroom::PinnedRule;

/// Rules of a folder: each file's name and text.
macro_rules! rules {
    ($folder:literal: $($rule:ident)+) => {
        &[$((
            concat!($folder, "/", stringify!($rule), ".yml"),
            include_str!(concat!("../../../assets/styles/", $folder, "/", stringify!($rule), ".yml")),
        )),+]
    };
}

/// The desk's own style.
pub(super) const FILES: &[(&str, &str)] = rules!("Copydesk":
    Absolute Agentless Cliche HeadlineCase HeadlineLength HeadlineStop Intensifier Percent Redundancy
    Repeated SentenceLength TimeOfDay Unattributed Variants Weasel Wordy
);

/// The files of the desk's own rules of level `error`, as its style has them once it is read.
#[must_use]
pub fn own_demands() -> Vec<PinnedRule> {
    let errors = FILES.iter().filter(|(_, text)| text.lines().any(|line| line == "level: error"));
    errors.map(|(name, text)| PinnedRule { name: (*name).to_owned(), text: (*text).to_owned() }).collect()
}

/// Plain mistakes of grammar. A rule earns its place here if it finds nothing in good copy.
pub(super) const GRAMMAR: &[(&str, &str)] = rules!("Grammar": AnA BetweenTo Its ModalOf Participle Than Their);
