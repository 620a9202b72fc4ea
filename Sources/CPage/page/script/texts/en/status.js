/** The view of how things stand, and its dialogs. */
export default {
  "status.title": "Status",
  "status.overall.good": "All good!",
  "status.overall.warning": "Warnings!",
  "status.overall.error": "Error!",
  "status.said": "Status: {overall}",
  "status.checked": "checked {ago}",
  "status.checkedNow": "checked just now",
  "status.neverChecked": "not checked yet",
  "status.readNow": "now",
  "status.refresh": "Refresh",
  "status.unanswered": "The check was not answered: it is not known how things stand now.",
  "status.unheard": "Not connected to SafeTime",
  "status.unheardAdvice": "This page does not hear the core. See whether fob is running.",
  "status.worst": {
    one: "",
    other: "Of your {count} keychains this is the one that stands worst.",
  },
  "status.notFound": "Device not found",
  "status.notFoundAdvice": "Make sure your device is on and the light is flashing.",
  "status.storage": "Nothing can be stored",
  "status.storageMeans":
    "Contacts are still told of an alarm, but a restart may forget it. The cause:",
  "status.confirm": "Confirm Email Address",
  "status.confirmWhy":
    "A link was mailed to you. Until you follow it, nobody knows that your mail arrives.",
  "status.resend": "Resend",
  "status.resending": "Sending…",
  "status.resent": "The mail is on its way. Look for it.",
  "status.changeEmail": "Change Email",
  "level.good": "Good",
  "level.warning": "Warning",
  "level.error": "Error",
  "level.unknown": "Not known",
  "protection.on": "Protecting",
  "protection.onMeans":
    "Nothing has happened. A fall or an overdue check-in starts a countdown; the button raises "
    + "the alarm.",
  "protection.off": "Not protecting",
  "protection.offMeans":
    "A fall or an overdue check-in starts nothing. The button still raises the alarm.",
  "protection.start": "Start protection",
  "protection.stop": "Stop protection",
  "protection.lacks": "Before it can start it needs",
  "protection.contacts": { one: "{count} contact is told", other: "{count} contacts are told" },
  "logout.button": "Log out",
  "logout.title": "Log out?",
  "logout.warning":
    "While you are logged out the alarm does not work: a press is stored and shown, and nobody "
    + "is told.",
  "logout.confirm": "Logout",
  "notify.title": "Be told of an alarm",
  "notify.why": "This page can raise a notification of your system when an alarm begins.",
  "notify.allow": "Allow notifications",
  "notify.alarm": "Alarm",
  "notify.body": "An alarm is open. Choose this to see it.",
};
