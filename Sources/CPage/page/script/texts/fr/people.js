/** Contacts. */
export default {
  "contacts.total": {
    one: "{count} au total",
    many: "{count} au total",
    other: "{count} au total",
  },
  "contacts.told": {
    one: "{count} contact est prévenu d’une alarme.",
    many: "{count} de contacts sont prévenus d’une alarme.",
    other: "{count} contacts sont prévenus d’une alarme.",
  },
  "contacts.none": "Aucun contact\u00a0: personne ne sera prévenu d’une alarme.",
  "contacts.unreachable": "⚠ Ne peut être joint par aucun canal configuré.",
  "contacts.unreached": {
    one: "⚠ {count} d’entre eux ne peut être joint par aucun canal configuré.",
    many: "⚠ {count} d’entre eux ne peuvent être joints par aucun canal configuré.",
    other: "⚠ {count} d’entre eux ne peuvent être joints par aucun canal configuré.",
  },
  "contacts.more": {
    one: "{count} autre numéro",
    many: "{count} autres numéros",
    other: "{count} autres numéros",
  },
  "contacts.add": "Ajouter un contact",
  "contacts.added": "Contact ajouté.",
  "contacts.edit": "Modifier",
  "contacts.edit.name": "Modifier {name}",
  "contacts.edit.title": "Modifier le contact",
  "contacts.new.title": "Nouveau contact",
  "contacts.save": "Enregistrer le contact",
  "contacts.saved": "{name} est enregistré.",
  "contacts.name": "Nom",
  "contacts.email": "E-mail (facultatif)",
  "contacts.numbers": "Numéros",
  "contacts.numbers.hint":
    "Celui qui est choisi est prévenu. Écrivez-le comme dans votre pays, ou avec un plus et "
    + "l’indicatif du pays.",
  "contacts.number": "Numéro {place}",
  "contacts.number.choose": "Choisir le numéro {place}",
  "contacts.number.add": "Ajouter un numéro",
  "contacts.delete": "Supprimer",
  "contacts.delete.name": "Supprimer {name}",
  "contacts.delete.ask": "Supprimer {name}\u00a0?",
  "contacts.delete.text": "Ce contact ne sera plus prévenu d’une alarme.",
  "contacts.deleted": "{name} est supprimé.",
  "contacts.import.title": "Importer des contacts",
  "contacts.import.label": "Fichier d’un carnet d’adresses",
  "contacts.import.hint":
    "vCard (.vcf) ou CSV avec une ligne de titres\u00a0: name, number, email. Vous choisissez "
    + "qui ajouter.",
  "contacts.import": "Importer",
  "contacts.import.tooLarge": "Ce fichier est trop grand\u00a0: 60 Ko au plus à la fois.",
  "contacts.imported": {
    one: "{count} contact importé.",
    many: "{count} de contacts importés.",
    other: "{count} contacts importés.",
  },
};
