//! The peers that are written in Rust, which the benchmarks call through peers.h.
mod deque;
mod fork_join;
mod uts;
