//! A rule's message with its `%s` filled in.

use copydesk_text::in_marks;

/// `message` with each `%s` replaced by the next of `values`, and `%[2]s` by the second of them; `%%` is one sign. A `%s`
/// for which there is nothing stays away.
pub(super) fn fill(message: &str, values: &[&str]) -> String {
    let mut filled = String::with_capacity(message.len() + 16);
    let mut next = values.iter();
    let mut rest = message;
    while let Some((before, after)) = rest.split_once('%') {
        filled.push_str(before);
        if let Some(tail) = after.strip_prefix('s') {
            let value = next.next().copied().unwrap_or_default();
            if filled.ends_with('“') && tail.starts_with('”') {
                // The message has the marks around it already.
                filled.push_str(in_marks(value).trim_start_matches('“').trim_end_matches('”'));
            } else {
                filled.push_str(value);
            }
            rest = tail;
        } else if let Some(tail) = after.strip_prefix('%') {
            filled.push('%');
            rest = tail;
        } else if let Some((number, tail)) = after.strip_prefix('[').and_then(|numbered| numbered.split_once("]s"))
            && let Ok(number) = number.parse::<usize>()
        {
            filled.push_str(number.checked_sub(1).and_then(|index| values.get(index)).copied().unwrap_or_default());
            rest = tail;
        } else {
            filled.push('%');
            rest = after;
        }
    }
    filled.push_str(rest);
    filled
}

/// `'a'`, `'a' or 'b'`, `'a', 'b', or 'c'`: Vale's way to write a choice.
pub(super) fn choice(words: &[String]) -> String {
    let mut quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    match quoted.as_mut_slice() {
        [] => String::new(),
        [one] => std::mem::take(one),
        [one, other] => format!("{one} or {other}"),
        [.., last] => {
            *last = format!("or {last}");
            quoted.join(", ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_filled_as_vale_fills_it() {
        assert_eq!(fill("Use '%s' instead of '%s'.", &["use", "utilize"]), "Use 'use' instead of 'utilize'.");
        assert_eq!(fill("'%[2]s': %[1]s, 100%% or 5%", &["use", "utilize"]), "'utilize': use, 100% or 5%");
        assert_eq!(fill("%s %s %[9]s", &["one"]), "one  ");
        assert_eq!(fill("“%s” or %s", &["“Yes,” he said", "“No”"]), "“‘Yes,’ he said” or “No”");
    }

    #[test]
    fn a_choice_is_written_as_vale_writes_it() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        assert_eq!(choice(&words(&["a"])), "'a'");
        assert_eq!(choice(&words(&["a", "b"])), "'a' or 'b'");
        assert_eq!(choice(&words(&["a", "b", "c"])), "'a', 'b', or 'c'");
        assert_eq!(choice(&[]), "");
    }
}
