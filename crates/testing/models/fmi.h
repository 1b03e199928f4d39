/* What FMI 2.0 and 3.0 have in common. The file that includes this one defines `struct model`, the
 * type `flag`, FMI(name) as the name of a function, LENGTH as further parameters, FITS as whether
 * their values are right, and DERIVATIVES as a function's name. */

enum status { OK, WARNING, DISCARD, ERROR, FATAL, PENDING };

typedef unsigned int reference;
typedef struct model *instance;

#ifndef EVENT_ROUNDS
#define EVENT_ROUNDS 0
#endif
/* The value of `event_rounds` in continuous time, where discrete inputs may not be set. */
#define NO_EVENT (-1)

/* Defines a function that reads or writes values of one variable. */
#define ACCESS(name, type, variable, access)                                                      \
    enum status FMI(name)(instance self, const reference *variables, size_t count,                \
                          type *values LENGTH) {                                                  \
        if (!FITS) return ERROR;                                                                  \
        for (size_t at = 0; at < count; at++) {                                                   \
            if (variables[at] != variable) return ERROR;                                          \
            access;                                                                               \
        }                                                                                         \
        return OK;                                                                                \
    }

static double *real(instance self, reference variable) {
    struct oscillator *of = &self->oscillator;
    double *all[] = {&of->time_s, &of->x, &of->v, 0, 0, &of->k, &of->c, &of->u};
    return variable < sizeof all / sizeof *all ? all[variable] : 0;
}

/* Returns whether no other instance has this name; with -DUNIQUE_NAMES=1 it remembers them. */
static int is_free(const char *name) {
    static char used[16][64];
    static int count;
    for (int at = 0; UNIQUE_NAMES && at < count; at++) {
        if (strcmp(used[at], name) == 0) return 0;
    }
    strncpy(used[count++ % 16], name, sizeof *used - 1);
    return 1;
}

static enum status get_reals(instance self, const reference *variables, size_t count,
                             double *values) {
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

static enum status set_reals(instance self, const reference *variables, size_t count,
                             const double *values) {
    for (size_t at = 0; at < count; at++) {
        double *value = real(self, variables[at]);
        if (!value || variables[at] == 0) return ERROR;
#ifdef DISCRETE_INPUT
        if (variables[at] == 7 && self->event_rounds == NO_EVENT) return ERROR;
#endif
        *value = values[at];
    }
    return OK;
}

enum status FMI(ExitInitializationMode)(instance self) { return (void)self, OK; }
enum status FMI(Terminate)(instance self) { return (void)self, OK; }

/* Model Exchange. */

enum status FMI(SetTime)(instance self, double time_s) {
    return self->oscillator.time_s = time_s, OK;
}

enum status FMI(SetContinuousStates)(instance self, const double *states, size_t count) {
    if (count != 2) return ERROR;
    self->oscillator.x = states[0];
    self->oscillator.v = states[1];
    return OK;
}

enum status FMI(GetContinuousStates)(instance self, double *states, size_t count) {
    if (count != 2) return ERROR;
    states[0] = self->oscillator.x;
    states[1] = self->oscillator.v;
    return OK;
}

enum status FMI(DERIVATIVES)(instance self, double *derivatives, size_t count) {
    if (count != 2) return ERROR;
    derivatives[0] = self->oscillator.v;
    derivatives[1] = oscillator_acceleration(&self->oscillator);
    return OK;
}

enum status FMI(GetNominalsOfContinuousStates)(instance self, double *nominals, size_t count) {
    (void)self;
    for (size_t at = 0; at < count; at++) nominals[at] = 1;
    return OK;
}

enum status FMI(GetEventIndicators)(instance self, double *indicators, size_t count) {
    if (count != 1) return ERROR;
    indicators[0] = self->oscillator.x;
    return OK;
}

enum status FMI(CompletedIntegratorStep)(instance self, flag keeps, flag *event, flag *terminate) {
    struct faults *faults = &self->oscillator.faults;
    (void)keeps;
    *event = 0;
    *terminate = faults->step == TERMINATE_AT;
    if (faults->step == ERROR_AT) return ERROR;
    faults_step(faults);
    faults->step++;
    return OK;
}

enum status FMI(EnterEventMode)(instance self) { return self->event_rounds = 0, OK; }
enum status FMI(EnterContinuousTimeMode)(instance self) {
    return self->event_rounds = NO_EVENT, OK;
}
