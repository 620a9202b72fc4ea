/** Contacts. */
export default {
  "contacts.total": { one: "{count} total", other: "{count} total" },
  "contacts.told": {
    one: "{count} contact is told of an alarm.",
    other: "{count} contacts are told of an alarm.",
  },
  "contacts.none": "No contacts: no one will be told of an alarm.",
  "contacts.unreachable": "⚠ Cannot be reached by any notification channel that is configured.",
  "contacts.unreached": {
    one: "⚠ {count} of them cannot be reached by any notification channel that is configured.",
    other: "⚠ {count} of them cannot be reached by any notification channel that is configured.",
  },
  "contacts.more": { one: "{count} more number", other: "{count} more numbers" },
  "contacts.add": "Add contact",
  "contacts.added": "Contact added.",
  "contacts.edit": "Edit",
  "contacts.edit.name": "Edit {name}",
  "contacts.edit.title": "Edit Contact",
  "contacts.new.title": "New Contact",
  "contacts.save": "Save Contact",
  "contacts.saved": "{name} is saved.",
  "contacts.name": "Name",
  "contacts.email": "Email (optional)",
  "contacts.numbers": "Numbers",
  "contacts.numbers.hint":
    "The chosen one is told. With a plus and the country's code, as in +15555550101.",
  "contacts.number": "Number {place}",
  "contacts.number.choose": "Choose number {place}",
  "contacts.number.add": "Add number",
  "contacts.delete": "Delete",
  "contacts.delete.name": "Delete {name}",
  "contacts.delete.ask": "Delete {name}?",
  "contacts.delete.text": "This contact will not be told of an alarm any more.",
  "contacts.deleted": "{name} is deleted.",
  "contacts.import.title": "Import contacts",
  "contacts.import.label": "Address book file",
  "contacts.import.hint":
    "vCard (.vcf) or CSV with a line of titles: name, number, email. Names that are there "
    + "already are passed over.",
  "contacts.import": "Import",
  "contacts.import.tooLarge": "This file is too large: at most 60 KB at one time.",
  "contacts.imported": { one: "{count} contact imported.", other: "{count} contacts imported." },
};
