//! The arithmetic of `metric` rules: numbers, names, `+ - * / %`, brackets, `math.sqrt(…)`; and, for a condition,
//! comparisons with `&&`, `||` and `!`. Vale hands these to a script engine; a style's file runs no program here.

use std::collections::HashMap;

/// Deepest nesting of brackets.
const DEEPEST: usize = 32;

/// Longest formula in bytes.
const LONGEST: usize = 4_096;

/// The fault of a formula, for the end of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum FormulaError {
    #[error("is longer than {} bytes", LONGEST)]
    TooLong,
    #[error("is nested more than {} deep", DEEPEST)]
    TooDeep,
    #[error("ends too early")]
    EndsEarly,
    /// With what cannot be read.
    #[error("cannot be read from {0:?} on")]
    Unreadable(String),
    #[error("has {0:?}, which is no number")]
    NoNumber(String),
    #[error("has {name:?}; the names are {known}")]
    UnknownName { name: String, known: String },
    #[error("has math.{0}; sqrt, abs, floor, ceil and log are known")]
    UnknownFunction(String),
    /// With the function's name.
    #[error("lacks a bracket after math.{0}")]
    NotOpened(String),
    #[error("lacks a closing bracket")]
    NotClosed,
}

/// Evaluates `text`; names are looked up in `values`. A comparison is 1 or 0.
///
/// # Errors
/// [`FormulaError`].
pub(super) fn value(text: &str, values: &HashMap<&str, f64>) -> Result<f64, FormulaError> {
    if text.len() > LONGEST {
        return Err(FormulaError::TooLong);
    }
    let mut reader = Reader { rest: text.trim_start(), values, depth: 0 };
    let value = reader.any()?;
    if reader.rest.is_empty() { Ok(value) } else { Err(unreadable(reader.rest)) }
}

fn unreadable(rest: &str) -> FormulaError {
    FormulaError::Unreadable(rest.chars().take(20).collect())
}

struct Reader<'r> {
    rest: &'r str,
    values: &'r HashMap<&'r str, f64>,
    depth: usize,
}

impl Reader<'_> {
    /// Takes the first of `marks` that comes next; a longer one must stand before its beginning.
    fn take(&mut self, marks: &[&'static str]) -> Option<&'static str> {
        let (mark, rest) = marks.iter().find_map(|mark| Some((*mark, self.rest.strip_prefix(mark)?)))?;
        self.rest = rest.trim_start();
        Some(mark)
    }

    fn any(&mut self) -> Result<f64, FormulaError> {
        let mut left = self.all()?;
        while self.take(&["||"]).is_some() {
            left = truth(self.all()? != 0.0 || left != 0.0);
        }
        Ok(left)
    }

    fn all(&mut self) -> Result<f64, FormulaError> {
        let mut left = self.compared()?;
        while self.take(&["&&"]).is_some() {
            left = truth(self.compared()? != 0.0 && left != 0.0);
        }
        Ok(left)
    }

    fn compared(&mut self) -> Result<f64, FormulaError> {
        let left = self.sum()?;
        let Some(mark) = self.take(&["<=", ">=", "==", "!=", "<", ">"]) else { return Ok(left) };
        let right = self.sum()?;
        #[expect(clippy::float_cmp, reason = "the rule's author asked for it")]
        let holds = match mark {
            "<=" => left <= right,
            ">=" => left >= right,
            "==" => left == right,
            "!=" => left != right,
            "<" => left < right,
            _ => left > right,
        };
        Ok(truth(holds))
    }

    fn sum(&mut self) -> Result<f64, FormulaError> {
        let mut left = self.product()?;
        while let Some(mark) = self.take(&["+", "-"]) {
            let right = self.product()?;
            left = if mark == "+" { left + right } else { left - right };
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<f64, FormulaError> {
        let mut left = self.factor()?;
        while let Some(mark) = self.take(&["*", "/", "%"]) {
            let right = self.factor()?;
            left = match mark {
                "*" => left * right,
                "/" => left / right,
                _ => left % right,
            };
        }
        Ok(left)
    }

    fn factor(&mut self) -> Result<f64, FormulaError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(FormulaError::TooDeep);
        }
        let value = self.operand();
        self.depth -= 1;
        value
    }

    fn operand(&mut self) -> Result<f64, FormulaError> {
        if let Some(mark) = self.take(&["(", "-", "!"]) {
            return match mark {
                "(" => {
                    let value = self.any()?;
                    self.take(&[")"]).map(|_| value).ok_or(FormulaError::NotClosed)
                }
                "-" => Ok(-self.factor()?),
                _ => Ok(truth(self.factor()? == 0.0)),
            };
        }
        let rest = self.rest;
        let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(rest.len());
        let (word, rest) = rest.split_at_checked(length).unwrap_or((rest, ""));
        if word.is_empty() {
            return Err(if rest.is_empty() { FormulaError::EndsEarly } else { unreadable(rest) });
        }
        self.rest = rest.trim_start();
        if word.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return word.parse().map_err(|_| FormulaError::NoNumber(word.to_owned()));
        }
        if let Some(function) = word.strip_prefix("math.") {
            return self.function(function);
        }
        self.values.get(word).copied().ok_or_else(|| {
            let mut known: Vec<&str> = self.values.keys().copied().collect();
            known.sort_unstable();
            FormulaError::UnknownName { name: word.to_owned(), known: known.join(", ") }
        })
    }

    fn function(&mut self, name: &str) -> Result<f64, FormulaError> {
        let apply: fn(f64) -> f64 = match name {
            "sqrt" => f64::sqrt,
            "abs" => f64::abs,
            "floor" => f64::floor,
            "ceil" => f64::ceil,
            "log" => f64::ln,
            _ => return Err(FormulaError::UnknownFunction(name.to_owned())),
        };
        if self.take(&["("]).is_none() {
            return Err(FormulaError::NotOpened(name.to_owned()));
        }
        let value = self.any()?;
        self.take(&[")"]).map(|_| apply(value)).ok_or(FormulaError::NotClosed)
    }
}

fn truth(holds: bool) -> f64 {
    if holds { 1.0 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(text: &str) -> Result<f64, FormulaError> {
        value(text, &HashMap::from([("words", 100.0), ("sentences", 5.0)]))
    }

    #[test]
    fn arithmetic_is_done_in_its_usual_order() {
        for (text, expected) in [
            ("1 + 2 * 3", 7.0),
            ("(1 + 2) * 3 - -1", 10.0),
            ("0.39 * (words / sentences)", 7.8),
            ("math.sqrt(words) % 4", 2.0),
            ("7 > 5 && !(words < 3)", 1.0),
            ("1 >= 2 || 3 == 4 || 1 != 1", 0.0),
            ("math.floor(2.7) + math.ceil(2.1) + math.abs(-1) + math.log(1)", 6.0),
        ] {
            assert!((of(text).unwrap() - expected).abs() < 1e-9, "{text}");
        }
        assert!(of("1 / 0").unwrap().is_infinite());
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        for (text, says) in [
            ("", "ends too early"),
            ("1 +", "ends too early"),
            ("(1", "lacks a closing bracket"),
            ("word", "the names are sentences, words"),
            ("1 $ 2", "cannot be read from \"$ 2\" on"),
            ("$", "cannot be read"),
            ("1.2.3", "is no number"),
            ("math.sin(1)", "sqrt, abs"),
            ("math.sqrt 1", "lacks a bracket"),
            ("math.sqrt(1", "lacks a closing bracket"),
        ] {
            assert!(of(text).unwrap_err().to_string().contains(says), "{text}: {:?}", of(text));
        }
        for (text, says) in
            [("(".repeat(1_000), "is nested more than 32 deep"), ("1+".repeat(4_000), "is longer than 4096 bytes")]
        {
            assert_eq!(of(&text).unwrap_err().to_string(), says);
        }
    }

    proptest! {
        #[test]
        fn any_formula_is_answered(text in "\\PC*|([0-9.]|[a-z]|[-+*/%()<>=!&| ]|words|math\\.sqrt){0,40}") {
            let _ = of(&text);
        }
    }
}
