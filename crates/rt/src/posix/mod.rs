//! The calls of measured code, by the kernel that answers them: Linux, or with the
//! feature `cobalt` the real-time core beside it. Nothing else in this crate
//! knows which of the two it is.

#[cfg(feature = "cobalt")]
mod cobalt;
#[cfg(not(feature = "cobalt"))]
mod linux;

#[cfg(feature = "cobalt")]
use cobalt as kernel;
#[cfg(not(feature = "cobalt"))]
use linux as kernel;

pub use kernel::{TWO_KERNELS, enter, excursion, start, switches};
pub(crate) use kernel::{
    TimerDescriptor, adopt, clock_gettime, clock_nanosleep, core, mq_close, mq_open, mq_receive,
    mq_send, mq_unlink, offers, policy, pthread_mutex_destroy, pthread_mutex_init,
    pthread_mutex_lock, pthread_mutex_trylock, pthread_mutex_unlock, sched_yield, sem_destroy,
    sem_init, sem_post, sem_trywait, sem_wait, thread_cpu_time,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linux_alone_has_no_mode_to_leave() {
        if !TWO_KERNELS {
            enter();
            assert_eq!((excursion(), switches()), ((), None));
            assert_eq!((start(), core()), (Ok(()), None));
            assert!(offers("a pipe").is_ok());
        }
    }
}
