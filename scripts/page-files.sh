#!/usr/bin/env bash
# Lists every file of the page in Sources/CPage/files*.c, which embed them: to be run after a file
# of Sources/CPage/page was added, renamed or taken away. What is in a file is read by each build.
set -euo pipefail
cd "$(dirname "$0")/../Sources/CPage"

export LC_ALL=C
# Of one part, so that each can be read in one sitting.
most=80
mapfile -t files < <(cd page && find . -type f -printf '%P\n' | sort)
parts=$(((${#files[@]} + most - 1) / most))
rm -f files-*.c

top() {
  cat <<'END'
// Written by scripts/page-files.sh, which is to be run when a file is added, renamed or taken away.
#include "CPage.h"

END
}

# The files of part $1, sorted by path.
part() {
  local file name some=("${files[@]:$((($1 - 1) * most)):most}")
  top
  printf '#pragma clang diagnostic ignored "-Wc23-extensions"\n\n'
  # A byte more than the file has, since an array cannot be empty, and an empty file can.
  for file in "${some[@]}"; do
    printf 'static const unsigned char %s[] = {\n' "${file//[^a-z0-9]/_}"
    printf '#embed "page/%s" suffix(, )\n0};\n' "$file"
  done
  printf '\n#define FILE(path, bytes) {path, bytes, sizeof bytes - 1}\n'
  printf 'const struct cpage_file cpage_part_%d[] = {\n' "$1"
  for file in "${some[@]}"; do
    name=${file//[^a-z0-9]/_}
    printf '  FILE("%s", %s),\n' "$file" "$name"
  done
  printf '};\n'
}

for ((at = 1; at <= parts; at++)); do part "$at" >"files-$at.c"; done
{
  top
  for ((at = 1; at <= parts; at++)); do
    printf 'extern const struct cpage_file cpage_part_%d[];\n' "$at"
  done
  printf '\nenum { most = %d, all = %d };\n' "$most" "${#files[@]}"
  printf 'static const struct cpage_file *const parts[] = {\n'
  for ((at = 1; at <= parts; at++)); do printf '  cpage_part_%d,\n' "$at"; done
  cat <<'END'
};

size_t cpage_file_count(void) { return all; }
struct cpage_file cpage_file_at(size_t index) { return parts[index / most][index % most]; }
END
} >files.c
