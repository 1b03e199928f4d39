/* The oscillator with the functions of FMI 2.0 for Co-Simulation and Model Exchange, from the
 * specification's text. Its variables stand in the description that crates/testing writes. */
#include "oscillator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum status { OK, WARNING, DISCARD, ERROR, FATAL };

typedef unsigned int reference;
typedef struct model *component;

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

#ifndef EVENT_ROUNDS
#define EVENT_ROUNDS 0
#endif

static void say(component self, enum status status, const char *message) {
    const struct callbacks *with = self->callbacks;
    if (self->logs) {
        with->log(with->environment, "oscillator", status, "logAll", message,
                  self->oscillator.faults.step);
    }
}

component fmi2Instantiate(const char *name, int kind, const char *token, const char *resources,
                          const struct callbacks *callbacks, int visible, int logs) {
    (void)name, (void)kind, (void)visible;
    if (strcmp(token, "{oscillator}") != 0 || strncmp(resources, "file:///", 8) != 0) return 0;
    component self = callbacks->allocate(1, sizeof *self);
    if (!self) return 0;
    self->callbacks = callbacks;
    self->logs = logs;
    strcpy(self->label, "spring");
    oscillator_start(&self->oscillator);
    return self;
}

void fmi2FreeInstance(component self) {
    if (self) self->callbacks->give_back(self);
}

enum status fmi2SetupExperiment(component self, int bounded, double tolerance, double start_s,
                                int ends, double stop_s) {
    (void)bounded, (void)tolerance, (void)ends, (void)stop_s;
    self->oscillator.time_s = start_s;
    return OK;
}

enum status fmi2EnterInitializationMode(component self) { return (void)self, OK; }
enum status fmi2ExitInitializationMode(component self) { return (void)self, OK; }
enum status fmi2Terminate(component self) { return (void)self, OK; }

static double *real(component self, reference variable) {
    struct oscillator *of = &self->oscillator;
    double *all[] = {&of->time_s, &of->x, &of->v, 0, 0, &of->k, &of->c, &of->u};
    return variable < sizeof all / sizeof *all ? all[variable] : 0;
}

enum status fmi2GetReal(component self, const reference *variables, size_t count, double *values) {
    const struct oscillator *of = &self->oscillator;
    for (size_t at = 0; at < count; at++) {
        double *value = real(self, variables[at]);
        if (value) values[at] = *value;
        else if (variables[at] == 3) values[at] = of->v;
        else if (variables[at] == 4) values[at] = oscillator_acceleration(of);
        else if (variables[at] == 8) values[at] = oscillator_output(of);
        else return ERROR;
    }
    return OK;
}

enum status fmi2SetReal(component self, const reference *variables, size_t count,
                        const double *values) {
    for (size_t at = 0; at < count; at++) {
        double *value = real(self, variables[at]);
        if (!value || variables[at] == 0) return ERROR;
        *value = values[at];
    }
    return OK;
}

enum status fmi2GetInteger(component self, const reference *variables, size_t count, int *values) {
    for (size_t at = 0; at < count; at++) {
        if (variables[at] != 9) return ERROR;
        values[at] = (int)self->oscillator.faults.step;
    }
    return OK;
}

enum status fmi2SetInteger(component self, const reference *variables, size_t count,
                           const int *values) {
    for (size_t at = 0; at < count; at++) {
        if (variables[at] != 9) return ERROR;
        self->oscillator.faults.step = values[at];
    }
    return OK;
}

enum status fmi2GetBoolean(component self, const reference *variables, size_t count, int *values) {
    for (size_t at = 0; at < count; at++) {
        if (variables[at] != 10) return ERROR;
        /* Any number but 0 is true. */
        values[at] = self->oscillator.v != 0 ? 256 : 0;
    }
    return OK;
}

enum status fmi2SetBoolean(component self, const reference *variables, size_t count,
                           const int *values) {
    for (size_t at = 0; at < count; at++) {
        if (variables[at] != 10) return ERROR;
        self->oscillator.v = values[at] ? 1 : 0;
    }
    return OK;
}

enum status fmi2GetString(component self, const reference *variables, size_t count,
                          const char **values) {
    for (size_t at = 0; at < count; at++) {
        if (variables[at] != 11) return ERROR;
        values[at] = self->label;
    }
    return OK;
}

enum status fmi2SetString(component self, const reference *variables, size_t count,
                          const char *const *values) {
    for (size_t at = 0; at < count; at++) {
        if (variables[at] != 11) return ERROR;
        strncpy(self->label, values[at], sizeof self->label - 1);
    }
    return OK;
}

/* Co-Simulation. */

enum status fmi2DoStep(component self, double time_s, double h_s, int keeps) {
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
    return step == WARNING_AT ? WARNING : OK;
}

enum status fmi2GetRealStatus(component self, int asked, double *value) {
    if (asked != 2) return DISCARD;
    *value = self->last_s;
    return OK;
}

enum status fmi2GetBooleanStatus(component self, int asked, int *value) {
    if (asked != 3) return DISCARD;
    *value = self->oscillator.faults.step == TERMINATE_AT + 1;
    return OK;
}

/* Model Exchange. */

enum status fmi2SetTime(component self, double time_s) {
    return self->oscillator.time_s = time_s, OK;
}

enum status fmi2SetContinuousStates(component self, const double *states, size_t count) {
    if (count != 2) return ERROR;
    self->oscillator.x = states[0];
    self->oscillator.v = states[1];
    return OK;
}

enum status fmi2GetContinuousStates(component self, double *states, size_t count) {
    if (count != 2) return ERROR;
    states[0] = self->oscillator.x;
    states[1] = self->oscillator.v;
    return OK;
}

enum status fmi2GetDerivatives(component self, double *derivatives, size_t count) {
    if (count != 2) return ERROR;
    derivatives[0] = self->oscillator.v;
    derivatives[1] = oscillator_acceleration(&self->oscillator);
    return OK;
}

enum status fmi2GetNominalsOfContinuousStates(component self, double *nominals, size_t count) {
    (void)self;
    for (size_t at = 0; at < count; at++) nominals[at] = 1;
    return OK;
}

enum status fmi2GetEventIndicators(component self, double *indicators, size_t count) {
    if (count != 1) return ERROR;
    indicators[0] = self->oscillator.x;
    return OK;
}

enum status fmi2CompletedIntegratorStep(component self, int keeps, int *event, int *terminate) {
    struct faults *faults = &self->oscillator.faults;
    (void)keeps;
    *event = 0;
    *terminate = faults->step == TERMINATE_AT;
    if (faults->step == ERROR_AT) return ERROR;
    faults_step(faults);
    faults->step++;
    return OK;
}

enum status fmi2EnterEventMode(component self) { return self->event_rounds = 0, OK; }
enum status fmi2EnterContinuousTimeMode(component self) { return (void)self, OK; }

enum status fmi2NewDiscreteStates(component self, struct event_info *info) {
    memset(info, 0, sizeof *info);
    info->again = self->event_rounds++ < EVENT_ROUNDS;
    info->next_defined = 1;
    info->next_s = self->oscillator.time_s + 0.5;
    return OK;
}
