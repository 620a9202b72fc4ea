/** Contacts. */
export default {
  "contacts.total": { one: "{count} insgesamt", other: "{count} insgesamt" },
  "contacts.told": {
    one: "{count} Kontakt wird bei einem Alarm benachrichtigt.",
    other: "{count} Kontakte werden bei einem Alarm benachrichtigt.",
  },
  "contacts.none": "Keine Kontakte: niemand wird bei einem Alarm benachrichtigt.",
  "contacts.unreachable": "⚠ Kann über keinen eingerichteten Kanal erreicht werden.",
  "contacts.unreached": {
    one: "⚠ {count} davon kann über keinen eingerichteten Kanal erreicht werden.",
    other: "⚠ {count} davon können über keinen eingerichteten Kanal erreicht werden.",
  },
  "contacts.more": { one: "{count} weitere Nummer", other: "{count} weitere Nummern" },
  "contacts.add": "Kontakt hinzufügen",
  "contacts.added": "Kontakt hinzugefügt.",
  "contacts.edit": "Bearbeiten",
  "contacts.edit.name": "{name} bearbeiten",
  "contacts.edit.title": "Kontakt bearbeiten",
  "contacts.new.title": "Neuer Kontakt",
  "contacts.save": "Kontakt speichern",
  "contacts.saved": "{name} ist gespeichert.",
  "contacts.name": "Name",
  "contacts.email": "E-Mail (freiwillig)",
  "contacts.numbers": "Nummern",
  "contacts.numbers.hint":
    "Die ausgewählte wird benachrichtigt. Schreiben Sie sie wie in Ihrem Land, oder mit Plus "
    + "und Landesvorwahl.",
  "contacts.number": "Nummer {place}",
  "contacts.number.choose": "Nummer {place} auswählen",
  "contacts.number.add": "Nummer hinzufügen",
  "contacts.delete": "Löschen",
  "contacts.delete.name": "{name} löschen",
  "contacts.delete.ask": "{name} löschen?",
  "contacts.delete.text": "Dieser Kontakt wird bei einem Alarm nicht mehr benachrichtigt.",
  "contacts.deleted": "{name} ist gelöscht.",
  "contacts.import.title": "Kontakte importieren",
  "contacts.import.label": "Datei eines Adressbuchs",
  "contacts.import.hint":
    "vCard (.vcf) oder CSV mit einer Titelzeile: name, number, email. Sie wählen, wer "
    + "hinzugefügt wird.",
  "contacts.import": "Importieren",
  "contacts.import.tooLarge": "Diese Datei ist zu groß: höchstens 60 KB auf einmal.",
  "contacts.imported": {
    one: "{count} Kontakt hinzugefügt.",
    other: "{count} Kontakte hinzugefügt.",
  },
};
