//! The functions that are counted.

/// The purpose of a function of the C library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Allocates memory.
    Allocation,
    /// Frees memory.
    Release,
    /// Waits for another thread if necessary.
    Lock,
    /// Starts a thread.
    Thread,
}

/// A function of the C library whose calls are counted.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// The purpose of its calls.
    pub kind: Kind,
    /// The positions of the arguments whose product is the number of requested bytes.
    bytes: &'static [usize],
}

/// The first four arguments, which a call passes in registers, first to last.
pub(super) type Arguments = [usize; 4];

impl Function {
    const fn of(name: &'static str, kind: Kind, bytes: &'static [usize]) -> Self {
        Self { name, kind, bytes }
    }

    /// Returns how many bytes a call requests.
    pub(super) fn bytes(&self, arguments: Arguments) -> u64 {
        let factors = self.bytes.iter().map(|at| arguments[*at] as u64);
        factors.reduce(u64::saturating_mul).unwrap_or(0)
    }

    /// Whether a call does nothing: free(3) of a null pointer.
    pub(super) fn is_idle(&self, arguments: Arguments) -> bool {
        self.kind == Kind::Release && arguments[0] == 0
    }
}

/// The number of counted functions.
pub(super) const COUNT: usize = 16;

/// All counted functions. Functions that call one of these inside the C library (`reallocarray`)
/// are not included.
pub(super) static ALL: [Function; COUNT] = {
    use Kind::{Allocation, Lock, Release, Thread};
    [
        Function::of("malloc", Allocation, &[0]),
        Function::of("calloc", Allocation, &[0, 1]),
        Function::of("realloc", Allocation, &[1]),
        Function::of("free", Release, &[]),
        Function::of("posix_memalign", Allocation, &[2]),
        Function::of("aligned_alloc", Allocation, &[1]),
        Function::of("memalign", Allocation, &[1]),
        Function::of("pthread_mutex_lock", Lock, &[]),
        Function::of("pthread_mutex_timedlock", Lock, &[]),
        Function::of("pthread_rwlock_rdlock", Lock, &[]),
        Function::of("pthread_rwlock_wrlock", Lock, &[]),
        Function::of("pthread_cond_wait", Lock, &[]),
        Function::of("pthread_cond_timedwait", Lock, &[]),
        Function::of("sem_wait", Lock, &[]),
        Function::of("pthread_spin_lock", Lock, &[]),
        Function::of("pthread_create", Thread, &[]),
    ]
};
