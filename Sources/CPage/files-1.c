// Written by scripts/page-files.sh, which is to be run when a file is added, renamed or taken away.
#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char bench_html[] = {
#embed "page/bench.html" suffix(, )
0};
static const unsigned char help_de_affirmations_txt[] = {
#embed "page/help/de/affirmations.txt" suffix(, )
0};
static const unsigned char help_de_breathing_txt[] = {
#embed "page/help/de/breathing.txt" suffix(, )
0};
static const unsigned char help_de_grounding_txt[] = {
#embed "page/help/de/grounding.txt" suffix(, )
0};
static const unsigned char help_de_messages_txt[] = {
#embed "page/help/de/messages.txt" suffix(, )
0};
static const unsigned char help_en_affirmations_txt[] = {
#embed "page/help/en/affirmations.txt" suffix(, )
0};
static const unsigned char help_en_breathing_txt[] = {
#embed "page/help/en/breathing.txt" suffix(, )
0};
static const unsigned char help_en_grounding_txt[] = {
#embed "page/help/en/grounding.txt" suffix(, )
0};
static const unsigned char help_en_messages_txt[] = {
#embed "page/help/en/messages.txt" suffix(, )
0};
static const unsigned char help_es_affirmations_txt[] = {
#embed "page/help/es/affirmations.txt" suffix(, )
0};
static const unsigned char help_es_breathing_txt[] = {
#embed "page/help/es/breathing.txt" suffix(, )
0};
static const unsigned char help_es_grounding_txt[] = {
#embed "page/help/es/grounding.txt" suffix(, )
0};
static const unsigned char help_es_messages_txt[] = {
#embed "page/help/es/messages.txt" suffix(, )
0};
static const unsigned char help_fr_affirmations_txt[] = {
#embed "page/help/fr/affirmations.txt" suffix(, )
0};
static const unsigned char help_fr_breathing_txt[] = {
#embed "page/help/fr/breathing.txt" suffix(, )
0};
static const unsigned char help_fr_grounding_txt[] = {
#embed "page/help/fr/grounding.txt" suffix(, )
0};
static const unsigned char help_fr_messages_txt[] = {
#embed "page/help/fr/messages.txt" suffix(, )
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
static const unsigned char script_app_calm_js[] = {
#embed "page/script/app/calm.js" suffix(, )
0};
static const unsigned char script_app_calm_affirmations_js[] = {
#embed "page/script/app/calm/affirmations.js" suffix(, )
0};
static const unsigned char script_app_calm_breathing_js[] = {
#embed "page/script/app/calm/breathing.js" suffix(, )
0};
static const unsigned char script_app_calm_exercises_js[] = {
#embed "page/script/app/calm/exercises.js" suffix(, )
0};
static const unsigned char script_app_calm_grounding_js[] = {
#embed "page/script/app/calm/grounding.js" suffix(, )
0};
static const unsigned char script_app_calm_help_js[] = {
#embed "page/script/app/calm/help.js" suffix(, )
0};
static const unsigned char script_app_calm_links_js[] = {
#embed "page/script/app/calm/links.js" suffix(, )
0};
static const unsigned char script_app_calm_messages_js[] = {
#embed "page/script/app/calm/messages.js" suffix(, )
0};
static const unsigned char script_app_calm_pictures_js[] = {
#embed "page/script/app/calm/pictures.js" suffix(, )
0};
static const unsigned char script_app_calm_septets_js[] = {
#embed "page/script/app/calm/septets.js" suffix(, )
0};
static const unsigned char script_app_calm_slot_js[] = {
#embed "page/script/app/calm/slot.js" suffix(, )
0};
static const unsigned char script_app_check_ins_js[] = {
#embed "page/script/app/check-ins.js" suffix(, )
0};
static const unsigned char script_app_check_ins_editor_js[] = {
#embed "page/script/app/check-ins/editor.js" suffix(, )
0};
static const unsigned char script_app_check_ins_fields_js[] = {
#embed "page/script/app/check-ins/fields.js" suffix(, )
0};
static const unsigned char script_app_check_ins_guide_js[] = {
#embed "page/script/app/check-ins/guide.js" suffix(, )
0};
static const unsigned char script_app_check_ins_history_js[] = {
#embed "page/script/app/check-ins/history.js" suffix(, )
0};
static const unsigned char script_app_check_ins_list_js[] = {
#embed "page/script/app/check-ins/list.js" suffix(, )
0};
static const unsigned char script_app_check_ins_preview_js[] = {
#embed "page/script/app/check-ins/preview.js" suffix(, )
0};
static const unsigned char script_app_check_ins_row_js[] = {
#embed "page/script/app/check-ins/row.js" suffix(, )
0};
static const unsigned char script_app_check_ins_rule_js[] = {
#embed "page/script/app/check-ins/rule.js" suffix(, )
0};
static const unsigned char script_app_check_ins_settings_js[] = {
#embed "page/script/app/check-ins/settings.js" suffix(, )
0};
static const unsigned char script_app_check_ins_single_js[] = {
#embed "page/script/app/check-ins/single.js" suffix(, )
0};
static const unsigned char script_app_check_ins_statistics_js[] = {
#embed "page/script/app/check-ins/statistics.js" suffix(, )
0};
static const unsigned char script_app_check_ins_words_js[] = {
#embed "page/script/app/check-ins/words.js" suffix(, )
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
static const unsigned char script_app_daily_js[] = {
#embed "page/script/app/daily.js" suffix(, )
0};
static const unsigned char script_app_dialog_js[] = {
#embed "page/script/app/dialog.js" suffix(, )
0};
static const unsigned char script_app_draft_js[] = {
#embed "page/script/app/draft.js" suffix(, )
0};
static const unsigned char script_app_emergency_js[] = {
#embed "page/script/app/emergency.js" suffix(, )
0};
static const unsigned char script_app_forget_js[] = {
#embed "page/script/app/forget.js" suffix(, )
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
static const unsigned char script_app_pairing_js[] = {
#embed "page/script/app/pairing.js" suffix(, )
0};
static const unsigned char script_app_pin_js[] = {
#embed "page/script/app/pin.js" suffix(, )
0};

#define FILE(path, bytes) {path, bytes, sizeof bytes - 1}
const struct cpage_file cpage_part_1[] = {
  FILE("bench.html", bench_html),
  FILE("help/de/affirmations.txt", help_de_affirmations_txt),
  FILE("help/de/breathing.txt", help_de_breathing_txt),
  FILE("help/de/grounding.txt", help_de_grounding_txt),
  FILE("help/de/messages.txt", help_de_messages_txt),
  FILE("help/en/affirmations.txt", help_en_affirmations_txt),
  FILE("help/en/breathing.txt", help_en_breathing_txt),
  FILE("help/en/grounding.txt", help_en_grounding_txt),
  FILE("help/en/messages.txt", help_en_messages_txt),
  FILE("help/es/affirmations.txt", help_es_affirmations_txt),
  FILE("help/es/breathing.txt", help_es_breathing_txt),
  FILE("help/es/grounding.txt", help_es_grounding_txt),
  FILE("help/es/messages.txt", help_es_messages_txt),
  FILE("help/fr/affirmations.txt", help_fr_affirmations_txt),
  FILE("help/fr/breathing.txt", help_fr_breathing_txt),
  FILE("help/fr/grounding.txt", help_fr_grounding_txt),
  FILE("help/fr/messages.txt", help_fr_messages_txt),
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
  FILE("script/app/calm.js", script_app_calm_js),
  FILE("script/app/calm/affirmations.js", script_app_calm_affirmations_js),
  FILE("script/app/calm/breathing.js", script_app_calm_breathing_js),
  FILE("script/app/calm/exercises.js", script_app_calm_exercises_js),
  FILE("script/app/calm/grounding.js", script_app_calm_grounding_js),
  FILE("script/app/calm/help.js", script_app_calm_help_js),
  FILE("script/app/calm/links.js", script_app_calm_links_js),
  FILE("script/app/calm/messages.js", script_app_calm_messages_js),
  FILE("script/app/calm/pictures.js", script_app_calm_pictures_js),
  FILE("script/app/calm/septets.js", script_app_calm_septets_js),
  FILE("script/app/calm/slot.js", script_app_calm_slot_js),
  FILE("script/app/check-ins.js", script_app_check_ins_js),
  FILE("script/app/check-ins/editor.js", script_app_check_ins_editor_js),
  FILE("script/app/check-ins/fields.js", script_app_check_ins_fields_js),
  FILE("script/app/check-ins/guide.js", script_app_check_ins_guide_js),
  FILE("script/app/check-ins/history.js", script_app_check_ins_history_js),
  FILE("script/app/check-ins/list.js", script_app_check_ins_list_js),
  FILE("script/app/check-ins/preview.js", script_app_check_ins_preview_js),
  FILE("script/app/check-ins/row.js", script_app_check_ins_row_js),
  FILE("script/app/check-ins/rule.js", script_app_check_ins_rule_js),
  FILE("script/app/check-ins/settings.js", script_app_check_ins_settings_js),
  FILE("script/app/check-ins/single.js", script_app_check_ins_single_js),
  FILE("script/app/check-ins/statistics.js", script_app_check_ins_statistics_js),
  FILE("script/app/check-ins/words.js", script_app_check_ins_words_js),
  FILE("script/app/contacts.js", script_app_contacts_js),
  FILE("script/app/contacts/editor.js", script_app_contacts_editor_js),
  FILE("script/app/contacts/importer.js", script_app_contacts_importer_js),
  FILE("script/app/contacts/list.js", script_app_contacts_list_js),
  FILE("script/app/contacts/picker.js", script_app_contacts_picker_js),
  FILE("script/app/daily.js", script_app_daily_js),
  FILE("script/app/dialog.js", script_app_dialog_js),
  FILE("script/app/draft.js", script_app_draft_js),
  FILE("script/app/emergency.js", script_app_emergency_js),
  FILE("script/app/forget.js", script_app_forget_js),
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
  FILE("script/app/pairing.js", script_app_pairing_js),
  FILE("script/app/pin.js", script_app_pin_js),
};
