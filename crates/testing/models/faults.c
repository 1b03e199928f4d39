#define _GNU_SOURCE
#include "oscillator.h"

#include <fcntl.h>
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#ifdef ALLOCATE_AT
#ifndef ALLOCATIONS
#define ALLOCATIONS 1
#endif
#ifndef ALLOCATION_BYTES
#define ALLOCATION_BYTES 100
#endif
static void allocate(void) {
    for (int count = 0; count < ALLOCATIONS; count++) {
        /* Volatile, so that the compiler keeps both calls. */
        void *volatile memory = malloc(ALLOCATION_BYTES);
        free(memory);
    }
}
#endif

#ifdef SLEEP_EVERY
static void sleep_1_ms(void) {
    struct timespec duration = {0, 1000000};
    nanosleep(&duration, 0);
}
#endif

#if defined PAGE_FAULT_AT || defined MAP_AT
#ifndef PAGES
#define PAGES 1
#endif
#define PAGE 4096ul

static char *mapped(void) {
    return mmap(0, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void touch(char *pages) {
    for (unsigned long at = 0; at < PAGES; at++) ((volatile char *)pages)[at * PAGE] = 1;
}
#endif

#ifdef PAGE_FAULT_AT
/* Unlocks and releases the pages, so that they are absent even if memory is locked. */
static char *untouched_pages(void) {
    char *pages = mapped();
    munlock(pages, PAGES * PAGE);
    madvise(pages, PAGES * PAGE, MADV_NOHUGEPAGE);
    madvise(pages, PAGES * PAGE, MADV_DONTNEED);
    return pages;
}
#endif

#ifdef LOCK_AT
#ifndef LOCK_MS
#define LOCK_MS 2
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t please, held;

static void *holder(void *unused) {
    for (;;) {
        struct timespec duration = {0, LOCK_MS * 1000000};
        while (sem_wait(&please) != 0) {}
        pthread_mutex_lock(&lock);
        sem_post(&held);
        nanosleep(&duration, 0);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void start_holder(void) {
    pthread_attr_t attributes;
    struct sched_param none = {0};
    pthread_t thread;
    sem_init(&please, 0, 0);
    sem_init(&held, 0, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
    pthread_attr_setschedparam(&attributes, &none);
    pthread_create(&thread, &attributes, holder, 0);
}

/* Waits twice: until the holder has the lock, and until the holder releases it. */
static void wait_for_lock(void) {
    sem_post(&please);
    while (sem_wait(&held) != 0) {}
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}
#endif

#ifdef THREAD
static void *idle(void *unused) {
    for (;;) pause();
    return unused;
}
#endif

#ifdef SPIN_US
static long long cpu_time_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static void spin(void) {
    long long end = cpu_time_ns() + SPIN_US * 1000ll;
    while (cpu_time_ns() < end) {}
}
#endif

#ifdef STACK_AT
#ifndef STACK_BYTES
#define STACK_BYTES 65536
#endif
static void use_stack(void) {
    volatile char room[STACK_BYTES];
    for (unsigned long byte = 0; byte < sizeof room; byte += 64) room[byte] = 1;
}
#endif

#ifdef LONG_AT
/* Only arithmetic, but far more than a step should need. */
static void calculate(void) {
    volatile double value = 1;
    for (long count = 0; count < 1000000; count++) value = value * 0.5 + 0.5;
}
#endif

#ifdef DENORMAL_FROM
#ifndef DENORMAL_COUNT
#define DENORMAL_COUNT 100
#endif
/* Does the same work on every value: only the value itself, a denormal, makes a step slow. */
static void decay(struct faults *faults) {
    volatile double value = faults->step < DENORMAL_FROM ? 1.0 : 4e-310;
    for (int count = 0; count < DENORMAL_COUNT; count++) value = value * 0.5 + value * 0.5;
    faults->decaying = value;
}
#endif

#ifdef SPIN_LOADED
/* Occupies its CPU at the highest priority before any function of the model is called. */
__attribute__((constructor)) static void spin_for_ever(void) {
    struct sched_param param = {99};
    sched_setscheduler(0, SCHED_FIFO, &param);
    for (;;) __asm__ volatile("" ::: "memory");
}
#endif

#ifdef RAISE_UNLOADED
/* Takes the highest priority for a moment after everything of the model has ended. */
__attribute__((destructor)) static void raise_and_return(void) {
    struct sched_param param = {99}, usual = {0};
    sched_setscheduler(0, SCHED_FIFO, &param);
    sched_setscheduler(0, SCHED_OTHER, &usual);
}
#endif

#ifdef SPIN_UNLOADED
__attribute__((destructor)) static void spin_at_the_end(void) {
    struct sched_param param = {99};
    sched_setscheduler(0, SCHED_FIFO, &param);
    for (;;) __asm__ volatile("" ::: "memory");
}
#endif

void faults_start(struct faults *faults) {
    faults->step = 0;
    faults->pages = 0;
    faults->decaying = 1;
#ifdef PAGE_FAULT_AT
    faults->pages = untouched_pages();
#endif
#ifdef LOCK_AT
    start_holder();
#endif
#ifdef THREAD
    pthread_t thread;
    pthread_create(&thread, 0, idle, 0);
#endif
}

void faults_step(struct faults *faults) {
    unsigned long step = faults->step;
    (void)step;
#ifdef ALLOCATE_AT
    if (step == ALLOCATE_AT) allocate();
#endif
#ifdef SLEEP_EVERY
    if (step > 0 && EVERY(SLEEP_EVERY, step)) sleep_1_ms();
#endif
#ifdef PAGE_FAULT_AT
    if (step == PAGE_FAULT_AT) touch(faults->pages);
#endif
#ifdef MAP_AT
    if (step == MAP_AT) touch(mapped());
#endif
#ifdef LONG_AT
    if (step == LONG_AT) calculate();
#endif
#ifdef DENORMAL_FROM
    decay(faults);
#endif
#ifdef LOCK_AT
    if (step == LOCK_AT) wait_for_lock();
#endif
#ifdef THREAD_AT
    pthread_t thread;
    if (step == THREAD_AT) pthread_create(&thread, 0, idle, 0);
#endif
#ifdef HANG_AT
    while (step == HANG_AT) __asm__ volatile("" ::: "memory");
#endif
#ifdef CRASH_AT
    if (step == CRASH_AT) *(volatile int *)8 = 1;
#endif
#ifdef OPEN_AT
    if (step == OPEN_AT && open("/dev/null", O_RDONLY) < 0) abort();
#endif
#ifdef ROUND_AT
    if (step == ROUND_AT) fesetround(FE_UPWARD);
#endif
#ifdef STACK_AT
    if (step == STACK_AT) use_stack();
#endif
#ifdef SPIN_US
    spin();
#endif
#ifdef START_AT
    if (step == START_AT && system("sleep 600 &") != 0) abort();
#endif
#ifdef FORK_AT
    if (step == FORK_AT) fork();
#endif
#ifdef STOP_PARENT_AT
    if (step == STOP_PARENT_AT) kill(getppid(), SIGSTOP);
#endif
#ifdef EXIT_AT
    if (step == EXIT_AT) exit(0);
#endif
#ifdef BLOCK_AT
    if (step == BLOCK_AT) {
        sigset_t signals;
        sigemptyset(&signals);
        sigaddset(&signals, SIGUSR1);
        sigprocmask(SIG_BLOCK, &signals, 0);
    }
#endif
}
