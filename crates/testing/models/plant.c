/* The oscillator in the shape of Embedded Coder's libraries: functions without arguments, and
 * inputs and outputs in structures. -DRATES=2 gives it a fast and a slow step. */
#include "oscillator.h"

struct { double u; } plant_U;
/* How many times each step repeats its work. */
int plant_repeats = 1;
struct { double y; unsigned long fast, slow; } plant_Y;

static struct oscillator oscillator;

void plant_initialize(void) {
    oscillator_start(&oscillator);
    plant_Y.y = oscillator.x;
}

static void step(void) {
    oscillator.u = plant_U.u;
    for (int count = 0; count < plant_repeats; count++) oscillator_step(&oscillator, 0.001);
    plant_Y.y = oscillator_output(&oscillator);
    plant_Y.fast++;
}

#if RATES == 2
void plant_step0(void) { step(); }
void plant_step1(void) { plant_Y.slow++; }
#else
void plant_step(void) { step(); }
#endif

void plant_terminate(void) {}
