//! Secrets in text that is still arriving.

use super::secret::{SHORTEST_REAL_SECRET, Secrets, hide};

/// Takes secrets out of a text that comes in pieces. A possible beginning of a secret is held back until it is one or is not.
#[derive(Debug)]
pub struct SecretRedactor {
    secrets: Secrets,
    held: String,
}

impl SecretRedactor {
    /// A veil for these secrets; none if no secret is long enough to be one, so that nothing has to be held back.
    pub fn new(secrets: &Secrets) -> Option<Self> {
        secrets.real().next()?;
        Some(Self { secrets: secrets.clone(), held: String::new() })
    }

    /// Takes the next piece, and returns the text that can be shown by now.
    pub fn push(&mut self, piece: &str) -> String {
        self.held.push_str(piece);
        self.held = hide(std::mem::take(&mut self.held), self.secrets.real());
        let longest = self.secrets.real().map(str::len).max().unwrap_or(SHORTEST_REAL_SECRET);
        let from = self.held.len().saturating_sub(longest);
        let begins = |at: usize| {
            let end = self.held.get(at..).unwrap_or_default();
            self.secrets.real().any(|secret| secret.starts_with(end))
        };
        let keep = (from..self.held.len()).filter(|at| self.held.is_char_boundary(*at)).find(|at| begins(*at));
        let held = self.held.split_off(keep.unwrap_or(self.held.len()));
        std::mem::replace(&mut self.held, held)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Secret;

    fn shown(pieces: &[&str]) -> String {
        let secrets = Secrets::new(vec![Secret::new("sk-0123456789".into()), Secret::new("lm-studio".into())]);
        let mut redactor = SecretRedactor::new(&secrets).unwrap();
        pieces.iter().map(|piece| redactor.push(piece)).collect()
    }

    #[test]
    fn a_secret_is_hidden_however_it_is_cut() {
        assert_eq!(shown(&["the key sk-01", "2345", "6789 is it"]), "the key [secret] is it");
        assert_eq!(shown(&["risk", "-free"]), "risk-free");
        assert_eq!(shown(&["lm-studio s", "s", "k", "-", "é"]), "lm-studio ssk-é");
        assert!(SecretRedactor::new(&Secrets::new(vec![Secret::new("ollama".into())])).is_none());
    }

    proptest! {
        #[test]
        fn all_but_the_secret_comes_through(pieces in prop::collection::vec("[sk0-9 é-]{0,6}", 0..20)) {
            let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
            let whole = pieces.concat() + ".";
            let mut all = pieces.clone();
            all.push(".");
            prop_assert_eq!(shown(&all), whole.replace("sk-0123456789", "[secret]"));
        }
    }
}
