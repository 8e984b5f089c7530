//! The signature of an editor's key under a record: made with a file of a private key, checked with the public one.
//!
//! A signature says that whoever has the key signed exactly these bytes. Which public key is to be trusted says the person who checks, never the
//! file that is checked.

use std::{fs::File, io::Read as _};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use rustls::pki_types::{PrivatePkcs8KeyDer, SubjectPublicKeyInfoDer, pem::PemObject as _};
use serde::{Deserialize, Serialize};

use crate::cli::prelude::*;

/// Most bytes of a key or a signature.
const LONGEST: u64 = 16 << 10;

/// The bytes before the 32 bytes of an Ed25519 key in a file of a public key (RFC 8410).
const PUBLIC: [u8; 12] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

/// The file beside a signed record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignatureFile {
    /// `ed25519`.
    algorithm: String,
    /// The 32 bytes of the public key, base64.
    public_key: String,
    /// The 64 bytes of the signature, base64.
    signature: String,
}

/// The name of that file.
pub(crate) fn beside(record: &Path) -> PathBuf {
    record.with_added_extension("sig")
}

/// Signs a text with the private key of a file.
///
/// # Errors
/// [`WrongUse`] if the file holds no such key.
pub(crate) fn sign(key: &Path, text: &[u8]) -> Result<SignatureFile> {
    let pair = private_key(key)?;
    Ok(SignatureFile {
        algorithm: "ed25519".to_owned(),
        public_key: STANDARD.encode(pair.public_key()),
        signature: STANDARD.encode(pair.sign(text)),
    })
}

/// Whether the file beside `record` is the signature of its text by the public key. The error says what is wrong.
///
/// # Errors
/// [`WrongUse`] if one of the files cannot be read.
pub(crate) fn check(record: &Path, trusted: &[u8]) -> Result<Result<(), &'static str>> {
    let text = std::fs::read(record).map_err(|error| WrongUse(format!("{}: {error}", record.display())))?;
    let path = beside(record);
    let kept = read(&path)?;
    let unreadable = || WrongUse(format!("{} is no signature of Copydesk", path.display()));
    let kept: SignatureFile = serde_json::from_slice(&kept).map_err(|_| unreadable())?;
    let signature = STANDARD.decode(&kept.signature).map_err(|_| unreadable())?;
    if kept.algorithm != "ed25519" {
        return Err(unreadable().into());
    }
    if kept.public_key != STANDARD.encode(trusted) {
        return Ok(Err("it was signed with another key"));
    }
    let genuine = UnparsedPublicKey::new(&ED25519, trusted).verify(&text, &signature).is_ok();
    Ok(if genuine { Ok(()) } else { Err("the record or its signature was changed") })
}

/// The public half of the private key of a file.
///
/// # Errors
/// [`WrongUse`] if the file holds no such key.
pub(crate) fn public_half(key: &Path) -> Result<Vec<u8>> {
    Ok(private_key(key)?.public_key().as_ref().to_vec())
}

/// The public key of a file, as `openssl pkey -pubout` writes it.
///
/// # Errors
/// [`WrongUse`] if the file holds no such key.
pub(crate) fn public_key(path: &Path) -> Result<Vec<u8>> {
    let info = SubjectPublicKeyInfoDer::from_pem_slice(&read(path)?).ok();
    let key = info.as_deref().and_then(|info| info.strip_prefix(&PUBLIC)).filter(|key| key.len() == 32);
    key.map(<[u8]>::to_vec).ok_or_else(|| wrong_use(format!("{}: it is no public key for Ed25519", path.display())))
}

fn private_key(path: &Path) -> Result<Ed25519KeyPair> {
    let text = read(path)?;
    let wrong = |why: &str| wrong_use(format!("{}: {why}", path.display()));
    if String::from_utf8_lossy(&text).contains("-----BEGIN ENCRYPTED PRIVATE KEY-----") {
        return Err(wrong("the key has a passphrase, which Copydesk cannot ask for; keep it in a file without one"));
    }
    let key = PrivatePkcs8KeyDer::from_pem_slice(&text).ok();
    let pair = key.and_then(|key| Ed25519KeyPair::from_pkcs8_maybe_unchecked(key.secret_pkcs8_der()).ok());
    pair.ok_or_else(|| wrong("it is no private key for Ed25519; `openssl genpkey -algorithm ed25519` makes one"))
}

fn read(path: &Path) -> Result<Vec<u8>> {
    let wrong = |why: String| WrongUse(format!("{}: {why}", path.display()));
    let file = File::open(path).map_err(|error| wrong(error.to_string()))?;
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes).map_err(|error| wrong(error.to_string()))?;
    Ok(bytes)
}
