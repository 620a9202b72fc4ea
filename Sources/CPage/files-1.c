// Written by scripts/page-files.sh, which is to be run when a file is added, renamed or taken away.
#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char bench_html[] = {
#embed "page/bench.html" suffix(, )
0};
static const unsigned char icon_alarm_svg[] = {
#embed "page/icon-alarm.svg" suffix(, )
0};
static const unsigned char icon_svg[] = {
#embed "page/icon.svg" suffix(, )
0};
static const unsigned char index_html[] = {
#embed "page/index.html" suffix(, )
0};
static const unsigned char script_api_js[] = {
#embed "page/script/api.js" suffix(, )
0};
static const unsigned char script_app_alarm_js[] = {
#embed "page/script/app/alarm.js" suffix(, )
0};
static const unsigned char script_app_alarm_acts_js[] = {
#embed "page/script/app/alarm/acts.js" suffix(, )
0};
static const unsigned char script_app_alarm_awake_js[] = {
#embed "page/script/app/alarm/awake.js" suffix(, )
0};
static const unsigned char script_app_alarm_countdown_js[] = {
#embed "page/script/app/alarm/countdown.js" suffix(, )
0};
static const unsigned char script_app_alarm_ended_js[] = {
#embed "page/script/app/alarm/ended.js" suffix(, )
0};
static const unsigned char script_app_alarm_feed_js[] = {
#embed "page/script/app/alarm/feed.js" suffix(, )
0};
static const unsigned char script_app_alarm_people_js[] = {
#embed "page/script/app/alarm/people.js" suffix(, )
0};
static const unsigned char script_app_alarm_survey_js[] = {
#embed "page/script/app/alarm/survey.js" suffix(, )
0};
static const unsigned char script_app_alarm_whereabouts_js[] = {
#embed "page/script/app/alarm/whereabouts.js" suffix(, )
0};
static const unsigned char script_app_contacts_js[] = {
#embed "page/script/app/contacts.js" suffix(, )
0};
static const unsigned char script_app_contacts_editor_js[] = {
#embed "page/script/app/contacts/editor.js" suffix(, )
0};
static const unsigned char script_app_contacts_importer_js[] = {
#embed "page/script/app/contacts/importer.js" suffix(, )
0};
static const unsigned char script_app_contacts_list_js[] = {
#embed "page/script/app/contacts/list.js" suffix(, )
0};
static const unsigned char script_app_contacts_picker_js[] = {
#embed "page/script/app/contacts/picker.js" suffix(, )
0};
static const unsigned char script_app_emergency_js[] = {
#embed "page/script/app/emergency.js" suffix(, )
0};
static const unsigned char script_app_forgot_js[] = {
#embed "page/script/app/forgot.js" suffix(, )
0};
static const unsigned char script_app_forms_js[] = {
#embed "page/script/app/forms.js" suffix(, )
0};
static const unsigned char script_app_history_js[] = {
#embed "page/script/app/history.js" suffix(, )
0};
static const unsigned char script_app_history_attempts_js[] = {
#embed "page/script/app/history/attempts.js" suffix(, )
0};
static const unsigned char script_app_history_filters_js[] = {
#embed "page/script/app/history/filters.js" suffix(, )
0};
static const unsigned char script_app_history_incident_js[] = {
#embed "page/script/app/history/incident.js" suffix(, )
0};
static const unsigned char script_app_history_log_js[] = {
#embed "page/script/app/history/log.js" suffix(, )
0};
static const unsigned char script_app_history_names_js[] = {
#embed "page/script/app/history/names.js" suffix(, )
0};
static const unsigned char script_app_history_outcome_js[] = {
#embed "page/script/app/history/outcome.js" suffix(, )
0};
static const unsigned char script_app_history_rows_js[] = {
#embed "page/script/app/history/rows.js" suffix(, )
0};
static const unsigned char script_app_lack_js[] = {
#embed "page/script/app/lack.js" suffix(, )
0};
static const unsigned char script_app_login_js[] = {
#embed "page/script/app/login.js" suffix(, )
0};
static const unsigned char script_app_login_email_js[] = {
#embed "page/script/app/login/email.js" suffix(, )
0};
static const unsigned char script_app_notify_js[] = {
#embed "page/script/app/notify.js" suffix(, )
0};
static const unsigned char script_app_pin_js[] = {
#embed "page/script/app/pin.js" suffix(, )
0};
static const unsigned char script_app_pinpad_js[] = {
#embed "page/script/app/pinpad.js" suffix(, )
0};
static const unsigned char script_app_position_js[] = {
#embed "page/script/app/position.js" suffix(, )
0};
static const unsigned char script_app_profile_js[] = {
#embed "page/script/app/profile.js" suffix(, )
0};
static const unsigned char script_app_settings_js[] = {
#embed "page/script/app/settings.js" suffix(, )
0};
static const unsigned char script_app_settings_account_js[] = {
#embed "page/script/app/settings/account.js" suffix(, )
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
static const unsigned char script_app_speak_js[] = {
#embed "page/script/app/speak.js" suffix(, )
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
static const unsigned char script_app_status_protection_js[] = {
#embed "page/script/app/status/protection.js" suffix(, )
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

#define FILE(path, bytes) {path, bytes, sizeof bytes - 1}
const struct cpage_file cpage_part_1[] = {
  FILE("bench.html", bench_html),
  FILE("icon-alarm.svg", icon_alarm_svg),
  FILE("icon.svg", icon_svg),
  FILE("index.html", index_html),
  FILE("script/api.js", script_api_js),
  FILE("script/app/alarm.js", script_app_alarm_js),
  FILE("script/app/alarm/acts.js", script_app_alarm_acts_js),
  FILE("script/app/alarm/awake.js", script_app_alarm_awake_js),
  FILE("script/app/alarm/countdown.js", script_app_alarm_countdown_js),
  FILE("script/app/alarm/ended.js", script_app_alarm_ended_js),
  FILE("script/app/alarm/feed.js", script_app_alarm_feed_js),
  FILE("script/app/alarm/people.js", script_app_alarm_people_js),
  FILE("script/app/alarm/survey.js", script_app_alarm_survey_js),
  FILE("script/app/alarm/whereabouts.js", script_app_alarm_whereabouts_js),
  FILE("script/app/contacts.js", script_app_contacts_js),
  FILE("script/app/contacts/editor.js", script_app_contacts_editor_js),
  FILE("script/app/contacts/importer.js", script_app_contacts_importer_js),
  FILE("script/app/contacts/list.js", script_app_contacts_list_js),
  FILE("script/app/contacts/picker.js", script_app_contacts_picker_js),
  FILE("script/app/emergency.js", script_app_emergency_js),
  FILE("script/app/forgot.js", script_app_forgot_js),
  FILE("script/app/forms.js", script_app_forms_js),
  FILE("script/app/history.js", script_app_history_js),
  FILE("script/app/history/attempts.js", script_app_history_attempts_js),
  FILE("script/app/history/filters.js", script_app_history_filters_js),
  FILE("script/app/history/incident.js", script_app_history_incident_js),
  FILE("script/app/history/log.js", script_app_history_log_js),
  FILE("script/app/history/names.js", script_app_history_names_js),
  FILE("script/app/history/outcome.js", script_app_history_outcome_js),
  FILE("script/app/history/rows.js", script_app_history_rows_js),
  FILE("script/app/lack.js", script_app_lack_js),
  FILE("script/app/login.js", script_app_login_js),
  FILE("script/app/login/email.js", script_app_login_email_js),
  FILE("script/app/notify.js", script_app_notify_js),
  FILE("script/app/pin.js", script_app_pin_js),
  FILE("script/app/pinpad.js", script_app_pinpad_js),
  FILE("script/app/position.js", script_app_position_js),
  FILE("script/app/profile.js", script_app_profile_js),
  FILE("script/app/settings.js", script_app_settings_js),
  FILE("script/app/settings/account.js", script_app_settings_account_js),
  FILE("script/app/settings/keychains.js", script_app_settings_keychains_js),
  FILE("script/app/settings/pin.js", script_app_settings_pin_js),
  FILE("script/app/settings/places.js", script_app_settings_places_js),
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
  FILE("script/app/speak.js", script_app_speak_js),
  FILE("script/app/status.js", script_app_status_js),
  FILE("script/app/status/banners.js", script_app_status_banners_js),
  FILE("script/app/status/concerns.js", script_app_status_concerns_js),
  FILE("script/app/status/glance.js", script_app_status_glance_js),
  FILE("script/app/status/lines.js", script_app_status_lines_js),
  FILE("script/app/status/logout.js", script_app_status_logout_js),
  FILE("script/app/status/protection.js", script_app_status_protection_js),
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
};
