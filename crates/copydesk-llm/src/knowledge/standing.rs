//! Compares the knowledge folder with the index, without reading a file.

use std::collections::HashSet;

use super::{
    folder::{self, Listed},
    refresh::blocking,
};
use copydesk_config::KnowledgeBase;
use copydesk_core::ports::{Shelf, StoppedFile, StoreError};
use copydesk_newsroom::HiddenText;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FolderStatus {
    pub missing: bool,
    pub files: usize,
    /// Documents that are not indexed: they are new, or could not be read.
    pub not_indexed: usize,
    /// Files and folders that could not be read, each with the reason.
    pub problems: Vec<String>,
    /// Files that are not read, because they stopped their reader.
    pub stopped: Vec<StoppedFile>,
    /// Files that are indexed and hold text that no reader sees.
    pub hidden: Vec<(String, Vec<HiddenText>)>,
}

/// Lists the folder and compares it with what is indexed. It does not check whether an indexed file has changed.
///
/// # Errors
/// [`StoreError`] if the database fails.
pub async fn standing(shelf: &dyn Shelf, base: &KnowledgeBase) -> Result<FolderStatus, StoreError> {
    let (path, links_out) = (base.data_dir.path.clone(), base.links_out_of_folder);
    let listed = blocking(move || folder::list(&path, links_out))
        .await
        .unwrap_or_else(|problem| Listed { problems: vec![problem.to_string()], ..Listed::default() });
    let indexed: HashSet<String> = shelf.indexed_files().await?.into_iter().map(|file| file.path).collect();
    Ok(FolderStatus {
        missing: listed.missing,
        files: listed.files.len(),
        not_indexed: listed.files.iter().filter(|(file, _)| !indexed.contains(&file.path)).count(),
        problems: listed.problems,
        stopped: shelf.stopped_files().await?.into_iter().filter(StoppedFile::counts).collect(),
        hidden: shelf.hidden_in_files().await?,
    })
}
