//! How many parameters a model has, by its name: `qwen2.5-coder-1.5b-instruct`, `mixtral:8x7b`, `smollm2-135m`.

/// Billions of parameters that a name tells.
pub(super) fn in_name(name: &str) -> Option<f64> {
    name.split(|c: char| !c.is_ascii_alphanumeric() && c != '.').find_map(billions)
}

/// The billions of one word: `7b`, `1.5B`, `8x7b`, `e4b` (Gemma's), `135M`. A quantity of experts alone (`a3b`) is none.
pub(super) fn billions(word: &str) -> Option<f64> {
    let word = word.to_ascii_lowercase();
    let (number, unit) = word
        .strip_suffix('b')
        .map(|number| (number, 1.0))
        .or_else(|| word.strip_suffix('m').map(|number| (number, 0.001)))?;
    let number = number.strip_prefix('e').unwrap_or(number);
    let plain = |text: &str| {
        let digits =
            text.chars().all(|c| c.is_ascii_digit() || c == '.') && text.starts_with(|c: char| c.is_ascii_digit());
        text.parse::<f64>().ok().filter(|number| digits && *number > 0.0)
    };
    let number = match number.split_once('x') {
        Some((experts, each)) => plain(experts)? * plain(each)?,
        None => plain(number)?,
    };
    Some(number * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_how_large_its_model_is() {
        for (name, size) in [
            ("Qwen2.5-Coder-1.5B-Instruct-Q4_K_M.gguf", Some(1.5)),
            ("qwen2.5:7b", Some(7.0)),
            ("mistralai/Mixtral-8x7B-Instruct-v0.1", Some(56.0)),
            ("smollm2-135m", Some(0.135)),
            ("qwen3-30b-a3b", Some(30.0)),
            ("gemma3n:e4b", Some(4.0)),
            ("llama-3.2-3b-instruct-4bit", Some(3.0)),
            ("gpt-4o-mini", None),
            ("phi-3-mini-4k-instruct", None),
            ("q4_k_m", None),
            ("web", None),
        ] {
            assert_eq!(in_name(name), size, "{name}");
        }
        assert_eq!(["7.6B", "494.03M", "8.0B"].map(billions), [Some(7.6), Some(494.03 * 0.001), Some(8.0)]);
    }
}
