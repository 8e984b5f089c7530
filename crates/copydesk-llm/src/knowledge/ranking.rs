//! Ranks the passages of queries. Several run together, so that the index answers each question once for all of them.

use std::collections::HashMap;

use super::fusion::{self, Fused};
use copydesk_core::ports::{Hit, Index, PassageRequest, Query, Span, StoreError, StoredPassage};
use copydesk_newsroom::Passage;

/// Fewest candidates of either kind that are fused.
const CANDIDATES: usize = 100;

/// Most neighbouring passages that are merged; more would be too long.
const MOST_NEIGHBOURS: usize = 3;

/// Bytes of blank space that may lie between neighbours.
const GAP: u64 = 8;

/// A passage with its place in the ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    pub passage: StoredPassage,
    pub fused: Fused,
}

/// A query's passages, not yet merged with their neighbours.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// Best first.
    pub passages: Vec<Ranked>,
    /// Why not all passages were compared by vectors, if the caller asked for that.
    pub words_only: Option<String>,
}

/// The way in which passages are matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    Words,
    Vectors,
    /// Both, fused.
    Both,
}

/// A parsed query.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ParsedQuery {
    pub(super) words: Vec<String>,
    pub(super) vector: Option<Vec<f32>>,
    /// Why there is no vector, or why not all passages have one.
    pub(super) words_only: Option<String>,
    /// Whether the reason is a fault.
    pub(super) degraded: bool,
}

/// A parsed query, and the number of passages that are wanted.
pub(super) struct RankedQuery<'q> {
    pub(super) query: &'q Query,
    pub(super) asked: &'q ParsedQuery,
    pub(super) count: usize,
}

/// The ranking of one area for one query, which is the one at `place`.
struct Area<'q> {
    place: usize,
    wanted: &'q RankedQuery<'q>,
    fused: Vec<Fused>,
}

impl Area<'_> {
    fn ids(&self) -> Vec<i64> {
        self.fused.iter().map(|fused| fused.passage).collect()
    }
}

/// The best passages of each query, not yet merged.
pub(super) async fn rank(index: &dyn Index, wanted: &[RankedQuery<'_>]) -> Result<Vec<Vec<Ranked>>, StoreError> {
    let mut ranked_areas = areas(index, wanted).await?;
    weigh(index, &mut ranked_areas).await?;
    let mut ids: Vec<i64> = ranked_areas.iter().flat_map(Area::ids).collect();
    ids.sort_unstable();
    ids.dedup();
    let passages: HashMap<i64, StoredPassage> =
        index.passages(ids).await?.into_iter().map(|passage| (passage.id, passage)).collect();
    let mut ranked: Vec<Vec<Ranked>> = wanted.iter().map(|_| Vec::new()).collect();
    for area in ranked_areas {
        let Some(ranked) = ranked.get_mut(area.place) else { continue };
        let known = |fused: Fused| Some(Ranked { passage: passages.get(&fused.passage)?.clone(), fused });
        ranked.extend(area.fused.into_iter().filter_map(known));
    }
    for (ranked, wanted) in ranked.iter_mut().zip(wanted) {
        // If two are equally good, the first area's comes first.
        ranked.sort_by(|a, b| b.fused.score.total_cmp(&a.fused.score));
        ranked.truncate(wanted.count);
    }
    Ok(ranked)
}

/// The best of each area of each query.
async fn areas<'q>(index: &dyn Index, wanted: &'q [RankedQuery<'q>]) -> Result<Vec<Area<'q>>, StoreError> {
    let (mut areas, mut requests) = (Vec::new(), Vec::new());
    for (place, wanted) in wanted.iter().enumerate() {
        for area in &wanted.query.areas {
            areas.push(Area { place, wanted, fused: Vec::new() });
            requests.push(PassageRequest {
                area: area.clone(),
                filter: wanted.query.filter.clone(),
                words: wanted.asked.words.clone(),
                vector: wanted.asked.vector.clone(),
                most: CANDIDATES.max(wanted.count),
            });
        }
    }
    for (area, candidates) in areas.iter_mut().zip(index.candidates(requests).await?) {
        area.fused = fusion::fuse(&candidates);
        area.fused.truncate(area.wanted.count);
    }
    Ok(areas)
}

/// Makes the scores of several areas comparable. The best passage of an area may still answer the query badly, so its
/// score is multiplied by how well it does.
async fn weigh(index: &dyn Index, areas: &mut [Area<'_>]) -> Result<(), StoreError> {
    let mut beside: Vec<&mut Area<'_>> = areas.iter_mut().filter(|area| area.wanted.query.areas.len() > 1).collect();
    if beside.is_empty() {
        return Ok(());
    }
    let asked = beside.iter().map(|area| (area.ids(), area.wanted.asked.words.clone())).collect();
    for (area, words) in beside.iter_mut().zip(index.words_in(asked).await?) {
        let all = area.wanted.asked.words.len().max(1);
        for (fused, words) in area.fused.iter_mut().zip(words) {
            #[expect(clippy::cast_precision_loss, reason = "counts of words")]
            let share = words.len() as f64 / all as f64;
            fused.score *= fused.dense.map_or(share, |dense| dense.similarity.max(share));
        }
    }
    Ok(())
}

/// The hits of each query, with neighbours merged and the words that each hit has.
pub(super) async fn hits(
    index: &dyn Index,
    queries: &[Query],
    asked: &[ParsedQuery],
) -> Result<Vec<Vec<Hit>>, StoreError> {
    // Neighbours will be merged, so more are ranked than are wanted.
    let more = |(query, asked)| RankedQuery { query, asked, count: query.count.saturating_mul(MOST_NEIGHBOURS) };
    let wanted: Vec<RankedQuery<'_>> = queries.iter().zip(asked).map(more).collect();
    let ranked = rank(index, &wanted).await?;
    let mut groups: Vec<Vec<Group>> =
        ranked.into_iter().zip(queries).map(|(ranked, query)| merge(ranked, query.count)).collect();
    let spans = groups.iter().flatten().map(|group| group.span).collect();
    let mut texts = index.texts(spans).await?.into_iter();
    let best = |groups: &Vec<Group>| groups.iter().map(|group| group.best.passage.id).collect();
    let looked_for = groups.iter().zip(asked).map(|(groups, asked)| (best(groups), asked.words.clone())).collect();
    let words = index.words_in(looked_for).await?;
    for (group, words) in groups.iter_mut().zip(words).flat_map(|(groups, words)| groups.iter_mut().zip(words)) {
        if let Some(text) = &mut group.best.fused.text {
            text.words = words;
        }
    }
    let shown = |groups: Vec<Group>| {
        // The text of a passage is empty if it was removed in the meantime.
        let there = groups.into_iter().zip(texts.by_ref()).filter(|(_, text)| !text.is_empty());
        there.map(|(group, text)| hit(group, text)).collect()
    };
    Ok(groups.into_iter().map(shown).collect())
}

/// Neighbouring passages that are shown as one.
struct Group {
    best: Ranked,
    span: Span,
    tokens: u64,
    members: usize,
}

/// Merges each passage into a better neighbour, until there are `count` groups.
fn merge(ranked: Vec<Ranked>, count: usize) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for ranked in ranked {
        let StoredPassage { document, passage, tokens, .. } = &ranked.passage;
        let neighbour = groups.iter_mut().find(|group| {
            group.members < MOST_NEIGHBOURS
                && group.span.document == *document
                && passage.start <= group.span.end + GAP
                && group.span.start <= passage.end + GAP
        });
        if let Some(group) = neighbour {
            let whole = (group.span.end.max(passage.end)) - (group.span.start.min(passage.start));
            let apart = (group.span.end - group.span.start) + (passage.end - passage.start);
            // The overlap is counted once: tokens in proportion to bytes.
            group.tokens = ((group.tokens + tokens) * whole).div_ceil(apart.max(whole).max(1));
            group.span.start = group.span.start.min(passage.start);
            group.span.end = group.span.end.max(passage.end);
            group.members += 1;
        } else if groups.len() < count {
            let span = Span { document: *document, start: passage.start, end: passage.end };
            groups.push(Group { span, tokens: *tokens, members: 1, best: ranked });
        }
    }
    groups
}

fn hit(group: Group, text: String) -> Hit {
    let Ranked { passage: StoredPassage { passage, title, story, .. }, fused } = group.best;
    Hit {
        passage: Passage { start: group.span.start, end: group.span.end, text, ..passage },
        title,
        story,
        tokens: group.tokens,
        score: fused.score,
        text: fused.text,
        dense: fused.dense,
    }
}
