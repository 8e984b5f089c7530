//! The names that nearly every file of the store needs: the database, its faults, how values are stored.

pub(crate) use async_trait::async_trait;
pub(crate) use rusqlite::params;

pub(crate) use crate::{
    Store,
    columns::{natural, story_key, whole},
    database::{Database, readable, unreadable},
    engine::DbRow,
    fault::DbFault,
};
pub(crate) use copydesk_core::ports::{RunKey, StoreError};
pub(crate) use copydesk_newsroom::{Event, Step, StoryKey};
