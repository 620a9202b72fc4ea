/** Settings. */
export default {
  "settings.locked": "Gesperrt",
  "settings.locked.text": "Ihre PIN öffnet die Einstellungen.",
  "settings.pinChanged":
    "Die PIN wurde inzwischen geändert. Nichts wurde gespeichert; geben Sie die neue ein.",
  "settings.account": "Angaben des Kontos",
  "settings.save": "Angaben speichern",
  "settings.saved": "Gespeichert",
  "settings.pin": "PIN",
  "settings.pin.text": "Sie schaltet den Alarm ab und öffnet diese Einstellungen.",
  "settings.pin.change": "PIN ändern",
  "settings.pin.set": "PIN festlegen",
  "settings.pin.current": "Geben Sie Ihre jetzige PIN ein",
  "settings.pin.done": "PIN geändert",
  "settings.pin.done.text": "Ihre neue PIN gilt von nun an.",
  "settings.keychains": "SafeTime-Geräte",
  "settings.places": "Orte",
  "settings.places.text": "Der nächste wird in Nachrichten genannt.",
  "settings.places.none": "Es sind keine Orte festgelegt: Nachrichten haben nur Koordinaten.",
  "settings.language": "Sprache dieser Seite",
  "settings.language.account": "Wie das Konto, sonst wie der Browser",
  "settings.language.hint": "Nur für diesen Browser. Die Seite wird neu geladen.",
  "settings.browser": "Dieser Browser",
  "settings.browser.text":
    "Er wurde durch einen Einmalcode eingelassen. Ihr Alarm arbeitet weiter, wenn er geht.",
  "settings.browser.ask": "Diesen Browser abmelden?",
  "settings.browser.back":
    "Um zurückzukommen, braucht er einen neuen Einmalcode: fob druckt bei jedem Start einen aus.",
  "settings.browser.leave": "Diesen Browser abmelden",
  "erase.title": "Konto löschen",
  "erase.text": "Nimmt alles weg, was Sie eingegeben haben. Es kann nicht zurückgeholt werden.",
  "erase.begin": "Konto löschen …",
  "erase.goes": "Was verschwindet",
  "erase.goes.list":
    "Ihr Name, Ihre Nummern und Adressen; Kontakte und PIN; Orte, und wo Sie waren; "
      + "Nachrichten, Nachfragen und Affirmationen; Übungen und Rückblicke",
  "erase.stays": "Was bleibt",
  "erase.stays.list":
    "Wann Alarm ausgelöst wurde und wann er endete, ohne Namen; was schon gesendet wurde, bei "
      + "denen, die es haben",
  "erase.word": "löschen",
  "erase.type": "Zum Löschen tippen Sie das Wort {word}",
  "erase.do": "Endgültig löschen",
  "erase.pin": "Geben Sie Ihre PIN ein, um das Konto zu löschen",
  "reminders.title": "Erinnerungen",
  "reminders.checkIns": "Nachfragen",
  "reminders.checkIns.hint":
    "Diese Seite sagt, wenn eine fragt. Das Licht des Anhängers zeigt es in jedem Fall.",
  "reminders.affirmations": "Affirmationen",
  "reminders.affirmations.hint": "Zu den Zeiten, die Sie unter Ruhe gewählt haben.",
  "reminders.review": "Rückblicke",
  "reminders.review.hint":
    "Einen Tag nach einem Alarm, auf den Sie nicht zurückgeblickt haben, und sonntags, "
      + "solange ein Rückblick offen ist.",
  "reminders.tips": "Jeden Tag ein Tipp",
  "reminders.tips.hint": "Ein kurzer zu Ihrem Anhänger und dieser Seite.",
  "reminders.quotes": "Jeden Tag ein Spruch",
  "reminders.quotes.hint": "Eine Zeile für den Tag.",
  "reminders.mails": "Auch per Mail",
  "reminders.mails.hint":
    "Sie sagt, dass es etwas gibt, und kein Wort davon. Ihre Adresse muss bestätigt sein.",
  "reminders.unconfirmed":
    "Bis Sie Ihre E-Mail-Adresse bestätigen, kann keine Mail verschickt werden.",
  "reminders.time": "Uhrzeit",
  "reminders.time.hint": "Wann Tipps, Sprüche und das Wort über offene Rückblicke kommen.",
  "reminders.save": "Erinnerungen speichern",
  "reminders.saved": "Die Erinnerungen sind gespeichert.",
};
