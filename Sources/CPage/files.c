// Written by scripts/page-files.sh, which is to be run when a file is added, renamed or taken away.
#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char bench_html[] = {
#embed "page/bench.html" suffix(, )
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
static const unsigned char script_app_contacts_js[] = {
#embed "page/script/app/contacts.js" suffix(, )
0};
static const unsigned char script_app_history_js[] = {
#embed "page/script/app/history.js" suffix(, )
0};
static const unsigned char script_app_login_js[] = {
#embed "page/script/app/login.js" suffix(, )
0};
static const unsigned char script_app_settings_js[] = {
#embed "page/script/app/settings.js" suffix(, )
0};
static const unsigned char script_app_setup_js[] = {
#embed "page/script/app/setup.js" suffix(, )
0};
static const unsigned char script_app_status_js[] = {
#embed "page/script/app/status.js" suffix(, )
0};
static const unsigned char script_bench_js[] = {
#embed "page/script/bench.js" suffix(, )
0};
static const unsigned char script_dom_js[] = {
#embed "page/script/dom.js" suffix(, )
0};
static const unsigned char script_keychain_hand_js[] = {
#embed "page/script/keychain/hand.js" suffix(, )
0};
static const unsigned char script_main_js[] = {
#embed "page/script/main.js" suffix(, )
0};
static const unsigned char script_model_js[] = {
#embed "page/script/model.js" suffix(, )
0};
static const unsigned char script_texts_js[] = {
#embed "page/script/texts.js" suffix(, )
0};
static const unsigned char script_texts_en_js[] = {
#embed "page/script/texts/en.js" suffix(, )
0};
static const unsigned char style_app_css[] = {
#embed "page/style/app.css" suffix(, )
0};
static const unsigned char style_base_css[] = {
#embed "page/style/base.css" suffix(, )
0};
static const unsigned char style_bench_css[] = {
#embed "page/style/bench.css" suffix(, )
0};
static const unsigned char style_keychain_css[] = {
#embed "page/style/keychain.css" suffix(, )
0};

static const struct cpage_file files[] = {
  {"bench.html", bench_html, sizeof bench_html - 1},
  {"icon.svg", icon_svg, sizeof icon_svg - 1},
  {"index.html", index_html, sizeof index_html - 1},
  {"script/api.js", script_api_js, sizeof script_api_js - 1},
  {"script/app/alarm.js", script_app_alarm_js, sizeof script_app_alarm_js - 1},
  {"script/app/contacts.js", script_app_contacts_js, sizeof script_app_contacts_js - 1},
  {"script/app/history.js", script_app_history_js, sizeof script_app_history_js - 1},
  {"script/app/login.js", script_app_login_js, sizeof script_app_login_js - 1},
  {"script/app/settings.js", script_app_settings_js, sizeof script_app_settings_js - 1},
  {"script/app/setup.js", script_app_setup_js, sizeof script_app_setup_js - 1},
  {"script/app/status.js", script_app_status_js, sizeof script_app_status_js - 1},
  {"script/bench.js", script_bench_js, sizeof script_bench_js - 1},
  {"script/dom.js", script_dom_js, sizeof script_dom_js - 1},
  {"script/keychain/hand.js", script_keychain_hand_js, sizeof script_keychain_hand_js - 1},
  {"script/main.js", script_main_js, sizeof script_main_js - 1},
  {"script/model.js", script_model_js, sizeof script_model_js - 1},
  {"script/texts.js", script_texts_js, sizeof script_texts_js - 1},
  {"script/texts/en.js", script_texts_en_js, sizeof script_texts_en_js - 1},
  {"style/app.css", style_app_css, sizeof style_app_css - 1},
  {"style/base.css", style_base_css, sizeof style_base_css - 1},
  {"style/bench.css", style_bench_css, sizeof style_bench_css - 1},
  {"style/keychain.css", style_keychain_css, sizeof style_keychain_css - 1},
};

size_t cpage_file_count(void) { return sizeof files / sizeof files[0]; }
struct cpage_file cpage_file_at(size_t index) { return files[index]; }
