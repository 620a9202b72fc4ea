#include "CBench.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { FORMS = 32 };

// One statement as it ran: which form of SQL, and a range of the values bound to it.
typedef struct {
  int form;
  int first, count;
} step;

typedef struct {
  int type;
  int64_t number;
  char *bytes;
  int size;
} value;

struct bench_rows {
  char *forms[FORMS];
  int form_count;
  step *steps;
  int step_count, step_room;
  value *values;
  int value_count, value_room;
  bool whole;
};

static bench_rows *recording;

static bool grow(void **list, int count, int *room, size_t size) {
  if (count < *room) return true;
  int wanted = *room ? 2 * *room : 1024;
  void *larger = realloc(*list, (size_t)wanted * size);
  if (!larger) return false;
  *list = larger;
  *room = wanted;
  return true;
}

static value *add_value(bench_rows *rows) {
  if (!grow((void **)&rows->values, rows->value_count, &rows->value_room, sizeof(value)))
    return NULL;
  value *added = &rows->values[rows->value_count++];
  memset(added, 0, sizeof *added);
  return added;
}

static int nibble(char digit) { return digit <= '9' ? digit - '0' : (digit | 32) - 'a' + 10; }

// Reads one SQL literal, as sqlite3_expanded_sql writes it. Returns what stands behind it.
static const char *read_literal(bench_rows *rows, const char *text) {
  value *read = add_value(rows);
  if (!read) return NULL;
  if (!strncmp(text, "NULL", 4)) {
    read->type = SQLITE_NULL;
    return text + 4;
  }
  if (*text == '\'') {
    read->type = SQLITE_TEXT;
    read->bytes = malloc(strlen(text));
    if (!read->bytes) return NULL;
    for (text++; *text != '\'' || *++text == '\''; text++) read->bytes[read->size++] = *text;
    return text;
  }
  if (*text == 'x' && text[1] == '\'') {
    read->type = SQLITE_BLOB;
    read->bytes = malloc(strlen(text));
    if (!read->bytes) return NULL;
    for (text += 2; *text != '\''; text += 2)
      read->bytes[read->size++] = (char)(nibble(text[0]) << 4 | nibble(text[1]));
    return text + 1;
  }
  read->type = SQLITE_INTEGER;
  char *end;
  read->number = strtoll(text, &end, 10);
  return end;
}

static int form_of(bench_rows *rows, const char *sql) {
  for (int i = 0; i < rows->form_count; i++)
    if (!strcmp(rows->forms[i], sql)) return i;
  if (rows->form_count == FORMS) return -1;
  rows->forms[rows->form_count] = strdup(sql);
  return rows->form_count++;
}

static bool starts(const char *sql, const char *word) {
  return !sqlite3_strnicmp(sql, word, (int)strlen(word));
}

static bool add_step(bench_rows *rows, sqlite3_stmt *statement) {
  const char *form = sqlite3_sql(statement);
  if (!starts(form, "INSERT") && !starts(form, "UPDATE") && !starts(form, "DELETE") &&
      !starts(form, "BEGIN") && !starts(form, "COMMIT"))
    return true;
  char *expanded = sqlite3_expanded_sql(statement);
  if (!expanded || !grow((void **)&rows->steps, rows->step_count, &rows->step_room, sizeof(step)))
    return false;
  step *added = &rows->steps[rows->step_count++];
  *added = (step){form_of(rows, form), rows->value_count, 0};
  const char *text = expanded;
  for (const char *mark = form; *mark && text; mark++) {
    if (*mark == '?') {
      text = read_literal(rows, text);
      added->count++;
    } else {
      text++;
    }
  }
  sqlite3_free(expanded);
  return text && added->form >= 0;
}

static int traced(unsigned what, void *context, void *statement, void *sql) {
  (void)what, (void)context;
  // Triggers and comments have no statement of their own.
  if (recording && !starts(sql, "--"))
    recording->whole = add_step(recording, statement) && recording->whole;
  return 0;
}

static int opened(sqlite3 *database, const char **error, const void *api) {
  (void)error, (void)api;
  return sqlite3_trace_v2(database, SQLITE_TRACE_STMT, traced, NULL);
}

bench_rows *bench_rows_trace(void) {
  sqlite3_auto_extension((void (*)(void))opened);
  return calloc(1, sizeof(bench_rows));
}

void bench_rows_record(bench_rows *rows) {
  rows->whole = true;
  recording = rows;
}

bool bench_rows_stop(bench_rows *rows) {
  recording = NULL;
  sqlite3_cancel_auto_extension((void (*)(void))opened);
  return rows->whole;
}

size_t bench_rows_count(const bench_rows *rows) {
  size_t count = 0;
  for (int i = 0; i < rows->step_count; i++) count += rows->steps[i].count > 0;
  return count;
}

void bench_rows_free(bench_rows *rows) {
  for (int i = 0; i < rows->form_count; i++) free(rows->forms[i]);
  for (int i = 0; i < rows->value_count; i++) free(rows->values[i].bytes);
  free(rows->steps);
  free(rows->values);
  free(rows);
}

static bool run(sqlite3_stmt *statement, const value *values, int count) {
  for (int i = 0; i < count; i++) {
    const value *bound = &values[i];
    switch (bound->type) {
      case SQLITE_INTEGER: sqlite3_bind_int64(statement, i + 1, bound->number); break;
      case SQLITE_TEXT:
        sqlite3_bind_text(statement, i + 1, bound->bytes, bound->size, SQLITE_STATIC);
        break;
      case SQLITE_BLOB:
        sqlite3_bind_blob(statement, i + 1, bound->bytes, bound->size, SQLITE_STATIC);
        break;
      default: sqlite3_bind_null(statement, i + 1);
    }
  }
  bool done = sqlite3_step(statement) == SQLITE_DONE;
  return sqlite3_reset(statement) == SQLITE_OK && done;
}

uint64_t bench_rows_write(const bench_rows *rows, const char *path) {
  sqlite3 *database;
  sqlite3_stmt *forms[FORMS] = {0};
  bool done = sqlite3_open(path, &database) == SQLITE_OK &&
              sqlite3_exec(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", NULL,
                           NULL, NULL) == SQLITE_OK;
  for (int i = 0; i < rows->form_count && done; i++)
    done = sqlite3_prepare_v3(database, rows->forms[i], -1, SQLITE_PREPARE_PERSISTENT, &forms[i],
                              NULL) == SQLITE_OK;
  uint64_t begun = bench_monotonic();
  for (int i = 0; i < rows->step_count && done; i++) {
    const step *next = &rows->steps[i];
    done = run(forms[next->form], rows->values + next->first, next->count);
  }
  uint64_t took = bench_monotonic() - begun;
  for (int i = 0; i < rows->form_count; i++) sqlite3_finalize(forms[i]);
  sqlite3_close(database);
  return done ? took : 0;
}
