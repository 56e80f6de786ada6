//! Steps of a batch allocate nothing once its buffers have grown.

#![expect(unsafe_code, reason = "only an allocator of one's own can count allocations")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::num::NonZeroU32;

use gryphon_env::{AutoReset, Batch, BatchConfig, BatchEnv, Packed, PlyCap, RandomPolicy, RunSeed};

use crate::random_games::variants;

/// The system's allocator, which counts the calls of each thread.
struct Counting;

thread_local! {
    static N_ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        N_ALLOCATIONS.set(N_ALLOCATIONS.get() + 1);
        // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `GlobalAlloc::dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(run: impl FnOnce()) -> u64 {
    let before = N_ALLOCATIONS.get();
    run();
    N_ALLOCATIONS.get() - before
}

#[test]
fn steps_allocate_nothing_once_their_buffers_have_grown() {
    assert!(allocations(|| drop(std::hint::black_box(vec![1u8]))) > 0);
    for variant in variants() {
        let config = BatchConfig {
            n_games: 16,
            n_threads: 1,
            auto_reset: AutoReset::SameStep,
            ply_cap: PlyCap(NonZeroU32::new(150).unwrap()),
        };
        let mut env = BatchEnv::try_new(variant, config, RunSeed(1)).unwrap();
        let (mut bytes, mut numbers) = (Batch::<u8>::new(&env), Batch::<f32>::new(&env));
        let mut packed = Batch::<Packed>::new(&env);
        let mut actions = Vec::new();
        let mut run = || {
            env.reset(RunSeed(1), &mut bytes).unwrap();
            let mut policy = RandomPolicy::new(RunSeed(1));
            let mut n_ended = 0;
            for _ in 0..400 {
                policy.choose(&env, &mut actions).unwrap();
                env.step(&actions, &mut bytes).unwrap();
                env.observe(&mut numbers).unwrap();
                env.observe(&mut packed).unwrap();
                let ends = bytes.terminated().iter().chain(bytes.truncated());
                n_ended += ends.filter(|&&has_ended| has_ended).count();
            }
            n_ended
        };
        // The same games twice: the second time the buffers have the size that they need.
        assert!(run() > 0, "{}", variant.name());
        let n = allocations(|| _ = run());
        assert_eq!(n, 0, "{}", variant.name());
    }
}
