/** Everywhere, and the login. */
export default {
  "app.name": "fob",
  "app.skip": "Skip to the content",
  "app.views": "Views",
  "app.connection": "Connection",
  "app.bench": "Bench",
  "app.keychain": "Keychain",
  "button.cancel": "Cancel",
  "button.tryAgain": "Try Again",
  "button.ok": "OK",
  "button.yes": "Yes",
  "button.no": "No",
  "connection.lost": "Connection lost. The core does not answer. Trying again…",
  "connection.stale": "Nothing new was heard from the core. Trying again…",
  "connection.age": "What stands here was true {ago}.",
  "state.NO_EMERGENCY": "No emergency",
  "state.ALERT_COUNTDOWN": "Countdown",
  "state.EMERGENCY_SENDING": "Telling contacts",
  "state.EMERGENCY_SENT": "Message received",
  "state.EMERGENCY_SENDING_FAILED": "Nobody could be told",
  "state.EMERGENCY_ENDED": "Emergency over",
  "pin.label": "PIN, 4 digits",
  "pin.erase": "Delete the last digit",
  "pin.checking": "Checking…",
  "pin.wrongPIN": "Wrong PIN. Nothing has changed.",
  "pin.pinBlocked": "Too many wrong PINs.",
  "pin.blocked": "Too many wrong PINs. Before the next try wait for at least",
  "pin.mayTry": "You can try again now.",
  "pin.busy": "The core is busy. Nothing has changed.",
  "pin.unreachable": "No answer came: it is not known whether the PIN was taken.",
  "download.failed": "Not downloaded: {reason}",
  "login.title": "Log in",
  "login.again": "Log in again",
  "login.over":
    "This page's session is over, as after a restart of the core. A new code is needed.",
  "login.alarm":
    "An alarm was open. It goes on without this page: log in to see it and to end it. If you "
    + "need help and are not sure that anybody was told, call {number}.",
  "login.code": "One-time code",
  "login.where":
    "The code stands in the terminal in which fob was started, below this page's address. It "
    + "counts once, and for ten minutes; to start fob again makes a new one.",
  "login.button": "Log in",
  "login.length": {
    one: "A code has {count} character.",
    other: "A code has {count} letters and digits.",
  },
  "login.wrong":
    "This code is wrong, was used already, or is too old; after ten wrong ones no code counts "
    + "any more. Look for the newest code in the terminal, or start fob again for a new one.",
  "login.wait": {
    one: "Too many tries: wait {count} second.",
    other: "Too many tries: wait {count} seconds.",
  },
  "login.unreachable": "The core does not answer. Is fob running?",
  "login.lastKnown": "What stood here last",
  "login.age": "It was true {ago}, and may be different by now.",
  "button.continue": "Continue",
  "pin.enter": "Enter PIN",
};
