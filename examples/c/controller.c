/* A controller with a proportional and a derivative part that moves its plant to a position: the
 * input is the measured position, the output is the force. This is the model of an FMU. */
enum { TIME, X, GOAL, P, D, LAST_X, U, VARIABLES };
static const double STARTS[VARIABLES] = {[X] = 1, [LAST_X] = 1, [P] = 400, [D] = 20};

static void step(double *values, double h_s) {
    double speed = (values[X] - values[LAST_X]) / h_s;
    values[U] = values[P] * (values[GOAL] - values[X]) - values[D] * speed;
    values[LAST_X] = values[X];
}

#define TOKEN "{controller}"
#include "fmu.h"
