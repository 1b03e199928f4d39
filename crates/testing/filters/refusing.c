// Runs a program under a filter of system calls that refuses what a file system may lack, or
// rights that the program has:
// refusing locks|shared-memory|rights PROGRAM ARGUMENTS...
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef F_OFD_SETLK
#define F_OFD_SETLK 37
#endif

// The low half of an argument on a little-endian machine.
#define LOAD_ARGUMENT(place) \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[place]))
#define LOAD_NUMBER BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
#define IS(value, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, then, otherwise)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE(code) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (code))

// As NFS does without its lock service.
static struct sock_filter locks[] = {
	LOAD_NUMBER,
	IS(SYS_fcntl, 0, 4),
	LOAD_ARGUMENT(1),
	IS(F_SETLK, 3, 0),
	IS(F_SETLKW, 2, 0),
	IS(F_OFD_SETLK, 1, 0),
	ALLOW,
	REFUSE(ENOLCK),
};

// As FUSE does for files with direct input and output.
static struct sock_filter shared_memory[] = {
	LOAD_NUMBER,
	IS(SYS_mmap, 0, 4),
	LOAD_ARGUMENT(3),
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_SHARED, 0, 2),
	LOAD_ARGUMENT(4),
	IS(0xffffffff, 0, 1),
	ALLOW,
	REFUSE(ENODEV),
};

// As a container or a service does that may not use resources of the system. The other policies are
// requested in the same way.
static struct sock_filter rights[] = {
	LOAD_NUMBER,
	IS(SYS_sched_setattr, 5, 0),
	IS(SYS_sched_setscheduler, 4, 0),
	IS(SYS_sched_setparam, 3, 0),
	IS(SYS_mlockall, 2, 0),
	IS(SYS_mlock2, 1, 0),
	ALLOW,
	REFUSE(EPERM),
};

int main(int count, char **words)
{
	if (count < 3)
		return 99;
	struct sock_filter *named = !strcmp(words[1], "locks") ? locks
		: !strcmp(words[1], "rights") ? rights : shared_memory;
	struct sock_fprog filter = { 8, named };
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
		return 98;
	execvp(words[2], words + 2);
	return 97;
}
