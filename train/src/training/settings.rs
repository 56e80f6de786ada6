//! What the config means to the parts of the loop.

use gryphon_env::Variant;
use gryphon_mcts::{GumbelConfig, RootPolicy, SearchConfig};

use crate::config::{RunConfig, VariantChoice};
use crate::learner::LearnerSettings;
use crate::run_folder::read_text;
use crate::selfplay::{CutRule, SelfPlayRules};

use super::TrainingError;

/// The rules that the config names.
pub(crate) fn variant(config: &RunConfig) -> Result<&'static Variant, TrainingError> {
    Ok(match &config.run.variant {
        VariantChoice::Named(name) => Variant::named(name)?,
        VariantChoice::File(path) => {
            Variant::from_text(&path.display().to_string(), &read_text(path)?)?
        }
    })
}

pub(crate) fn self_play_rules(config: &RunConfig, variant: &'static Variant) -> SelfPlayRules {
    SelfPlayRules {
        variant,
        seed: config.run.seed,
        search: SearchConfig::new(
            config.search.simulations,
            RootPolicy::Gumbel(GumbelConfig {
                considered: config.search.considered,
                noise_scale: config.search.noise_scale.as_f32(),
                c_visit: config.search.c_visit.as_f32(),
                c_scale: config.search.c_scale.as_f32(),
            }),
        ),
        trees: config.search.trees,
        cache_bytes: config.search.cache_mib as usize * (1 << 20),
        cap: config.selfplay.max_plies,
        cut: CutRule::new(config.selfplay.cap_value, variant),
        opening_plies: config.selfplay.opening_plies,
        temperature_plies: config.search.temperature_plies,
    }
}

pub(super) fn learner_settings(config: &RunConfig) -> LearnerSettings {
    let learner = &config.learner;
    let decay = learner.ema_decay.get();
    LearnerSettings {
        learning_rate: learner.learning_rate.get(),
        warmup_steps: u64::from(learner.warmup_steps),
        weight_decay: learner.weight_decay.get(),
        clip_norm: learner.clip_norm.get(),
        value_weight: learner.value_weight.get(),
        ema_decay: (decay > 0.0).then_some(decay),
    }
}
