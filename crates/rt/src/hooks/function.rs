//! The functions that are counted.

/// What a function of the C library is called for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// To be given memory.
    Allocation,
    /// To give memory back.
    Release,
    /// To wait for another thread, where it must.
    Lock,
    /// To start a thread.
    Thread,
}

/// A function of the C library whose calls are counted.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// What it is called for.
    pub kind: Kind,
    asks: Asks,
}

/// Which arguments say how many bytes are asked for.
#[derive(Debug)]
enum Asks {
    None,
    One(usize),
    Product(usize, usize),
}

/// What a call hands over in registers, first to last.
pub(super) type Arguments = [usize; 4];

impl Function {
    const fn of(name: &'static str, kind: Kind, asks: Asks) -> Self {
        Self { name, kind, asks }
    }

    /// How many bytes a call asks for.
    pub(super) fn bytes(&self, arguments: Arguments) -> u64 {
        match self.asks {
            Asks::None => 0,
            Asks::One(at) => arguments[at] as u64,
            Asks::Product(one, other) => {
                (arguments[one] as u64).saturating_mul(arguments[other] as u64)
            }
        }
    }

    /// Whether a call does nothing: free(3) of no memory.
    pub(super) fn is_idle(&self, arguments: Arguments) -> bool {
        self.kind == Kind::Release && arguments[0] == 0
    }
}

/// How many there are.
pub(super) const COUNT: usize = 16;

/// All of them. What calls another one of these inside the C library (`reallocarray`) is not
/// among them.
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
