/**
 * Every text of the page, by name: to translate it, copy this table, and name it in texts.js.
 * A text with a count has the forms of the language's plural rules.
 */
export const en = {
  // Everywhere
  "app.name": "fob",
  "app.skip": "Skip to the content",
  "app.bench": "Bench",
  "app.keychain": "Keychain",
  "ago.seconds": { one: "{count} second ago", other: "{count} seconds ago" },
  "ago.minutes": { one: "{count} minute ago", other: "{count} minutes ago" },
  "ago.hours": { one: "{count} hour ago", other: "{count} hours ago" },
  "button.cancel": "Cancel",
  "button.tryAgain": "Try Again",
  "button.ok": "OK",
  "button.yes": "Yes",
  "button.no": "No",
  "problem.unreachable": "The core does not answer. What you see may be old.",
  "connection.lost": "Connection lost. What stands here was true {ago}. Trying again…",
  "connection.stale": "Nothing new was heard. What stands here was true {ago}.",
  "pin.label": "PIN, 4 digits",
  "pin.erase": "Delete the last digit",
  "pin.checking": "Checking…",
  "pin.wrongPIN": "Wrong PIN. Nothing has changed.",
  "pin.pinBlocked": "Too many wrong PINs.",
  "pin.blocked": "Too many wrong PINs. Before the next try wait for at least",
  "pin.mayTry": "You can try again now.",
  "pin.busy": "The core is busy. Nothing has changed.",
  "pin.unreachable": "No answer came: it is not known whether the PIN was taken.",

  // Login by code
  "login.title": "Log in",

  // Status
  "status.title": "Status",

  // Alarm
  "alarm.title": "Alarm",

  // Set-up
  "setup.title": "Set up",

  // Contacts
  "contacts.title": "Contacts",

  // Settings
  "settings.title": "Settings",

  // History
  "history.title": "History",

  // Keychain in the hand

  // Bench: devices, wire log

  // Bench: latency, conformance
};
