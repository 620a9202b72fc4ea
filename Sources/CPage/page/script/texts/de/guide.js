/** The user guide of check-ins. */
export default {
  "guide.title": "Wie Nachfragen gehen",
  "guide.job": "Wozu sie da sind",
  "guide.job.text":
    "Den Knopf drückt nur, wer es kann. Eine Nachfrage fragt Sie zu einer Zeit, die Sie "
    + "wählen, ob es Ihnen gut geht. Ihre Antwort ist ein Druck. Wenn Sie nichts sagen, werden "
    + "für Sie Menschen gerufen.\nEine Nachfrage, die niemanden ruft, ist eine gewöhnliche "
    + "Erinnerung.",
  "guide.make": "Eine anlegen",
  "guide.make.text":
    "Wählen Sie Neue Nachfrage, schreiben Sie, wonach gefragt wird, wählen Sie, wie oft, "
    + "die Zeit und den ersten Tag. Die nächsten Termine stehen daneben, während Sie schreiben. "
    + "Ein letzter Tag kann angegeben und wieder geleert werden.\nWerden ohne Antwort Menschen "
    + "gerufen, ist zum Speichern Ihre PIN nötig.",
  "guide.rules": "Fünf Arten",
  "guide.rules.text":
    "Einmal; alle so viele Tage, auch mehrmals am Tag; Wochen an gewählten Wochentagen; Monate "
    + "und Jahre an einem Tag mit seiner Nummer oder nach seinem Platz, wie am zweiten "
    + "Freitag.\nZeiten sind die der Zone Ihres Kontos, auch bei der Zeitumstellung. Ein Monat "
    + "ohne diesen Tag wird übergangen.",
  "guide.answer": "Antworten",
  "guide.answer.text":
    "Solange eine zu beantworten ist, hat der Status die große Taste Mir geht es gut, und die "
    + "Zahl steht neben Nachfragen und im Titel der Seite. Erledigt in der Liste nimmt auch "
    + "eine Bemerkung.\n{answer}",
  "guide.colours": "Farben",
  "guide.colours.text":
    "Blau: in mehr als 20 Minuten fällig. Grün: binnen 20 Minuten fällig. Gelb: überfällig. "
    + "Rot: seit 20 Minuten oder mehr überfällig. Wort und Form daneben sagen dasselbe.",
  "guide.silence": "Was ohne Antwort geschieht",
  "guide.silence.text":
    "Es wird immer wieder gefragt, bis Sie antworten. Nach den Minuten, die Sie gewählt haben, "
    + "beginnt ein Countdown mit Licht und Ton; Ihre PIN hält ihn an, {countdown}. "
    + "Ist er um, lesen Ihre Kontakte, dass Sie nicht geantwortet haben, und nicht, dass "
    + "Sie gedrückt haben.\nDafür muss der Schutz an sein. Ist er aus, sagen Status und diese "
    + "Ansicht in Rot, dass Nachfragen keinen Alarm auslösen.",
  "guide.countdown.guarded": "ein Klick macht ihn nur still",
  "guide.countdown.literal": "ein Druck beendet das Warten, und Menschen werden sofort gerufen",
  "guide.single": "Eine ändern oder herausnehmen",
  "guide.single.text":
    "Bearbeiten und Löschen fragen, ob Sie nur diese oder die Serie meinen. Wird eine "
    + "geändert oder herausgenommen, bleiben die anderen, wie sie sind.",
  "guide.history": "Was war",
  "guide.history.text":
    "Was beantwortet, verpasst oder herausgenommen wurde, steht dort, das Neueste zuerst, mit "
    + "der Bemerkung, die sich ändern lässt. Wiederherstellen fragt noch einmal nach einer "
    + "beantworteten; Wieder einschalten beginnt eine beendete Serie neu.",
  "guide.lost": "Nichts geht verloren",
  "guide.lost.text":
    "Wer einen Editor mit Änderungen verlässt, wird gefragt: Speichern, Verwerfen oder Weiter "
    + "bearbeiten. Was gerade geschrieben wurde, als der Browser oder ein Alarm dazwischenkam, "
    + "ist in diesem Browser aufbewahrt: Wiederherstellen bringt es zurück.",
};
