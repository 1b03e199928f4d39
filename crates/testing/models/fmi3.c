/* The oscillator with the functions of FMI 3.0 for all three interface types, from the
 * specification's text. In Scheduled Execution, clock 21 steps it, and the other clocks count their
 * ticks: clock 22; with MORE_CLOCKS also clock 23, which is triggered, and clock 24, a countdown of
 * 30 ms that the tenth tick of clock 21 starts; with CHANGING_CLOCK also clock 25, whose interval
 * alternates between 20 and 30 ms. crates/testing writes the description of its variables. */
#include "oscillator.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*log_message)(void *, int, const char *, const char *);

struct model {
    struct oscillator oscillator;
    void *environment;
    log_message log;
    void (*lock)(void), (*unlock)(void), (*clock_update)(void *);
    int event_rounds;
    int32_t ticks[5];
    double intervals_s[2];
    bool logs, early, counts_down, configures, clocks[2];
    uint64_t n; /* The length of the arrays `a` and `w`: `a` is `w` plus the numbers from 1. */
    double w[8];
    char label[128], word[160];
    unsigned char blob[128];
    size_t blob_size;
};

#if defined CHANGING_CLOCK
#define LAST_CLOCK 25
#elif defined MORE_CLOCKS
#define LAST_CLOCK 24
#else
#define LAST_CLOCK 22
#endif

typedef bool flag;
#define FMI_OF(name) fmi3##name
#define FMI(name) FMI_OF(name)
#define LENGTH , size_t value_count
#define FITS (value_count == count)
#define DERIVATIVES GetContinuousStateDerivatives
#include "fmi.h"

static instance start(const char *name, const char *token, const char *resources, bool logs,
                      void *environment, log_message log) {
    if (!is_free(name)) return 0;
    if (strcmp(token, "{oscillator}") != 0) return 0;
    if (!resources || resources[strlen(resources) - 1] != '/') return 0;
    instance self = calloc(1, sizeof *self);
    if (!self) return 0;
    self->environment = environment;
    self->log = log;
    self->logs = logs;
    self->intervals_s[0] = 0.01;
    self->intervals_s[1] = 0.1;
    self->n = 2;
    strcpy(self->label, "spring");
    oscillator_start(&self->oscillator);
    return self;
}

static void say(instance self, enum status status, const char *message) {
    if (self->logs) self->log(self->environment, status, "logAll", message);
}

instance fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources,
                                     bool visible, bool logs, bool events, bool early,
                                     const reference *intermediate, size_t count,
                                     void *environment, log_message log, void *update) {
    (void)visible, (void)intermediate, (void)count, (void)update;
#ifdef NEEDS_EVENT_MODE
    if (!events) return log(environment, ERROR, "logStatusError", "it needs Event Mode"), NULL;
#endif
    (void)events;
    instance self = start(name, token, resources, logs, environment, log);
    if (self) self->early = early;
    return self;
}

instance fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources,
                                      bool visible, bool logs, void *environment,
                                      log_message log) {
    (void)visible;
    return start(name, token, resources, logs, environment, log);
}

instance fmi3InstantiateScheduledExecution(const char *name, const char *token,
                                           const char *resources, bool visible, bool logs,
                                           void *environment, log_message log,
                                           void (*clock_update)(void *), void (*lock)(void),
                                           void (*unlock)(void)) {
    (void)visible;
    instance self = start(name, token, resources, logs, environment, log);
    if (!self) return 0;
    self->clock_update = clock_update;
    self->lock = lock;
    self->unlock = unlock;
    return self;
}

void fmi3FreeInstance(instance self) { free(self); }

enum status fmi3EnterInitializationMode(instance self, bool bounded, double tolerance,
                                        double start_s, bool ends, double stop_s) {
    (void)bounded, (void)tolerance, (void)ends, (void)stop_s;
    self->oscillator.time_s = start_s;
    return OK;
}

enum status fmi3EnterConfigurationMode(instance self) { return self->configures = true, OK; }
enum status fmi3ExitConfigurationMode(instance self) { return self->configures = false, OK; }

enum status fmi3GetFloat64(instance self, const reference *variables, size_t count, double *values,
                           size_t value_count) {
    size_t last = count && variables[count - 1] == 41 ? count - 1 : count;
    if (value_count != (last == count ? count : last + self->n)) return ERROR;
    for (size_t at = last; at < value_count; at++) values[at] = at - last + 1 + self->w[at - last];
    return get_reals(self, variables, last, values);
}

enum status fmi3SetFloat64(instance self, const reference *variables, size_t count,
                           const double *values, size_t value_count) {
    size_t from = 0;
    for (size_t at = 0; at < count; at++) {
        bool is_array = variables[at] == 42;
        size_t length = is_array ? self->n : 1;
        if (from + length > value_count) return ERROR;
        if (is_array) memcpy(self->w, values + from, length * sizeof *values);
        else if (set_reals(self, variables + at, 1, values + from) != OK) return ERROR;
        from += length;
    }
    return from == value_count ? OK : ERROR;
}

ACCESS(SetUInt64, const uint64_t, 40,
       if (!self->configures || values[at] > 8) return ERROR; self->n = values[at])
ACCESS(GetFloat32, float, 12, values[at] = (float)oscillator_output(&self->oscillator))
ACCESS(SetInt32, const int32_t, 9, self->oscillator.faults.step = values[at])
ACCESS(GetInt64, int64_t, 13, values[at] = (int64_t)self->oscillator.faults.step)
/* Some tools write a value other than 1 for true. */
ACCESS(GetBoolean, bool, 10, *(char *)&values[at] = self->oscillator.v != 0 ? 7 : 0)
ACCESS(SetBoolean, const bool, 10, self->oscillator.v = values[at] ? 1 : 0)
ACCESS(SetString, const char *const, 11, strncpy(self->label, values[at], sizeof self->label - 1))

enum status fmi3GetInt32(instance self, const reference *variables, size_t count, int32_t *values,
                         size_t value_count) {
    if (value_count != count) return ERROR;
    for (size_t at = 0; at < count; at++) {
        reference variable = variables[at];
        if (variable >= 31 && variable <= 35) values[at] = self->ticks[variable - 31];
        else if (variable == 9) values[at] = (int32_t)self->oscillator.faults.step;
        else return ERROR;
    }
    return OK;
}

/* Returns the label and the number of the next step. */
static const char *word(instance self) {
    unsigned long step = self->oscillator.faults.step;
    snprintf(self->word, sizeof self->word, "%s %lu", self->label, step);
    return self->word;
}

enum status fmi3GetString(instance self, const reference *variables, size_t count,
                          const char **values, size_t value_count) {
    if (value_count != count) return ERROR;
    for (size_t at = 0; at < count; at++) {
        if (variables[at] == 11) values[at] = self->label;
        else if (variables[at] == 15) values[at] = word(self);
        else return ERROR;
    }
    return OK;
}

enum status fmi3GetBinary(instance self, const reference *variables, size_t count, size_t *sizes,
                          const unsigned char **values, size_t value_count) {
    if (value_count != count) return ERROR;
    for (size_t at = 0; at < count; at++) {
        if (variables[at] != 14) return ERROR;
        sizes[at] = self->blob_size;
        values[at] = self->blob;
    }
    return OK;
}

enum status fmi3SetBinary(instance self, const reference *variables, size_t count,
                          const size_t *sizes, const unsigned char *const *values,
                          size_t value_count) {
    if (value_count != count) return ERROR;
    for (size_t at = 0; at < count; at++) {
        if (variables[at] != 14 || sizes[at] > sizeof self->blob) return ERROR;
        memcpy(self->blob, values[at], self->blob_size = sizes[at]);
    }
    return OK;
}

/* Co-Simulation. */

enum status fmi3DoStep(instance self, double time_s, double h_s, bool keeps, bool *event,
                       bool *terminate, bool *early, double *last_s) {
    struct oscillator *of = &self->oscillator;
    unsigned long step = of->faults.step;
    (void)keeps;
    *event = false;
    *early = self->early && step == EARLY_AT;
    *terminate = step == TERMINATE_AT;
    *last_s = time_s;
    if (EVERY(LOG_EVERY, step)) say(self, OK, "a step");
    if (step == ERROR_AT) return say(self, ERROR, "it broke"), ERROR;
    if (step == FATAL_AT) return FATAL;
    int part = *early || step == DISCARD_AT;
    oscillator_step(of, part ? h_s / 2 : h_s);
    *last_s = part ? time_s + h_s / 2 : time_s + h_s;
    of->time_s = *last_s;
    if (step == DISCARD_AT) return DISCARD;
    return step == WARNING_AT ? WARNING : OK;
}

/* Model Exchange. */

enum status fmi3GetNumberOfContinuousStates(instance self, size_t *count) {
    return (void)self, *count = 2, OK;
}

enum status fmi3GetNumberOfEventIndicators(instance self, size_t *count) {
    return (void)self, *count = 1, OK;
}

enum status fmi3EnterStepMode(instance self) { return (void)self, OK; }

enum status fmi3UpdateDiscreteStates(instance self, bool *again, bool *terminate,
                                     bool *nominals_changed, bool *values_changed,
                                     bool *next_defined, double *next_s) {
    *again = self->event_rounds++ < EVENT_ROUNDS;
    *terminate = *nominals_changed = *values_changed = false;
    *next_defined = true;
    *next_s = self->oscillator.time_s + 0.5;
    return OK;
}

/* Scheduled Execution. */

enum status fmi3ActivateModelPartition(instance self, reference clock, double time_s) {
    if (clock < 21 || clock > LAST_CLOCK) return ERROR;
    self->oscillator.time_s = time_s;
    if (clock == 21) oscillator_step(&self->oscillator, self->intervals_s[0]);
    self->lock();
    self->ticks[clock - 21]++;
    if (clock == 21 && self->ticks[0] == 10) self->counts_down = true;
    self->unlock();
    self->clock_update(self->environment);
    return OK;
}

enum status fmi3GetClock(instance self, const reference *clocks, size_t count, bool *values) {
    for (size_t at = 0; at < count; at++) {
        if (clocks[at] != 21 && clocks[at] != 22) return ERROR;
        values[at] = self->clocks[clocks[at] - 21];
        self->clocks[clocks[at] - 21] = false;
    }
    return OK;
}

enum status fmi3SetClock(instance self, const reference *clocks, size_t count,
                         const bool *values) {
    for (size_t at = 0; at < count; at++) {
        if (clocks[at] != 21 && clocks[at] != 22) return ERROR;
        self->clocks[clocks[at] - 21] = values[at];
    }
    return OK;
}

enum status fmi3GetIntervalDecimal(instance self, const reference *clocks, size_t count,
                                   double *intervals_s, int *qualifiers) {
    for (size_t at = 0; at < count; at++) {
        if (clocks[at] == 25) {
            intervals_s[at] = self->ticks[4] % 2 ? 0.02 : 0.03;
            qualifiers[at] = 2;
            continue;
        }
        if (clocks[at] == 24) {
            intervals_s[at] = 0.03;
            qualifiers[at] = self->counts_down ? 2 : 1;
            self->counts_down = false;
            continue;
        }
        if (clocks[at] != 21 && clocks[at] != 22) return ERROR;
        intervals_s[at] = self->intervals_s[clocks[at] - 21];
        qualifiers[at] = 2;
    }
    return OK;
}

enum status fmi3SetIntervalDecimal(instance self, const reference *clocks, size_t count,
                                   const double *intervals_s) {
    for (size_t at = 0; at < count; at++) {
        if (clocks[at] != 21 && clocks[at] != 22) return ERROR;
        self->intervals_s[clocks[at] - 21] = intervals_s[at];
    }
    return OK;
}

enum status fmi3GetShiftDecimal(instance self, const reference *clocks, size_t count,
                                double *shifts_s) {
    (void)self, (void)clocks;
    for (size_t at = 0; at < count; at++) shifts_s[at] = 0;
    return OK;
}
