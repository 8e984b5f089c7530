//! Reads words of the command line that stand for a value of the crates below, which know no command line.

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::proof::Gravity;

/// Reads one of `all` by its name.
pub(crate) fn one_of<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [T; N],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.map(name)).try_map(move |typed| {
        all.into_iter().find(|one| name(*one).eq_ignore_ascii_case(&typed)).ok_or("it is none of these words")
    })
}

/// Reads how grave a rule must be to be asked.
pub fn gravity() -> impl TypedValueParser<Value = Gravity> {
    one_of([Gravity::Note, Gravity::Concern, Gravity::Block], Gravity::name)
}
