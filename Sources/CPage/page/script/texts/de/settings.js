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
};
