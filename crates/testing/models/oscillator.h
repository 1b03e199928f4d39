/* A damped oscillator of mass 1, stepped by explicit Euler:
 * x' = v, v' = u - c v - k x, y = x. */
#ifndef OSCILLATOR_H
#define OSCILLATOR_H

#ifdef RATES
/* Like a library from Embedded Coder, export only the step functions of the rates. */
#pragma GCC visibility push(hidden)
#endif
#include "faults.h"

/* Steps of the solver in each requested step. */
#ifndef SUBSTEPS
#define SUBSTEPS 10
#endif

struct oscillator {
    double time_s, x, v, k, c, u;
    struct faults faults;
};

void oscillator_start(struct oscillator *self);
double oscillator_acceleration(const struct oscillator *self);
void oscillator_step(struct oscillator *self, double h_s);
double oscillator_output(const struct oscillator *self);
#ifdef RATES
#pragma GCC visibility pop
#endif

#endif
