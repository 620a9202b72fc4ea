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
  "latency.title": "Latency",
  "latency.loading": "Asking the bench…",
  "latency.none": "No press yet. Press a keychain's button: its way is timed here, stage by stage.",
  "latency.noBench": "This core has no bench, so no press is timed here.",
  "latency.loggedOut": "Log in to see this.",
  "latency.microseconds": "{value} µs",
  "latency.milliseconds": "{value} ms",
  "latency.seconds": "{value} s",
  "latency.extent": {
    one: "{count} press since {since}; as of {ago}.",
    other: "{count} presses since {since}; as of {ago}.",
  },
  "latency.stage.pressToDecided": "press → decided",
  "latency.stage.pressToDurable": "press → durable",
  "latency.stage.pressToLED": "press → light",
  "latency.stage.writtenToDecided": "written → decided",
  "latency.stage.writtenToDurable": "written → durable",
  "latency.stage.debounce": "debounce",
  "latency.stage.frame": "frame",
  "latency.stage.wire": "wire",
  "latency.stage.decide": "decide",
  "latency.stage.durable": "durable",
  "latency.stage.ack": "ack",
  "latency.stage.light": "light",
  "latency.meaning.debounce": "first edge until the keychain has stored the press",
  "latency.meaning.frame": "stored until its frame is written",
  "latency.meaning.wire": "frame written until the bridge's read returns",
  "latency.meaning.decide": "read until the engine has decided",
  "latency.meaning.durable": "decided until it is on the disk",
  "latency.meaning.ack": "durable until the keychain knows",
  "latency.meaning.light": "known until its light says so",
  "latency.meaning.pressToDecided": "first edge until the engine has decided",
  "latency.meaning.pressToDurable": "first edge until it is on the disk",
  "latency.meaning.pressToLED": "first edge until the light says so",
  "latency.meaning.writtenToDecided": "the bridge and the wire, without the keychain",
  "latency.meaning.writtenToDurable": "the same with the disk",
  "latency.noneComplete": "No press was seen all the way.",
  "latency.half.pressToLED": "Half of the presses took {whole} from press to light",
  "latency.half.pressToDurable": "Half of the presses took {whole} from press to disk",
  "latency.half.pressToDecided": "Half of the presses took {whole} from press to decision",
  "latency.ofIt": "; {first} is {firstTime} of it, {second} {secondTime}.",
  "latency.end": ".",
  "latency.owner.debounce": "the keychain's debounce",
  "latency.owner.frame": "its framing",
  "latency.owner.wire": "the wire",
  "latency.owner.decide": "the bridge's decision",
  "latency.owner.durable": "the disk",
  "latency.owner.ack": "the ack's way back",
  "latency.owner.light": "the light",
  "latency.stored": "stored",
  "latency.notSeen": "not seen",
  "latency.notToScale": "{duration}, not to scale",
  "latency.toP99": "{duration} · p99 {p99}",
  "latency.medians": "Where the time goes",
  "latency.medians.caption": "Bars are medians, one after the other from the moment the keychain "
    + "has stored the press; thin lines go on to p99.",
  "latency.medians.label": "Medians of the stages of a press: {rows}",
  "latency.last": "The last press",
  "latency.last.event": "Event {event} of keychain {device}. ",
  "latency.last.none": "No press was seen all the way.",
  "latency.last.clock": "The keychain's clock is known to ± {clock}.",
  "latency.last.notFitted": "The keychain's clock is not fitted yet.",
  "latency.last.caption": "Each bar begins where the one before ends; what was not seen has none.",
  "latency.last.label": "Stages of the last press: {rows}",
  "latency.histograms": "How often, how long",
  "latency.histograms.caption": "Each column is a twelfth of a power of ten; the tallest of a row "
    + "is as tall as the row. The mark below is the median.",
  "latency.histograms.label": "Histograms of the durations, with their medians: {rows}",
  "latency.curves": "How long at worst",
  "latency.curves.choose": "Curves of",
  "latency.curves.sums": "the sums",
  "latency.curves.stages": "each stage",
  "latency.curves.tooFew": "Too few presses for a curve.",
  "latency.curves.caption": "Each step to the right is a nine more; a curve ends where fewer than "
    + "three presses are beyond.",
  "latency.curves.label": "Percentiles of the durations, with their medians: {rows}",
  "latency.figures": "All figures",
  "latency.figures.caption": "Durations in µs",
  "latency.column.stage": "stage",
  "latency.column.presses": "presses",
  "latency.column.min": "min",
  "latency.column.p50": "median",
  "latency.column.p90": "p90",
  "latency.column.p99": "p99",
  "latency.column.max": "max",
  "latency.column.mean": "mean",
  "latency.column.clock": "± clock",
  "latency.notFitted": "not fitted",
  "latency.note.tails": "–: too few presses for that tail (p90 takes {p90}, p99 {p99})",
  "latency.note.negative": "{stage}: some came out below zero, as two clocks make them",
  "latency.note.clocks":
    "{stage}: its median is below what the two clocks leave open (± {clock} µs)",

  "conformance.title": "Conformance",
  "conformance.judged": "This judges the production firmware in the memory of this process, in "
    + "virtual time, by the protocol's conformance suite. It touches no keychain, and raises no "
    + "alarm.",
  "conformance.real": "A real device is judged from a terminal, with the bridge stopped, as only "
    + "one host can have a line:",
  "conformance.command": "fob conform pty:/dev/pts/7",
  "conformance.chapters": "Chapters",
  "conformance.chapter.protocol": "protocol: frames, session and growth",
  "conformance.chapter.reliability": "reliability: no event is lost",
  "conformance.chapter.time": "time: the device's clock",
  "conformance.chapter.button": "button: contacts and presses",
  "conformance.chapter.led": "led: what the device shows",
  "conformance.chapter.battery": "battery: levels and reports",
  "conformance.chapter.gps": "gps: position, its quality and its age",
  "conformance.quick": "Quick: without the cases that take long on a real device",
  "conformance.chooseOne": "Choose one chapter at least.",
  "conformance.start": "Start",
  "conformance.stop": "Stop",
  "conformance.starting": "Starting…",
  "conformance.running": "Running…",
  "conformance.never": "No run yet.",
  "conformance.busy": "A run is on already.",
  "conformance.noBench": "This core has no bench, so nothing is judged here.",
  "conformance.progress": "Cases done",
  "conformance.counts": "{done} of {total} cases: {parts}",
  "conformance.filter": "Show",
  "conformance.show.all": "all outcomes",
  "conformance.show.passed": "what passed",
  "conformance.show.failed": "what failed",
  "conformance.show.notTested": "what was not tested",
  "conformance.show.notRun": "what was not run",
  "conformance.outcomes": "Outcomes",
  "conformance.column.verdict": "Verdict",
  "conformance.column.case": "Case",
  "conformance.column.reason": "Reason",
  "conformance.passed": "passed",
  "conformance.failed": "failed",
  "conformance.notTested": "not tested",
  "conformance.notRun": "not run",
  "conformance.report.json": "Report as JSON",
  "conformance.report.junit": "Report as JUnit XML",
};
