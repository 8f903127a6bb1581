//! Unbalanced tree search, as in bench/uts.hpp: the same trees.

/// SHA-1 of a message of words that fits into a block.
fn sha1(message: &[u32]) -> [u32; 5] {
    let mut w = [0u32; 16];
    w[..message.len()].copy_from_slice(message);
    w[message.len()] = 0x8000_0000;
    w[15] = message.len() as u32 * 32;
    let start = [0x67452301u32, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
    let [mut a, mut b, mut c, mut d, mut e] = start;
    // Keeps only the last sixteen of the 80 words of the schedule.
    macro_rules! steps {
        ($from:literal, $f:expr, $k:literal) => {
            unrolled!($from, |t: usize| {
                if t >= 16 {
                    w[t % 16] = (w[(t - 3) % 16] ^ w[(t - 8) % 16] ^ w[(t - 14) % 16] ^ w[t % 16])
                        .rotate_left(1);
                }
                let f: u32 = $f(b, c, d);
                let next = a
                    .rotate_left(5)
                    .wrapping_add(f)
                    .wrapping_add(e)
                    .wrapping_add($k)
                    .wrapping_add(w[t % 16]);
                e = d;
                d = c;
                c = b.rotate_left(30);
                b = a;
                a = next;
            })
        };
    }
    // Twenty steps, written out: rustc does not unroll them.
    macro_rules! unrolled {
        ($from:literal, $step:expr) => {{
            let mut step = $step;
            unrolled!(@ step, $from, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
        }};
        (@ $step:ident, $from:literal, $($i:literal)*) => { $($step($from + $i);)* };
    }
    steps!(0, |b: u32, c: u32, d: u32| (b & c) | (!b & d), 0x5a827999);
    steps!(20, |b: u32, c: u32, d: u32| b ^ c ^ d, 0x6ed9eba1);
    steps!(40, |b: u32, c: u32, d: u32| (b & c) | (b & d) | (c & d), 0x8f1bbcdc);
    steps!(60, |b: u32, c: u32, d: u32| b ^ c ^ d, 0xca62c1d6);
    [
        start[0].wrapping_add(a),
        start[1].wrapping_add(b),
        start[2].wrapping_add(c),
        start[3].wrapping_add(d),
        start[4].wrapping_add(e),
    ]
}

#[derive(Clone, Copy)]
pub struct Node {
    state: [u32; 5],
    pub depth: u32,
}

impl Node {
    pub fn root(seed: u32) -> Node {
        Node { state: sha1(&[0, 0, 0, 0, seed]), depth: 0 }
    }
    pub fn child(&self, i: u32) -> Node {
        let s = &self.state;
        Node { state: sha1(&[s[0], s[1], s[2], s[3], s[4], i]), depth: self.depth + 1 }
    }
    fn uniform(&self) -> f64 {
        f64::from(self.state[4] & 0x7fff_ffff) / 2147483648.0
    }
}

pub trait Tree {
    const SEED: u32;
    fn children(of: &Node) -> u32;
}

pub struct T1;
impl Tree for T1 {
    const SEED: u32 = 19;
    fn children(of: &Node) -> u32 {
        if of.depth >= 10 {
            return 0;
        }
        let p: f64 = 1.0 / (1.0 + 4.0);
        let count = ((1.0 - of.uniform()).ln() / (1.0 - p).ln()).floor();
        if count > 100.0 { 100 } else { count as u32 }
    }
}

pub struct T3;
impl Tree for T3 {
    const SEED: u32 = 42;
    fn children(of: &Node) -> u32 {
        if of.depth == 0 {
            2000
        } else if of.uniform() < 0.124875 {
            8
        } else {
            0
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Counts {
    nodes: u64,
    leaves: u64,
    depth: u32,
}

impl Counts {
    pub fn of(node: &Node, children: u32) -> Counts {
        Counts { nodes: 1, leaves: u64::from(children == 0), depth: node.depth }
    }
}
impl std::ops::Add for Counts {
    type Output = Counts;
    fn add(self, other: Counts) -> Counts {
        Counts {
            nodes: self.nodes + other.nodes,
            leaves: self.leaves + other.leaves,
            depth: self.depth.max(other.depth),
        }
    }
}
