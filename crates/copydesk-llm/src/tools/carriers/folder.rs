//! Into a folder.

use std::{
    io,
    path::{Path, PathBuf},
};

use async_trait::async_trait;
use sha2::{Digest as _, Sha256};

use copydesk_core::ports::{Carrier, CarryError, Parcel};

/// Writes a file whole or not at all, with the rights of a file that is given away; over another one only if the last argument says so.
pub type FileWriter = fn(&Path, &[u8], bool) -> io::Result<()>;

/// Puts stories into a folder.
pub struct FolderCarrier {
    pub folder: PathBuf,
    pub write: FileWriter,
}

#[async_trait]
impl Carrier for FolderCarrier {
    async fn carry(&self, parcel: &Parcel) -> Result<String, CarryError> {
        let (folder, write) = (self.folder.clone(), self.write);
        let path = folder.join(&parcel.file_name);
        let parcel = parcel.clone();
        let put = move || put(&folder, &path, &parcel, write);
        // The disk may be slow, or far away.
        tokio::task::spawn_blocking(put).await.unwrap_or_else(|error| Err(CarryError::Doubtful(error.to_string())))
    }
}

fn put(folder: &Path, path: &Path, parcel: &Parcel, write: FileWriter) -> Result<String, CarryError> {
    let shown = path.display();
    let cannot = |error: io::Error| CarryError::Refused(format!("{shown} cannot be written: {error}"));
    std::fs::create_dir_all(folder).map_err(cannot)?;
    let bytes = parcel.bytes.as_slice();
    let mut replaces = parcel.replaces;
    match path.symlink_metadata() {
        Ok(found) if !found.is_file() => {
            return Err(CarryError::Refused(format!("{shown} is a folder, a link or a device: put it away first")));
        }
        Ok(_) => match std::fs::read(path) {
            Ok(there) if there == bytes => return Ok(format!("{shown} is there already")),
            // A version of the story that was sent before, as it was sent.
            Ok(there) => replaces |= parcel.earlier.contains(&hex::encode(Sha256::digest(&there))),
            Err(_) => {}
        },
        Err(_) => {}
    }
    match write(path, bytes, replaces) {
        Ok(()) => Ok(format!("written to {shown}")),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(CarryError::Refused(format!("{shown} exists, and is another file. --replace replaces it")))
        }
        Err(error) => Err(cannot(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn writer(path: &Path, bytes: &[u8], replaces: bool) -> io::Result<()> {
        if path.exists() && !replaces {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        std::fs::write(path, bytes)
    }

    fn parcel(text: &str, replaces: bool) -> Parcel {
        Parcel {
            key: "k".into(),
            story: "desk/park".into(),
            file_name: "desk-park.md".into(),
            media_type: "text/markdown",
            bytes: text.into(),
            subject: String::new(),
            text: String::new(),
            replaces,
            earlier: vec![],
        }
    }

    #[tokio::test]
    async fn another_file_is_kept_unless_it_is_to_be_replaced_and_the_same_one_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("site/news");
        let carrier = FolderCarrier { folder: below.clone(), write: writer };
        let file = below.join("desk-park.md");
        assert_eq!(carrier.carry(&parcel("one", false)).await, Ok(format!("written to {}", file.display())));
        assert_eq!(carrier.carry(&parcel("one", false)).await, Ok(format!("{} is there already", file.display())));
        let kept = carrier.carry(&parcel("two", false)).await;
        assert!(matches!(&kept, Err(CarryError::Refused(why)) if why.contains("--replace")), "{kept:?}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "one");
        carrier.carry(&parcel("two", true)).await.unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "two");
        let earlier = vec![hex::encode(Sha256::digest("two"))];
        let next = |text: &str| Parcel { earlier: earlier.clone(), ..parcel(text, false) };
        carrier.carry(&next("three")).await.unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "three", "a version that was sent before gives way");
        assert!(matches!(carrier.carry(&next("four")).await, Err(CarryError::Refused(_))), "and nothing else");
        std::fs::remove_file(&file).unwrap();
        std::fs::create_dir(&file).unwrap();
        assert!(matches!(carrier.carry(&parcel("two", true)).await, Err(CarryError::Refused(_))));
        let nowhere = FolderCarrier { folder: PathBuf::from("/dev/null/site"), write: writer };
        assert!(matches!(nowhere.carry(&parcel("one", false)).await, Err(CarryError::Refused(_))));
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_link_in_the_files_place_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let elsewhere = folder.path().join("elsewhere.md");
        std::os::unix::fs::symlink(&elsewhere, folder.path().join("desk-park.md")).unwrap();
        let carrier = FolderCarrier { folder: folder.path().to_owned(), write: writer };
        assert!(matches!(carrier.carry(&parcel("one", true)).await, Err(CarryError::Refused(_))));
        assert!(!elsewhere.exists());
    }
}
