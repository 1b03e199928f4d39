/* What a step may do that a real-time step must not. Each is chosen when it is compiled:
 * -DNAME_AT=N does it in step N alone, -DNAME_FROM=N from there on, -DNAME_EVERY=N in each Nth.
 * The first step is number 0. */
#ifndef FAULTS_H
#define FAULTS_H

struct faults {
    unsigned long step; /* The number of the step that is under way. */
    char *pages;        /* Pages that no step has touched. */
    double decaying;
};

/* Done once for each instance, before the first step. */
void faults_start(struct faults *faults);

/* Done in each step, but for what needs a result or a callback of the model. */
void faults_step(struct faults *faults);

#ifndef NEVER
#define NEVER (~0ul)
#endif
#ifndef NAN_FROM
#define NAN_FROM NEVER
#endif
#ifndef DIFFERENT_FROM
#define DIFFERENT_FROM NEVER
#endif
#ifndef ERROR_AT
#define ERROR_AT NEVER
#endif
#ifndef FATAL_AT
#define FATAL_AT NEVER
#endif
#ifndef DISCARD_AT
#define DISCARD_AT NEVER
#endif
#ifndef EARLY_AT
#define EARLY_AT NEVER
#endif
#ifndef TERMINATE_AT
#define TERMINATE_AT NEVER
#endif
#ifndef WARNING_AT
#define WARNING_AT NEVER
#endif
#ifndef CALLBACK_AT
#define CALLBACK_AT NEVER
#endif
#ifndef LOG_EVERY
#define LOG_EVERY 0
#endif

#define EVERY(count, step) ((count) != 0 && (step) % ((count) + 0ul + !(count)) == 0)

#endif
