/** Why something was refused, by the code of the problem, and by its field. */
export default {
  "problem.unreachable": "Die Zentrale antwortet nicht. Was Sie sehen, kann veraltet sein.",
  "problem.differentPIN": "Die beiden waren nicht gleich. Wählen Sie noch einmal eine PIN.",
  "problem.notDurable":
    "Es ist geschehen, konnte aber nicht gespeichert werden: nach einem Neustart gilt es "
    + "vielleicht nicht mehr.",
  "problem.locked":
    "Nichts anderes kann geändert werden, bis der Alarm abgeschaltet oder der Druck gelesen ist.",
  "problem.wrongPIN": "Falsche PIN. Nichts hat sich geändert.",
  "problem.busy":
    "Die Zentrale ist beschäftigt. Nichts hat sich geändert. Versuchen Sie es noch einmal.",
  "problem.stopping": "Die Zentrale wird gerade beendet. Nichts hat sich geändert.",
  "problem.notAnswered":
    "Die Zentrale hat nicht rechtzeitig geantwortet: es ist nicht bekannt, ob es geschehen ist.",
  "problem.storageFailure":
    "Vom Speicher ist gerade nichts zu lesen. Versuchen Sie es noch einmal.",
  "problem.changedMeanwhile":
    "Es wurde inzwischen anderswo geändert. Sehen Sie es sich noch einmal an.",
  "problem.tooLarge": "Das ist zu groß.",
  "problem.sessionOver": "Die Sitzung dieser Seite ist vorbei. Melden Sie sich wieder an.",
  "problem.tokenNeeded": "Die Sitzung dieser Seite ist vorbei. Melden Sie sich wieder an.",
  "problem.coreNeeded": "Das betrifft die ganze Zentrale und ist nichts für ein einzelnes Konto.",
  "problem.accountGone": "Dieses Konto gibt es nicht mehr.",
  "problem.oneAccount": "Diese Zentrale führt nur ein Konto.",
  "problem.scopeNeeded": "Diese Seite darf das nicht.",
  "problem.pinNeeded": "Die PIN ist nötig. Nichts hat sich geändert.",
  "problem.pinBlocked": "Zu viele falsche PINs. Warten Sie vor dem nächsten Versuch.",
  "problem.unknownEmail": "Es gibt kein Konto mit dieser E-Mail-Adresse.",
  "problem.tooManyEmails":
    "Zu viele Adressen wurden versucht. Warten Sie ein wenig, dann versuchen Sie es noch einmal.",
  "problem.tooManyChanges":
    "Es wurde zu viel geändert. Warten Sie ein wenig, dann versuchen Sie es noch einmal.",
  "problem.unknownContact": "Diesen Kontakt gibt es nicht mehr.",
  "problem.unknownDevice": "Dieses Gerät ist nicht eingesteckt oder nicht bekannt.",
  "problem.notLinked": "Dieses Gerät steckt nicht dort, wo die Zentrale läuft.",
  "problem.remoteKeychain":
    "Dieses Gerät ist an einer Brücke auf einem anderen Rechner. Paaren Sie es da mit dem Code "
    + "auf seinem Etikett, oder stecken Sie es dort ein, wo die Zentrale läuft, und paaren Sie es "
    + "mit seiner Taste.",
  "problem.pairingRuns": "Dieses Gerät wird schon gepaart. Warten Sie ein wenig.",
  "problem.notPaired": "Dieses Gerät ist nicht gepaart.",
  "problem.notHeld":
    "Der Knopf war nicht gehalten, seit das Gerät Strom hat. Nehmen Sie ihm den Strom, "
    + "drücken Sie den Knopf, stecken Sie es ein, und halten Sie weiter.",
  "problem.noAnswer":
    "Das Gerät hat nicht geantwortet. Vielleicht kennt seine Firmware das Paaren nicht.",
  "problem.notStored":
    "Der Speicher des Geräts hat den Schlüssel nicht angenommen. Nichts hat sich geändert.",
  "problem.keyNotKept": "Die Zentrale kann den Schlüssel nicht aufheben. Nichts hat sich geändert.",
  "problem.labelMistyped":
    "Das ist nicht der Code eines Etiketts: Ein Zeichen ist falsch, fehlt oder ist zu viel. "
    + "Vergleichen Sie ihn mit dem Etikett.",
  "problem.severalLines":
    "Mehrere Geräte sagen, dass sie dieses sind, und keines beweist es. Stecken Sie alle bis auf "
    + "das in Ihrer Hand aus.",
  "problem.labelOfAnother": "Das ist das Etikett eines anderen Geräts.",
  "problem.keyNotProved":
    "Das Gerät hat nicht den Schlüssel dieses Etiketts: Es wurde seither gepaart, oder seine "
    + "Paarung beendet. Nichts hat sich geändert. Paaren Sie es mit seinem Knopf.",
  "problem.unownedDevice": "Dieses Gerät gehört zu keinem Konto. Verbinden Sie es zuerst.",
  "problem.notProtecting":
    "Der Schutz ist aus: ein Sturz oder eine versäumte Nachfrage zählt nicht.",
  "problem.noAccount": "Es gibt noch kein Konto.",
  "problem.accountExists": "Es gibt schon ein Konto. Melden Sie sich dort an.",
  "problem.notLoggedIn": "Niemand ist im Konto angemeldet.",
  "problem.unchanged": "Nichts hat sich geändert.",
  "problem.claimed": "Dieses Gerät ist mit einem anderen Konto verbunden.",
  "problem.nothingOpen": "Kein Alarm ist offen.",
  "problem.nothingEnded": "Es gibt keinen Alarm, der vorbei ist.",
  "problem.nobodyTold": "Noch wurde niemand benachrichtigt: der Countdown läuft noch.",
  "problem.unowned": "Dieser Alarm gehört zu keinem Konto: ein Administrator beendet ihn.",
  "problem.noMail":
    "Von hier kann keine E-Mail gesendet werden: es ist kein Kanal für E-Mail eingerichtet.",
  "problem.mailFailed": "Die E-Mail wurde nicht angenommen. Versuchen Sie es noch einmal.",
  "problem.notSent": "Die E-Mail konnte nicht gesendet werden. Versuchen Sie es noch einmal.",
  "problem.tooOften":
    "Vor Kurzem wurde schon eine neue PIN gesendet. Suchen Sie nach ihr, oder warten Sie eine "
    + "Stunde.",
  "problem.invalid.name": "Ein Name ist nötig, mit höchstens 100 Buchstaben.",
  "problem.invalid.email": "Das ist keine E-Mail-Adresse wie owner@example.org.",
  "problem.invalid.mobile":
    "Das ist keine Telefonnummer. Schreiben Sie sie wie in Ihrem Land oder mit Plus und "
    + "Landesvorwahl, wie +15555550100.",
  "problem.invalid.numbers":
    "Das ist keine Telefonnummer. Schreiben Sie sie wie in Ihrem Land oder mit Plus und "
    + "Landesvorwahl, wie +15555550100.",
  "problem.invalid.country": "Wählen Sie ein Land.",
  "problem.invalid.language": "Wählen Sie eine Sprache.",
  "problem.invalid.zone": "Wählen Sie eine Zeitzone.",
  "problem.invalid.possessive": "Ein Pronomen ist nötig, mit höchstens 100 Buchstaben.",
  "problem.invalid.pin": "Eine PIN hat vier Ziffern.",
  "problem.invalid.messageEvery": "Zwischen 1 und 60 Minuten.",
  "problem.noContacts": "In dieser Datei wurde kein Kontakt mit Name und Nummer gefunden.",
  "problem.startPast":
    "Das liegt in der Vergangenheit. Wählen Sie einen späteren Tag oder eine spätere Zeit.",
  "problem.endPast":
    "Der letzte Tag liegt in der Vergangenheit oder vor dem ersten. Wählen Sie einen späteren, "
    + "oder leeren Sie das Feld.",
  "problem.movedPast":
    "In die Vergangenheit lässt sie sich nicht verschieben. Wählen Sie einen späteren Tag oder "
    + "eine spätere Zeit.",
  "problem.noDescription": "Schreiben Sie, wonach gefragt wird.",
  "problem.unknownSeries": "Diese Serie gibt es nicht mehr.",
  "problem.unknownCheckIn": "Diese Nachfrage gibt es nicht mehr.",
  "problem.tooEarly":
    "Diese Nachfrage löst einen Alarm aus: Sie kann noch nicht beantwortet werden.",
  "problem.checkInClosed":
    "Diese Nachfrage ist beantwortet oder vorbei. Sehen Sie im Verlauf nach.",
  "problem.unknownAffirmation":
    "Diese Affirmation gibt es nicht mehr. Sehen Sie die Liste noch einmal an.",
  "problem.seriesRuns": "Diese Serie ist nicht zu Ende: Bearbeiten Sie sie stattdessen.",
  "problem.exerciseRuns": "Eine Übung läuft: Beenden Sie sie zuerst.",
  "problem.noExercise": "Keine solche Übung läuft.",
  "problem.checkInOverdue": "Eine Nachfrage ist überfällig: Beantworten Sie sie zuerst.",
  "problem.incomplete":
    "Dieser Platz ist nicht vollständig: Er braucht einen erreichbaren Empfänger und einen Text.",
  "problem.unknownReview": "Diesen Rückblick gibt es nicht mehr.",
  "problem.reviewExists": "Dieser Alarm hat schon einen Rückblick: Bearbeiten Sie ihn.",
  "problem.changed": "Ein anderes Fenster hat diese Antwort inzwischen gespeichert.",
  "problem.invalid.description":
    "Höchstens 160 Buchstaben in einer Zeile; weniger, wo sie Umlaute haben.",
  "problem.invalid.rule":
    "Diese Regel ergibt keinen Termin. Wählen Sie einen Tag; Anzahl mal Stunden sind höchstens 48.",
  "problem.invalid.time": "Wählen Sie eine Zeit.",
  "problem.invalid.start": "Wählen Sie einen Tag.",
  "problem.invalid.date": "Wählen Sie einen Tag.",
  "problem.invalid.limit": "Zwischen 5 und 1440 Minuten.",
  "problem.invalid.nagEvery": "Zwischen 1 und 60 Minuten.",
  "problem.invalid.shown": "Zwischen 1 und 366.",
  "problem.invalid.history": "Zwischen 10 und 10000.",
  "problem.invalid.logShown": "Zwischen 10 und 10000.",
  "problem.invalid.comment": "Höchstens 500 Buchstaben; weniger, wo sie Umlaute haben.",
};
