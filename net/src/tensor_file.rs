//! Named tensors and text in one safetensors file, with a checksum over both.
//!
//! The format is that of safetensors (an 8-byte header length, a JSON header, the numbers); any
//! safetensors reader opens these files. The header is written here because the library's own has
//! no fixed order, and the same weights should give the same bytes.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use safetensors::{Dtype, SafeTensorError, SafeTensors};
use serde_json::{Map, Value, json};
use tch::{Device, Kind, Tensor};

use crate::files::write_atomically;
use crate::tensors::{NamedTensor, describe};

/// Text that goes with tensors, by key.
pub type TensorMetadata = BTreeMap<String, String>;

/// Name of the metadata entry with the checksum, which is no part of [`TensorFile::metadata`].
const CHECKSUM: &str = "checksum";

/// No file of ours comes near this, and reading stops before memory does.
const MAX_BYTES: u64 = 4 << 30;

/// The content of a tensor file.
#[derive(Debug)]
pub struct TensorFile {
    /// The tensors in the file's order: fp32, on the CPU.
    pub tensors: Vec<NamedTensor>,
    /// The text entries.
    pub metadata: TensorMetadata,
}

/// Why a tensor file could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum TensorFileError {
    /// The system refused.
    #[error("cannot read `{path}`: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The system refused.
    #[error("cannot write `{path}`: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Something else than a file of tensors, or a damaged one.
    #[error("`{path}` is not a readable safetensors file: {reason}")]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A tensor of another kind than fp32.
    #[error("`{path}`: tensor `{tensor}` is {found}, expected fp32")]
    Kind {
        /// The file.
        path: PathBuf,
        /// The tensor.
        tensor: String,
        /// Its kind.
        found: String,
    },
    /// A safetensors file without our checksum.
    #[error("`{path}` has no checksum: gryphon did not write it, or it is damaged")]
    NoChecksum {
        /// The file.
        path: PathBuf,
    },
    /// Content and checksum do not agree.
    #[error("`{path}` is damaged: checksum {found}, expected {expected}")]
    Checksum {
        /// The file.
        path: PathBuf,
        /// Checksum of what is there.
        found: String,
        /// Checksum written in the file.
        expected: String,
    },
}

impl TensorFile {
    /// Writes `tensors`, all of them fp32, and `metadata` to `path`. A file that is already there is
    /// replaced at once or not at all.
    ///
    /// # Errors
    /// If a tensor is not fp32, or the file cannot be written.
    pub fn write(
        path: &Path,
        tensors: &[NamedTensor],
        metadata: &TensorMetadata,
    ) -> Result<(), TensorFileError> {
        let mut numbers = Vec::new();
        let mut header = Map::new();
        for named in tensors {
            let start = numbers.len();
            append(&named.tensor, &mut numbers).ok_or_else(|| TensorFileError::Kind {
                path: path.to_owned(),
                tensor: named.name.clone(),
                found: describe(&named.tensor),
            })?;
            let info = json!({
                "dtype": "F32",
                "shape": named.tensor.size(),
                "data_offsets": [start, numbers.len()],
            });
            header.insert(named.name.clone(), info);
        }
        let mut text = metadata.clone();
        text.insert(CHECKSUM.to_owned(), checksum(&header, metadata, &numbers));
        header.insert("__metadata__".to_owned(), json!(text));
        let mut header = Value::Object(header).to_string().into_bytes();
        header.resize(header.len().next_multiple_of(8), b' ');
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.append(&mut header);
        bytes.append(&mut numbers);
        write_atomically(path, &bytes)
            .map_err(|source| TensorFileError::Write { path: path.to_owned(), source })
    }

    /// Reads a file that [`TensorFile::write`] wrote.
    ///
    /// # Errors
    /// If the file cannot be read, is no safetensors file, has no checksum, is cut short or was
    /// changed.
    pub fn read(path: &Path) -> Result<Self, TensorFileError> {
        let bytes = read_bounded(path)?;
        let format = |reason: String| TensorFileError::Format { path: path.to_owned(), reason };
        let (header_len, header) =
            SafeTensors::read_metadata(&bytes).map_err(|error| format(reason(&error)))?;
        let numbers = &bytes[8 + header_len..];
        let mut tensors = Vec::new();
        let mut shapes = Map::new();
        for name in header.offset_keys() {
            let Some(info) = header.info(&name) else { continue };
            let (start, end) = info.data_offsets;
            if info.dtype != Dtype::F32 {
                return Err(TensorFileError::Kind {
                    path: path.to_owned(),
                    tensor: name,
                    found: format!("{:?}", info.dtype).to_lowercase(),
                });
            }
            let shape: Vec<i64> = info.shape.iter().map(|&n| n as i64).collect();
            let tensor = Tensor::f_from_data_size(&numbers[start..end], &shape, Kind::Float)
                .map_err(|_| {
                    format(format!("tensor `{name}` has an impossible shape {shape:?}"))
                })?;
            let info = json!({"dtype": "F32", "shape": shape, "data_offsets": [start, end]});
            shapes.insert(name.clone(), info);
            tensors.push(NamedTensor::new(name, tensor));
        }
        let mut metadata: TensorMetadata =
            header.metadata().iter().flatten().map(|(k, v)| (k.clone(), v.clone())).collect();
        let Some(expected) = metadata.remove(CHECKSUM) else {
            return Err(TensorFileError::NoChecksum { path: path.to_owned() });
        };
        let found = checksum(&shapes, &metadata, numbers);
        if found == expected {
            return Ok(Self { tensors, metadata });
        }
        Err(TensorFileError::Checksum { path: path.to_owned(), found, expected })
    }
}

fn read_bounded(path: &Path) -> Result<Vec<u8>, TensorFileError> {
    let failed = |source| TensorFileError::Read { path: path.to_owned(), source };
    let about = std::fs::metadata(path).map_err(failed)?;
    if !about.is_file() {
        let reason = "not a regular file".to_owned();
        return Err(TensorFileError::Format { path: path.to_owned(), reason });
    }
    if about.len() > MAX_BYTES {
        let reason = format!("{} bytes, expected at most {MAX_BYTES}", about.len());
        return Err(TensorFileError::Format { path: path.to_owned(), reason });
    }
    std::fs::read(path).map_err(failed)
}

/// Appends the numbers of a tensor as little-endian bytes; `None` unless they are fp32.
fn append(tensor: &Tensor, bytes: &mut Vec<u8>) -> Option<()> {
    if tensor.kind() != Kind::Float {
        return None;
    }
    let plain = tensor.detach().to_device(Device::Cpu).contiguous();
    let mut numbers = vec![0.0f32; plain.numel()];
    plain.f_copy_data(&mut numbers, plain.numel()).ok()?;
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    Some(())
}

/// Hash of everything in a file: names, shapes, text and numbers.
fn checksum(shapes: &Map<String, Value>, metadata: &TensorMetadata, numbers: &[u8]) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(Value::Object(shapes.clone()).to_string().as_bytes());
    hasher.update(json!(metadata).to_string().as_bytes());
    hasher.update(numbers);
    hasher.finalize().to_hex().to_string()
}

fn reason(error: &SafeTensorError) -> String {
    match error {
        SafeTensorError::HeaderTooSmall
        | SafeTensorError::HeaderTooLarge
        | SafeTensorError::InvalidHeaderLength => {
            "it has no safetensors header, or is cut short".to_owned()
        }
        SafeTensorError::MetadataIncompleteBuffer => {
            "its length is not what its header says: it is cut short, or was added to".to_owned()
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
