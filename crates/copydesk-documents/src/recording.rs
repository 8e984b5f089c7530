//! Recordings: files of sound and film, told by their first bytes. They hold no text; a transcription server writes it down.

use std::path::Path;

/// Endings of the names of recordings.
const ENDINGS: [&str; 4] = ["mp3", "m4a", "wav", "mp4"];

/// The usual endings, as messages name them.
pub const RECORDING_ENDINGS: &str = ".mp3, .m4a, .wav, .mp4";

/// So many first bytes tell what a recording is.
pub const RECORDING_HEAD: usize = 12;

/// The format of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordingFormat {
    Mp3,
    Wav,
    /// MP4, with film or sound alone (M4A).
    Mp4,
}

impl RecordingFormat {
    /// The format by the first [`RECORDING_HEAD`] bytes of a file; none if it is no recording.
    pub fn of(head: &[u8]) -> Option<Self> {
        match head {
            [b'I', b'D', b'3', ..] => Some(Self::Mp3),
            // A frame's synchronisation, a version and a layer that exist (ISO 11172-3). Without the layer it could be UTF-16.
            [0xFF, second, ..] if second & 0xE0 == 0xE0 && second & 0x18 != 0x08 && second & 0x06 == 0x02 => {
                Some(Self::Mp3)
            }
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'A', b'V', b'E', ..] => Some(Self::Wav),
            [_, _, _, _, b'f', b't', b'y', b'p', ..] => Some(Self::Mp4),
            _ => None,
        }
    }

    /// The ending of a file of this format. Some servers tell the format by it.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Mp3 => "mp3",
            Self::Wav => "wav",
            Self::Mp4 => "mp4",
        }
    }

    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Mp3 => "audio/mpeg",
            Self::Wav => "audio/wav",
            Self::Mp4 => "video/mp4",
        }
    }
}

/// Whether a file of this name is a recording.
pub fn is_recording(file_name: &str) -> bool {
    let ending = Path::new(file_name).extension();
    ending.is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_is_told_by_its_first_bytes_and_not_by_its_name() {
        assert_eq!(RecordingFormat::of(b"ID3\x04\0\0\0\0\0\0\0\0"), Some(RecordingFormat::Mp3));
        assert_eq!(RecordingFormat::of(b"\xFF\xFB\x90\x64"), Some(RecordingFormat::Mp3));
        assert_eq!(RecordingFormat::of(b"RIFF\x24\0\0\0WAVEfmt "), Some(RecordingFormat::Wav));
        assert_eq!(RecordingFormat::of(b"\0\0\0\x1CftypM4A "), Some(RecordingFormat::Mp4));
        let others: [&[u8]; 6] =
            [b"", b"WEBVTT\n", b"RIFF\x24\0\0\0WEBPVP8 ", b"\xFF\xFEH\0i\0", b"\xFF\xD8\xFF\xE0", b"\xFF\xF9\x50"];
        for other in others {
            assert_eq!(RecordingFormat::of(other), None, "{other:?}");
        }
        assert!(is_recording("Council.MP3") && is_recording("a.b.m4a"));
        assert!(!is_recording("council.vtt") && !is_recording("mp3"));
    }
}
