/** The view of an alarm. */
export default {
  "alarm.title": "Alarm",
  "alarm.heading.ALERT_COUNTDOWN": "Geht es Ihnen gut?",
  "alarm.heading.EMERGENCY_SENDING": "Wir benachrichtigen Ihre Kontakte …",
  "alarm.heading.EMERGENCY_SENT": "Wir sind alarmiert",
  "alarm.heading.EMERGENCY_SENDING_FAILED": "Niemand war zu erreichen",
  "alarm.heading.EMERGENCY_ENDED": "Der Notfall ist vorbei",
  "alarm.heading.moved": "Der Alarm wurde übergeben",
  "alarm.means.ALERT_COUNTDOWN":
    "Wenn die Zeit um ist, werden Ihre Kontakte benachrichtigt. Noch wurde niemand benachrichtigt.",
  "alarm.means.fall":
    "Ein Sturz wurde bemerkt. Wenn die Zeit um ist, werden Ihre Kontakte benachrichtigt. Noch "
    + "wurde niemand benachrichtigt.",
  "alarm.means.checkIn":
    "Eine Nachfrage ist überfällig. Wenn die Zeit um ist, werden Ihre Kontakte "
    + "benachrichtigt. Noch wurde niemand benachrichtigt.",
  "alarm.means.question":
    "Die Nachfrage „{name}“, fällig {at}, hat niemand beantwortet. Ist die Zeit um, "
    + "erfahren es Ihre Kontakte. Noch weiß es niemand.",
  "alarm.question": "Die Nachfrage „{name}“, fällig {at}, hat niemand beantwortet.",
  "alarm.means.EMERGENCY_SENDING":
    "Noch wurde keine Nachricht empfangen. Sie wird immer wieder gesendet, bis eine empfangen ist.",
  "alarm.means.EMERGENCY_SENT":
    "Eine Maschine hat geantwortet: vielleicht hat es noch niemand gelesen.",
  "alarm.means.acknowledged": "Der Alarm läuft weiter, bis Sie ihn abbrechen.",
  "alarm.means.EMERGENCY_SENDING_FAILED":
    "Bisher wurde keine Nachricht empfangen. Sie wird weiter gesendet, lautlos. Warten Sie "
    + "nicht darauf.",
  "alarm.means.noContacts":
    "Es gibt keinen Kontakt, der benachrichtigt werden könnte. Warten Sie nicht auf Hilfe.",
  "alarm.means.unowned":
    "Dieser Schlüsselanhänger gehört zu keinem Konto, oder niemand ist angemeldet: der Druck "
    + "ist gespeichert, und niemand wird benachrichtigt.",
  "alarm.ended.disarmed":
    "Der Alarm wurde mit der PIN abgeschaltet. Wer davon wusste, erfährt, dass er vorbei ist.",
  "alarm.ended.cancelled":
    "Der Alarm wurde abgebrochen. Wer davon wusste, erfährt, dass er vorbei ist.",
  "alarm.ended.gaveWay":
    "Ein echter Alarm ist an seine Stelle getreten. Niemand hat ihn abgeschaltet.",
  "alarm.ended.trackingOver":
    "Dreißig Minuten sind um, und Ihre Position wird nicht mehr verfolgt. Wenn Sie noch Hilfe "
    + "brauchen, halten Sie den Knopf gedrückt, oder rufen Sie {number} an.",
  "alarm.ended.moved":
    "Der Schlüsselanhänger gehört jetzt zu einem anderen Konto. Dort ging der Alarm weiter: "
    + "Niemand hatte ihn abgeschaltet. Ob er seither geendet hat, ist hier nicht bekannt.",
  "alarm.ended.over": "Der Alarm ist aus.",
  "alarm.until.ALERT_COUNTDOWN": "Ihre Kontakte werden benachrichtigt in",
  "alarm.next": "Nächste Nachricht in {time}",
  "alarm.noNext": "Keine weitere Nachricht steht an: sie wurde bestätigt.",
  "alarm.trying": "Wird gesendet seit",
  "alarm.noTime": "––:––",
  "alarm.call": "Rufen Sie selbst Hilfe",
  "alarm.contacts": { one: "{count} Kontakt", other: "{count} Kontakte" },
  "alarm.nobody": "Niemand wird benachrichtigt.",
  "alarm.noContacts": "Kein Kontakt: kein Mensch wird benachrichtigt.",
  "alarm.fine": "Mir geht es gut",
  "alarm.cancel": "Den Alarm abbrechen",
  "alarm.callNumber": "{number} anrufen",
  "emergency.works": "{number} geht von den meisten Mobiltelefonen.",
  "alarm.silence": "Ton abstellen",
  "alarm.quit": "Quit: Ton abstellen und sagen, was geschehen ist",
  "alarm.keepOn": "Alarm weiterlaufen lassen",
  "alarm.endIt": "Alarm beenden",
  "alarm.soundOn": "Der Schlüsselanhänger ist laut.",
  "alarm.soundOff": "Der Schlüsselanhänger ist still. Der Alarm läuft weiter.",
  "alarm.lesser": "Ton und Fragen",
  "alarm.goesOn": "Anrufen, den Ton abstellen oder „Quit“ beendet den Alarm nicht.",
  "alarm.pinWhy": "Der Alarm läuft weiter, bis die PIN stimmt.",
  "alarm.sure": "Sind Sie sicher? Der Alarm endet, und wer benachrichtigt wurde, erfährt das.",
  "alarm.unknown": "Diese Seite hört die Zentrale nicht",
  "alarm.unknownAge": "Was hier steht, galt {ago}.",
  "alarm.unknownMeans":
    "Die Zentrale macht ohne diese Seite weiter, wenn sie läuft. Hier ist nicht bekannt, ob "
    + "seither jemand benachrichtigt wurde, wie lange der Countdown noch dauert oder ob der "
    + "Alarm vorbei ist. Wenn Sie Hilfe brauchen, rufen Sie {number} an.",
  "alarm.facts": "Dieser Notfall",
  "alarm.began": "Alarm, begann {ago}",
  "alarm.presses": {
    one: "Der Knopf wurde einmal gedrückt.",
    other: "Der Knopf wurde {count}-mal gedrückt.",
  },
  "alarm.unproved": {
    one: "{count} Druck ist nicht als der Ihres Schlüsselanhängers bewiesen.",
    other: "{count} Drücke sind nicht als die Ihres Schlüsselanhängers bewiesen.",
  },
  "alarm.messages": { one: "Bisher {count} Nachricht.", other: "Bisher {count} Nachrichten." },
  "alarm.fixes": {
    one: "{count} Position, gehört {ago}.",
    other: "{count} Positionen, die letzte {ago}.",
  },
  "alarm.lastPosition": "Ihre letzte bekannte Position wurde {ago} gehört.",
  "alarm.noPosition": "Ihre Position ist nicht bekannt.",
  "alarm.notYetLocated": "Ihre Position wird noch nicht verfolgt.",
  "alarm.notLocated": "Ihre Position wird nicht verwendet: Ihr Konto erlaubt es nicht.",
  "alarm.place": "Wo Sie sind",
  "alarm.bench":
    "Ein Schlüsselanhänger des Prüfstands: nur Kanäle für Tests bedienen ihn, kein Mensch wird "
    + "gerufen.",
  "alarm.people": "Wer benachrichtigt wird",
  "alarm.inHand": { one: "{names} hat es übernommen.", other: "{names} haben es übernommen." },
  "alarm.noAnswer": {
    one: "Bei {count} empfangen. Noch hat kein Mensch geantwortet.",
    other: "Bei {count} empfangen. Noch hat kein Mensch geantwortet.",
  },
  "alarm.log": "Was gerade geschieht",
  "step.sent": "Gesendet",
  "step.received": "Empfangen",
  "step.acknowledged": "Bestätigt",
  "step.notYet": "noch nicht",
  "contact.notified": "Um {time} noch einmal gesendet, noch nicht empfangen.",
  "contact.delivered": "Um {time} noch einmal empfangen.",
  "contact.deliveryFailed": "Nicht erreicht.",
  "contact.withdrawn": "Nicht gesendet: nicht mehr nötig.",
  "contact.undone": "Hatte es übernommen, bevor der Knopf noch einmal gedrückt wurde.",
  "closing.notified": "Gesendet, dass es vorbei ist; noch nicht empfangen.",
  "closing.delivered": "Empfangen, dass es vorbei ist.",
  "closing.deliveryFailed": "Nicht erreicht, um zu sagen, dass es vorbei ist.",
  "closing.withdrawn": "Nicht gesagt, dass es vorbei ist: nicht mehr nötig.",
  "moved.notified": "Gesendet, dass es anderswo weitergeht; noch nicht empfangen.",
  "moved.delivered": "Empfangen, dass es anderswo weitergeht.",
  "moved.deliveryFailed": "Nicht erreicht, um zu sagen, dass es anderswo weitergeht.",
  "moved.withdrawn": "Nicht gesagt, dass es anderswo weitergeht: nicht mehr nötig.",
  "message.raise": "der Alarm",
  "message.update": "ein weiterer Druck",
  "message.again": "noch einmal der Alarm",
  "message.closing": "dass es vorbei ist",
  "message.moved": "dass es anderswo weitergeht",
  "line.incidentOpened": "Der Alarm begann",
  "line.pressAdded": "Der Knopf wurde gedrückt",
  "line.pressJoined":
    "Ein Druck kam an, der außer Reichweite gemacht wurde, bevor der Alarm abgeschaltet war: "
    + "er ist beiseitegelegt, und niemand wird benachrichtigt",
  "line.bootDoubted": "{detail}",
  "line.pressUnproved": "Ein Druck, der nicht als der dieses Schlüsselanhängers bewiesen ist",
  "line.pressProved": "Der Druck kam noch einmal, mit seinem Beweis",
  "line.pressMoved": "Der Druck ging an das Konto, zu dem der Schlüsselanhänger jetzt gehört",
  "line.triggerAdded": "Ein weiterer Auslöser: {detail}",
  "line.checkInEscalated": "Eine Nachfrage wurde nicht beantwortet",
  "line.checkInCovered": "Eine Nachfrage wurde fällig und geht in diesem Alarm auf",
  "line.stateChanged": "{states}",
  "line.notified": "An {contact} gesendet über {sink}: {message}",
  "line.delivered": "Für {contact} empfangen über {sink}: {message}",
  "line.deliveryFailed": "Für {contact} nicht empfangen über {sink}: {message}. {reason}.",
  "line.withdrawn": "{contact} braucht nicht mehr zu erfahren: {message}",
  "line.acknowledged": "Bestätigt: {contact} hat es übernommen",
  "line.silenced": "Der Ton wurde abgestellt",
  "line.surveyOpened": "„Quit“ wurde gewählt",
  "line.surveyAnswered": "Geantwortet: {detail}",
  "line.wrongPIN": "Eine falsche PIN wurde versucht",
  "line.pinBlocked": "Zu viele falsche PINs: die nächste muss warten",
  "line.recovered": "Die Zentrale wurde neu gestartet: der Alarm läuft weiter",
  "line.commitFailed": "Speichern schlug fehl: {detail}",
  "line.storageHealed": "Speichern geht wieder",
  "line.resumed": "Wieder aufgenommen",
  "line.noSink": "kein Kanal",
  "line.noReason": "kein Grund angegeben",
  "line.next": "Nächster Versuch um {time}.",
  "survey.title": "Wie geht es Ihnen?",
  "survey.question": "Der Alarm läuft weiter. Was ist geschehen?",
  "survey.fell": "Ich bin gestürzt",
  "survey.notFell": "Ich bin nicht gestürzt",
  "survey.sure":
    "Sind Sie sicher? Dann endet der Alarm, und wer benachrichtigt wurde, erfährt das.",
  "survey.fellNoted": "Es ist vermerkt, dass Sie gestürzt sind.",
  "survey.fellMeans": "Der Alarm läuft weiter, und Ihre Position wird verfolgt.",
  "survey.noHelp": "Ich brauche keine Hilfe mehr",
  "awake.on": "Diese Seite hält den Bildschirm an.",
  "awake.off": "Diese Seite kann den Bildschirm nicht anlassen: halten Sie ihn selbst an.",
  "ended.title": "Und jetzt?",
  "ended.when": "Er endete am {when}.",
  "ended.moved": "Er wurde am {when} übergeben.",
  "ended.what": "Was war es? Die Antwort hilft, Alarme zu unterscheiden.",
  "outcome.true": "Ein echter Notfall",
  "outcome.false": "Ein Fehlalarm",
  "outcome.test": "Ein Test",
  "ended.kept": "Ihre Antwort ist gespeichert.",
  "ended.press": "Wer den Knopf gedrückt hält, löst einen neuen Alarm aus, auch jetzt.",
  "ended.resume": "Wieder aufnehmen",
};
