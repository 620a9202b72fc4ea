// Written by scripts/page-files.sh, which is to be run when a file is added, renamed or taken away.
#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char script_app_pinpad_js[] = {
#embed "page/script/app/pinpad.js" suffix(, )
0};
static const unsigned char script_app_position_js[] = {
#embed "page/script/app/position.js" suffix(, )
0};
static const unsigned char script_app_profile_js[] = {
#embed "page/script/app/profile.js" suffix(, )
0};
static const unsigned char script_app_review_js[] = {
#embed "page/script/app/review.js" suffix(, )
0};
static const unsigned char script_app_review_calendar_js[] = {
#embed "page/script/app/review/calendar.js" suffix(, )
0};
static const unsigned char script_app_review_drafts_js[] = {
#embed "page/script/app/review/drafts.js" suffix(, )
0};
static const unsigned char script_app_review_facts_js[] = {
#embed "page/script/app/review/facts.js" suffix(, )
0};
static const unsigned char script_app_review_process_js[] = {
#embed "page/script/app/review/process.js" suffix(, )
0};
static const unsigned char script_app_review_words_js[] = {
#embed "page/script/app/review/words.js" suffix(, )
0};
static const unsigned char script_app_settings_js[] = {
#embed "page/script/app/settings.js" suffix(, )
0};
static const unsigned char script_app_settings_account_js[] = {
#embed "page/script/app/settings/account.js" suffix(, )
0};
static const unsigned char script_app_settings_erasure_js[] = {
#embed "page/script/app/settings/erasure.js" suffix(, )
0};
static const unsigned char script_app_settings_keychains_js[] = {
#embed "page/script/app/settings/keychains.js" suffix(, )
0};
static const unsigned char script_app_settings_pin_js[] = {
#embed "page/script/app/settings/pin.js" suffix(, )
0};
static const unsigned char script_app_settings_places_js[] = {
#embed "page/script/app/settings/places.js" suffix(, )
0};
static const unsigned char script_app_settings_reminders_js[] = {
#embed "page/script/app/settings/reminders.js" suffix(, )
0};
static const unsigned char script_app_setup_js[] = {
#embed "page/script/app/setup.js" suffix(, )
0};
static const unsigned char script_app_setup_account_js[] = {
#embed "page/script/app/setup/account.js" suffix(, )
0};
static const unsigned char script_app_setup_claim_js[] = {
#embed "page/script/app/setup/claim.js" suffix(, )
0};
static const unsigned char script_app_setup_finish_js[] = {
#embed "page/script/app/setup/finish.js" suffix(, )
0};
static const unsigned char script_app_setup_login_js[] = {
#embed "page/script/app/setup/login.js" suffix(, )
0};
static const unsigned char script_app_setup_owner_js[] = {
#embed "page/script/app/setup/owner.js" suffix(, )
0};
static const unsigned char script_app_setup_people_js[] = {
#embed "page/script/app/setup/people.js" suffix(, )
0};
static const unsigned char script_app_setup_pin_js[] = {
#embed "page/script/app/setup/pin.js" suffix(, )
0};
static const unsigned char script_app_setup_search_js[] = {
#embed "page/script/app/setup/search.js" suffix(, )
0};
static const unsigned char script_app_setup_standing_js[] = {
#embed "page/script/app/setup/standing.js" suffix(, )
0};
static const unsigned char script_app_setup_start_js[] = {
#embed "page/script/app/setup/start.js" suffix(, )
0};
static const unsigned char script_app_status_js[] = {
#embed "page/script/app/status.js" suffix(, )
0};
static const unsigned char script_app_status_banners_js[] = {
#embed "page/script/app/status/banners.js" suffix(, )
0};
static const unsigned char script_app_status_concerns_js[] = {
#embed "page/script/app/status/concerns.js" suffix(, )
0};
static const unsigned char script_app_status_glance_js[] = {
#embed "page/script/app/status/glance.js" suffix(, )
0};
static const unsigned char script_app_status_lines_js[] = {
#embed "page/script/app/status/lines.js" suffix(, )
0};
static const unsigned char script_app_status_logout_js[] = {
#embed "page/script/app/status/logout.js" suffix(, )
0};
static const unsigned char script_app_status_lookback_js[] = {
#embed "page/script/app/status/lookback.js" suffix(, )
0};
static const unsigned char script_app_status_protection_js[] = {
#embed "page/script/app/status/protection.js" suffix(, )
0};
static const unsigned char script_app_status_well_js[] = {
#embed "page/script/app/status/well.js" suffix(, )
0};
static const unsigned char script_app_unsaved_js[] = {
#embed "page/script/app/unsaved.js" suffix(, )
0};
static const unsigned char script_bench_js[] = {
#embed "page/script/bench.js" suffix(, )
0};
static const unsigned char script_bench_conformance_js[] = {
#embed "page/script/bench/conformance.js" suffix(, )
0};
static const unsigned char script_bench_devices_js[] = {
#embed "page/script/bench/devices.js" suffix(, )
0};
static const unsigned char script_bench_feed_js[] = {
#embed "page/script/bench/feed.js" suffix(, )
0};
static const unsigned char script_bench_folding_js[] = {
#embed "page/script/bench/folding.js" suffix(, )
0};
static const unsigned char script_bench_latency_js[] = {
#embed "page/script/bench/latency.js" suffix(, )
0};
static const unsigned char script_bench_latency_curves_js[] = {
#embed "page/script/bench/latency/curves.js" suffix(, )
0};
static const unsigned char script_bench_latency_drawing_js[] = {
#embed "page/script/bench/latency/drawing.js" suffix(, )
0};
static const unsigned char script_bench_latency_figures_js[] = {
#embed "page/script/bench/latency/figures.js" suffix(, )
0};
static const unsigned char script_bench_latency_histograms_js[] = {
#embed "page/script/bench/latency/histograms.js" suffix(, )
0};
static const unsigned char script_bench_latency_scale_js[] = {
#embed "page/script/bench/latency/scale.js" suffix(, )
0};
static const unsigned char script_bench_latency_stages_js[] = {
#embed "page/script/bench/latency/stages.js" suffix(, )
0};
static const unsigned char script_bench_latency_table_js[] = {
#embed "page/script/bench/latency/table.js" suffix(, )
0};
static const unsigned char script_bench_latency_waterfall_js[] = {
#embed "page/script/bench/latency/waterfall.js" suffix(, )
0};
static const unsigned char script_bench_often_js[] = {
#embed "page/script/bench/often.js" suffix(, )
0};
static const unsigned char script_bench_press_js[] = {
#embed "page/script/bench/press.js" suffix(, )
0};
static const unsigned char script_bench_telling_js[] = {
#embed "page/script/bench/telling.js" suffix(, )
0};
static const unsigned char script_bench_wire_js[] = {
#embed "page/script/bench/wire.js" suffix(, )
0};
static const unsigned char script_bench_wirelog_js[] = {
#embed "page/script/bench/wirelog.js" suffix(, )
0};
static const unsigned char script_clock_js[] = {
#embed "page/script/clock.js" suffix(, )
0};
static const unsigned char script_dom_js[] = {
#embed "page/script/dom.js" suffix(, )
0};
static const unsigned char script_download_js[] = {
#embed "page/script/download.js" suffix(, )
0};
static const unsigned char script_keychain_controls_js[] = {
#embed "page/script/keychain/controls.js" suffix(, )
0};
static const unsigned char script_keychain_drawing_js[] = {
#embed "page/script/keychain/drawing.js" suffix(, )
0};
static const unsigned char script_keychain_faults_js[] = {
#embed "page/script/keychain/faults.js" suffix(, )
0};
static const unsigned char script_keychain_finger_js[] = {
#embed "page/script/keychain/finger.js" suffix(, )
0};
static const unsigned char script_keychain_gps_js[] = {
#embed "page/script/keychain/gps.js" suffix(, )
0};
static const unsigned char script_keychain_hand_js[] = {
#embed "page/script/keychain/hand.js" suffix(, )
0};
static const unsigned char script_keychain_label_js[] = {
#embed "page/script/keychain/label.js" suffix(, )
0};
static const unsigned char script_keychain_lamp_js[] = {
#embed "page/script/keychain/lamp.js" suffix(, )
0};
static const unsigned char script_keychain_light_js[] = {
#embed "page/script/keychain/light.js" suffix(, )
0};
static const unsigned char script_keychain_sayings_js[] = {
#embed "page/script/keychain/sayings.js" suffix(, )
0};
static const unsigned char script_keychain_shown_js[] = {
#embed "page/script/keychain/shown.js" suffix(, )
0};
static const unsigned char script_language_js[] = {
#embed "page/script/language.js" suffix(, )
0};
static const unsigned char script_main_js[] = {
#embed "page/script/main.js" suffix(, )
0};
static const unsigned char script_map_js[] = {
#embed "page/script/map.js" suffix(, )
0};
static const unsigned char script_model_js[] = {
#embed "page/script/model.js" suffix(, )
0};
static const unsigned char script_session_js[] = {
#embed "page/script/session.js" suffix(, )
0};
static const unsigned char script_stream_js[] = {
#embed "page/script/stream.js" suffix(, )
0};
static const unsigned char script_texts_js[] = {
#embed "page/script/texts.js" suffix(, )
0};
static const unsigned char script_texts_de_alarm_js[] = {
#embed "page/script/texts/de/alarm.js" suffix(, )
0};
static const unsigned char script_texts_de_app_js[] = {
#embed "page/script/texts/de/app.js" suffix(, )
0};
static const unsigned char script_texts_de_bench_js[] = {
#embed "page/script/texts/de/bench.js" suffix(, )
0};

#define FILE(path, bytes) {path, bytes, sizeof bytes - 1}
const struct cpage_file cpage_part_2[] = {
  FILE("script/app/pinpad.js", script_app_pinpad_js),
  FILE("script/app/position.js", script_app_position_js),
  FILE("script/app/profile.js", script_app_profile_js),
  FILE("script/app/review.js", script_app_review_js),
  FILE("script/app/review/calendar.js", script_app_review_calendar_js),
  FILE("script/app/review/drafts.js", script_app_review_drafts_js),
  FILE("script/app/review/facts.js", script_app_review_facts_js),
  FILE("script/app/review/process.js", script_app_review_process_js),
  FILE("script/app/review/words.js", script_app_review_words_js),
  FILE("script/app/settings.js", script_app_settings_js),
  FILE("script/app/settings/account.js", script_app_settings_account_js),
  FILE("script/app/settings/erasure.js", script_app_settings_erasure_js),
  FILE("script/app/settings/keychains.js", script_app_settings_keychains_js),
  FILE("script/app/settings/pin.js", script_app_settings_pin_js),
  FILE("script/app/settings/places.js", script_app_settings_places_js),
  FILE("script/app/settings/reminders.js", script_app_settings_reminders_js),
  FILE("script/app/setup.js", script_app_setup_js),
  FILE("script/app/setup/account.js", script_app_setup_account_js),
  FILE("script/app/setup/claim.js", script_app_setup_claim_js),
  FILE("script/app/setup/finish.js", script_app_setup_finish_js),
  FILE("script/app/setup/login.js", script_app_setup_login_js),
  FILE("script/app/setup/owner.js", script_app_setup_owner_js),
  FILE("script/app/setup/people.js", script_app_setup_people_js),
  FILE("script/app/setup/pin.js", script_app_setup_pin_js),
  FILE("script/app/setup/search.js", script_app_setup_search_js),
  FILE("script/app/setup/standing.js", script_app_setup_standing_js),
  FILE("script/app/setup/start.js", script_app_setup_start_js),
  FILE("script/app/status.js", script_app_status_js),
  FILE("script/app/status/banners.js", script_app_status_banners_js),
  FILE("script/app/status/concerns.js", script_app_status_concerns_js),
  FILE("script/app/status/glance.js", script_app_status_glance_js),
  FILE("script/app/status/lines.js", script_app_status_lines_js),
  FILE("script/app/status/logout.js", script_app_status_logout_js),
  FILE("script/app/status/lookback.js", script_app_status_lookback_js),
  FILE("script/app/status/protection.js", script_app_status_protection_js),
  FILE("script/app/status/well.js", script_app_status_well_js),
  FILE("script/app/unsaved.js", script_app_unsaved_js),
  FILE("script/bench.js", script_bench_js),
  FILE("script/bench/conformance.js", script_bench_conformance_js),
  FILE("script/bench/devices.js", script_bench_devices_js),
  FILE("script/bench/feed.js", script_bench_feed_js),
  FILE("script/bench/folding.js", script_bench_folding_js),
  FILE("script/bench/latency.js", script_bench_latency_js),
  FILE("script/bench/latency/curves.js", script_bench_latency_curves_js),
  FILE("script/bench/latency/drawing.js", script_bench_latency_drawing_js),
  FILE("script/bench/latency/figures.js", script_bench_latency_figures_js),
  FILE("script/bench/latency/histograms.js", script_bench_latency_histograms_js),
  FILE("script/bench/latency/scale.js", script_bench_latency_scale_js),
  FILE("script/bench/latency/stages.js", script_bench_latency_stages_js),
  FILE("script/bench/latency/table.js", script_bench_latency_table_js),
  FILE("script/bench/latency/waterfall.js", script_bench_latency_waterfall_js),
  FILE("script/bench/often.js", script_bench_often_js),
  FILE("script/bench/press.js", script_bench_press_js),
  FILE("script/bench/telling.js", script_bench_telling_js),
  FILE("script/bench/wire.js", script_bench_wire_js),
  FILE("script/bench/wirelog.js", script_bench_wirelog_js),
  FILE("script/clock.js", script_clock_js),
  FILE("script/dom.js", script_dom_js),
  FILE("script/download.js", script_download_js),
  FILE("script/keychain/controls.js", script_keychain_controls_js),
  FILE("script/keychain/drawing.js", script_keychain_drawing_js),
  FILE("script/keychain/faults.js", script_keychain_faults_js),
  FILE("script/keychain/finger.js", script_keychain_finger_js),
  FILE("script/keychain/gps.js", script_keychain_gps_js),
  FILE("script/keychain/hand.js", script_keychain_hand_js),
  FILE("script/keychain/label.js", script_keychain_label_js),
  FILE("script/keychain/lamp.js", script_keychain_lamp_js),
  FILE("script/keychain/light.js", script_keychain_light_js),
  FILE("script/keychain/sayings.js", script_keychain_sayings_js),
  FILE("script/keychain/shown.js", script_keychain_shown_js),
  FILE("script/language.js", script_language_js),
  FILE("script/main.js", script_main_js),
  FILE("script/map.js", script_map_js),
  FILE("script/model.js", script_model_js),
  FILE("script/session.js", script_session_js),
  FILE("script/stream.js", script_stream_js),
  FILE("script/texts.js", script_texts_js),
  FILE("script/texts/de/alarm.js", script_texts_de_alarm_js),
  FILE("script/texts/de/app.js", script_texts_de_app_js),
  FILE("script/texts/de/bench.js", script_texts_de_bench_js),
};
