//! The command `gryphon`.

fn main() {}
