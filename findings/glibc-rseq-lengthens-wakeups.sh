#!/usr/bin/env bash
# glibc 2.35 and newer: a registration that nothing uses lengthens every wake-up.
#
# Behaviour: glibc registers an area for restartable sequences for each thread, rseq(2), also in programs that have none.
# On Linux 6.1 each return from a sleep then takes about 170 instructions more in the kernel, which writes the CPU's number
# there: 5 % of a wake-up.
# Here one thread of real-time priority sleeps until absolute times, in a machine whose clock counts instructions; then it
# unregisters the area and does so again.
# Matters: the same real-time loop wakes up later with glibc than with musl, or with GLIBC_TUNABLES=glibc.pthread.rseq=0.
# Comparing latencies of two programs, or of a container and its host, also compares this.
source "$(dirname "$0")/lib.sh"
debian_packages linux-image-6.1.0-57-amd64=6.1.192-3 qemu-system-x86=1:7.2+dfsg-7+deb12u18+b3 qemu-system-data \
  qemu-system-common seabios libaio1 libbpf1 libcapstone4 libdaxctl1 libelf1 libfdt1 libglib2.0-0 libgnutls30 \
  libibverbs1 libjpeg62-turbo libkmod2 libndctl6 libnl-route-3-200 libnuma1 libpixman-1-0 libpmem1 libpng16-16 \
  librdmacm1 libsasl2-2 libseccomp2 libslirp0 liburing2 libvdeplug2

cat > "$folder/init.c" << 'C'
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/reboot.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { WAKEUPS = 1001, PERIOD_NS = 1000000, NS_PER_INSTRUCTION = 4 };

static long now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec * 1000000000 + at.tv_nsec;
}
static int by_size(const void *a, const void *b) {
  long difference = *(const long *)a - *(const long *)b;
  return (difference > 0) - (difference < 0);
}
static long median(void) {
  static long late[WAKEUPS];
  long due = now();
  for (int i = 0; i < WAKEUPS; i++) {
    due += PERIOD_NS;
    struct timespec at = {due / 1000000000, due % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
    late[i] = now() - due;
  }
  qsort(late, WAKEUPS, sizeof *late, by_size);
  return late[WAKEUPS / 2];
}
int main(void) {
  struct sched_param priority = {.sched_priority = 80};
  sched_setscheduler(0, SCHED_FIFO, &priority);
  sleep(3);
  printf("glibc has registered an area: %s\n", __rseq_size > 0 ? "yes" : "no");
  long with = median();
  struct rseq *area = (struct rseq *)((char *)__builtin_thread_pointer() + __rseq_offset);
  int refused = 1;
  /* The registered size depends on the version. */
  for (unsigned size = 32; size <= 64 && refused; size += 4)
    refused = syscall(SYS_rseq, area, size, RSEQ_FLAG_UNREGISTER, RSEQ_SIG) != 0;
  printf("unregistered: %s\n", refused ? "no" : "yes");
  long saved = (with - median()) / NS_PER_INSTRUCTION;
  printf("instructions saved per wake-up: about %ld\n", (saved + 5) / 10 * 10);
  fflush(stdout);
  reboot(RB_POWER_OFF);
}
C
cc -O2 -static -o "$folder/init" "$folder/init.c"
(cd "$folder" && echo init | cpio --create --format=newc --quiet > initrd)
"$folder/usr/bin/qemu-system-x86_64" -L "$folder/usr/share/seabios" -L "$folder/usr/share/qemu" -accel tcg \
  -icount shift=2,sleep=off -machine q35 -m 256 -nodefaults -display none -serial "file:$folder/console" -no-reboot \
  -kernel "$folder"/boot/vmlinuz-* -initrd "$folder/initrd" -append 'console=ttyS0 quiet tsc=reliable clocksource=tsc'
expect "glibc has registered an area: yes
unregistered: yes
instructions saved per wake-up: about 170" "$(tr -d '\r' < "$folder/console" | grep --text -E '^(glibc|unreg|instr)')"
