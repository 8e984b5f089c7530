//! Which rules know the language of a draft and its sources.
//!
//! Why: the rules recognise hedges, denials, titles and topics by English words. In another language they would
//! report every sentence. Quotations, figures and the spelling of full names work in any language.

use crate::{registry::rules, rule::Rule, sources::foreign_language};
use copydesk_newsroom::{ArticleResponse, Source, SpanKind};
use copydesk_text::language::Language;

/// Whether a rule works for a language. An unknown language counts as English.
#[must_use]
pub fn applies(rule: &Rule, language: Option<Language>) -> bool {
    let any = matches!(rule.kind, SpanKind::Quotation | SpanKind::Number | SpanKind::Date)
        || matches!(rule.name, "name.spelling" | "draft.new_fact");
    any || language.is_none_or(Language::is_english)
}

/// The rules that are left out because the draft or all of its sources are in another language.
#[must_use]
pub fn not_applied(article: &ArticleResponse, sources: &[Source]) -> Vec<&'static Rule> {
    let other = foreign_language(article, sources);
    rules().filter(|rule| !applies(rule, other)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{check::check, testing::texts};

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
        assert!(names.contains(&"certainty.settled") && names.contains(&"name.swapped"));
        assert!(!names.contains(&"quotation.altered") && !names.contains(&"name.spelling"));
        let (article, sources) = texts("The council met.", "The council met on Tuesday.");
        assert_eq!(not_applied(&article, &sources), Vec::<&Rule>::new());
        // A page in another language beside an English one takes no rule from the draft.
        let (article, sources) = texts("The council met on Tuesday.", SOURCE);
        let mut sources = sources.to_vec();
        sources.push(Source { name: "minutes".into(), text: "The council met on Tuesday in the town hall.".into() });
        assert_eq!(not_applied(&article, &sources), Vec::<&Rule>::new());
        let rows = crate::ledger(&article, &sources, crate::Gravity::Concern).rows;
        assert!(rows.iter().any(|row| row.kind == SpanKind::Sentence && row.passage.is_some()), "{rows:?}");
    }
}
