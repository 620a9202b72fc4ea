/** The view of how things stand, and its dialogs. */
export default {
  "status.title": "Status",
  "status.overall.good": "Alles gut!",
  "status.overall.warning": "Warnungen!",
  "status.overall.error": "Fehler!",
  "status.said": "Status: {overall}",
  "status.checked": "geprüft {ago}",
  "status.checkedNow": "gerade geprüft",
  "status.neverChecked": "noch nicht geprüft",
  "status.readNow": "jetzt",
  "status.refresh": "Aktualisieren",
  "status.unanswered":
    "Die Prüfung wurde nicht beantwortet: es ist nicht bekannt, wie es jetzt steht.",
  "status.unheard": "Nicht mit SafeTime verbunden",
  "status.unheardAdvice": "Diese Seite hört die Zentrale nicht. Sehen Sie nach, ob fob läuft.",
  "status.worst": {
    one: "",
    other: "Von Ihren {count} Schlüsselanhängern ist dies der, um den es am schlechtesten steht.",
  },
  "status.storage": "Nichts kann gespeichert werden",
  "status.storageMeans":
    "Kontakte werden bei einem Alarm weiterhin benachrichtigt, aber ein Neustart kann ihn "
    + "vergessen. Die Ursache:",
  "status.rows": "Zustand des Systems",
  "status.protected": {
    one: "Sie sind geschützt. {count} Kontakt wird bei einem Alarm benachrichtigt.",
    other: "Sie sind geschützt. {count} Kontakte werden bei einem Alarm benachrichtigt.",
  },
  "status.unprotected": "Sie sind nicht geschützt.",
  "status.checkAgain": "Noch einmal prüfen",
  "concern.storage": "Nichts kann gespeichert werden",
  "concern.storage.text":
    "Kontakte werden bei einem Alarm weiterhin benachrichtigt, aber ein Neustart kann ihn "
    + "vergessen.",
  "concern.damage": "Aufzeichnungen wurden beschädigt",
  "concern.damage.text":
    "Was bisher aufgehoben wurde, ist nicht vollständig. Sehen Sie, was unten steht.",
  "concern.damage.do": "Verlauf ansehen",
  "concern.noAccount": "Es gibt kein Konto",
  "concern.noAccount.text":
    "Ein Druck wird gespeichert und gezeigt, und niemand wird benachrichtigt.",
  "concern.noAccount.do": "Einrichten",
  "concern.loggedOut": "Sie sind abgemeldet",
  "concern.loggedOut.text":
    "Ein Druck wird gespeichert und gezeigt, und niemand wird benachrichtigt.",
  "concern.loggedOut.do": "Anmelden",
  "concern.noKeychain": "Kein Schlüsselanhänger ist Ihrer",
  "concern.noKeychain.text":
    "Ein Druck auf einen Schlüsselanhänger, der nicht Ihrer ist, benachrichtigt niemanden.",
  "concern.noKeychain.do": "Schlüsselanhänger verbinden",
  "concern.link": "Gerät nicht gefunden",
  "concern.link.text": "Prüfen Sie, ob Ihr Gerät eingeschaltet ist und das Licht blinkt.",
  "concern.link.do": "Noch einmal versuchen",
  "concern.noContacts": "Niemand würde benachrichtigt",
  "concern.noContacts.text":
    "Kein Mensch erfährt von einem Alarm, bis Sie einen Kontakt hinzufügen.",
  "concern.noContacts.do": "Kontakte hinzufügen",
  "concern.unreachable": "Ein Kontakt ist nicht zu erreichen",
  "concern.unreachable.text": {
    one: "Kein eingerichteter Kanal erreicht {count} Ihrer Kontakte.",
    other: "Kein eingerichteter Kanal erreicht {count} Ihrer Kontakte.",
  },
  "concern.unreachable.do": "Kontakte ansehen",
  "concern.notSetUp": "Die Einrichtung ist nicht fertig",
  "concern.notSetUp.text": "Bis sie es ist, fehlt etwas von dem, was Sie schützt.",
  "concern.notSetUp.do": "Weiter",
  "concern.notProtecting": "Der Schutz ist aus",
  "concern.notProtecting.text":
    "Ein Sturz oder ein versäumtes Lebenszeichen löst nichts aus. Der Knopf löst den Alarm "
    + "weiterhin aus.",
  "concern.notProtecting.do": "Schutz einschalten",
  "concern.unconfirmedEmail": "E-Mail-Adresse bestätigen",
  "concern.unconfirmedEmail.text":
    "Bis Sie den Link in der Bestätigungs-E-Mail öffnen, weiß niemand, dass Ihre E-Mail ankommt.",
  "concern.noPIN": "Keine PIN ist festgelegt",
  "concern.noPIN.text": "Jeder, der diese Seite sieht, kann einen Alarm abbrechen.",
  "concern.noPIN.do": "PIN festlegen",
  "concern.doubted": "Die Uhr des Schlüsselanhängers ist zweifelhaft",
  "concern.doubted.text":
    "Starten Sie den Schlüsselanhänger neu. Bis dahin gilt jeder Druck als neuer.",
  "row.linkUp": "USB verbunden",
  "row.linkDown": "USB nicht verbunden",
  "row.linkDown.advice": "SafeTime-Gerät nicht zu finden",
  "row.linkClosed": "USB nicht verbunden",
  "row.linkClosed.advice": "{detail}",
  "row.linkNotUnderstood": "USB verbunden, aber nicht verstanden",
  "row.linkNotUnderstood.advice": "{detail}",
  "row.batteryGood": "Akku bei {percent} %",
  "row.batteryLow": "Akku bei {percent} %",
  "row.batteryLow.advice": "Laden Sie Ihr SafeTime-Gerät bald",
  "row.batteryEmpty": "Akku bei {percent} %",
  "row.batteryEmpty.advice": "Laden Sie Ihr SafeTime-Gerät jetzt",
  "row.batteryUnknown": "Akkustand nicht bekannt",
  "row.batteryUnknown.advice": "Kein SafeTime-Gerät verbunden",
  "row.serviceUp": "Mit SafeTime verbunden",
  "row.serviceDown": "Nicht mit SafeTime verbunden",
  "row.serviceDown.advice": "{detail}",
  "row.serviceDamaged": "Verbunden, aber Aufzeichnungen wurden beschädigt",
  "row.serviceDamaged.advice": "{detail}",
  "row.gpsGood": "GPS-Signal gut",
  "row.gpsWeak": "GPS-Signal schwach",
  "row.gpsWeak.advice": "Letzte Position {ago} erfasst",
  "row.gpsSearching": "GPS sucht",
  "row.gpsSearching.advice":
    "Es sucht Satelliten. Bringen Sie das Gerät dorthin, wo es den Himmel sieht.",
  "row.gpsOff": "GPS ausgeschaltet",
  "row.gpsOff.advice": "Schalten Sie GPS in den Einstellungen des SafeTime-Geräts ein",
  "row.gpsUnknown": "GPS nicht bekannt",
  "row.gpsUnknown.advice": "Kein SafeTime-Gerät verbunden",
  "status.resend": "Noch einmal senden",
  "status.resending": "Wird gesendet …",
  "status.resent": "Die E-Mail ist unterwegs. Suchen Sie nach ihr.",
  "status.changeEmail": "E-Mail ändern",
  "level.good": "Gut",
  "level.warning": "Warnung",
  "level.error": "Fehler",
  "level.unknown": "Nicht bekannt",
  "protection.on": "Schutz ist an",
  "protection.onMeans":
    "Nichts ist geschehen. Ein Sturz oder ein versäumtes Lebenszeichen startet einen "
    + "Countdown; der Knopf löst den Alarm aus.",
  "protection.off": "Schutz ist aus",
  "protection.offMeans":
    "Ein Sturz oder ein versäumtes Lebenszeichen löst nichts aus. Der Knopf löst den Alarm "
    + "weiterhin aus.",
  "protection.start": "Schutz einschalten",
  "protection.stop": "Schutz ausschalten",
  "protection.contacts": {
    one: "{count} Kontakt wird benachrichtigt",
    other: "{count} Kontakte werden benachrichtigt",
  },
  "logout.button": "Abmelden",
  "logout.title": "Abmelden?",
  "logout.warning":
    "Solange Sie abgemeldet sind, arbeitet der Alarm nicht: ein Druck wird gespeichert und "
    + "gezeigt, und niemand wird benachrichtigt.",
  "logout.confirm": "Abmelden",
  "notify.title": "Bei einem Alarm benachrichtigt werden",
  "notify.why": "Diese Seite kann eine Mitteilung Ihres Systems zeigen, wenn ein Alarm beginnt.",
  "notify.allow": "Mitteilungen erlauben",
  "notify.alarm": "Alarm",
  "notify.body": "Ein Alarm ist offen. Wählen Sie dies, um ihn zu sehen.",
};
