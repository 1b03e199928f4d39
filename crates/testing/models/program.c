/* The oscillator as a separate program: input 0 is u, output 0 is y, output 1 the step's number. */
#include "oscillator.h"

#ifdef OUTLIVES
/* Does not request to end with its parent, as a program in another language might not. */
#include <sys/prctl.h>
#define prctl(what, signal) 0
#endif
#include "steadfast_model.h"

#include <stdio.h>
#include <unistd.h>

int main(void) {
    struct oscillator oscillator;
    oscillator_start(&oscillator);
#ifdef NEVER_ATTACH
    pause();
#endif
    struct steadfast_model *model = steadfast_attach(1, 2);
    if (!model) {
        fputs("nothing started this program as a model\n", stderr);
        return 3;
    }
    while (steadfast_wait(model)) {
        unsigned long step = oscillator.faults.step;
        oscillator.u = model->inputs[0];
        oscillator_step(&oscillator, model->h_s);
        model->outputs[0] = oscillator_output(&oscillator);
        model->outputs[1] = (double)model->step;
        steadfast_done(model, step == ERROR_AT ? 7 : 0);
    }
    return 0;
}
