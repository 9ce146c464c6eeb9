// A disk that fails on request (reliability 4): preloaded into a process, it meets that process's own file calls.
// FAULT_PLAN names a text file, read anew at every call, so that a test changes its mind while the process runs:
//   <generation>                                            a new number starts all counting anew
//   <part of a path> <call> <from> <times> <action> <n>     for the from-th call on such a file and the next ones
// Calls: open read write fdatasync fsync rename. Actions: errno (n: its number), short (n: bytes that are taken),
// delay (n: milliseconds), kill-before, kill-half, kill-after.
// FAULT_RECORD names a file that gets a line after each call on a log: call, result or -errno, size of the file, its path.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
typedef struct { char action[16]; long n; } Fault;
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
static void path_of(int fd, char *path) {
  char link[32]; snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, 511); path[length < 0 ? 0 : length] = 0;
}
static Fault meet(const char *call, const char *path) {
  static long generation = -1, counts[16];
  Fault fault = {"", 0}; char text[2048], *rest, *line; const char *plan = getenv("FAULT_PLAN");
  int fd = plan ? (int)syscall(SYS_openat, AT_FDCWD, plan, O_RDONLY | O_CLOEXEC) : -1;
  if (fd < 0) return fault;
  ssize_t length = syscall(SYS_read, fd, text, sizeof text - 1); syscall(SYS_close, fd);
  text[length < 0 ? 0 : length] = 0; line = strtok_r(text, "\n", &rest);
  pthread_mutex_lock(&counting);
  if (line && atol(line) != generation) { generation = atol(line); memset(counts, 0, sizeof counts); }
  for (int at = 0; at < 16 && (line = strtok_r(NULL, "\n", &rest)); at++) {
    char match[256], kind[16], action[16]; long from, times, n;
    if (sscanf(line, "%255s %15s %ld %ld %15s %ld", match, kind, &from, &times, action, &n) != 6) continue;
    if (strcmp(kind, call) || !strstr(path, match)) continue;
    long nth = ++counts[at];
    if (nth >= from && nth < from + times) { strcpy(fault.action, action); fault.n = n; }
  }
  pthread_mutex_unlock(&counting);
  if (!strcmp(fault.action, "kill-before")) kill(getpid(), SIGKILL);
  if (!strcmp(fault.action, "delay")) nanosleep(&(struct timespec){fault.n / 1000, fault.n % 1000 * 1000000}, NULL);
  return fault;
}
static long after(Fault fault, const char *call, const char *path, long result) {
  int kept = errno; struct stat info; char line[700]; const char *record = getenv("FAULT_RECORD");
  if (!strncmp(fault.action, "kill", 4)) kill(getpid(), SIGKILL);
  int fd = record && strstr(path, "/logs") ? (int)syscall(SYS_openat, AT_FDCWD, record, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
  if (fd >= 0) {
    long size = stat(path, &info) ? -1 : (long)info.st_size, told = result < 0 ? -(long)kept : result;
    syscall(SYS_write, fd, line, snprintf(line, sizeof line, "%s %ld %ld %s\n", call, told, size, path));
    syscall(SYS_close, fd);
  }
  errno = kept; return result;
}
#define IS(fault, name) (!strcmp((fault).action, name))
#define SHORT(fault, count) (IS(fault, "short") && (size_t)(fault).n < (count) ? (size_t)(fault).n : (count))
#define CUT(fault, count) (IS(fault, "kill-half") ? (count) / 2 : SHORT(fault, count))
#define RUN(call, path, real) Fault fault = meet(call, path); \
  if (IS(fault, "errno")) { errno = (int)fault.n; return after(fault, call, path, -1); } \
  return after(fault, call, path, real);
#define PATH char path[512]; path_of(fd, path);
ssize_t write(int fd, const void *bytes, size_t count) { PATH RUN("write", path, syscall(SYS_write, fd, bytes, CUT(fault, count))) }
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) { PATH RUN("write", path, syscall(SYS_pwrite64, fd, bytes, CUT(fault, count), at)) }
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) { return pwrite64(fd, bytes, count, at); }
ssize_t writev(int fd, const struct iovec *parts, int count) { PATH RUN("write", path, syscall(SYS_writev, fd, parts, count)) }
ssize_t read(int fd, void *bytes, size_t count) { PATH RUN("read", path, syscall(SYS_read, fd, bytes, CUT(fault, count))) }
ssize_t pread64(int fd, void *bytes, size_t count, off64_t at) { PATH RUN("read", path, syscall(SYS_pread64, fd, bytes, CUT(fault, count), at)) }
ssize_t pread(int fd, void *bytes, size_t count, off_t at) { return pread64(fd, bytes, count, at); }
int fdatasync(int fd) { PATH RUN("fdatasync", path, syscall(SYS_fdatasync, fd)) }
int fsync(int fd) { PATH RUN("fsync", path, syscall(SYS_fsync, fd)) }
int rename(const char *from, const char *path) { RUN("rename", path, syscall(SYS_rename, from, path)) }
int open64(const char *path, int flags, ...) {
  va_list more; va_start(more, flags); int mode = va_arg(more, int); va_end(more);
  RUN("open", path, syscall(SYS_openat, AT_FDCWD, path, flags, mode))
}
int open(const char *path, int flags, ...) {
  va_list more; va_start(more, flags); int mode = va_arg(more, int); va_end(more);
  return open64(path, flags, mode);
}
