//! Learning-rate schedules as plain functions of the step.

use std::f64::consts::PI;

/// Rises linearly over the first `warmup` steps: `base / warmup` at step 0, `base` from step
/// `warmup - 1` on. A `warmup` of 0 gives `base` at once.
#[must_use]
pub fn warmup(base: f64, step: u64, warmup: u64) -> f64 {
    if step < warmup { base * (step + 1) as f64 / warmup as f64 } else { base }
}

/// Linear warm-up to `base`, then half a cosine down to `floor` at step `total`, where it stays.
#[must_use]
pub fn warmup_cosine(base: f64, floor: f64, step: u64, warmup_steps: u64, total: u64) -> f64 {
    if step < warmup_steps {
        return warmup(base, step, warmup_steps);
    }
    let span = total.saturating_sub(warmup_steps).max(1) as f64;
    let progress = ((step - warmup_steps) as f64 / span).min(1.0);
    floor + (base - floor) * 0.5 * (1.0 + (PI * progress).cos())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warmup_rises_and_stays() {
        assert_eq!(warmup(1.0, 0, 4), 0.25);
        assert_eq!(warmup(1.0, 3, 4), 1.0);
        assert_eq!(warmup(1.0, 100, 4), 1.0);
        assert_eq!(warmup(1.0, 0, 0), 1.0);
    }

    #[test]
    fn cosine_falls_from_base_to_floor() {
        let rate = |step| warmup_cosine(1.0, 0.1, step, 10, 110);
        assert_eq!(rate(9), 1.0);
        assert_eq!(rate(10), 1.0);
        assert!((rate(60) - 0.55).abs() < 1e-12);
        assert!((rate(110) - 0.1).abs() < 1e-12);
        assert!((rate(5000) - 0.1).abs() < 1e-12);
        assert!((10..110).all(|step| rate(step + 1) < rate(step)));
    }
}
