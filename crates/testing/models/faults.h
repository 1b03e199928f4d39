/* Faults: things that a real-time step must not do. Flags of the compiler select them:
 * -DNAME_AT=N in step N only, -DNAME_FROM=N from step N on, -DNAME_EVERY=N in every Nth step.
 * The first step is number 0. */
#ifndef FAULTS_H
#define FAULTS_H

struct faults {
    unsigned long step; /* The number of the current step. */
    char *pages;        /* Pages that no step has touched yet. */
    double decaying;
};

/* Prepares the faults of one instance, before the first step. */
void faults_start(struct faults *faults);

/* Does the faults of the current step, except those that need a result or a callback of the model:
 * the model does these itself. */
void faults_step(struct faults *faults);

#ifndef NEVER
#define NEVER (~0ul)
#endif
#ifndef NAN_FROM
#define NAN_FROM NEVER
#endif
#ifndef INF_FROM
#define INF_FROM NEVER
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
#ifndef PENDING_AT
#define PENDING_AT NEVER
#endif
#ifndef WARNING_AT
#define WARNING_AT NEVER
#endif
#ifndef CALLBACK_AT
#define CALLBACK_AT NEVER
#endif
#ifndef UNIQUE_NAMES
#define UNIQUE_NAMES 0
#endif
#ifndef LOG_EVERY
#define LOG_EVERY 0
#endif

#define EVERY(count, step) ((count) != 0 && (step) % ((count) + 0ul + !(count)) == 0)

#endif
