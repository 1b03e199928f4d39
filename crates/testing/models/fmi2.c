/* The oscillator with the functions of FMI 2.0 for Co-Simulation and Model Exchange, from the
 * specification's text. crates/testing writes the description of its variables. */
#include "oscillator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct callbacks {
    void (*log)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*give_back)(void *);
    void (*step_finished)(void *, int);
    void *environment;
};

struct event_info {
    int again, terminate, nominals_changed, values_changed, next_defined;
    double next_s;
};

struct model {
    struct oscillator oscillator;
    const struct callbacks *callbacks;
    int logs, event_rounds;
    double last_s;
    char label[64];
};

typedef int flag;
#define FMI_OF(name) fmi2##name
#define FMI(name) FMI_OF(name)
#define LENGTH
#define FITS 1
#define DERIVATIVES GetDerivatives
#include "fmi.h"

static void say(instance self, enum status status, const char *message) {
    const struct callbacks *with = self->callbacks;
    if (self->logs) {
        with->log(with->environment, "oscillator", status, "logAll", message,
                  self->oscillator.faults.step);
    }
}

instance fmi2Instantiate(const char *name, int kind, const char *token, const char *resources,
                         const struct callbacks *callbacks, int visible, int logs) {
    (void)kind, (void)visible;
    if (!is_free(name)) return 0;
    if (strcmp(token, "{oscillator}") != 0 || strncmp(resources, "file:///", 8) != 0) return 0;
    instance self = callbacks->allocate(1, sizeof *self);
    if (!self) return 0;
    self->callbacks = callbacks;
    self->logs = logs;
    strcpy(self->label, "spring");
    oscillator_start(&self->oscillator);
    return self;
}

void fmi2FreeInstance(instance self) {
    if (self) self->callbacks->give_back(self);
}

enum status fmi2SetupExperiment(instance self, int bounded, double tolerance, double start_s,
                                int ends, double stop_s) {
    (void)bounded, (void)tolerance, (void)ends, (void)stop_s;
    self->oscillator.time_s = start_s;
    return OK;
}

enum status fmi2EnterInitializationMode(instance self) { return (void)self, OK; }

enum status fmi2GetReal(instance self, const reference *variables, size_t count, double *values) {
    return get_reals(self, variables, count, values);
}

enum status fmi2SetReal(instance self, const reference *variables, size_t count,
                        const double *values) {
    return set_reals(self, variables, count, values);
}

ACCESS(GetInteger, int, 9, values[at] = (int)self->oscillator.faults.step)
ACCESS(SetInteger, const int, 9, self->oscillator.faults.step = values[at])
/* Any number except 0 is true. */
ACCESS(GetBoolean, int, 10, values[at] = self->oscillator.v != 0 ? 256 : 0)
ACCESS(SetBoolean, const int, 10, self->oscillator.v = values[at] ? 1 : 0)
ACCESS(GetString, const char *, 11, values[at] = self->label)
ACCESS(SetString, const char *const, 11, strncpy(self->label, values[at], sizeof self->label - 1))

/* Co-Simulation. */

enum status fmi2DoStep(instance self, double time_s, double h_s, int keeps) {
    struct oscillator *of = &self->oscillator;
    unsigned long step = of->faults.step;
    (void)keeps;
    if (EVERY(LOG_EVERY, step)) say(self, OK, "step %lu");
    if (step == ERROR_AT) return say(self, ERROR, "it broke in step %lu"), ERROR;
    if (step == FATAL_AT) return FATAL;
    if (step == CALLBACK_AT) self->callbacks->give_back(self->callbacks->allocate(1, 100));
    int part = step == DISCARD_AT || step == TERMINATE_AT;
    oscillator_step(of, part ? h_s / 2 : h_s);
    self->last_s = part ? time_s + h_s / 2 : time_s + h_s;
    of->time_s = self->last_s;
    if (part) return DISCARD;
    if (step == PENDING_AT) return PENDING;
    return step == WARNING_AT ? WARNING : OK;
}

enum status fmi2GetRealStatus(instance self, int asked, double *value) {
    if (asked != 2) return DISCARD;
    *value = self->last_s;
    return OK;
}

enum status fmi2GetBooleanStatus(instance self, int asked, int *value) {
    if (asked != 3) return DISCARD;
    *value = self->oscillator.faults.step == TERMINATE_AT + 1;
    return OK;
}

/* Model Exchange. */

enum status fmi2NewDiscreteStates(instance self, struct event_info *info) {
    memset(info, 0, sizeof *info);
    info->again = self->event_rounds++ < EVENT_ROUNDS;
    info->next_defined = 1;
    info->next_s = self->oscillator.time_s + 0.5;
    return OK;
}
