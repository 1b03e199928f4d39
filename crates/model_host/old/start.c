/* What a program that was linked with a new C library needs to run with an old one: startup code
 * that calls the constructors itself, and functions that have separate symbols only in the new
 * one. */
#include <stddef.h>
#include <stdint.h>

typedef void (*hook)(int, char **, char **);
extern hook __init_array_start[], __init_array_end[];
extern int main(int, char **, char **);
extern int __libc_start_main(int (*)(int, char **, char **), int, char **, hook, void (*)(void),
                             void (*)(void), void *) __attribute__((noreturn));

static void construct(int argc, char **argv, char **envp) {
  for (hook *one = __init_array_start; one < __init_array_end; one++) (*one)(argc, argv, envp);
}

/* The loader passes, in a register, its function to call when the program ends. */
#if defined(__x86_64__)
__asm__(".globl _start\n"
        "_start:\n"
        "  xor %ebp, %ebp\n"
        "  mov %rsp, %rdi\n"
        "  mov %rdx, %rsi\n"
        "  and $-16, %rsp\n"
        "  call started\n");
#define STAT_VERSION 1
#elif defined(__aarch64__)
__asm__(".globl _start\n"
        "_start:\n"
        "  mov x29, #0\n"
        "  mov x30, #0\n"
        "  mov x1, x0\n"
        "  mov x0, sp\n"
        "  b started\n");
#define STAT_VERSION 0
#endif

__attribute__((used, visibility("hidden"), noreturn)) void started(void **stack,
                                                                     void (*at_end)(void)) {
  __libc_start_main(main, (int)(intptr_t)stack[0], (char **)(stack + 1), construct, NULL, at_end,
                    stack);
}

#define OF_ITS_OWN __attribute__((visibility("hidden")))

extern int __xstat64(int, const char *, void *);
extern int __lxstat64(int, const char *, void *);
extern int __fxstat64(int, int, void *);
extern int __fxstatat64(int, int, const char *, void *, int);
extern int fcntl(int, int, ...);

OF_ITS_OWN int stat64(const char *path, void *to) { return __xstat64(STAT_VERSION, path, to); }
OF_ITS_OWN int lstat64(const char *path, void *to) { return __lxstat64(STAT_VERSION, path, to); }
OF_ITS_OWN int fstat64(int file, void *to) { return __fxstat64(STAT_VERSION, file, to); }
OF_ITS_OWN int fstatat64(int folder, const char *path, void *to, int flags) {
  return __fxstatat64(STAT_VERSION, folder, path, to, flags);
}
/* The third argument is a number or an address, in the same register. */
OF_ITS_OWN int fcntl64(int file, int what, void *with) { return fcntl(file, what, with); }

/* Only unwinding needs this, and here a panic ends the program without unwinding. */
OF_ITS_OWN int _dl_find_object(void *address, void *found) {
  (void)address;
  (void)found;
  return -1;
}
