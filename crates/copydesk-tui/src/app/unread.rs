//! `UnreadPieces` of an answer on their way to the screen.

use std::{
    mem,
    sync::{Arc, Mutex, PoisonError},
};

/// `UnreadPieces` that have not been taken in yet. However many there are, and however long the terminal takes nothing, they are one text.
#[derive(Debug, Clone, Default)]
pub struct UnreadText(Arc<Mutex<UnreadPieces>>);

/// `UnreadPieces` of an answer, put together.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct UnreadPieces {
    /// Their text.
    pub text: String,
    /// How many they were.
    pub count: usize,
}

#[cfg(test)]
impl From<&str> for UnreadPieces {
    /// One piece.
    fn from(text: &str) -> Self {
        Self { text: text.into(), count: 1 }
    }
}

impl UnreadText {
    /// Adds a piece. Returns whether it is the first since the last were taken: the screen then has to be told.
    pub fn add(&self, piece: &str) -> bool {
        let mut pieces = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pieces.text.push_str(piece);
        pieces.count = pieces.count.saturating_add(1);
        pieces.count == 1
    }

    /// Takes what is there.
    pub fn take(&self) -> UnreadPieces {
        mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
