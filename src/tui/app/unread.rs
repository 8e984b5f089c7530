//! Pieces of an answer on their way to the screen.

use std::{
    mem,
    sync::{Arc, Mutex, PoisonError},
};

/// Pieces that have not been taken in yet. However many there are, and however long the terminal takes nothing, they are one text.
#[derive(Debug, Clone, Default)]
pub struct Unread(Arc<Mutex<Pieces>>);

/// Pieces of an answer, put together.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Pieces {
    /// Their text.
    pub text: String,
    /// How many they were.
    pub count: usize,
}

#[cfg(test)]
impl From<&str> for Pieces {
    /// One piece.
    fn from(text: &str) -> Self {
        Self { text: text.into(), count: 1 }
    }
}

impl Unread {
    /// Adds a piece. Returns whether it is the first since the last were taken: then somebody has to be told.
    #[must_use]
    pub fn add(&self, piece: &str) -> bool {
        let mut pieces = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pieces.text.push_str(piece);
        pieces.count = pieces.count.saturating_add(1);
        pieces.count == 1
    }

    /// Takes what is there.
    #[must_use]
    pub fn take(&self) -> Pieces {
        mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
