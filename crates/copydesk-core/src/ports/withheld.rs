//! Why a request was not sent although its host may be asked.

/// Why nothing was sent, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Withheld {
    #[error(
        "{story} is confidential, and {host} is not this machine{}. Nothing was sent. Name a server on this machine, or use `engine: \
         offline`",
        named(.setting)
    )]
    Confidential {
        story: String,
        host: String,
        /// The key that names the host; empty if none does.
        setting: String,
    },
    #[error(
        "the request to {host} would have named the person behind {label}, so it was not sent. Take the name out, or add the way it is \
         written to the aliases of {story}"
    )]
    Named { story: String, host: String, label: String },
    #[error(
        "{story} is confidential, and the program of {setting} may send on what it is given. Nothing was given to it. Set stays_home to true \
         there if the program sends nothing to other machines"
    )]
    Program { story: String, setting: String },
    #[error("what would go to {host} cannot be searched for the names that {story} hides, so it was not sent")]
    Opaque { story: String, host: String },
    #[error("the request to {host} could not be noted in the ledger, so it was not sent: {detail}")]
    Unnoted { host: String, detail: String },
    #[error("nobody said what the request to {host} is for, so it was not sent; please report this")]
    Unexplained { host: String },
}

fn named(setting: &str) -> String {
    if setting.is_empty() { String::new() } else { format!(" ({setting} names it)") }
}

impl Withheld {
    /// Whether another attempt may be sent without a change by a person.
    #[must_use]
    pub fn passes(&self) -> bool {
        matches!(self, Self::Unnoted { .. })
    }

    /// In a word or two, for the ledger.
    #[must_use]
    pub fn in_short(&self) -> &'static str {
        match self {
            Self::Confidential { .. } | Self::Program { .. } => "not sent: confidential",
            Self::Named { .. } => "not sent: a hidden name in it",
            Self::Opaque { .. } => "not sent: cannot be searched for hidden names",
            Self::Unnoted { .. } => "not sent: not noted",
            Self::Unexplained { .. } => "not sent: no reason given",
        }
    }
}
