//! Time stamps (RFC 3161): a question to an authority about a link of the audit log's chain, and what its answer proves.
//!
//! The question has the link itself as its digest, since it is one: SHA-256 over everything before it. So other programs can check an answer, too:
//! `openssl ts -verify -digest LINK -in FILE -CAfile CERTIFICATES`.

use std::path::Path;

use anyhow::Result;
use cms::{
    cert::{CertificateChoices, IssuerAndSerialNumber},
    signed_data::{SignedData, SignerIdentifier, SignerInfo},
};
use der::{
    Any, Decode as _, DecodePem as _, Encode as _,
    asn1::{ObjectIdentifier, OctetString},
};
use jiff::Timestamp;
use ring::{
    digest,
    signature::{self, UnparsedPublicKey, VerificationAlgorithm},
};
use x509_cert::{Certificate, spki::AlgorithmIdentifierOwned};
use x509_tsp::{MessageImprint, TimeStampReq, TimeStampResp, TspVersion, TstInfo};

use crate::{cli::exit::WrongUse, text::sanitise};

/// Most bytes of an answer and of a certificate.
pub(crate) const LONGEST: u64 = 256 << 10;

const SHA_256: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.1");
const SHA_384: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.2");
const SHA_512: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.3");
const RSA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");
const ELLIPTIC: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.2.1");
const P_256: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.3.1.7");
const P_384: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.132.0.34");
const SIGNED_DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.2");
const STAMP: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.1.4");
const CONTENT_TYPE: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.3");
const MESSAGE_DIGEST: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.4");
const TIME_STAMPING: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.8");
const EXTENDED_KEY_USAGE: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.37");

/// What an answer says, once its signature was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TimeStamp {
    /// The link that it is about, hex.
    pub(crate) link: String,
    pub(crate) at: Timestamp,
    /// Whose certificate it was signed by.
    pub(crate) by: String,
}

/// The question about a link (hex), as an authority takes it.
pub(crate) fn query(link: &str) -> Result<Vec<u8>> {
    let link = hex::decode(link)?;
    let algorithm = AlgorithmIdentifierOwned { oid: SHA_256, parameters: Some(Any::null()) };
    let imprint = MessageImprint { hash_algorithm: algorithm, hashed_message: OctetString::new(link)? };
    let request = TimeStampReq {
        version: TspVersion::V1,
        message_imprint: imprint,
        req_policy: None,
        nonce: None,
        cert_req: true,
        extensions: None,
    };
    Ok(request.to_der()?)
}

/// A certificate, as PEM or DER.
pub(crate) fn certificate(bytes: &[u8], file: &Path) -> Result<Certificate, WrongUse> {
    let found = if bytes.starts_with(b"-----") { Certificate::from_pem(bytes) } else { Certificate::from_der(bytes) };
    found.map_err(|error| WrongUse(format!("{} is no certificate: {error}", file.display())))
}

/// Reads an answer and checks its signature, by the certificate that is trusted, or else by the one within it.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn read(bytes: &[u8], trusted: Option<&Certificate>) -> Result<TimeStamp, WrongUse> {
    let wrong = |what: &str| WrongUse(what.to_owned());
    let unreadable = |error: der::Error| WrongUse(format!("it is no answer to a time-stamp query: {error}"));
    let answer = TimeStampResp::from_der(bytes).map_err(unreadable)?;
    let token = answer.time_stamp_token.ok_or_else(|| wrong("the authority refused: the answer holds no stamp"))?;
    if token.content_type != SIGNED_DATA {
        return Err(wrong("its stamp is not signed data"));
    }
    let signed: SignedData = token.content.decode_as().map_err(unreadable)?;
    let inside = &signed.encap_content_info;
    let content = inside.econtent.as_ref().filter(|_| inside.econtent_type == STAMP);
    let content = content.ok_or_else(|| wrong("its signed data is no time stamp"))?;
    let [one] = signed.signer_infos.0.as_slice() else { return Err(wrong("it is not signed by one authority")) };
    let within = certificates(&signed);
    let theirs = match trusted {
        Some(trusted) => trusted,
        None => within
            .iter()
            .find(|certificate| is_of(certificate, &one.sid))
            .ok_or_else(|| wrong("it holds no certificate of who signed it; name it with --certificate"))?,
    };
    verify(one, theirs, content.value())?;
    let stamp = TstInfo::from_der(content.value()).map_err(unreadable)?;
    if stamp.message_imprint.hash_algorithm.oid != SHA_256 {
        return Err(wrong("it is about another kind of digest than the log's"));
    }
    let seconds = stamp.gen_time.to_unix_duration().as_secs();
    let at = i64::try_from(seconds).ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
    Ok(TimeStamp {
        link: hex::encode(stamp.message_imprint.hashed_message.as_bytes()),
        at: at.ok_or_else(|| wrong("its time is none"))?,
        by: sanitise::excerpt(&theirs.tbs_certificate.subject.to_string(), 200),
    })
}

fn certificates(signed: &SignedData) -> Vec<Certificate> {
    let all = signed.certificates.iter().flat_map(|set| set.0.iter());
    all.filter_map(|choice| match choice {
        CertificateChoices::Certificate(certificate) => Some(certificate.clone()),
        CertificateChoices::Other(_) => None,
    })
    .collect()
}

fn is_of(certificate: &Certificate, signer: &SignerIdentifier) -> bool {
    let own = &certificate.tbs_certificate;
    match signer {
        SignerIdentifier::IssuerAndSerialNumber(IssuerAndSerialNumber { issuer, serial_number }) => {
            own.issuer == *issuer && own.serial_number == *serial_number
        }
        SignerIdentifier::SubjectKeyIdentifier(_) => true,
    }
}

/// Checks that the signer's signature is over this content, by the key of a certificate that is for time stamps.
fn verify(signer: &SignerInfo, certificate: &Certificate, content: &[u8]) -> Result<(), WrongUse> {
    let wrong = |what: &str| WrongUse(what.to_owned());
    let attributes = signer.signed_attrs.as_ref().ok_or_else(|| wrong("its signature is over nothing"))?;
    let value = |oid: ObjectIdentifier| {
        let found = attributes.iter().find(|attribute| attribute.oid == oid)?;
        found.values.iter().next()
    };
    let kind = value(CONTENT_TYPE).and_then(|value| value.decode_as::<ObjectIdentifier>().ok());
    let digested = value(MESSAGE_DIGEST).and_then(|value| value.decode_as::<OctetString>().ok());
    let algorithm = match signer.digest_alg.oid {
        SHA_256 => &digest::SHA256,
        SHA_384 => &digest::SHA384,
        SHA_512 => &digest::SHA512,
        _ => return Err(wrong("its digest is of a kind that is not checked here")),
    };
    let is_whole = digested.is_some_and(|digested| digested.as_bytes() == digest::digest(algorithm, content).as_ref());
    if kind != Some(STAMP) || !is_whole {
        return Err(wrong("it was changed: its signature is over another content"));
    }
    if !is_for_stamps(certificate) {
        return Err(wrong("the certificate is not one for time stamps"));
    }
    let key = &certificate.tbs_certificate.subject_public_key_info;
    let curve = key.algorithm.parameters.as_ref().and_then(|any| any.decode_as::<ObjectIdentifier>().ok());
    let by: &dyn VerificationAlgorithm = match (key.algorithm.oid, curve, signer.digest_alg.oid) {
        (RSA, _, SHA_256) => &signature::RSA_PKCS1_2048_8192_SHA256,
        (RSA, _, SHA_384) => &signature::RSA_PKCS1_2048_8192_SHA384,
        (RSA, _, SHA_512) => &signature::RSA_PKCS1_2048_8192_SHA512,
        (ELLIPTIC, Some(P_256), SHA_256) => &signature::ECDSA_P256_SHA256_ASN1,
        (ELLIPTIC, Some(P_256), SHA_384) => &signature::ECDSA_P256_SHA384_ASN1,
        (ELLIPTIC, Some(P_384), SHA_256) => &signature::ECDSA_P384_SHA256_ASN1,
        (ELLIPTIC, Some(P_384), SHA_384) => &signature::ECDSA_P384_SHA384_ASN1,
        _ => {
            return Err(wrong("its signature is of a kind that is not checked here; `openssl ts -verify` may know it"));
        }
    };
    let bytes = attributes.to_der().map_err(|error| WrongUse(format!("its signature cannot be read: {error}")))?;
    UnparsedPublicKey::new(by, key.subject_public_key.raw_bytes())
        .verify(&bytes, signer.signature.as_bytes())
        .map_err(|_| wrong("its signature is not by the key of that certificate"))
}

fn is_for_stamps(certificate: &Certificate) -> bool {
    let extensions = certificate.tbs_certificate.extensions.as_deref().unwrap_or_default();
    let usage = extensions.iter().find(|extension| extension.extn_id == EXTENDED_KEY_USAGE);
    let purposes = usage.and_then(|usage| Vec::<ObjectIdentifier>::from_der(usage.extn_value.as_bytes()).ok());
    purposes.is_some_and(|purposes| purposes.contains(&TIME_STAMPING))
}
