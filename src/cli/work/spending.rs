//! The cost of stories and the savings of the memory: tokens as far as the servers said, and money if `prices` names the model.

use anyhow::Result;

use crate::{
    desk::Desk,
    editorial::savings::{self, Savings},
    newsroom::Journal,
    ports::{Archive as _, Memory as _, Records as _, RunKey},
    store::Store,
};

/// The cost of a run; none if no model that it asked has a known price, or if prices are in several currencies.
pub(crate) async fn cost_of(desk: &Desk, store: &Store, run: RunKey) -> Result<Option<f64>> {
    let prices = &desk.queue_rules.budget.prices;
    let Some(currency) = prices.values().next().map(|price| &price.currency) else { return Ok(None) };
    if prices.values().any(|price| price.currency != *currency) {
        return Ok(None);
    }
    let mut cost = None;
    for (model, usage) in store.spent(run).await? {
        if let Some(price) = prices.get(&model) {
            *cost.get_or_insert(0.0) += price.of(&usage);
        }
    }
    Ok(cost)
}

/// An amount with its currency, as the screen has it.
pub(crate) fn amount(desk: &Desk, cost: f64) -> String {
    let price = desk.queue_rules.budget.prices.values().next();
    format!("{} {cost:.2}", price.map_or("", |price| &price.currency))
}

/// The savings of the memory in one run.
pub(crate) async fn saved_by_run(store: &Store, journal: &Journal) -> Result<Savings> {
    let mut saved = Savings::of(journal);
    for record in savings::reused(journal) {
        saved.add_cost(store.spent_on(record).await?);
    }
    Ok(saved)
}

/// The savings of the current runs of stories, added up. The name of a story that is not on the desk adds nothing.
pub(crate) async fn saved_by_stories(store: &Store, stories: impl Iterator<Item = &str>) -> Result<Savings> {
    let mut all = Savings::default();
    for story in stories {
        if let Some((key, _)) = store.current_run(story).await? {
            all += saved_by_run(store, &store.load(key).await?.journal).await?;
        }
    }
    Ok(all)
}
