/*
 * Makes the nth sync or write of a database file fail, for tests: LD_PRELOAD this library, and name a control file in
 * DISK_FAULTS. The file has four 32-bit numbers, which the test writes and reads while the program runs:
 *
 *   0  what fails: 0 nothing, 1 a sync, 2 a write, 3 a write of which half is written, 4 a sync that is carried out,
 *      5 a write for which there is no room, 6 nothing, but a sync waits until this number changes
 *   1  how many of them succeed before
 *   2  how many have failed; each arming fails one
 *   3  how many were counted
 *
 * Files whose name has ".db" in it are meant, with their -wal. The record of the end of the log (.end) is not: it is
 * written after the commit, and a fault there fails nothing (test/store/end-file.test.ts).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WHAT, BEFORE, FAILED, COUNTED };
enum { NOTHING, SYNC, WRITE, TORN, LATE, FULL, HELD };

static volatile int32_t *control;

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("DISK_FAULTS");
  if (name == NULL) return;
  int fd = open(name, O_RDWR);
  if (fd < 0) return;
  void *mapped = mmap(NULL, 16, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (mapped != MAP_FAILED) control = mapped;
}

static int is_database(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  const char *name = strrchr(path, '/');
  return name != NULL && strstr(name, ".db") != NULL && strstr(name, ".lock") == NULL &&
         strstr(name, ".end") == NULL;
}

/* Returns what fails now, or NOTHING. `mask` has a bit for each kind of fault that this call can have. */
static int fault(int fd, int mask) {
  if (control == NULL) return NOTHING;
  int what = control[WHAT];
  if (what == NOTHING || (mask & (1 << what)) == 0 || !is_database(fd)) return NOTHING;
  control[COUNTED] += 1;
  if (control[FAILED] > 0) return NOTHING;
  if (control[BEFORE]-- > 0) return NOTHING;
  control[FAILED] += 1;
  return what;
}

static int failed(int code) {
  errno = code;
  return -1;
}

#define REAL(name, type) \
  static type real = NULL; \
  if (real == NULL) real = (type)dlsym(RTLD_NEXT, name)

typedef int (*sync_type)(int);

#define SYNC_CALL(name) \
  int name(int fd) { \
    REAL(#name, sync_type); \
    int what = fault(fd, 1 << SYNC | 1 << LATE | 1 << HELD); \
    while (what == HELD && control[WHAT] == HELD) usleep(1000); \
    if (what == NOTHING || what == HELD) return real(fd); \
    if (what == LATE) real(fd); \
    return failed(EIO); \
  }

SYNC_CALL(fsync)
SYNC_CALL(fdatasync)

typedef ssize_t (*write_type)(int, const void *, size_t, off64_t);

#define WRITE_CALL(name) \
  ssize_t name(int fd, const void *bytes, size_t length, off64_t at) { \
    REAL(#name, write_type); \
    int what = fault(fd, 1 << WRITE | 1 << TORN | 1 << FULL); \
    if (what == NOTHING) return real(fd, bytes, length, at); \
    if (what == TORN) real(fd, bytes, length / 2, at); \
    return failed(what == FULL ? ENOSPC : EIO); \
  }

WRITE_CALL(pwrite)
WRITE_CALL(pwrite64)
