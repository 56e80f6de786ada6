//! Self-play, replay, learner, evaluation, and the command gryphon.
