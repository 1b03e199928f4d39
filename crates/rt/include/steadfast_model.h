/* A program as a model, in C or C++: steadfast run model --program 'COMMAND'
 *
 *     #include "steadfast_model.h"
 *     int main(void) {
 *         struct steadfast_model *model = steadfast_attach(1, 1);  // 1 input, 1 output
 *         while (model && steadfast_wait(model)) {
 *             model->outputs[0] = 2 * model->inputs[0];  // from time_s to time_s + h_s
 *             steadfast_done(model, 0);                  // 0: all is well
 *         }
 *     }
 *
 * Programs in other languages map the file whose descriptor is in the environment variable
 * STEADFAST_MODEL (8192 bytes). It contains this structure; use it as the functions below do. */
#ifndef STEADFAST_MODEL_H
#define STEADFAST_MODEL_H

#include <linux/futex.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STEADFAST_MOST 480

struct steadfast_model {
    uint32_t version;                   /* 1 */
    uint32_t input_count, output_count; /* set by the program before it attaches, each at most 480 */
    uint32_t attached;                  /* a futex: 1 once the program has attached */
    char beside_1[48];
    uint32_t asked;                     /* at byte 64, a futex: the number of the latest request */
    uint32_t what;                      /* the request: 0 nothing, 1 a step, 2 the end */
    uint64_t step;                      /* the number of the step, from 0 */
    double time_s, h_s;                 /* the model time at which the step starts, and its length */
    char beside_2[32];
    uint32_t answered;                  /* at byte 128, a futex: the latest request that was answered */
    uint32_t status;                    /* 0, or the program's own error number */
    char beside_3[120];
    double inputs[STEADFAST_MOST], outputs[STEADFAST_MOST]; /* at bytes 256 and 4096 */
};

/* Sets a word after all earlier writes, and wakes the process that waits for it. */
static inline void steadfast_tell(uint32_t *word, uint32_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Attaches to the process that started this program, and ends with it; returns NULL if the program
 * was not started as a model. */
static inline struct steadfast_model *steadfast_attach(uint32_t inputs, uint32_t outputs) {
    const char *file = getenv("STEADFAST_MODEL");
    if (!file || inputs > STEADFAST_MOST || outputs > STEADFAST_MOST) return NULL;
    void *memory = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, atoi(file), 0);
    struct steadfast_model *model = (struct steadfast_model *)memory;
    if (memory == MAP_FAILED || model->version != 1) return NULL;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return NULL;
    model->input_count = inputs;
    model->output_count = outputs;
    steadfast_tell(&model->attached, 1);
    return model;
}

/* Answers a request; any status other than 0 means that the step failed. */
static inline void steadfast_done(struct steadfast_model *model, uint32_t status) {
    model->status = status;
    steadfast_tell(&model->answered, model->asked);
}

/* Waits for a step; returns 0 at the end. Empty requests, which measure the round trip, are answered
 * here. */
static inline int steadfast_wait(struct steadfast_model *model) {
    for (;; steadfast_done(model, 0)) {
        uint32_t last = model->answered;
        while (__atomic_load_n(&model->asked, __ATOMIC_ACQUIRE) == last)
            syscall(SYS_futex, &model->asked, FUTEX_WAIT, last, NULL, NULL, 0);
        if (model->what != 0) return model->what == 1;
    }
}

#endif
