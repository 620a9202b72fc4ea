/** Calm: the five messages and the help links. */
export default {
  "messages.title": "Fünf Nachrichten",
  "messages.text":
    "Jede geht an eine Person, durch Klicks auf den Anhänger oder von hier. Sie ist kein "
    + "Alarm.",
  "messages.literal":
    "Klicks senden keine davon: jeder Druck auf diesen Anhänger löst den Alarm aus.",
  "messages.clicks": { one: "{count} Klick", other: "{count} Klicks" },
  "messages.nobody": "Noch an niemanden",
  "messages.empty": "Noch kein Text: ihre Klicks lösen den Alarm aus.",
  "messages.send": "Senden",
  "messages.send.name": "Nachricht {slot} senden",
  "messages.create": "Anlegen",
  "messages.create.name": "Nachricht {slot} anlegen",
  "messages.edit": "Bearbeiten",
  "messages.edit.name": "Nachricht {slot} bearbeiten",
  "messages.delete": "Löschen",
  "messages.delete.name": "Nachricht {slot} löschen",
  "messages.delete.ask": "Nachricht {slot} löschen?",
  "messages.delete.text": "Ihre Klicks lösen danach den Alarm aus.",
  "messages.asked": "Nachricht {slot} ist unterwegs.",
  "messages.saved": "Nachricht {slot} ist gespeichert.",
  "messages.deleted": "Nachricht {slot} ist gelöscht.",
  "messages.state.decided": "Angefordert {at}",
  "messages.state.waiting": "Wartet auf das Senden, angefordert {at}",
  "messages.state.underWay": "Wird gesendet, angefordert {at}",
  "messages.state.taken": "Angenommen {at}",
  "messages.state.failed": "NICHT gesendet, {at}",
  "messages.state.cancelled": "Abgebrochen {at}",
  "messages.way": "über {way}",
  "messages.alarm":
    "Niemand hat sie angenommen. Wenn Sie Hilfe brauchen, lösen Sie den Alarm aus: den Knopf "
    + "des Anhängers gedrückt halten.",
  "messages.call": "{number} anrufen",
  "slot.title": "Nachricht {slot}",
  "slot.contact": "Geht an",
  "slot.contact.none": "Jemand anderen",
  "slot.name": "Name",
  "slot.number": "Nummer",
  "slot.message": "Nachricht",
  "slot.position": "Meine Position anhängen",
  "slot.position.hint":
    "Ein Link zu einer Karte und eine Uhrzeit, wo der Anhänger seinen Ort kennt. Sie zählen "
    + "als 35 Zeichen.",
  "slot.count": "{sum} von {limit} Zeichen",
  "slot.save": "Speichern",
  "links.title": "Hilfe",
  "links.edit": "Hilfe-Links bearbeiten",
  "links.open": "{label} öffnen",
  "links.lines": "Links, einer je Zeile",
  "links.hint": "Was es ist; Telefon; https-Adresse. Höchstens {count}.",
};
