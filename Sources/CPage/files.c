// Written by scripts/page-files.sh, which is to be run when a file is added, renamed or taken away.
#include "CPage.h"

extern const struct cpage_file cpage_part_1[];
extern const struct cpage_file cpage_part_2[];
extern const struct cpage_file cpage_part_3[];

enum { most = 80, all = 239 };
static const struct cpage_file *const parts[] = {
  cpage_part_1,
  cpage_part_2,
  cpage_part_3,
};

size_t cpage_file_count(void) { return all; }
struct cpage_file cpage_file_at(size_t index) { return parts[index / most][index % most]; }
