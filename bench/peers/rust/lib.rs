//! The peers that are written in Rust, for the benchmarks to call: peers.h.
mod deque;
mod fork_join;
mod uts;
