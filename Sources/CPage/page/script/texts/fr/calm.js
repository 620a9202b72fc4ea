/** Calm: the five messages and the help links. */
export default {
  "messages.title": "Cinq messages",
  "messages.text":
    "Chacun va à une personne, par des clics sur le porte-clés ou d’ici. Ce n’est pas une "
    + "alarme.",
  "messages.literal":
    "Les clics n’en envoient aucun : chaque pression sur ce porte-clés déclenche l’alarme.",
  "messages.clicks": { one: "{count} clic", many: "{count} de clics", other: "{count} clics" },
  "messages.nobody": "Encore à personne",
  "messages.empty": "Pas encore de texte : ses clics déclenchent l’alarme.",
  "messages.send": "Envoyer",
  "messages.send.name": "Envoyer le message {slot}",
  "messages.create": "Créer",
  "messages.create.name": "Créer le message {slot}",
  "messages.edit": "Modifier",
  "messages.edit.name": "Modifier le message {slot}",
  "messages.delete": "Supprimer",
  "messages.delete.name": "Supprimer le message {slot}",
  "messages.delete.ask": "Supprimer le message {slot} ?",
  "messages.delete.text": "Ses clics déclenchent alors l’alarme.",
  "messages.asked": "Le message {slot} est en route.",
  "messages.saved": "Le message {slot} est enregistré.",
  "messages.deleted": "Le message {slot} est supprimé.",
  "messages.state.decided": "Demandé {at}",
  "messages.state.waiting": "En attente d’envoi, demandé {at}",
  "messages.state.underWay": "En cours d’envoi, demandé {at}",
  "messages.state.taken": "Accepté {at}",
  "messages.state.failed": "PAS envoyé, {at}",
  "messages.state.cancelled": "Annulé {at}",
  "messages.way": "par {way}",
  "messages.alarm":
    "Personne ne l’a reçu. Si vous avez besoin d’aide, déclenchez l’alarme : maintenez le "
    + "bouton du porte-clés.",
  "messages.call": "Appeler le {number}",
  "slot.title": "Message {slot}",
  "slot.contact": "Va à",
  "slot.contact.none": "Quelqu’un d’autre",
  "slot.name": "Nom",
  "slot.number": "Numéro",
  "slot.message": "Message",
  "slot.position": "Ajouter ma position",
  "slot.position.hint":
    "Un lien vers une carte et une heure, si le porte-clés connaît son lieu. Ils comptent "
    + "pour 35 caractères.",
  "slot.count": "{sum} caractères sur {limit}",
  "slot.save": "Enregistrer",
  "links.title": "Aide",
  "links.edit": "Modifier les liens d’aide",
  "links.open": "Ouvrir {label}",
  "links.lines": "Liens, un par ligne",
  "links.hint": "Ce que c’est ; téléphone ; adresse https. {count} au plus.",
};
