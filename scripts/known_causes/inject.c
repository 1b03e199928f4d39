/* Disturbances at known times: `inject KIND EVENTS CPU ARGUMENT`. Prints the start and end of each
 * (CLOCK_MONOTONIC, ns), one line each. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int cpu, other_cpu, child, pipes[2], socket_out;
static long begin, end; /* Of the event; an end of 0 is when its function returns. */
static const char *argument;
static void *pages;
static struct sockaddr_in everyone;
enum { TIMERS = 30000, SOCKETS = 9000 };
#define PAGES (192l << 20)
static timer_t timers[TIMERS];

static long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000l + t.tv_nsec;
}

static void doze(long ns) {
    struct timespec t = {ns / 1000000000, ns % 1000000000};
    nanosleep(&t, NULL);
}

static void spin(long ns) {
    for (long end = now() + ns; now() < end;);
}

static void pin(int to) {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (to < 0) for (int each = 0; each < CPU_SETSIZE; each++) CPU_SET(each, &set);
    else CPU_SET(to, &set);
    sched_setaffinity(0, sizeof set, &set);
}

static void policy(int task, int policy, int priority) {
    struct sched_param param = {priority};
    if (sched_setscheduler(task, policy, &param)) perror("inject: policy"), exit(1);
}

static void raised(long ns) {
    policy(0, SCHED_FIFO, 99);
    begin = now();
    spin(ns);
    policy(0, SCHED_OTHER, 0);
}

/* The child, an ordinary task, spins when told to, and this process on another CPU raises it. */
static void raise_prepare(long ns) {
    if (pipe(pipes) || (child = fork())) return pin(other_cpu);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (char byte; read(pipes[0], &byte, 1) == 1;) spin(ns + 2000000);
    exit(0);
}

static void raised_by_other(long ns) {
    if (write(pipes[1], "", 1) != 1) exit(1);
    doze(1000000);
    policy(child, SCHED_FIFO, 99);
    begin = now();
    doze(ns);
    policy(child, SCHED_OTHER, 0);
}

/* The kernel refuses a deadline to a pinned task, so it is on the right CPU before it gets one. If it
 * was moved in between, it disturbs nothing. */
static void deadline(long ns) {
    struct { uint32_t size, policy; uint64_t flags; int32_t nice; uint32_t priority; uint64_t runtime, deadline, period; }
    set = {48, SCHED_DEADLINE, 0, 0, 0, 15000000, 50000000, 50000000};
    pin(cpu);
    pin(-1);
    if (syscall(SYS_sched_setattr, 0, &set, 0)) perror("inject: deadline"), exit(1);
    begin = now();
    end = sched_getcpu() == cpu ? 0 : begin;
    spin(ns);
    policy(0, SCHED_OTHER, 0);
    pin(cpu);
}

static void started(long ns) {
    char length[32], there[16];
    snprintf(length, sizeof length, "%ld", ns);
    snprintf(there, sizeof there, "%d", cpu);
    if (!(child = fork())) execlp("taskset", "taskset", "-c", there, "chrt", "-f", "99", argument, "once", length, there, NULL), exit(1);
    waitpid(child, NULL, 0);
}

static void stopped(long ns) {
    kill(atoi(argument), SIGSTOP);
    doze(ns);
    kill(atoi(argument), SIGCONT);
}

static void say(const char *text) {
    int file = open(argument, O_WRONLY);
    if (write(file, text, strlen(text)) < 0) perror("inject: freezer"), exit(1);
    close(file);
}

static void frozen(long ns) {
    int is_v1 = strstr(argument, "freezer.state") != NULL;
    say(is_v1 ? "FROZEN" : "1");
    doze(ns);
    say(is_v1 ? "THAWED" : "0");
}

static void timers_prepare(long ns) {
    struct rlimit room = {1 << 20, 1 << 20};
    setrlimit(RLIMIT_SIGPENDING, &room);
    signal(SIGUSR1, SIG_IGN);
    struct sigevent quiet = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    for (int each = 0; each < TIMERS; each++)
        if (timer_create(CLOCK_MONOTONIC, &quiet, &timers[each])) perror("inject: timer"), exit(1);
}

/* While this process spins, the longest gap between its readings of the clock is the storm. */
static void timer_storm(long ns) {
    long at = now() + 80000000;
    struct itimerspec when = {.it_value = {at / 1000000000, at % 1000000000}};
    for (int each = 0; each < TIMERS; each++) timer_settime(timers[each], TIMER_ABSTIME, &when, NULL);
    begin = end = now();
    for (long last = begin, here; last < at + ns; last = here) {
        here = now();
        if (here - last > end - begin) begin = last, end = here;
    }
}

/* One datagram to all of these sockets is delivered to each within one soft interrupt. */
static void sockets_prepare(long ns) {
    struct rlimit room = {SOCKETS + 100, SOCKETS + 100};
    setrlimit(RLIMIT_NOFILE, &room);
    int one = 1, least = 1;
    everyone = (struct sockaddr_in){AF_INET, htons(45454), {inet_addr("127.255.255.255")}};
    for (int each = 0; each < SOCKETS; each++) {
        int in = socket(AF_INET, SOCK_DGRAM, 0);
        setsockopt(in, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
        setsockopt(in, SOL_SOCKET, SO_RCVBUF, &least, sizeof least);
        if (bind(in, (struct sockaddr *)&everyone, sizeof everyone)) perror("inject: socket"), exit(1);
    }
    socket_out = socket(AF_INET, SOCK_DGRAM, 0);
    setsockopt(socket_out, SOL_SOCKET, SO_BROADCAST, &one, sizeof one);
}

static void softirqs(long ns) {
    for (long end = now() + ns; now() < end;)
        sendto(socket_out, "", 1, 0, (struct sockaddr *)&everyone, sizeof everyone);
}

static void pages_prepare(long ns) {
    pages = mmap(NULL, PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
}

static void unmap(long ns) {
    munmap(pages, PAGES);
}

static void two(long ns) {
    policy(0, SCHED_FIFO, 90);
    begin = now();
    spin(ns);
    policy(0, SCHED_OTHER, 0);
    stopped(ns);
}

static void nothing(long ns) { doze(ns); }

static const struct { const char *name; void (*once)(long), (*each)(long), (*act)(long); int is_elsewhere; } KINDS[] = {
    {"spin", NULL, NULL, spin, 0},
    {"elsewhere", NULL, NULL, spin, 1},
    {"raised", NULL, NULL, raised, 0},
    {"raised_by_other", raise_prepare, NULL, raised_by_other, 0},
    {"deadline", NULL, NULL, deadline, 0},
    {"started", NULL, NULL, started, 1},
    {"stopped", NULL, NULL, stopped, 1},
    {"frozen", NULL, NULL, frozen, 1},
    {"timers", timers_prepare, NULL, timer_storm, 0},
    {"softirq", sockets_prepare, NULL, softirqs, 0},
    {"munmap", NULL, pages_prepare, unmap, 0},
    {"two", NULL, NULL, two, 0},
    {"nothing", NULL, NULL, nothing, 1},
};

/* An ordinary task that a lower real-time task starves: prints when it had the CPU for long. */
static void starved(long seconds) {
    if (!(child = fork())) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        policy(0, SCHED_FIFO, 70);
        spin(seconds * 1000000000);
        exit(0);
    }
    long since = now(), last = since, end = since + seconds * 1000000000;
    for (long at; (at = now()) < end; last = at) {
        if (at - last < 1000000) continue;
        if (last - since > 20000000) printf("%ld %ld\n", since, last);
        since = at;
    }
    kill(child, SIGKILL);
}

int main(int count, char **arguments) {
    if (count < 4) return 2;
    const char *name = arguments[1];
    long events = atol(arguments[2]), length = count > 5 ? atol(arguments[5]) * 1000 : 6000000;
    cpu = atoi(arguments[3]);
    other_cpu = cpu ? 0 : 1;
    argument = count > 4 ? arguments[4] : "";
    prctl(PR_SET_NAME, "known-cause");
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    pin(cpu);
    if (!strcmp(name, "once")) return spin(events), 0;
    if (!strcmp(name, "starved")) return starved(events), 0;
    for (unsigned kind = 0; kind < sizeof KINDS / sizeof *KINDS; kind++) {
        if (strcmp(KINDS[kind].name, name)) continue;
        if (KINDS[kind].is_elsewhere) pin(other_cpu);
        if (KINDS[kind].once) KINDS[kind].once(length);
        srand(getpid());
        for (long event = 0; event < events; event++) {
            if (KINDS[kind].each) KINDS[kind].each(length);
            doze(40000000 + rand() % 40000000);
            begin = now(), end = 0;
            KINDS[kind].act(length + rand() % 2000000);
            printf("%ld %ld\n", begin, end ? end : now());
            fflush(stdout);
        }
        return 0;
    }
    return 2;
}
