/** Everywhere, the PIN, and the login. */
export default {
  "app.name": "fob",
  "app.skip": "Zum Inhalt",
  "app.views": "Ansichten",
  "app.connection": "Verbindung",
  "app.bench": "Prüfstand",
  "app.keychain": "Schlüsselanhänger",
  "app.toAnswer": { one: "{count} zu beantworten", other: "{count} zu beantworten" },
  "button.cancel": "Abbrechen",
  "button.tryAgain": "Noch einmal versuchen",
  "button.ok": "OK",
  "button.yes": "Ja",
  "button.no": "Nein",
  "connection.lost": "Verbindung verloren. Die Zentrale antwortet nicht. Es wird weiter versucht …",
  "connection.stale": "Von der Zentrale war nichts Neues zu hören. Es wird weiter versucht …",
  "connection.age": "Was hier steht, galt {ago}.",
  "state.NO_EMERGENCY": "Kein Notfall",
  "state.ALERT_COUNTDOWN": "Countdown",
  "state.EMERGENCY_SENDING": "Kontakte werden benachrichtigt",
  "state.EMERGENCY_SENT": "Nachricht empfangen",
  "state.EMERGENCY_SENDING_FAILED": "Niemand war zu erreichen",
  "state.EMERGENCY_ENDED": "Notfall vorbei",
  "state.moved": "Alarm übergeben",
  "pin.label": "PIN, 4 Ziffern",
  "pin.erase": "Letzte Ziffer löschen",
  "pin.checking": "Wird geprüft …",
  "pin.wrongPIN": "Falsche PIN. Nichts hat sich geändert.",
  "pin.pinBlocked": "Zu viele falsche PINs.",
  "pin.blocked": "Zu viele falsche PINs. Warten Sie vor dem nächsten Versuch mindestens",
  "pin.mayTry": "Sie können es jetzt noch einmal versuchen.",
  "pin.busy": "Die Zentrale ist beschäftigt. Nichts hat sich geändert.",
  "pin.unreachable": "Es kam keine Antwort: es ist nicht bekannt, ob die PIN angenommen wurde.",
  "download.failed": "Nicht heruntergeladen: {reason}",
  "login.title": "Anmelden",
  "login.again": "Wieder anmelden",
  "login.over":
    "Die Sitzung dieser Seite ist vorbei, wie nach einem Neustart der Zentrale. Ein neuer Code "
    + "ist nötig.",
  "login.alarm":
    "Ein Alarm war offen. Er läuft ohne diese Seite weiter: melden Sie sich an, um ihn zu "
    + "sehen und zu beenden. Wenn Sie Hilfe brauchen und nicht sicher sind, dass jemand "
    + "benachrichtigt wurde, rufen Sie {number} an.",
  "login.code": "Einmalcode",
  "login.where":
    "Der Code steht im Terminal, in dem fob gestartet wurde, unter der Adresse dieser Seite. "
    + "Er gilt einmal und zehn Minuten lang; ein neuer Start von fob macht einen neuen.",
  "login.button": "Anmelden",
  "login.byEmail": "Mit E-Mail und PIN",
  "login.email": "E-Mail",
  "login.length": {
    one: "Ein Code hat {count} Zeichen.",
    other: "Ein Code hat {count} Buchstaben und Ziffern.",
  },
  "login.wrong":
    "Dieser Code ist falsch, wurde schon benutzt oder ist zu alt; nach zehn falschen gilt kein "
    + "Code mehr. Suchen Sie im Terminal nach dem neuesten Code, oder starten Sie fob neu, um "
    + "einen neuen zu bekommen.",
  "login.wait": {
    one: "Zu viele Versuche: warten Sie {count} Sekunde.",
    other: "Zu viele Versuche: warten Sie {count} Sekunden.",
  },
  "login.unreachable": "Die Zentrale antwortet nicht. Läuft fob?",
  "login.lastKnown": "Was hier zuletzt stand",
  "login.age": "Es galt {ago} und kann jetzt anders sein.",
  "button.continue": "Weiter",
  "pin.enter": "PIN eingeben",
  "checkIns.title": "Nachfragen",
  "calm.title": "Ruhe",
  "contacts.title": "Kontakte",
  "settings.title": "Einstellungen",
  "history.title": "Verlauf",
  "review.title": "Rückblick",
  "newPIN.choose": "Wählen Sie eine PIN mit vier Ziffern",
  "newPIN.again": "Dieselbe PIN noch einmal",
  "unsaved.title": "Änderungen speichern?",
  "unsaved.text": "Was Sie hier geändert haben, ist noch nicht gespeichert.",
  "unsaved.save": "Speichern",
  "unsaved.discard": "Verwerfen",
  "unsaved.goOn": "Weiter bearbeiten",
  "forgot.title": "PIN vergessen?",
  "forgot.text":
    "Eine neue PIN kann an die Adresse des Kontos gesendet werden. Die alte gilt, bis die neue "
    + "zum ersten Mal benutzt wird.",
  "forgot.send": "Senden",
  "forgot.sent": "E-Mail gesendet. Sehen Sie nach, und geben Sie hier Ihre neue PIN ein.",
  "forgot.notSent": "Es wurde keine E-Mail gesendet",
  "confirmation.sent": "Bestätigungs-E-Mail an {email} gesendet. Öffnen Sie den Link darin.",
  "confirmation.notSent": "Es wurde keine Bestätigungs-E-Mail gesendet: {reason}",
  "confirmation.needed": "{email} ist noch nicht bestätigt.",
  "confirmation.mailed":
    "Ein Link wurde an {email} gesendet. Bis Sie ihn öffnen, weiß niemand, dass Ihre E-Mail "
    + "ankommt.",
  "confirmation.noMail":
    "{email} ist nicht bestätigt, und von hier kann keine E-Mail gesendet werden.",
  "confirmation.noAddress": "Es gibt keine E-Mail-Adresse: keine E-Mail kann Sie erreichen.",
  "confirmation.resend": "Bestätigungs-E-Mail noch einmal senden",
};
