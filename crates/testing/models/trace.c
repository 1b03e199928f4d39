/* Writes the name of each FMI function that is called, a line each, to a file of its own in the
 * folder that the environment variable FMU_CALLS names. The other sources are compiled with
 * -finstrument-functions, by which the compiler calls these functions. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNTRACED __attribute__((no_instrument_function))
/* The C library has functions of the same names, which do nothing. */
#define OWN __attribute__((no_instrument_function, visibility("hidden")))

static FILE *calls;

UNTRACED __attribute__((constructor)) static void begin(void) {
    const char *folder = getenv("FMU_CALLS");
    char path[4096];
    if (!folder) return;
    /* Each copy of this library has another address. */
    snprintf(path, sizeof path, "%s/%p", folder, (void *)&calls);
    calls = fopen(path, "w");
}

OWN void __cyg_profile_func_enter(void *function, void *caller) {
    Dl_info known;
    (void)caller;
    if (!calls || !dladdr(function, &known) || !known.dli_sname) return;
    if (strncmp(known.dli_sname, "fmi", 3) != 0) return;
    fprintf(calls, "%s\n", known.dli_sname);
    fflush(calls);
}

OWN void __cyg_profile_func_exit(void *function, void *caller) { (void)function, (void)caller; }
