/* A model that disturbs itself in every 20th step, and at its end writes the start and end of each
 * disturbance to OUT (CLOCK_MONOTONIC, ns), one line each. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>
#include <sched.h>

enum { PLAIN, FAULTS, LOCK, SLEEP, LONGER, CALL, LONG, FILE_PAGES };
enum { EVERY = 20, MOST = 10000 };
#define LENGTH 8000000l
#define ROOM (1l << 31)
#define FILE_ROOM (32l << 20)

int kind, other_cpu, events; /* Set from outside before the start. */
static long stamps[MOST][2], step_number, count;
static char *room;
static long touched;
static int file;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t take, taken;

static long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000l + t.tv_nsec;
}

static void doze(long ns) {
    struct timespec t = {ns / 1000000000, ns % 1000000000};
    nanosleep(&t, NULL);
}

static void *holder(void *nothing) {
    for (;;) {
        sem_wait(&take);
        pthread_mutex_lock(&lock);
        sem_post(&taken);
        doze(LENGTH + 5000000);
        pthread_mutex_unlock(&lock);
    }
    return nothing;
}

/* Maps the file anew, with none of its pages in memory. */
static void forget_file(void) {
    if (touched) munmap(room, FILE_ROOM);
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    room = mmap(NULL, FILE_ROOM, PROT_READ, MAP_SHARED, file, 0);
    madvise(room, FILE_ROOM, MADV_RANDOM);
    touched = 0;
}

void model_initialize(void) {
    cpu_set_t there;
    pthread_t thread;
    pthread_attr_t ordinary;
    CPU_ZERO(&there);
    CPU_SET(other_cpu, &there);
    pthread_attr_init(&ordinary);
    pthread_attr_setinheritsched(&ordinary, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setaffinity_np(&ordinary, sizeof there, &there);
    if (kind == LOCK) pthread_create(&thread, &ordinary, holder, NULL);
    if (kind == FAULTS) {
        room = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        madvise(room, ROOM, MADV_NOHUGEPAGE);
    }
    if (kind == CALL) room = malloc(1 << 20);
    if (kind == FILE_PAGES) {
        room = calloc(1, FILE_ROOM);
        file = open(OUT ".pages", O_RDWR | O_CREAT, 0600);
        if (write(file, room, FILE_ROOM) < 0 || fsync(file)) perror("model");
        forget_file();
    }
    memset(stamps, 0, sizeof stamps);
}

static void disturb(long until) {
    switch (kind) {
    case FAULTS:
        for (touched = 0; now() < until && touched < ROOM; touched += 4096) room[touched] = 1;
        break;
    case FILE_PAGES:
        for (; now() < until && touched < FILE_ROOM; touched += 4096) *(volatile char *)(room + touched);
        break;
    case LOCK:
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
        break;
    case SLEEP: doze(LENGTH); break;
    case LONGER: while (now() < until); break;
    case CALL:
        while (now() < until)
            if (getrandom(room, 1 << 20, 0) < 0) break;
    }
}

static void prepare(void) {
    if (kind == FAULTS && touched) madvise(room, touched, MADV_DONTNEED), touched = 0;
    if (kind == FILE_PAGES && touched) forget_file();
    if (kind == LOCK && step_number % EVERY == EVERY - 1 && count < events) {
        sem_post(&take);
        while (sem_trywait(&taken)) doze(50000);
    }
}

void model_step(void) {
    long begin = now();
    if (kind == LONG) while (now() < begin + 6000000);
    step_number++;
    if (kind == PLAIN || kind == LONG || step_number < 4 * EVERY) return;
    if (step_number % EVERY || count == events) {
        prepare();
        return;
    }
    disturb(begin + LENGTH);
    stamps[count][0] = begin;
    stamps[count++][1] = now();
}

void model_terminate(void) {
    FILE *out = fopen(OUT, "w");
    for (long event = 0; out && event < count; event++)
        fprintf(out, "%ld %ld\n", stamps[event][0], stamps[event][1]);
    if (out) fclose(out);
}
