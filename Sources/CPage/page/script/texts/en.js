/**
 * Every text of the page, by name: to translate it, copy this table, and name it in texts.js.
 * A text with a count has the forms of the language's plural rules.
 */
export const en = {
  // Everywhere
  "app.name": "fob",
  "app.skip": "Skip to the content",
  "app.views": "Views",
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
  "connection.lost": "The core does not answer. Trying again…",
  "connection.stale": "Nothing new was heard from the core. Trying again…",
  "connection.age": "What stands here was true {ago}.",
  "state.NO_EMERGENCY": "No emergency",
  "state.ALERT_COUNTDOWN": "Countdown",
  "state.EMERGENCY_SENDING": "Telling contacts",
  "state.EMERGENCY_SENT": "Help is told",
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

  // Login by code
  "login.title": "Log in",
  "login.again": "Log in again",
  "login.over": "This page's session is over, as after a restart of the core. A new code is needed.",
  "login.alarm": "An alarm was open. It goes on without this page: log in to see it and to end it. "
    + "If you need help and are not sure that anybody was told, call 112.",
  "login.code": "One-time code",
  "login.where":
    "The code stands in the terminal in which fob was started, below this page's address. "
    + "It counts once, and for ten minutes; to start fob again makes a new one.",
  "login.button": "Log in",
  "login.length": {
    one: "A code has {count} character.",
    other: "A code has {count} letters and digits.",
  },
  "login.wrong":
    "This code is wrong, was used already, or is too old; after ten wrong ones no code "
    + "counts any more. Look for the newest code in the terminal, or start fob again for a "
    + "new one.",
  "login.wait": {
    one: "Too many tries: wait {count} second.",
    other: "Too many tries: wait {count} seconds.",
  },
  "login.unreachable": "The core does not answer. Is fob running?",
  "login.lastKnown": "What stood here last",
  "login.age": "It was true {ago}, and may be different by now.",

  // Status
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
  "protection.onMeans": "Nothing has happened. A fall or an overdue check-in starts a countdown; "
    + "the button raises the alarm.",
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
    "While you are logged out the alarm does not work: a press is stored and shown, and "
    + "nobody is told.",
  "logout.confirm": "Logout",
  "notify.title": "Be told of an alarm",
  "notify.why": "This page can raise a notification of your system when an alarm begins.",
  "notify.allow": "Allow notifications",
  "notify.alarm": "Alarm",
  "notify.body": "An alarm is open. Choose this to see it.",

  // Alarm
  "alarm.title": "Alarm",
  "alarm.heading.ALERT_COUNTDOWN": "Are you all right?",
  "alarm.heading.EMERGENCY_SENDING": "We're telling your contacts…",
  "alarm.heading.EMERGENCY_SENT": "We're alerted",
  "alarm.heading.EMERGENCY_SENDING_FAILED": "Nobody could be told",
  "alarm.heading.EMERGENCY_ENDED": "The emergency is over",
  "alarm.means.ALERT_COUNTDOWN":
    "When the time is over, your contacts are told. Nobody has been told yet.",
  "alarm.means.fall": "A fall was noticed. When the time is over, your contacts are told. "
    + "Nobody has been told yet.",
  "alarm.means.checkIn": "A check-in is overdue. When the time is over, your contacts are told. "
    + "Nobody has been told yet.",
  "alarm.means.EMERGENCY_SENDING":
    "Nobody has taken the message yet. It is tried until somebody does.",
  "alarm.means.EMERGENCY_SENT": "A message has been taken. Your position is followed.",
  "alarm.means.EMERGENCY_SENDING_FAILED": "No message has been taken so far. It is tried on, "
    + "without a sound. Do not wait for it.",
  "alarm.means.noContacts": "There is no contact who could be told. Do not wait for help.",
  "alarm.means.unowned": "This keychain belongs to no account, or nobody is logged in: "
    + "the press is stored, and nobody is told.",
  "alarm.ended.disarmed": "The alarm was switched off with the PIN. "
    + "Whoever was told of it is told that it is over.",
  "alarm.ended.cancelled":
    "The alarm was cancelled. Whoever was told of it is told that it is over.",
  "alarm.ended.trackingOver": "Thirty minutes are over, and your position is followed no longer. "
    + "If you still need help, press the button again or call 112.",
  "alarm.ended.over": "The alarm is off.",
  "alarm.until.ALERT_COUNTDOWN": "Your contacts are told in",
  "alarm.until.EMERGENCY_SENT": "Next message in",
  "alarm.noNext": "No further message is due: somebody has it in hand.",
  "alarm.trying": "Being tried for",
  "alarm.noTime": "––:––",
  "alarm.call": "Call for help yourself",
  "alarm.number": "112",
  "alarm.contacts": { one: "{count} contact", other: "{count} contacts" },
  "alarm.noContacts": "No contact: no person is told.",
  "alarm.fine": "I'm fine",
  "alarm.cancel": "Cancel the alarm",
  "alarm.call112": "Call 112",
  "alarm.silence": "Silence",
  "alarm.quit": "Quit",
  "alarm.soundOn": "The keychain sounds.",
  "alarm.soundOff": "The keychain is silent. The alarm goes on.",
  "alarm.goesOn": "To silence, to call or to quit does not end the alarm.",
  "alarm.pinWhy": "The alarm goes on until the PIN is right.",
  "alarm.sure": "Are you sure? The alarm ends, and whoever was told is told so.",
  "alarm.unknown": "This page does not hear the core",
  "alarm.unknownAge": "What stands below was true {ago}.",
  "alarm.unknownMeans":
    "The core goes on without this page, if it runs. It is not known here whether anybody "
    + "has been told since, how long the countdown has left, or whether the alarm is over. If "
    + "you need help, call 112.",
  "alarm.facts": "This emergency",
  "alarm.opened": "It began {ago}.",
  "alarm.presses": {
    one: "The button was pressed once.",
    other: "The button was pressed {count} times.",
  },
  "alarm.messages": { one: "{count} message so far.", other: "{count} messages so far." },
  "alarm.fixes": {
    one: "{count} position, heard {ago}.",
    other: "{count} positions, the last {ago}.",
  },
  "alarm.lastPosition": "Your last known position was heard {ago}.",
  "alarm.noPosition": "Your position is not known.",
  "alarm.bench": "A bench keychain: only ways out for tests serve it, no person is called.",
  "alarm.people": "Who is told",
  "alarm.inHand": { one: "{names} has it in hand.", other: "{names} have it in hand." },
  "alarm.log": "As it happens",
  "contact.waiting": "not told yet",
  "contact.notified": "being told…",
  "contact.delivered": "told",
  "contact.deliveryFailed": "not reached.",
  "contact.withdrawn": "not told: no longer needed",
  "contact.acknowledged": "has it in hand",
  "contact.notified.closing": "being told that it is over…",
  "contact.delivered.closing": "told that it is over",
  "contact.deliveryFailed.closing": "not reached to be told that it is over.",
  "contact.withdrawn.closing": "not told: no longer needed",
  "message.raise": "the alarm",
  "message.update": "a further press",
  "message.again": "the alarm again",
  "message.closing": "that it is over",
  "line.incidentOpened": "The alarm began",
  "line.pressAdded": "The button was pressed",
  "line.pressJoined": "An earlier press came in late",
  "line.triggerAdded": "A further trigger: {detail}",
  "line.stateChanged": "{states}",
  "line.notified": "Telling {contact} {message} by {sink}…",
  "line.delivered": "{contact} was told {message} by {sink}",
  "line.deliveryFailed": "{contact} could not be told {message} by {sink}: {reason}.",
  "line.withdrawn": "{contact} need not be told {message} any more",
  "line.acknowledged": "{contact} has it in hand",
  "line.silenced": "The sound was switched off",
  "line.surveyOpened": "Quit was chosen",
  "line.surveyAnswered": "Answered: {detail}",
  "line.wrongPIN": "A wrong PIN was tried",
  "line.pinBlocked": "Too many wrong PINs: the next must wait",
  "line.recovered": "The core was started again: the alarm goes on",
  "line.commitFailed": "Storing failed: {detail}",
  "line.storageHealed": "Storing works again",
  "line.resumed": "Resumed",
  "line.noSink": "no way out",
  "line.noReason": "no reason given",
  "line.next": "Next try at {time}.",
  "survey.title": "How are you?",
  "survey.question": "The alarm goes on. What happened?",
  "survey.fell": "I fell",
  "survey.notFell": "I didn't fall",
  "survey.sure": "Are you sure? Then the alarm ends, and whoever was told is told so.",
  "survey.fellNoted": "It is noted that you fell.",
  "survey.fellMeans": "The alarm goes on, and your position is followed.",
  "survey.noHelp": "I don't need help anymore",
  "awake.on": "This page keeps the screen on.",
  "awake.off": "This page cannot keep the screen on: keep it on yourself.",
  "ended.title": "What now?",
  "ended.when": "It ended on {when}.",
  "ended.what": "What was it? The answer helps to tell alarms apart.",
  "outcome.true": "A real emergency",
  "outcome.false": "A false alarm",
  "outcome.test": "A test",
  "ended.kept": "Your answer is kept.",
  "ended.press": "A press of the button raises a new alarm, also now.",
  "ended.resume": "Resume",

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
