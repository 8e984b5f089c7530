//! The files of the desk's own style, `assets/styles/Copydesk`. Copy that folder to have one of your own.

/// Each file's name and text.
pub(super) const FILES: &[(&str, &str)] = &[
    ("Copydesk/Absolute.yml", include_str!("../../assets/styles/Copydesk/Absolute.yml")),
    ("Copydesk/Agentless.yml", include_str!("../../assets/styles/Copydesk/Agentless.yml")),
    ("Copydesk/Cliche.yml", include_str!("../../assets/styles/Copydesk/Cliche.yml")),
    ("Copydesk/HeadlineCase.yml", include_str!("../../assets/styles/Copydesk/HeadlineCase.yml")),
    ("Copydesk/HeadlineLength.yml", include_str!("../../assets/styles/Copydesk/HeadlineLength.yml")),
    ("Copydesk/HeadlineStop.yml", include_str!("../../assets/styles/Copydesk/HeadlineStop.yml")),
    ("Copydesk/Intensifier.yml", include_str!("../../assets/styles/Copydesk/Intensifier.yml")),
    ("Copydesk/Percent.yml", include_str!("../../assets/styles/Copydesk/Percent.yml")),
    ("Copydesk/Redundancy.yml", include_str!("../../assets/styles/Copydesk/Redundancy.yml")),
    ("Copydesk/Repeated.yml", include_str!("../../assets/styles/Copydesk/Repeated.yml")),
    ("Copydesk/SentenceLength.yml", include_str!("../../assets/styles/Copydesk/SentenceLength.yml")),
    ("Copydesk/TimeOfDay.yml", include_str!("../../assets/styles/Copydesk/TimeOfDay.yml")),
    ("Copydesk/Unattributed.yml", include_str!("../../assets/styles/Copydesk/Unattributed.yml")),
    ("Copydesk/Variants.yml", include_str!("../../assets/styles/Copydesk/Variants.yml")),
    ("Copydesk/Weasel.yml", include_str!("../../assets/styles/Copydesk/Weasel.yml")),
    ("Copydesk/Wordy.yml", include_str!("../../assets/styles/Copydesk/Wordy.yml")),
];
