#!/usr/bin/env bash
# Lists every file of the page in Sources/CPage/files.c, which embeds them: to be run after a file
# of Sources/CPage/page was added, renamed or taken away. What is in a file is read by each build.
set -euo pipefail
cd "$(dirname "$0")/../Sources/CPage"

export LC_ALL=C
mapfile -t files < <(cd page && find . -type f -printf '%P\n' | sort)
{
  cat <<'END'
// Written by scripts/page-files.sh, which is to be run when a file is added, renamed or taken away.
#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

END
  # A byte more than the file has, since an array cannot be empty, and an empty file can.
  for file in "${files[@]}"; do
    printf 'static const unsigned char %s[] = {\n' "${file//[^a-z0-9]/_}"
    printf '#embed "page/%s" suffix(, )\n0};\n' "$file"
  done
  printf '\n#define FILE(path, bytes) {path, bytes, sizeof bytes - 1}\n'
  printf 'static const struct cpage_file files[] = {\n'
  for file in "${files[@]}"; do
    name=${file//[^a-z0-9]/_}
    printf '  FILE("%s", %s),\n' "$file" "$name"
  done
  cat <<'END'
};

size_t cpage_file_count(void) { return sizeof files / sizeof files[0]; }
struct cpage_file cpage_file_at(size_t index) { return files[index]; }
END
} >files.c.new
mv files.c.new files.c
