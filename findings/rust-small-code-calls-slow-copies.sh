#!/usr/bin/env bash
# rustc 1.96: code that is optimised for size calls the copies of generic functions that a dependency compiled without
# optimisation.
#
# Behaviour: at the levels 0, 1, s and z, a crate does not compile a generic function again if a dependency already has it
# for the same type; it calls that copy, at whatever level it was compiled. At the levels 2 and 3 it compiles its own, and
# inlines it. So the level of one crate decides how fast code of another crate is, and only for the types that the
# dependency happens to use itself: here u32, but not u64.
# Matters: who optimises only the crate of a real-time loop, and chooses s or z for it in a profile, gets loops that call
# unoptimised functions, such as wrappers of system calls; a use that is added to the dependency changes their time.
source "$(dirname "$0")/lib.sh"
version=1.96.0+dfsg1-1~deb12u2
debian_packages rustc-web=$version libstd-rust-web-dev=$version libstd-rust-web-1.96=$version \
  libllvm22 libz3-4 libedit2 libxml2 libbsd0 libmd0 libicu72

cat > "$folder/library.rs" << 'RUST'
pub fn mean<T: Copy + Into<u64>>(of: T, and: T) -> u64 {
    (of.into() + and.into()) / 2
}
#[inline(never)]
pub fn used_here() -> u64 {
    mean(2u32, 4u32)
}
RUST
cat > "$folder/loop.rs" << 'RUST'
#[inline(never)]
pub fn small(of: u32, and: u32) -> u64 {
    library::mean(of, and)
}
#[inline(never)]
pub fn large(of: u64, and: u64) -> u64 {
    library::mean(of, and)
}
RUST
rust() { (cd "$folder" && usr/bin/rustc --sysroot usr --edition 2021 --crate-type rlib -C embed-bitcode=no "$@"); }

rust -C opt-level=0 library.rs
for level in 0 1 s z 2 3; do
  rust -C opt-level=$level --emit obj --extern library=liblibrary.rlib loop.rs
  called=$(nm --demangle --undefined-only "$folder/loop.o" | grep -c library::mean || true)
  echo "level $level calls copies of the library: $called"
done > "$folder/seen"
expect "level 0 calls copies of the library: 1
level 1 calls copies of the library: 1
level s calls copies of the library: 1
level z calls copies of the library: 1
level 2 calls copies of the library: 0
level 3 calls copies of the library: 0" "$(cat "$folder/seen")"
