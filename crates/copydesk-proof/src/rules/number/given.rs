//! The source that the tests of these rules share, and helpers to ask them.

use crate::testing::check_texts;

const SOURCE: &str = "The capital reserve would fall from $1,640,000 to $460,000. The plan lays 1.4 miles of paths as far as \
                      the pond. Two hundred and six children missed the spring test. Half of 4,870 households got a survey in \
                      May. The board votes on Thursday, October 22, in the town hall. The estimated saving is $460,000 a year, \
                      not $640,000.";

pub fn found(draft: &str) -> Vec<(String, String, Option<String>)> {
    check_texts(draft, SOURCE).into_iter().map(|f| (f.rule, f.text, f.replacement)).collect()
}

pub fn one(rule: &str, text: &str, replacement: &str) -> Vec<(String, String, Option<String>)> {
    vec![(rule.to_owned(), text.to_owned(), Some(replacement.to_owned()))]
}

pub fn repairs(draft: &str, source: &str) -> Vec<(String, Option<String>)> {
    check_texts(draft, source).into_iter().map(|f| (f.text, f.replacement)).collect()
}

pub fn repair(text: &str, new: &str) -> Vec<(String, Option<String>)> {
    vec![(text.to_owned(), Some(new.to_owned()))]
}
