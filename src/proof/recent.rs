//! Ledgers that were made a moment ago: what proves a draft, checks its claims and shows it asks for the same one.

use std::{
    num::NonZeroUsize,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use lru::LruCache;
use sha2::{Digest as _, Sha256};

use crate::{
    newsroom::{ArticleResponse, Ledger, Source},
    proof::{check::ledger, rule::Gravity},
};

/// Most ledgers that are kept.
const KEPT: NonZeroUsize = NonZeroUsize::new(16).unwrap();

static RECENT: LazyLock<Mutex<LruCache<[u8; 32], Arc<Ledger>>>> = LazyLock::new(|| Mutex::new(LruCache::new(KEPT)));

/// As [`ledger`] from [`Gravity::Concern`] on; the same texts are held against each other once.
#[must_use]
pub fn recent(article: &ArticleResponse, sources: &[Source]) -> Arc<Ledger> {
    let known = || RECENT.lock().unwrap_or_else(PoisonError::into_inner);
    let key = key(article, sources);
    if let Some(ledger) = known().get(&key) {
        return Arc::clone(ledger);
    }
    let made = Arc::new(ledger(article, sources, Gravity::Concern));
    known().put(key, Arc::clone(&made));
    made
}

fn key(article: &ArticleResponse, sources: &[Source]) -> [u8; 32] {
    let mut hash = Sha256::new();
    let mut field = |text: &str| {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text);
    };
    let ArticleResponse { headline, alternativeHeadline, articleBody, description } = article;
    for text in [headline, alternativeHeadline, articleBody, description] {
        field(text);
    }
    for source in sources {
        field(&source.name);
        field(&source.text);
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::trial::texts;

    #[test]
    fn the_same_texts_have_one_ledger_and_others_their_own() {
        let (article, sources) = texts("The park cost $2.8 million.", "The park cost $1.8 million.");
        let first = recent(&article, &sources);
        assert_eq!(*first, ledger(&article, &sources, Gravity::Concern));
        assert!(Arc::ptr_eq(&first, &recent(&article, &sources)));
        let other = [Source { text: "The park cost $2.8 million.".into(), ..sources[0].clone() }];
        assert_eq!(recent(&article, &other).findings().count(), 0);
        assert_eq!(first.findings().count(), 1);
    }
}
