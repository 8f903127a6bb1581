//! crossbeam-deque in the loops of bench/peers/deque/suite.hpp.
use crossbeam_deque::{Steal, Worker};
use std::sync::atomic::{AtomicBool, Ordering::Acquire, Ordering::Release};
use std::time::Instant;

/// Makes the compiler compute the value and forget it. (std::hint has one, from Rust 1.66 on.)
fn black_box<T: Copy>(value: T) -> T {
    unsafe { std::ptr::read_volatile(&value) }
}

fn eight_items() -> Worker<u64> {
    let deque = Worker::new_lifo();
    for _ in 0..8 {
        deque.push(0);
    }
    deque
}

#[no_mangle]
pub extern "C" fn peer_crossbeam_push_pop(times: u64) -> u64 {
    let deque = eight_items();
    let mut sum = 0;
    for i in 0..times {
        deque.push(i);
        sum += black_box(deque.pop()).unwrap_or(0);
    }
    sum
}

#[no_mangle]
pub extern "C" fn peer_crossbeam_push_steal(times: u64) -> u64 {
    let deque = Worker::new_lifo();
    let stealer = deque.stealer();
    let mut sum = 0;
    for i in 0..times {
        deque.push(i);
        sum += black_box(stealer.steal().success()).unwrap_or(0);
    }
    sum
}

/// # Safety
/// Both pointers must be valid for writes.
#[no_mangle]
pub unsafe extern "C" fn peer_crossbeam_owner_and_thief(
    rounds: u64,
    seconds: *mut f64,
    stolen: *mut u64,
    place: extern "C" fn(u32),
) -> u64 {
    let deque = Worker::new_lifo();
    let stealer = deque.stealer();
    let (ready, done) = (AtomicBool::new(false), AtomicBool::new(false));
    let mut sum = 0;
    std::thread::scope(|scope| {
        let thief = scope.spawn(|| {
            place(1);
            let (mut sum, mut times) = (0, 0);
            ready.store(true, Release);
            while !done.load(Acquire) {
                if let Steal::Success(item) = stealer.steal() {
                    sum += item;
                    times += 1;
                }
            }
            (sum, times)
        });
        while !ready.load(Acquire) {
            std::thread::yield_now();
        }
        place(0);
        let begin = Instant::now();
        for round in 0..rounds {
            for i in 0..8 {
                deque.push(8 * round + i);
            }
            while let Some(item) = deque.pop() {
                sum += item;
            }
        }
        *seconds = begin.elapsed().as_secs_f64();
        done.store(true, Release);
        let (theirs, times) = thief.join().expect("the thief ends");
        sum += theirs;
        *stolen = times;
    });
    sum
}
