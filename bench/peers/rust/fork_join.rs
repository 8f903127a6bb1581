//! The fork-join programs of bench/fork_join_programs.hpp on Rayon, with join: many children of a
//! node are halved until one is left. Without a pool they run without tasks.
use crate::uts::{Counts, Node, Tree, T1, T3};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// How to call two functions: one after the other, or with rayon::join.
trait Join: Copy + Send + Sync {
    fn both<A: Send, B: Send>(
        f: impl FnOnce() -> A + Send,
        g: impl FnOnce() -> B + Send,
    ) -> (A, B);
}
#[derive(Clone, Copy)]
struct InOrder;
impl Join for InOrder {
    #[inline(always)]
    fn both<A: Send, B: Send>(
        f: impl FnOnce() -> A + Send,
        g: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        (f(), g())
    }
}
#[derive(Clone, Copy)]
struct Rayon;
impl Join for Rayon {
    #[inline(always)]
    fn both<A: Send, B: Send>(
        f: impl FnOnce() -> A + Send,
        g: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        rayon::join(f, g)
    }
}

/// Returns f(first) + … + f(end - 1).
fn sum<J: Join, R: Send + Default + std::ops::Add<Output = R>>(
    first: u32,
    end: u32,
    f: &(impl Fn(u32) -> R + Sync),
) -> R {
    match end - first {
        0 => R::default(),
        1 => f(first),
        count => {
            let middle = first + count / 2;
            let (a, b) = J::both(|| sum::<J, R>(first, middle, f), || sum::<J, R>(middle, end, f));
            a + b
        }
    }
}

fn fib<J: Join>(n: u32) -> u64 {
    if n < 2 {
        return u64::from(n);
    }
    let (a, b) = J::both(|| fib::<J>(n - 1), || fib::<J>(n - 2));
    a + b
}

#[derive(Clone, Copy, Default)]
struct Board {
    queens: [u8; 20],
    rows: u8,
}
impl Board {
    fn with(&self, column: u8) -> Board {
        let mut next = *self;
        next.queens[usize::from(next.rows)] = column;
        next.rows += 1;
        next
    }
    /// True if no queen attacks another. All pairs are compared, as in the C++ program.
    #[inline(never)]
    fn peaceful(&self) -> bool {
        let rows = i32::from(self.rows);
        for i in 0..rows {
            let p = i32::from(self.queens[i as usize]);
            for j in i + 1..rows {
                let q = i32::from(self.queens[j as usize]);
                if q == p || q == p - (j - i) || q == p + (j - i) {
                    return false;
                }
            }
        }
        true
    }
}

fn queens<J: Join>(n: u8, placed: &Board) -> u64 {
    if placed.rows == n {
        return 1;
    }
    let mut columns = [0u8; 20];
    let mut peaceful = 0;
    for column in 0..n {
        if placed.with(column).peaceful() {
            columns[peaceful] = column;
            peaceful += 1;
        }
    }
    sum::<J, u64>(0, peaceful as u32, &|i| queens::<J>(n, &placed.with(columns[i as usize])))
}

/// c = a * b, or c += a * b: a is m × n, b is n × p, parts of matrices with rows of `row` numbers.
#[derive(Clone, Copy)]
struct Product {
    a: *const f32,
    b: *const f32,
    c: *mut f32,
    m: usize,
    n: usize,
    p: usize,
    row: usize,
    add: bool,
}
// Products that are computed concurrently write different parts of c.
unsafe impl Send for Product {}
unsafe impl Sync for Product {}

impl Product {
    #[inline(never)]
    fn multiply(&self) {
        for i in 0..self.m {
            for k in 0..self.p {
                let mut sum = 0.0;
                unsafe {
                    for j in 0..self.n {
                        sum += *self.a.add(i * self.row + j) * *self.b.add(j * self.row + k);
                    }
                    let c = self.c.add(i * self.row + k);
                    *c = if self.add { *c + sum } else { sum };
                }
            }
        }
    }
}

fn matmul<J: Join>(all: Product) {
    let Product { m, n, p, row, .. } = all;
    if m + n + p <= 64 {
        return all.multiply();
    }
    let (mut first, mut second) = (all, all);
    unsafe {
        if m >= n && n >= p {
            first.m = m / 2;
            second.m = m - first.m;
            second.a = all.a.add(first.m * row);
            second.c = all.c.add(first.m * row);
        } else if n >= m && n >= p {
            first.n = n / 2;
            second.n = n - first.n;
            second.a = all.a.add(first.n);
            second.b = all.b.add(first.n * row);
            second.add = true;
            matmul::<J>(first);
            return matmul::<J>(second);
        } else {
            first.p = p / 2;
            second.p = p - first.p;
            second.b = all.b.add(first.p);
            second.c = all.c.add(first.p);
        }
    }
    J::both(move || matmul::<J>(first), move || matmul::<J>(second));
}

fn search<J: Join, T: Tree>(at: &Node) -> Counts {
    let children = T::children(at);
    Counts::of(at, children) + sum::<J, Counts>(0, children, &|i| search::<J, T>(&at.child(i)))
}

fn run<R: Send>(
    pool: Option<&ThreadPool>,
    in_order: impl FnOnce() -> R,
    tasks: impl FnOnce() -> R + Send,
) -> R {
    match pool {
        None => in_order(),
        Some(pool) => pool.install(tasks),
    }
}

#[no_mangle]
pub extern "C" fn peer_rayon_open(workers: u32) -> *mut ThreadPool {
    let pool = ThreadPoolBuilder::new().num_threads(workers as usize).build();
    Box::into_raw(Box::new(pool.expect("Rayon's threads are started")))
}

/// # Safety
/// The pool must come from open, or be null, and not be closed. The same holds for all others.
#[no_mangle]
pub unsafe extern "C" fn peer_rayon_close(pool: *mut ThreadPool) {
    if !pool.is_null() {
        drop(Box::from_raw(pool));
    }
}

/// # Safety
/// See close.
#[no_mangle]
pub unsafe extern "C" fn peer_rayon_fib(pool: *const ThreadPool, n: u32) -> u64 {
    run(pool.as_ref(), || fib::<InOrder>(n), || fib::<Rayon>(n))
}

/// # Safety
/// See close.
#[no_mangle]
pub unsafe extern "C" fn peer_rayon_queens(pool: *const ThreadPool, n: u8) -> u64 {
    let empty = Board::default();
    run(pool.as_ref(), || queens::<InOrder>(n, &empty), || queens::<Rayon>(n, &empty))
}

/// # Safety
/// See close; each matrix has n × n numbers.
#[no_mangle]
pub unsafe extern "C" fn peer_rayon_matmul(
    pool: *const ThreadPool,
    a: *const f32,
    b: *const f32,
    c: *mut f32,
    n: usize,
) {
    let all = Product { a, b, c, m: n, n, p: n, row: n, add: false };
    run(pool.as_ref(), move || matmul::<InOrder>(all), move || matmul::<Rayon>(all))
}

fn uts<T: Tree>(pool: Option<&ThreadPool>) -> Counts {
    let root = Node::root(T::SEED);
    run(pool, || search::<InOrder, T>(&root), || search::<Rayon, T>(&root))
}

/// # Safety
/// See close.
#[no_mangle]
pub unsafe extern "C" fn peer_rayon_uts_t1(pool: *const ThreadPool) -> Counts {
    uts::<T1>(pool.as_ref())
}

/// # Safety
/// See close.
#[no_mangle]
pub unsafe extern "C" fn peer_rayon_uts_t3(pool: *const ThreadPool) -> Counts {
    uts::<T3>(pool.as_ref())
}
