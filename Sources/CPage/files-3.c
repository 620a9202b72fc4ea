// Written by scripts/page-files.sh, which is to be run when a file is added, renamed or taken away.
#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char script_texts_de_calm_js[] = {
#embed "page/script/texts/de/calm.js" suffix(, )
0};
static const unsigned char script_texts_de_checkins_js[] = {
#embed "page/script/texts/de/checkins.js" suffix(, )
0};
static const unsigned char script_texts_de_conformance_js[] = {
#embed "page/script/texts/de/conformance.js" suffix(, )
0};
static const unsigned char script_texts_de_daily_js[] = {
#embed "page/script/texts/de/daily.js" suffix(, )
0};
static const unsigned char script_texts_de_guide_js[] = {
#embed "page/script/texts/de/guide.js" suffix(, )
0};
static const unsigned char script_texts_de_history_js[] = {
#embed "page/script/texts/de/history.js" suffix(, )
0};
static const unsigned char script_texts_de_keychain_js[] = {
#embed "page/script/texts/de/keychain.js" suffix(, )
0};
static const unsigned char script_texts_de_latency_js[] = {
#embed "page/script/texts/de/latency.js" suffix(, )
0};
static const unsigned char script_texts_de_log_js[] = {
#embed "page/script/texts/de/log.js" suffix(, )
0};
static const unsigned char script_texts_de_people_js[] = {
#embed "page/script/texts/de/people.js" suffix(, )
0};
static const unsigned char script_texts_de_problems_js[] = {
#embed "page/script/texts/de/problems.js" suffix(, )
0};
static const unsigned char script_texts_de_review_js[] = {
#embed "page/script/texts/de/review.js" suffix(, )
0};
static const unsigned char script_texts_de_settings_js[] = {
#embed "page/script/texts/de/settings.js" suffix(, )
0};
static const unsigned char script_texts_de_setup_js[] = {
#embed "page/script/texts/de/setup.js" suffix(, )
0};
static const unsigned char script_texts_de_status_js[] = {
#embed "page/script/texts/de/status.js" suffix(, )
0};
static const unsigned char script_texts_en_alarm_js[] = {
#embed "page/script/texts/en/alarm.js" suffix(, )
0};
static const unsigned char script_texts_en_app_js[] = {
#embed "page/script/texts/en/app.js" suffix(, )
0};
static const unsigned char script_texts_en_bench_js[] = {
#embed "page/script/texts/en/bench.js" suffix(, )
0};
static const unsigned char script_texts_en_calm_js[] = {
#embed "page/script/texts/en/calm.js" suffix(, )
0};
static const unsigned char script_texts_en_checkins_js[] = {
#embed "page/script/texts/en/checkins.js" suffix(, )
0};
static const unsigned char script_texts_en_conformance_js[] = {
#embed "page/script/texts/en/conformance.js" suffix(, )
0};
static const unsigned char script_texts_en_daily_js[] = {
#embed "page/script/texts/en/daily.js" suffix(, )
0};
static const unsigned char script_texts_en_guide_js[] = {
#embed "page/script/texts/en/guide.js" suffix(, )
0};
static const unsigned char script_texts_en_history_js[] = {
#embed "page/script/texts/en/history.js" suffix(, )
0};
static const unsigned char script_texts_en_keychain_js[] = {
#embed "page/script/texts/en/keychain.js" suffix(, )
0};
static const unsigned char script_texts_en_latency_js[] = {
#embed "page/script/texts/en/latency.js" suffix(, )
0};
static const unsigned char script_texts_en_log_js[] = {
#embed "page/script/texts/en/log.js" suffix(, )
0};
static const unsigned char script_texts_en_people_js[] = {
#embed "page/script/texts/en/people.js" suffix(, )
0};
static const unsigned char script_texts_en_problems_js[] = {
#embed "page/script/texts/en/problems.js" suffix(, )
0};
static const unsigned char script_texts_en_review_js[] = {
#embed "page/script/texts/en/review.js" suffix(, )
0};
static const unsigned char script_texts_en_settings_js[] = {
#embed "page/script/texts/en/settings.js" suffix(, )
0};
static const unsigned char script_texts_en_setup_js[] = {
#embed "page/script/texts/en/setup.js" suffix(, )
0};
static const unsigned char script_texts_en_status_js[] = {
#embed "page/script/texts/en/status.js" suffix(, )
0};
static const unsigned char script_texts_es_alarm_js[] = {
#embed "page/script/texts/es/alarm.js" suffix(, )
0};
static const unsigned char script_texts_es_app_js[] = {
#embed "page/script/texts/es/app.js" suffix(, )
0};
static const unsigned char script_texts_es_bench_js[] = {
#embed "page/script/texts/es/bench.js" suffix(, )
0};
static const unsigned char script_texts_es_calm_js[] = {
#embed "page/script/texts/es/calm.js" suffix(, )
0};
static const unsigned char script_texts_es_checkins_js[] = {
#embed "page/script/texts/es/checkins.js" suffix(, )
0};
static const unsigned char script_texts_es_conformance_js[] = {
#embed "page/script/texts/es/conformance.js" suffix(, )
0};
static const unsigned char script_texts_es_daily_js[] = {
#embed "page/script/texts/es/daily.js" suffix(, )
0};
static const unsigned char script_texts_es_guide_js[] = {
#embed "page/script/texts/es/guide.js" suffix(, )
0};
static const unsigned char script_texts_es_history_js[] = {
#embed "page/script/texts/es/history.js" suffix(, )
0};
static const unsigned char script_texts_es_keychain_js[] = {
#embed "page/script/texts/es/keychain.js" suffix(, )
0};
static const unsigned char script_texts_es_latency_js[] = {
#embed "page/script/texts/es/latency.js" suffix(, )
0};
static const unsigned char script_texts_es_log_js[] = {
#embed "page/script/texts/es/log.js" suffix(, )
0};
static const unsigned char script_texts_es_people_js[] = {
#embed "page/script/texts/es/people.js" suffix(, )
0};
static const unsigned char script_texts_es_problems_js[] = {
#embed "page/script/texts/es/problems.js" suffix(, )
0};
static const unsigned char script_texts_es_review_js[] = {
#embed "page/script/texts/es/review.js" suffix(, )
0};
static const unsigned char script_texts_es_settings_js[] = {
#embed "page/script/texts/es/settings.js" suffix(, )
0};
static const unsigned char script_texts_es_setup_js[] = {
#embed "page/script/texts/es/setup.js" suffix(, )
0};
static const unsigned char script_texts_es_status_js[] = {
#embed "page/script/texts/es/status.js" suffix(, )
0};
static const unsigned char script_texts_fr_alarm_js[] = {
#embed "page/script/texts/fr/alarm.js" suffix(, )
0};
static const unsigned char script_texts_fr_app_js[] = {
#embed "page/script/texts/fr/app.js" suffix(, )
0};
static const unsigned char script_texts_fr_bench_js[] = {
#embed "page/script/texts/fr/bench.js" suffix(, )
0};
static const unsigned char script_texts_fr_calm_js[] = {
#embed "page/script/texts/fr/calm.js" suffix(, )
0};
static const unsigned char script_texts_fr_checkins_js[] = {
#embed "page/script/texts/fr/checkins.js" suffix(, )
0};
static const unsigned char script_texts_fr_conformance_js[] = {
#embed "page/script/texts/fr/conformance.js" suffix(, )
0};
static const unsigned char script_texts_fr_daily_js[] = {
#embed "page/script/texts/fr/daily.js" suffix(, )
0};
static const unsigned char script_texts_fr_guide_js[] = {
#embed "page/script/texts/fr/guide.js" suffix(, )
0};
static const unsigned char script_texts_fr_history_js[] = {
#embed "page/script/texts/fr/history.js" suffix(, )
0};
static const unsigned char script_texts_fr_keychain_js[] = {
#embed "page/script/texts/fr/keychain.js" suffix(, )
0};
static const unsigned char script_texts_fr_latency_js[] = {
#embed "page/script/texts/fr/latency.js" suffix(, )
0};
static const unsigned char script_texts_fr_log_js[] = {
#embed "page/script/texts/fr/log.js" suffix(, )
0};
static const unsigned char script_texts_fr_people_js[] = {
#embed "page/script/texts/fr/people.js" suffix(, )
0};
static const unsigned char script_texts_fr_problems_js[] = {
#embed "page/script/texts/fr/problems.js" suffix(, )
0};
static const unsigned char script_texts_fr_review_js[] = {
#embed "page/script/texts/fr/review.js" suffix(, )
0};
static const unsigned char script_texts_fr_settings_js[] = {
#embed "page/script/texts/fr/settings.js" suffix(, )
0};
static const unsigned char script_texts_fr_setup_js[] = {
#embed "page/script/texts/fr/setup.js" suffix(, )
0};
static const unsigned char script_texts_fr_status_js[] = {
#embed "page/script/texts/fr/status.js" suffix(, )
0};
static const unsigned char style_alarm_css[] = {
#embed "page/style/alarm.css" suffix(, )
0};
static const unsigned char style_app_css[] = {
#embed "page/style/app.css" suffix(, )
0};
static const unsigned char style_base_css[] = {
#embed "page/style/base.css" suffix(, )
0};
static const unsigned char style_bench_latency_css[] = {
#embed "page/style/bench-latency.css" suffix(, )
0};
static const unsigned char style_bench_css[] = {
#embed "page/style/bench.css" suffix(, )
0};
static const unsigned char style_check_ins_css[] = {
#embed "page/style/check-ins.css" suffix(, )
0};
static const unsigned char style_keychain_css[] = {
#embed "page/style/keychain.css" suffix(, )
0};
static const unsigned char style_owner_css[] = {
#embed "page/style/owner.css" suffix(, )
0};
static const unsigned char style_records_css[] = {
#embed "page/style/records.css" suffix(, )
0};
static const unsigned char style_review_css[] = {
#embed "page/style/review.css" suffix(, )
0};

#define FILE(path, bytes) {path, bytes, sizeof bytes - 1}
const struct cpage_file cpage_part_3[] = {
  FILE("script/texts/de/calm.js", script_texts_de_calm_js),
  FILE("script/texts/de/checkins.js", script_texts_de_checkins_js),
  FILE("script/texts/de/conformance.js", script_texts_de_conformance_js),
  FILE("script/texts/de/daily.js", script_texts_de_daily_js),
  FILE("script/texts/de/guide.js", script_texts_de_guide_js),
  FILE("script/texts/de/history.js", script_texts_de_history_js),
  FILE("script/texts/de/keychain.js", script_texts_de_keychain_js),
  FILE("script/texts/de/latency.js", script_texts_de_latency_js),
  FILE("script/texts/de/log.js", script_texts_de_log_js),
  FILE("script/texts/de/people.js", script_texts_de_people_js),
  FILE("script/texts/de/problems.js", script_texts_de_problems_js),
  FILE("script/texts/de/review.js", script_texts_de_review_js),
  FILE("script/texts/de/settings.js", script_texts_de_settings_js),
  FILE("script/texts/de/setup.js", script_texts_de_setup_js),
  FILE("script/texts/de/status.js", script_texts_de_status_js),
  FILE("script/texts/en/alarm.js", script_texts_en_alarm_js),
  FILE("script/texts/en/app.js", script_texts_en_app_js),
  FILE("script/texts/en/bench.js", script_texts_en_bench_js),
  FILE("script/texts/en/calm.js", script_texts_en_calm_js),
  FILE("script/texts/en/checkins.js", script_texts_en_checkins_js),
  FILE("script/texts/en/conformance.js", script_texts_en_conformance_js),
  FILE("script/texts/en/daily.js", script_texts_en_daily_js),
  FILE("script/texts/en/guide.js", script_texts_en_guide_js),
  FILE("script/texts/en/history.js", script_texts_en_history_js),
  FILE("script/texts/en/keychain.js", script_texts_en_keychain_js),
  FILE("script/texts/en/latency.js", script_texts_en_latency_js),
  FILE("script/texts/en/log.js", script_texts_en_log_js),
  FILE("script/texts/en/people.js", script_texts_en_people_js),
  FILE("script/texts/en/problems.js", script_texts_en_problems_js),
  FILE("script/texts/en/review.js", script_texts_en_review_js),
  FILE("script/texts/en/settings.js", script_texts_en_settings_js),
  FILE("script/texts/en/setup.js", script_texts_en_setup_js),
  FILE("script/texts/en/status.js", script_texts_en_status_js),
  FILE("script/texts/es/alarm.js", script_texts_es_alarm_js),
  FILE("script/texts/es/app.js", script_texts_es_app_js),
  FILE("script/texts/es/bench.js", script_texts_es_bench_js),
  FILE("script/texts/es/calm.js", script_texts_es_calm_js),
  FILE("script/texts/es/checkins.js", script_texts_es_checkins_js),
  FILE("script/texts/es/conformance.js", script_texts_es_conformance_js),
  FILE("script/texts/es/daily.js", script_texts_es_daily_js),
  FILE("script/texts/es/guide.js", script_texts_es_guide_js),
  FILE("script/texts/es/history.js", script_texts_es_history_js),
  FILE("script/texts/es/keychain.js", script_texts_es_keychain_js),
  FILE("script/texts/es/latency.js", script_texts_es_latency_js),
  FILE("script/texts/es/log.js", script_texts_es_log_js),
  FILE("script/texts/es/people.js", script_texts_es_people_js),
  FILE("script/texts/es/problems.js", script_texts_es_problems_js),
  FILE("script/texts/es/review.js", script_texts_es_review_js),
  FILE("script/texts/es/settings.js", script_texts_es_settings_js),
  FILE("script/texts/es/setup.js", script_texts_es_setup_js),
  FILE("script/texts/es/status.js", script_texts_es_status_js),
  FILE("script/texts/fr/alarm.js", script_texts_fr_alarm_js),
  FILE("script/texts/fr/app.js", script_texts_fr_app_js),
  FILE("script/texts/fr/bench.js", script_texts_fr_bench_js),
  FILE("script/texts/fr/calm.js", script_texts_fr_calm_js),
  FILE("script/texts/fr/checkins.js", script_texts_fr_checkins_js),
  FILE("script/texts/fr/conformance.js", script_texts_fr_conformance_js),
  FILE("script/texts/fr/daily.js", script_texts_fr_daily_js),
  FILE("script/texts/fr/guide.js", script_texts_fr_guide_js),
  FILE("script/texts/fr/history.js", script_texts_fr_history_js),
  FILE("script/texts/fr/keychain.js", script_texts_fr_keychain_js),
  FILE("script/texts/fr/latency.js", script_texts_fr_latency_js),
  FILE("script/texts/fr/log.js", script_texts_fr_log_js),
  FILE("script/texts/fr/people.js", script_texts_fr_people_js),
  FILE("script/texts/fr/problems.js", script_texts_fr_problems_js),
  FILE("script/texts/fr/review.js", script_texts_fr_review_js),
  FILE("script/texts/fr/settings.js", script_texts_fr_settings_js),
  FILE("script/texts/fr/setup.js", script_texts_fr_setup_js),
  FILE("script/texts/fr/status.js", script_texts_fr_status_js),
  FILE("style/alarm.css", style_alarm_css),
  FILE("style/app.css", style_app_css),
  FILE("style/base.css", style_base_css),
  FILE("style/bench-latency.css", style_bench_latency_css),
  FILE("style/bench.css", style_bench_css),
  FILE("style/check-ins.css", style_check_ins_css),
  FILE("style/keychain.css", style_keychain_css),
  FILE("style/owner.css", style_owner_css),
  FILE("style/records.css", style_records_css),
  FILE("style/review.css", style_review_css),
};
