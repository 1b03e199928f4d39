/*
 * The services of EVL whose arguments are structures of libevl. Functions that return an int return
 * 0 or more, or a negative errno.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>

#include <evl/clock.h>
#include <evl/evl.h>
#include <evl/mutex.h>
#include <evl/sched.h>
#include <evl/sem.h>
#include <evl/thread.h>
#include <evl/timer.h>

static struct timespec time_of(unsigned long long ns)
{
	struct timespec time = { ns / 1000000000, ns % 1000000000 };
	return time;
}

unsigned long long core_now(void)
{
	struct timespec time;
	evl_read_clock(EVL_CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ULL + time.tv_nsec;
}

int core_sleep_until(unsigned long long ns)
{
	struct timespec time = time_of(ns);
	return evl_sleep_until(EVL_CLOCK_MONOTONIC, &time);
}

int core_attach(void)
{
	return evl_attach_thread(EVL_CLONE_PRIVATE, NULL);
}

int core_set_policy(int policy, int priority)
{
	struct evl_sched_attrs attributes = {
		.sched_policy = policy,
		.sched_priority = priority,
	};
	return evl_set_schedattr(evl_get_self(), &attributes);
}

int core_policy(int *policy, int *priority)
{
	struct evl_sched_attrs attributes = { 0 };
	int ended = evl_get_schedattr(evl_get_self(), &attributes);
	*policy = attributes.sched_policy;
	*priority = attributes.sched_priority;
	return ended;
}

/* Reads how often the caller switched to Linux, and how long it ran, in nanoseconds. */
int core_counts(unsigned *switches, unsigned long long *ran)
{
	struct evl_thread_state state = { 0 };
	int ended = evl_get_state(evl_get_self(), &state);
	*switches = state.isw;
	*ran = state.xtime;
	return ended;
}

int core_timer(void)
{
	return evl_new_timer(EVL_CLOCK_MONOTONIC);
}

int core_set_timer(int timer, unsigned long long first, unsigned long long period)
{
	struct itimerspec setting = { time_of(period), time_of(first) };
	struct itimerspec before;
	return evl_set_timer(timer, &setting, &before);
}

/* Returns the object if its creation succeeded; otherwise sets errno. */
static void *kept(void *object, int made)
{
	if (object && made >= 0) {
		return object;
	}
	free(object);
	errno = object ? -made : ENOMEM;
	return NULL;
}

void *core_semaphore(int count)
{
	struct evl_sem *semaphore = calloc(1, sizeof(*semaphore));
	int made = semaphore ? evl_create_sem(semaphore, EVL_CLOCK_MONOTONIC, count,
					      EVL_CLONE_PRIVATE, NULL)
			     : 0;
	return kept(semaphore, made);
}

void core_delete_semaphore(struct evl_sem *semaphore)
{
	evl_close_sem(semaphore);
	free(semaphore);
}

/* With a ceiling of 0, the mutex inherits priorities. */
void *core_mutex(unsigned ceiling)
{
	struct evl_mutex *mutex = calloc(1, sizeof(*mutex));
	int made = mutex ? evl_create_mutex(mutex, EVL_CLOCK_MONOTONIC, ceiling,
					    EVL_MUTEX_NORMAL | EVL_CLONE_PRIVATE, NULL)
			 : 0;
	return kept(mutex, made);
}

void core_delete_mutex(struct evl_mutex *mutex)
{
	evl_close_mutex(mutex);
	free(mutex);
}
