/*
 * A library for LD_PRELOAD that makes writes and syncs of some files fail, like a full or broken disk.
 *
 * SHEEPDOG_FAIL_IN is a part of the paths of these files. A line written to such a file with the name "arm" sets the
 * fault:
 *   "<write|sync> <once|from> <number> <errno>"   this call, counted from this line, or all calls from it
 *   "off"                                         no fault
 * The line itself is not stored: afterwards the file holds the number of writes and syncs since the previous line. The
 * variable SHEEPDOG_FAIL can hold the first line. With errno -1 the process is killed, a write after half of its bytes.
 *
 * When SHEEPDOG_SYNCED names a folder, every sync copies its file there: what remains after a power loss.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static long writes, syncs, fail_at;
static int is_from, is_sync, code;

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

/* 1: a file that may fail, 2: the file "arm", 0: any other file. */
static int kind_of(int fd) {
  const char *in = getenv("SHEEPDOG_FAIL_IN");
  char link[64], path[4096];
  if (in == NULL) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  if (strstr(path, in) == NULL) return 0;
  return length > 4 && strcmp(path + length - 4, "/arm") == 0 ? 2 : 1;
}

static int fails(int is_this_sync) {
  long count = is_this_sync ? ++syncs : ++writes;
  if (fail_at == 0 || is_this_sync != is_sync) return 0;
  if (is_from ? count < fail_at : count != fail_at) return 0;
  errno = code;
  return 1;
}

static void apply_line(const char *line) {
  char what[8] = {0}, when[8] = {0};
  fail_at = 0;
  if (sscanf(line, "%7s %7s %ld %d", what, when, &fail_at, &code) != 4) return;
  is_sync = strcmp(what, "sync") == 0;
  is_from = strcmp(when, "from") == 0;
}

__attribute__((constructor)) static void begin(void) {
  if (getenv("SHEEPDOG_FAIL") != NULL) apply_line(getenv("SHEEPDOG_FAIL"));
}

static ssize_t arm(int fd, const void *bytes, size_t size) {
  char line[128] = {0}, report[64];
  memcpy(line, bytes, size < sizeof line ? size : sizeof line - 1);
  apply_line(line);
  int length = snprintf(report, sizeof report, "%ld %ld\n", writes, syncs);
  writes = syncs = 0;
  ssize_t (*pass)(int, const void *, size_t) = real("write");
  return pass(fd, report, (size_t)length) < 0 ? -1 : (ssize_t)size;
}

/* Kills the process if the errno is -1, after half of the bytes are written. */
static void end_here(int fd, const void *bytes, size_t size, off64_t at) {
  if (code != -1) return;
  ssize_t (*pass)(int, const void *, size_t, off64_t) = real("pwrite64");
  if (bytes != NULL && pass(fd, bytes, size / 2, at) < 0) abort();
  kill(getpid(), SIGKILL);
}

static void copy_synced(int fd) {
  const char *folder = getenv("SHEEPDOG_SYNCED");
  char link[64], path[4096], copy[8192], bytes[65536];
  if (folder == NULL) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) abort();
  path[length] = 0;
  snprintf(copy, sizeof copy, "%s%s", folder, strrchr(path, '/'));
  int to = open(copy, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ssize_t (*pass)(int, const void *, size_t) = real("write");
  off64_t at = 0;
  for (ssize_t got; (got = pread64(fd, bytes, sizeof bytes, at)) > 0; at += got)
    if (pass(to, bytes, (size_t)got) != got) abort();
  close(to);
}

static int pass_sync(int fd, const char *name) {
  int (*pass)(int) = real(name);
  if (kind_of(fd) != 1) return pass(fd);
  if (fails(1)) {
    end_here(fd, NULL, 0, 0);
    return -1;
  }
  int result = pass(fd);
  if (result == 0) copy_synced(fd);
  return result;
}

ssize_t write(int fd, const void *bytes, size_t size) {
  ssize_t (*pass)(int, const void *, size_t) = real("write");
  int kind = kind_of(fd);
  if (kind == 2) return arm(fd, bytes, size);
  if (kind != 1 || !fails(0)) return pass(fd, bytes, size);
  end_here(fd, bytes, size, lseek(fd, 0, SEEK_CUR));
  return -1;
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
  ssize_t (*pass)(int, const void *, size_t, off64_t) = real("pwrite64");
  if (kind_of(fd) != 1 || !fails(0)) return pass(fd, bytes, size, at);
  end_here(fd, bytes, size, at);
  return -1;
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) { return pwrite64(fd, bytes, size, at); }

int ftruncate64(int fd, off64_t size) {
  int (*pass)(int, off64_t) = real("ftruncate64");
  if (kind_of(fd) != 1 || !fails(0)) return pass(fd, size);
  end_here(fd, NULL, 0, 0);
  return -1;
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

int fsync(int fd) { return pass_sync(fd, "fsync"); }

int fdatasync(int fd) { return pass_sync(fd, "fdatasync"); }
