//! The two instructions that the offline desk gives and takes: `Replace “A” with “B”.` and `Delete “A”.`
//!
//! A specialist writes them, an editor may type them, the reviser carries them out. A and B may hold quotation marks of
//! their own: the outermost marks count.

/// An instruction that can be carried out without judgement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Repair {
    /// Put other words in the place of some.
    Replace {
        /// The words that stand there.
        old: String,
        /// The words that shall.
        new: String,
    },
    /// Take words out.
    Delete {
        /// The words that stand there.
        old: String,
    },
}

/// How the reviser is told to replace.
pub(super) fn replace(old: &str, new: &str) -> String {
    format!("Replace “{old}” with “{new}”.")
}

/// How the reviser is told to delete.
pub(super) fn delete(old: &str) -> String {
    format!("Delete “{old}”.")
}

/// Every way in which a to-do can be read, the likeliest first; none where it is no such instruction. There are several
/// where the words themselves hold `” with “`.
pub(super) fn readings(to_do: &str) -> Vec<Repair> {
    let text = to_do.trim();
    let text = text.strip_suffix('.').unwrap_or(text).trim_end();
    let inner = |verb: &str| -> Option<&str> {
        let head = text.get(..verb.len())?;
        let rest = text.get(verb.len()..)?.trim_start();
        if !head.eq_ignore_ascii_case(verb) {
            return None;
        }
        let rest = rest.strip_prefix('“').or_else(|| rest.strip_prefix('"'))?;
        rest.strip_suffix('”').or_else(|| rest.strip_suffix('"'))
    };
    if let Some(old) = inner("Delete") {
        return vec![Repair::Delete { old: old.to_owned() }];
    }
    let Some(both) = inner("Replace") else { return Vec::new() };
    let mut found = Vec::new();
    for hinge in ["” with “", "\" with \"", "” with \"", "\" with “"] {
        for (at, _) in both.match_indices(hinge) {
            let (Some(old), Some(new)) = (both.get(..at), both.get(at + hinge.len()..)) else { continue };
            found.push(Repair::Replace { old: old.to_owned(), new: new.to_owned() });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let (old, new) = ("he said: “No.”", "“Yes,” she said");
        assert_eq!(readings(&replace(old, new)), [Repair::Replace { old: old.to_owned(), new: new.to_owned() }]);
        assert_eq!(readings(&delete(old)), [Repair::Delete { old: old.to_owned() }]);
        assert_eq!(readings("Make it livelier"), []);
        assert_eq!(
            readings("replace \"a\" with \"b\""),
            [Repair::Replace { old: "a".to_owned(), new: "b".to_owned() }]
        );
    }
}
