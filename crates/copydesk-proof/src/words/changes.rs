//! Verbs and nouns for a figure that grows or shrinks.

use crate::words::{WordList, words};

pub static UP: WordList = words(include_str!("../../../../assets/words/rising.txt"));
pub static DOWN: WordList = words(include_str!("../../../../assets/words/falling.txt"));

/// Words of a loss, beside those of a fall.
static LOSS: WordList = words(
    "loss losses lost deficit deficits down negative shortfall contracted contraction contracts below under minus outflow outflows \
           red worse weaker slid slides sank tumbled dipped slumped eased retreated weakened off behind cheaper refund refunded refunds reimbursed repaid shed sheds shedding short overspent overspend \
           verlust verluste betriebsverlust nettoverlust jahresfehlbetrag fehlbetrag defizit rückgang minus perte pertes déficit baisse recul",
);

/// Whether a folded word tells of a fall or a loss.
pub fn falls(word: &str) -> bool {
    DOWN.contains(word) || LOSS.contains(word)
}
