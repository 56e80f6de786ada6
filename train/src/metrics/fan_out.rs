//! One record, several views of it.

use std::fmt;

use super::{Jsonl, Metric, MetricError, MetricName, MetricSink, Step};

/// Hands everything to the record and to all views. Only the record's errors are errors; a view
/// that fails is noted in the record and let go.
pub struct FanOut {
    record: Jsonl,
    views: Vec<Box<dyn MetricSink + Send>>,
    step: Step,
}

impl fmt::Debug for FanOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n_views = self.views.len();
        f.debug_struct("FanOut").field("record", &self.record).field("views", &n_views).finish()
    }
}

impl FanOut {
    /// The record and its views.
    #[must_use]
    pub fn new(record: Jsonl, views: Vec<Box<dyn MetricSink + Send>>) -> Self {
        Self { record, views, step: Step(0) }
    }

    fn show(
        &mut self,
        call: impl Fn(&mut dyn MetricSink) -> Result<(), MetricError>,
    ) -> Result<(), MetricError> {
        let mut warnings = Vec::new();
        self.views.retain_mut(|view| match call(view.as_mut()) {
            Ok(()) => true,
            Err(error) => {
                warnings.push(error.to_string());
                false
            }
        });
        for warning in warnings {
            self.record.text(&Metric::Warning.into(), self.step, &warning)?;
        }
        Ok(())
    }
}

impl MetricSink for FanOut {
    fn scalar(&mut self, name: &MetricName, step: Step, value: f64) -> Result<(), MetricError> {
        self.step = step;
        self.record.scalar(name, step, value)?;
        self.show(|view| view.scalar(name, step, value))
    }

    fn text(&mut self, name: &MetricName, step: Step, text: &str) -> Result<(), MetricError> {
        self.step = step;
        self.record.text(name, step, text)?;
        self.show(|view| view.text(name, step, text))
    }

    fn flush(&mut self) -> Result<(), MetricError> {
        self.show(|view| view.flush())?;
        self.record.flush()
    }
}
