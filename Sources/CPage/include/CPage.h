// The page: every file of Sources/CPage/page as it was when this program was built. No logic.
#ifndef CPAGE_H
#define CPAGE_H

#include <stddef.h>

struct cpage_file {
  // Below the folder, as in script/main.js.
  const char *path;
  const unsigned char *bytes;
  size_t count;
};

size_t cpage_file_count(void);
// Sorted by path; `index` is below the count.
struct cpage_file cpage_file_at(size_t index);

#endif
