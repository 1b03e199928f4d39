/*
 * The services of LXRT that measured code uses. RTAI's headers define them as inline functions;
 * here each gets a symbol. Handles belong to the kernel and are never dereferenced.
 */
#include <rtai_lxrt.h>
#include <rtai_mbx.h>
#include <rtai_sem.h>

/* The result of a call that may wait; rtai.rs has the same numbers. */
enum { DONE = 0, INTERRUPTED = 1, REFUSED = 2 };

static int ended(int result)
{
	if (!rt_is_reterr(result)) {
		return DONE;
	}
	return result == RTE_UNBLKD ? INTERRUPTED : REFUSED;
}

long long lxrt_counts_in(long long ns)
{
	return nano2count(ns);
}

long long lxrt_time(void)
{
	return rt_get_time();
}

/* Unlike rt_task_init, sets neither policy nor memory: both are already set. */
void *lxrt_task_init(int priority)
{
	return ftask_init(rt_get_name(NULL), priority);
}

void lxrt_task_delete(void *task)
{
	rt_task_delete(task);
}

void lxrt_change_priority(void *task, int priority)
{
	rt_change_prio(task, priority);
}

int lxrt_base_priority(void *task)
{
	int priority, base;
	return rt_get_priorities(task, &priority, &base) ? -1 : base;
}

void lxrt_make_hard(void)
{
	rt_make_hard_real_time();
}

void lxrt_make_soft(void)
{
	rt_make_soft_real_time();
}

/* Returns how long a task had run at its last switch, in counts; 0 if RTAI does not record it. */
long long lxrt_ran(void *task)
{
	RTIME times[3] = { 0 };
	rt_get_exectime(task, times);
	return times[0];
}

void lxrt_yield(void)
{
	rt_task_yield();
}

int lxrt_sleep_until(long long counts)
{
	return ended(rt_sleep_until(counts));
}

void *lxrt_semaphore(int count)
{
	return rt_typed_sem_init(0, count, CNT_SEM | PRIO_Q);
}

void *lxrt_resource(void)
{
	return rt_typed_sem_init(0, RESEM_RECURS, RES_SEM);
}

void lxrt_semaphore_delete(void *semaphore)
{
	rt_sem_delete(semaphore);
}

int lxrt_wait(void *semaphore)
{
	return ended(rt_sem_wait(semaphore));
}

int lxrt_try_wait(void *semaphore)
{
	int count = rt_sem_wait_if(semaphore);
	return count > 0 && !rt_is_reterr(count);
}

void lxrt_signal(void *semaphore)
{
	rt_sem_signal(semaphore);
}

void *lxrt_mailbox(int bytes)
{
	return rt_typed_mbx_init(rt_get_name(NULL), bytes, PRIO_Q);
}

void lxrt_mailbox_delete(void *mailbox)
{
	rt_mbx_delete(mailbox);
}

/* `result` is an error, or the number of bytes not transferred because a signal interrupted. */
static int passed(int result)
{
	if (result <= 0) {
		return result == 0 ? DONE : REFUSED;
	}
	return rt_is_reterr(result) ? ended(result) : INTERRUPTED;
}

int lxrt_send(void *mailbox, const void *message, int bytes)
{
	return passed(rt_mbx_send(mailbox, (void *)message, bytes));
}

int lxrt_receive(void *mailbox, void *message, int bytes)
{
	return passed(rt_mbx_receive(mailbox, message, bytes));
}
