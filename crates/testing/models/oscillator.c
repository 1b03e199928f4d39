#define _GNU_SOURCE
#include "oscillator.h"

#include <math.h>
#include <time.h>

void oscillator_start(struct oscillator *self) {
    self->time_s = 0;
    self->x = 1;
    self->v = 0;
    self->k = 100;
    self->c = 1;
    self->u = 0;
    faults_start(&self->faults);
}

double oscillator_acceleration(const struct oscillator *self) {
    return self->u - self->c * self->v - self->k * self->x;
}

void oscillator_step(struct oscillator *self, double h_s) {
    double part_s = h_s / SUBSTEPS;
    for (int count = 0; count < SUBSTEPS; count++) {
        double a = oscillator_acceleration(self);
        self->x += part_s * self->v;
        self->v += part_s * a;
    }
#ifdef MULTIPLY
    volatile double once_more = self->x;
    once_more = once_more * 1.5;
#endif
    faults_step(&self->faults);
    self->faults.step++;
}

static double noise(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_nsec * 1e-12;
}

/* Call this after a step: `faults.step` is then the number of the next step. */
double oscillator_output(const struct oscillator *self) {
    unsigned long next = self->faults.step;
    if (INF_FROM != NEVER && next > INF_FROM) return INFINITY;
    if (NAN_FROM != NEVER && next > NAN_FROM) return NAN;
    if (DIFFERENT_FROM != NEVER && next > DIFFERENT_FROM) return self->x + noise();
    return self->x;
}
