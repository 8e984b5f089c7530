//! Which rules know the language of a draft and its sources.
//!
//! Why: hedges, denials, titles and what a sentence speaks of are told by words of English. Held against another language they
//! would find fault with all of it. Quotations, figures and the spelling of full names are the same in any.

use crate::{
    newsroom::{ArticleResponse, Source, SpanKind},
    proof::{registry::rules, rule::Rule, sources::texts::foreign_language},
    text::language::Language,
};

/// Whether a rule can be asked of a text in a language; where that is not known, as if it were English.
#[must_use]
pub fn applies(rule: &Rule, language: Option<Language>) -> bool {
    let any = matches!(rule.kind, SpanKind::Quotation | SpanKind::Number | SpanKind::Date)
        || matches!(rule.name, "name.spelling" | "draft.new_fact");
    any || language.is_none_or(Language::is_english)
}

/// The rules that are not asked of a draft and its sources, for the language of one of them.
#[must_use]
pub fn not_applied(article: &ArticleResponse, sources: &[Source]) -> Vec<&'static Rule> {
    let other = foreign_language(article, sources);
    rules().filter(|rule| !applies(rule, other)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::{check::check, trial::texts};

    const SOURCE: &str = "Der Stadtrat hat am Dienstag beschlossen, 480.000 Euro für den Park auszugeben, der 1958 eröffnet wurde. „Wir \
                          haben lange darauf gewartet und freuen uns sehr“, sagte Bürgermeisterin Annegret Holzapfel nach der Sitzung.";

    fn found(draft: &str) -> Vec<String> {
        let (article, sources) = texts(draft, SOURCE);
        check(&article, &sources).into_iter().map(|found| found.rule).collect()
    }

    #[test]
    fn in_another_language_quotations_figures_and_names_are_judged() {
        let draft = "Die Stadt gibt Geld für den Park aus, der 1958 eröffnet wurde, und die Gärtner beginnen damit im Frühling. „Wir haben \
                     lange darauf gewartet“, sagte Bürgermeisterin Annegret Holzapfel, und die Kinder spielen schon.";
        assert_eq!(found(draft), [""; 0]);
        assert_eq!(found(&draft.replace("lange darauf", "kurz darauf")), ["quotation.altered"]);
        assert_eq!(found(&draft.replace("1958", "1985")).len(), 1);
        assert_eq!(found(&draft.replace("Annegret Holzapfel", "Annegret Holzapfl")), ["name.spelling"]);
    }

    #[test]
    fn the_rules_that_do_not_apply_are_told() {
        let (article, sources) = texts("The council met.", SOURCE);
        let names: Vec<&str> = not_applied(&article, &sources).into_iter().map(|rule| rule.name).collect();
        assert!(
            names.contains(&"certainty.inflated") && names.contains(&"support.none") && names.contains(&"name.swapped")
        );
        assert!(!names.contains(&"quotation.altered") && !names.contains(&"name.spelling"));
        let (article, sources) = texts("The council met.", "The council met on Tuesday.");
        assert_eq!(not_applied(&article, &sources), Vec::<&Rule>::new());
    }
}
