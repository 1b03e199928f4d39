/* The functions of FMI 3.0 (Co-Simulation) for a model whose variables are all Float64. Before you
 * include this file, define TOKEN, VARIABLES (their number), STARTS (their start values) and
 * step(values, h_s). The first variable is the time; a variable's reference is its position. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum status { OK, WARNING, DISCARD, ERROR, FATAL };

void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources,
                                  bool visible, bool logs, bool events, bool early,
                                  const uint32_t *intermediate, size_t count, void *environment,
                                  void *log, void *update) {
    (void)name, (void)resources, (void)visible, (void)logs, (void)events, (void)early;
    (void)intermediate, (void)count, (void)environment, (void)log, (void)update;
    double *values = strcmp(token, TOKEN) == 0 ? malloc(sizeof STARTS) : NULL;
    if (values) memcpy(values, STARTS, sizeof STARTS);
    return values;
}

void fmi3FreeInstance(void *values) { free(values); }

enum status fmi3EnterInitializationMode(void *values, bool bounded, double tolerance,
                                        double start_s, bool ends, double stop_s) {
    (void)bounded, (void)tolerance, (void)ends, (void)stop_s;
    *(double *)values = start_s;
    return OK;
}

enum status fmi3ExitInitializationMode(void *values) { return (void)values, OK; }
enum status fmi3Terminate(void *values) { return (void)values, OK; }

enum status fmi3GetFloat64(void *values, const uint32_t *references, size_t count, double *to,
                           size_t size) {
    if (size != count) return ERROR;
    for (size_t at = 0; at < count; at++) {
        if (references[at] >= VARIABLES) return ERROR;
        to[at] = ((double *)values)[references[at]];
    }
    return OK;
}

enum status fmi3SetFloat64(void *values, const uint32_t *references, size_t count,
                           const double *from, size_t size) {
    if (size != count) return ERROR;
    for (size_t at = 0; at < count; at++) {
        if (references[at] >= VARIABLES) return ERROR;
        ((double *)values)[references[at]] = from[at];
    }
    return OK;
}

enum status fmi3DoStep(void *values, double time_s, double h_s, bool keeps, bool *event,
                       bool *terminate, bool *early, double *last_s) {
    (void)keeps;
    step(values, h_s);
    *event = *terminate = *early = false;
    *last_s = *(double *)values = time_s + h_s;
    return OK;
}
