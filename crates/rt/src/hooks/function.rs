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
    asks: Asks,
}

/// Which arguments contain the number of requested bytes.
#[derive(Debug)]
enum Asks {
    None,
    One(usize),
    Product(usize, usize),
}

/// The first four arguments, which a call passes in registers, first to last.
pub(super) type Arguments = [usize; 4];

impl Function {
    const fn of(name: &'static str, kind: Kind, asks: Asks) -> Self {
        Self { name, kind, asks }
    }

    /// Returns how many bytes a call requests.
    pub(super) fn bytes(&self, arguments: Arguments) -> u64 {
        match self.asks {
            Asks::None => 0,
            Asks::One(at) => arguments[at] as u64,
            Asks::Product(first, second) => {
                (arguments[first] as u64).saturating_mul(arguments[second] as u64)
            }
        }
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
    use Asks::{None, One, Product};
    use Kind::{Allocation, Lock, Release, Thread};
    [
        Function::of("malloc", Allocation, One(0)),
        Function::of("calloc", Allocation, Product(0, 1)),
        Function::of("realloc", Allocation, One(1)),
        Function::of("free", Release, None),
        Function::of("posix_memalign", Allocation, One(2)),
        Function::of("aligned_alloc", Allocation, One(1)),
        Function::of("memalign", Allocation, One(1)),
        Function::of("pthread_mutex_lock", Lock, None),
        Function::of("pthread_mutex_timedlock", Lock, None),
        Function::of("pthread_rwlock_rdlock", Lock, None),
        Function::of("pthread_rwlock_wrlock", Lock, None),
        Function::of("pthread_cond_wait", Lock, None),
        Function::of("pthread_cond_timedwait", Lock, None),
        Function::of("sem_wait", Lock, None),
        Function::of("pthread_spin_lock", Lock, None),
        Function::of("pthread_create", Thread, None),
    ]
};
