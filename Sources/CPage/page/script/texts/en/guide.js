/** The user guide of check-ins. */
export default {
  "guide.title": "How check-ins work",
  "guide.job": "What they are for",
  "guide.job.text":
    "A press of the button needs somebody who can press. A check-in asks you at a time that you "
    + "choose whether you are well. Your answer is one press. If you say nothing, people are "
    + "called for you.\nA check-in that calls nobody is an ordinary reminder.",
  "guide.make": "Make one",
  "guide.make.text":
    "Choose New check-in, say what is asked, choose how often, the time and the first day. The "
    + "next dates stand beside it while you write. A last day can be given and taken away "
    + "again.\nWhere silence calls people, saving needs your PIN.",
  "guide.rules": "Five kinds",
  "guide.rules.text":
    "Once; every so many days, several times a day where you wish; weeks on chosen weekdays; "
    + "months and years on a day by its number, or by its place, as the 2nd Friday.\nTimes are "
    + "those of your account's zone, also when the clocks change. A month without that day is "
    + "passed over.",
  "guide.answer": "Answer",
  "guide.answer.text":
    "While one can be answered, Status has the large button I'm well, and the number stands "
    + "beside Check-ins and in the page's title. Complete in the list takes a comment, too.\n"
    + "{answer}",
  "guide.colours": "Colours",
  "guide.colours.text":
    "Blue: due in more than 20 minutes. Green: due within 20 minutes. Yellow: overdue. Red: "
    + "overdue for 20 minutes or more. The word and the shape beside it say the same.",
  "guide.silence": "What silence does",
  "guide.silence.text":
    "It is asked again and again until you answer. After the minutes that you chose a countdown "
    + "begins, with light and sound; your PIN stops it, {countdown}. When it is over, your "
    + "contacts read that you have not answered, and not that you pressed.\nThat needs "
    + "protection to be on. Where it is off, Status and this view say in red that check-ins raise "
    + "no alarm.",
  "guide.countdown.guarded": "a click only silences",
  "guide.countdown.literal": "a press ends the wait, and people are called at once",
  "guide.single": "Change or take out one",
  "guide.single.text":
    "Edit and Delete ask whether you mean this one or the series. One that is changed or taken "
    + "out leaves the others as they are.",
  "guide.history": "What was",
  "guide.history.text":
    "What was answered, missed or taken out stands there, the latest first, with its comment, "
    + "which can be changed. Restore asks an answered one again; Reactivate begins an ended "
    + "series anew.",
  "guide.lost": "Nothing is lost",
  "guide.lost.text":
    "Whoever leaves an editor with changes is asked: Save, Discard or Go on. What was being "
    + "written when the browser or an alarm came between is kept in this browser: Restore brings "
    + "it back.",
};
