//! Which of the paragraphs that went became which of those that came: the pairs, in order, that have the most words in common.

use std::ops::Range;

/// Most neighbours that a paragraph is compared with if there are too many to compare all.
pub(super) const WINDOW: usize = 64;

/// Most comparisons of one with all.
const MOST_CELLS: usize = 40_000;

/// The share of words that two paragraphs must have in common to be one.
const ALIKE: f32 = 0.45;

/// A neighbour belongs to a pair if it adds at least this much to their likeness: a paragraph that was cut in two, or two joined.
const BELONGS: f32 = 0.05;

/// Pairs paragraphs, given as their sorted words, and calls `found` for each pair in order. An empty range says that the
/// other side was removed or added. One beside one is always a pair: it was rewritten.
pub(super) fn pair(old: &[Vec<u32>], new: &[Vec<u32>], mut found: impl FnMut(Range<usize>, Range<usize>)) {
    if let ([_], [_]) = (old, new) {
        return found(0..1, 0..1);
    }
    let chosen = if old.len().saturating_mul(new.len()) <= MOST_CELLS { best(old, new) } else { nearest(old, new) };
    let (mut i, mut j) = (0, 0);
    for (place, &(one, other)) in chosen.iter().enumerate() {
        let (limit_i, limit_j) = chosen.get(place + 1).copied().unwrap_or((old.len(), new.len()));
        let (left, right) = grown(old, new, (one, other), (i, j), (limit_i, limit_j));
        for gone in i..left.start {
            found(gone..gone + 1, j..j);
        }
        for come in j..right.start {
            found(left.start..left.start, come..come + 1);
        }
        (i, j) = (left.end, right.end);
        found(left, right);
    }
    for gone in i..old.len() {
        found(gone..gone + 1, j..j);
    }
    for come in j..new.len() {
        found(old.len()..old.len(), come..come + 1);
    }
}

/// The share of words that two paragraphs have in common, in any order: 0 to 1.
#[expect(clippy::cast_precision_loss, reason = "a share of words needs no more than 24 bits")]
pub(super) fn likeness(one: &[u32], other: &[u32]) -> f32 {
    let (mut left, mut right, mut common) = (one.iter().peekable(), other.iter().peekable(), 0usize);
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        match a.cmp(b) {
            std::cmp::Ordering::Less => drop(left.next()),
            std::cmp::Ordering::Greater => drop(right.next()),
            std::cmp::Ordering::Equal => {
                common += 1;
                left.next();
                right.next();
            }
        }
    }
    2.0 * common as f32 / (one.len() + other.len()).max(1) as f32
}

/// The pairs in order with the greatest likeness in all, by the table of best beginnings.
fn best(old: &[Vec<u32>], new: &[Vec<u32>]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    let mut table = vec![0.0f32; (old.len() + 1) * width];
    let mut alike = vec![0.0f32; old.len() * new.len()];
    let cell = |table: &[f32], i: usize, j: usize| table.get(i * width + j).copied().unwrap_or(0.0);
    for (i, one) in old.iter().enumerate() {
        for (j, other) in new.iter().enumerate() {
            let value = Some(likeness(one, other)).filter(|value| *value > ALIKE).unwrap_or(0.0);
            let paired = if value > 0.0 { cell(&table, i, j) + value } else { 0.0 };
            let top = paired.max(cell(&table, i, j + 1)).max(cell(&table, i + 1, j));
            if let Some(slot) = table.get_mut((i + 1) * width + j + 1) {
                *slot = top;
            }
            if let Some(slot) = alike.get_mut(i * new.len() + j) {
                *slot = value;
            }
        }
    }
    let (mut i, mut j) = (old.len(), new.len());
    let mut pairs = Vec::new();
    while i > 0 && j > 0 {
        let here = cell(&table, i, j);
        if here <= cell(&table, i - 1, j) {
            i -= 1;
        } else if here <= cell(&table, i, j - 1) {
            j -= 1;
        } else {
            (i, j) = (i - 1, j - 1);
            pairs.push((i, j));
        }
    }
    pairs.reverse();
    pairs
}

/// The pairs if each old paragraph takes the likest of the next new ones.
fn nearest(old: &[Vec<u32>], new: &[Vec<u32>]) -> Vec<(usize, usize)> {
    let mut next = 0;
    let mut pairs = Vec::new();
    for (i, one) in old.iter().enumerate() {
        let waiting = new.iter().enumerate().skip(next).take(WINDOW);
        let likest = waiting
            .map(|(j, other)| (j, likeness(one, other)))
            .filter(|(_, value)| *value > ALIKE)
            .max_by(|(i, a), (j, b)| a.total_cmp(b).then(j.cmp(i)));
        if let Some((j, _)) = likest {
            pairs.push((i, j));
            next = j + 1;
        }
    }
    pairs
}

/// A pair with the unpaired neighbours that make it more alike, between what is taken and the next pair.
fn grown(
    old: &[Vec<u32>],
    new: &[Vec<u32>],
    (one, other): (usize, usize),
    (from_old, from_new): (usize, usize),
    (to_old, to_new): (usize, usize),
) -> (Range<usize>, Range<usize>) {
    let joined = |bags: &[Vec<u32>], range: &Range<usize>| {
        let mut all: Vec<u32> = bags.get(range.clone()).unwrap_or_default().concat();
        all.sort_unstable();
        all
    };
    let (mut left, mut right) = (one..one + 1, other..other + 1);
    let value = |left: &Range<usize>, right: &Range<usize>| likeness(&joined(old, left), &joined(new, right));
    let mut now = value(&left, &right);
    loop {
        let tries = [
            (right.end < to_new).then(|| (left.clone(), right.start..right.end + 1)),
            (right.start > from_new).then(|| (left.clone(), right.start - 1..right.end)),
            (left.end < to_old).then(|| (left.start..left.end + 1, right.clone())),
            (left.start > from_old).then(|| (left.start - 1..left.end, right.clone())),
        ];
        let better = tries.into_iter().flatten().map(|(l, r)| (value(&l, &r), l, r)).max_by(|a, b| a.0.total_cmp(&b.0));
        match better {
            Some((then, l, r)) if then > now + BELONGS => (now, left, right) = (then, l, r),
            _ => return (left, right),
        }
    }
}
