use std::fs;

use proptest::prelude::*;

use super::*;

fn example() -> (Vec<NamedTensor>, TensorMetadata) {
    let tensors = vec![
        NamedTensor::new("z.weight", Tensor::from_slice(&[1.0f32, -2.5, 3.0, 0.0]).view([2, 2])),
        NamedTensor::new("a.bias", Tensor::from_slice(&[f32::MIN_POSITIVE, 1e30, -0.0])),
        NamedTensor::new("empty", Tensor::zeros([0, 3], (Kind::Float, Device::Cpu))),
    ];
    let text = [("format", "test"), ("text", "line\nsecond \"line\" é")];
    let metadata = text.into_iter().map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
    (tensors, metadata)
}

/// The bytes of the example's file.
fn example_bytes() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    let (tensors, metadata) = example();
    TensorFile::write(&path, &tensors, &metadata).unwrap();
    fs::read(&path).unwrap()
}

fn read_bytes(bytes: &[u8]) -> Result<TensorFile, TensorFileError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    fs::write(&path, bytes).unwrap();
    TensorFile::read(&path)
}

fn is_example(file: &TensorFile) -> bool {
    let (tensors, metadata) = example();
    file.metadata == metadata
        && file.tensors.len() == tensors.len()
        && file.tensors.iter().zip(&tensors).all(|(found, expected)| {
            found.name == expected.name
                && found.tensor.size() == expected.tensor.size()
                && found.tensor == expected.tensor
        })
}

#[track_caller]
fn check_rejects(bytes: &[u8], message: &str) {
    let error = read_bytes(bytes).unwrap_err().to_string();
    assert!(error.contains(message), "unexpected message: {error}");
}

#[test]
fn content_and_order_survive_the_trip() {
    assert!(is_example(&read_bytes(&example_bytes()).unwrap()));
}

#[test]
fn the_same_content_gives_the_same_bytes() {
    assert_eq!(example_bytes(), example_bytes());
}

#[test]
fn other_readers_open_it() {
    let bytes = example_bytes();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    let tensor = file.tensor("z.weight").unwrap();
    assert_eq!(tensor.shape(), [2, 2]);
    assert_eq!(tensor.data()[..4], 1.0f32.to_le_bytes());
}

#[test]
fn a_replaced_file_is_whole_and_nothing_is_left_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    fs::write(&path, "old").unwrap();
    let (tensors, metadata) = example();
    TensorFile::write(&path, &tensors, &metadata).unwrap();
    assert!(is_example(&TensorFile::read(&path).unwrap()));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn damage_is_named() {
    let good = example_bytes();
    check_rejects(&[], "no safetensors header, or is cut short");
    check_rejects(b"not a file of tensors at all", "no safetensors header, or is cut short");
    check_rejects(&good[..good.len() - 1], "its length is not what its header says");
    check_rejects(&good[..40], "no safetensors header, or is cut short");
    check_rejects(&[&good[..], b"x"].concat(), "its length is not what its header says");
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 1;
    check_rejects(&flipped, "is damaged: checksum ");
    let position = good.windows(8).position(|window| window == b"checksum").unwrap();
    let mut unsigned = good;
    unsigned[position + 2] = b'o';
    check_rejects(&unsigned, "has no checksum");
}

#[test]
fn missing_files_folders_and_foreign_kinds_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none");
    let error = TensorFile::read(&path).unwrap_err().to_string();
    assert!(error.starts_with("cannot read `") && error.contains("none"), "{error}");
    let error = TensorFile::read(folder.path()).unwrap_err().to_string();
    assert!(error.contains("not a regular file"), "{error}");
    let error = TensorFile::write(&path.join("x"), &[], &TensorMetadata::new()).unwrap_err();
    assert!(error.to_string().starts_with("cannot write `"), "{error}");
    let whole = [NamedTensor::new("n", Tensor::from_slice(&[1i64]))];
    let error = TensorFile::write(&path, &whole, &TensorMetadata::new()).unwrap_err().to_string();
    assert!(error.contains("tensor `n` is int64 [1], expected fp32"), "{error}");
    assert!(!path.exists());
}

proptest! {
    #[test]
    fn a_changed_byte_is_found(position in any::<prop::sample::Index>(), mask in 1u8..) {
        let mut bytes = example_bytes();
        let position = position.index(bytes.len());
        bytes[position] ^= mask;
        // A change that changes no content (a space that pads the header) may pass.
        if let Ok(file) = read_bytes(&bytes) {
            prop_assert!(is_example(&file), "byte {position} changed and was not noticed");
        }
    }

    #[test]
    fn a_shortened_file_is_refused(length in any::<prop::sample::Index>()) {
        let bytes = example_bytes();
        prop_assert!(read_bytes(&bytes[..length.index(bytes.len())]).is_err());
    }

    #[test]
    fn random_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(read_bytes(&bytes).is_err());
    }

    #[test]
    fn random_headers_never_panic(
        shape in prop::collection::vec(any::<u64>(), 0..4),
        start in any::<u64>(),
        end in any::<u64>(),
    ) {
        let header = json!({"a": {"dtype": "F32", "shape": shape, "data_offsets": [start, end]}});
        let header = header.to_string();
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header.bytes());
        prop_assert!(read_bytes(&bytes).is_err());
    }
}
