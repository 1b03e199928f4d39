/* A mass on a spring, pushed by its input: x'' = u - c x' - k x. The output is its position.
 * This is a library for `run model --library`; with -DFMU, it is the model of an FMU. */
enum { TIME, U, X, V, K, C, VARIABLES };
static const double STARTS[VARIABLES] = {[X] = 1, [K] = 100, [C] = 1};

static void step(double *values, double h_s) {
    values[V] += h_s * (values[U] - values[C] * values[V] - values[K] * values[X]);
    values[X] += h_s * values[V];
}

#ifdef FMU
#define TOKEN "{plant}"
#include "fmu.h"
#else
#include <string.h>

static double values[VARIABLES];

void plant_initialize(void) { memcpy(values, STARTS, sizeof values); }
void plant_step(void) { step(values, 0.001); }
void plant_terminate(void) {}
#endif
