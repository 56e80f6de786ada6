use std::fs;
use std::path::{Path, PathBuf};

use gryphon_env::Variant;
use gryphon_net::{Agent, AgentOrigin, NamedTensor, TensorFile, TensorMetadata};
use proptest::prelude::*;
use tch::{Device, Kind, Tensor};

use crate::networks::network;

fn agent() -> Agent {
    let variant = Variant::named("gryphon-aanca").unwrap();
    Agent {
        network: network(variant, "1x8"),
        origin: AgentOrigin { checkpoint: 12, step: 3400 },
        strength: Some(serde_json::json!({"elo": 321, "games": 200})),
    }
}

/// A folder with one saved agent in it.
struct Saved {
    folder: tempfile::TempDir,
}

impl Saved {
    fn new() -> Self {
        let saved = Self { folder: tempfile::tempdir().unwrap() };
        agent().save(&saved.path()).unwrap();
        saved
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("best.agent")
    }

    /// Opens the file after its content was changed in a way that keeps the checksum right.
    #[track_caller]
    fn check_rejects(
        &self,
        change: impl FnOnce(&mut Vec<NamedTensor>, &mut TensorMetadata),
        message: &str,
    ) {
        let TensorFile { mut tensors, mut metadata } = TensorFile::read(&self.path()).unwrap();
        change(&mut tensors, &mut metadata);
        let changed = self.folder.path().join("changed.agent");
        TensorFile::write(&changed, &tensors, &metadata).unwrap();
        let error = Agent::load(&changed).unwrap_err().to_string();
        assert!(error.contains("changed.agent`"), "the file is not named: {error}");
        assert!(error.contains(message), "unexpected message: {error}");
    }

    #[track_caller]
    fn check_rejects_entry(&self, key: &str, value: &str, message: &str) {
        self.check_rejects(
            |_, metadata| {
                metadata.insert(key.to_owned(), value.to_owned());
            },
            message,
        );
    }
}

#[test]
fn an_agent_survives_the_trip() {
    let saved = Saved::new();
    let (before, after) = (agent(), Agent::load(&saved.path()).unwrap());
    assert_eq!(after.variant().name(), "gryphon-aanca");
    assert!(std::ptr::eq(after.variant(), before.variant()));
    assert_eq!(after.origin, before.origin);
    assert_eq!(after.strength, before.strength);
    assert_eq!(after.network.shape(), before.network.shape());
    let (a, b) = (before.network.weights(), after.network.weights());
    assert_eq!(a.tensors().len(), b.tensors().len());
    assert!(a.tensors().iter().zip(b.tensors()).all(|(a, b)| a.tensor == b.tensor));
}

#[test]
fn the_same_agent_gives_the_same_bytes() {
    let bytes = || fs::read(Saved::new().path()).unwrap();
    assert_eq!(bytes(), bytes());
}

#[test]
fn files_of_another_kind_or_release_are_named() {
    let saved = Saved::new();
    let expected = "is not a gryphon agent: found format `optimizer`, expected `gryphon-agent`";
    saved.check_rejects_entry("format", "optimizer", expected);
    let remove_format = |_: &mut _, metadata: &mut TensorMetadata| drop(metadata.remove("format"));
    saved.check_rejects(remove_format, "found format none, expected `gryphon-agent`");
    saved.check_rejects_entry("version", "2", "has format version 2, this build reads version 1");
    let layout = "was trained with observation layout feed, this build has ";
    saved.check_rejects_entry("observation_layout", "feed", layout);
    saved.check_rejects_entry("action_space", "feed", "was trained with action space feed, this ");
}

#[test]
fn entries_that_cannot_be_used_are_named() {
    let saved = Saved::new();
    saved.check_rejects_entry("variant_text", "no = [", "its variant cannot be used: ");
    saved.check_rejects_entry("net", "6*64", "entry `net` is `6*64`, expected a network size");
    saved.check_rejects_entry("net", "9x512", "entry `net` is `9x512`, expected a network size");
    saved.check_rejects_entry("step", "-1", "entry `step` is `-1`, expected a number");
    saved.check_rejects_entry("strength", "{", "entry `strength` is `{`, expected JSON");
    for key in ["version", "variant_text", "net", "observation_layout", "action_space", "step"] {
        let message = format!("entry `{key}` is missing");
        saved.check_rejects(|_, metadata| drop(metadata.remove(key)), &message);
    }
}

#[test]
fn tensors_that_do_not_fit_are_named() {
    let saved = Saved::new();
    saved.check_rejects_entry("net", "1x16", "tensor `stem.weight` is fp32 [8, ");
    let missing = "tensor `value.norm.variance` is missing, expected fp32 [8]";
    saved.check_rejects(|tensors, _| drop(tensors.pop()), missing);
    let zeros = || Tensor::zeros([2, 2], (Kind::Float, Device::Cpu));
    let extra = "tensor `more` is extra, expected no such tensor";
    saved.check_rejects(|tensors, _| tensors.push(NamedTensor::new("more", zeros())), extra);
    let misshapen = |tensors: &mut Vec<NamedTensor>, _: &mut _| tensors[0].tensor = zeros();
    saved.check_rejects(misshapen, "tensor `stem.weight` is fp32 [2, 2], expected fp32 [8, ");
    let infinite = |tensors: &mut Vec<NamedTensor>, _: &mut _| {
        let _ = tensors[3].tensor.fill_(f64::NAN);
    };
    saved.check_rejects(infinite, "is not finite");
}

#[test]
fn weights_that_are_not_finite_are_not_saved() {
    let agent = agent();
    let _guard = tch::no_grad_guard();
    let _ = agent.network.parameters()[0].tensor.shallow_clone().fill_(f64::NAN);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    let error = agent.save(&path).unwrap_err().to_string();
    assert!(error.contains("tensor `stem.weight` is not finite"), "{error}");
    assert!(!path.exists());
}

#[test]
fn a_missing_file_is_named() {
    let error = Agent::load(Path::new("no/such.agent")).unwrap_err().to_string();
    assert!(error.starts_with("cannot read `no/such.agent`: "), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn damage_anywhere_is_an_error(
        position in any::<prop::sample::Index>(),
        mask in 1u8..,
        cut in any::<bool>(),
    ) {
        let saved = Saved::new();
        let mut bytes = fs::read(saved.path()).unwrap();
        let position = position.index(bytes.len());
        let padding = bytes[position] == b' ';
        if cut {
            bytes.truncate(position);
        } else {
            bytes[position] ^= mask;
        }
        fs::write(saved.path(), &bytes).unwrap();
        let result = Agent::load(&saved.path());
        // Spaces that pad the header say nothing, and one that became another space still does not.
        prop_assert!(result.is_err() || (padding && !cut), "byte {position} went unnoticed");
    }
}
