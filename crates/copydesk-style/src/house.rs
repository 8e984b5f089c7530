//! The rules that are compiled in. Copy the folder `assets/styles/Copydesk` to have a house style of your own.

use copydesk_newsroom::PinnedRule;

/// The desk's own style, `assets/styles/Copydesk`: each file's name and text.
pub(super) const FILES: &[(&str, &str)] = &[
    ("Copydesk/Absolute.yml", include_str!("../../../assets/styles/Copydesk/Absolute.yml")),
    ("Copydesk/Agentless.yml", include_str!("../../../assets/styles/Copydesk/Agentless.yml")),
    ("Copydesk/Cliche.yml", include_str!("../../../assets/styles/Copydesk/Cliche.yml")),
    ("Copydesk/HeadlineCase.yml", include_str!("../../../assets/styles/Copydesk/HeadlineCase.yml")),
    ("Copydesk/HeadlineLength.yml", include_str!("../../../assets/styles/Copydesk/HeadlineLength.yml")),
    ("Copydesk/HeadlineStop.yml", include_str!("../../../assets/styles/Copydesk/HeadlineStop.yml")),
    ("Copydesk/Intensifier.yml", include_str!("../../../assets/styles/Copydesk/Intensifier.yml")),
    ("Copydesk/Percent.yml", include_str!("../../../assets/styles/Copydesk/Percent.yml")),
    ("Copydesk/Redundancy.yml", include_str!("../../../assets/styles/Copydesk/Redundancy.yml")),
    ("Copydesk/Repeated.yml", include_str!("../../../assets/styles/Copydesk/Repeated.yml")),
    ("Copydesk/SentenceLength.yml", include_str!("../../../assets/styles/Copydesk/SentenceLength.yml")),
    ("Copydesk/TimeOfDay.yml", include_str!("../../../assets/styles/Copydesk/TimeOfDay.yml")),
    ("Copydesk/Unattributed.yml", include_str!("../../../assets/styles/Copydesk/Unattributed.yml")),
    ("Copydesk/Variants.yml", include_str!("../../../assets/styles/Copydesk/Variants.yml")),
    ("Copydesk/Weasel.yml", include_str!("../../../assets/styles/Copydesk/Weasel.yml")),
    ("Copydesk/Wordy.yml", include_str!("../../../assets/styles/Copydesk/Wordy.yml")),
];

/// The files of the desk's own rules of level `error`, as its style has them once it is read.
#[must_use]
pub fn own_demands() -> Vec<PinnedRule> {
    let errors = FILES.iter().filter(|(_, text)| text.lines().any(|line| line == "level: error"));
    errors.map(|(name, text)| PinnedRule { name: (*name).to_owned(), text: (*text).to_owned() }).collect()
}

/// Plain mistakes of grammar, `assets/styles/Grammar`. A rule earns its place here if it finds nothing in good copy.
pub(super) const GRAMMAR: &[(&str, &str)] = &[
    ("Grammar/AnA.yml", include_str!("../../../assets/styles/Grammar/AnA.yml")),
    ("Grammar/BetweenTo.yml", include_str!("../../../assets/styles/Grammar/BetweenTo.yml")),
    ("Grammar/Its.yml", include_str!("../../../assets/styles/Grammar/Its.yml")),
    ("Grammar/ModalOf.yml", include_str!("../../../assets/styles/Grammar/ModalOf.yml")),
    ("Grammar/Participle.yml", include_str!("../../../assets/styles/Grammar/Participle.yml")),
    ("Grammar/Than.yml", include_str!("../../../assets/styles/Grammar/Than.yml")),
    ("Grammar/Their.yml", include_str!("../../../assets/styles/Grammar/Their.yml")),
];
