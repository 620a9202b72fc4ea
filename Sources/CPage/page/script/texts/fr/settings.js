/** Settings. */
export default {
  "settings.locked": "Verrouillé",
  "settings.locked.text": "Votre code PIN ouvre les réglages.",
  "settings.pinChanged":
    "Le code PIN a été changé entre-temps. Rien n’a été enregistré\u00a0; saisissez le nouveau.",
  "settings.account": "Informations du compte",
  "settings.save": "Enregistrer les informations",
  "settings.saved": "Enregistré",
  "settings.pin": "Code PIN",
  "settings.pin.text": "Il arrête l’alarme et ouvre ces réglages.",
  "settings.pin.change": "Changer le code PIN",
  "settings.pin.set": "Définir un code PIN",
  "settings.pin.current": "Saisissez votre code PIN actuel",
  "settings.pin.done": "Code PIN changé",
  "settings.pin.done.text": "Votre nouveau code PIN compte désormais.",
  "settings.keychains": "Appareils SafeTime",
  "settings.places": "Lieux",
  "settings.places.text": "Le plus proche est nommé dans les messages.",
  "settings.places.none": "Aucun lieu n’est défini\u00a0: les messages n’ont que des coordonnées.",
  "settings.language": "Langue de cette page",
  "settings.language.account": "Comme le compte, sinon comme le navigateur",
  "settings.language.hint": "Pour ce navigateur seulement. La page est rechargée.",
  "settings.browser": "Ce navigateur",
  "settings.browser.text":
    "Il est entré par un code à usage unique. Votre alarme continue de fonctionner quand il part.",
  "settings.browser.ask": "Déconnecter ce navigateur\u00a0?",
  "settings.browser.back":
    "Pour revenir, il lui faut un nouveau code à usage unique\u00a0: fob en affiche un à "
    + "chaque démarrage.",
  "settings.browser.leave": "Déconnecter ce navigateur",
  "erase.title": "Supprimer le compte",
  "erase.text": "Retire tout ce que vous avez saisi. Rien ne pourra être récupéré.",
  "erase.begin": "Supprimer le compte …",
  "erase.goes": "Ce qui disparaît",
  "erase.goes.list":
    "Votre nom, vos numéros et adresses; contacts et code PIN; lieux, et où vous étiez; "
      + "messages, demandes de nouvelles et affirmations; exercices et bilans",
  "erase.stays": "Ce qui reste",
  "erase.stays.list":
    "Quand une alarme a été donnée et quand elle a pris fin, sans noms; ce qui a déjà été "
      + "envoyé, chez ceux qui l’ont",
  "erase.word": "supprimer",
  "erase.type": "Pour supprimer, tapez le mot {word}",
  "erase.do": "Supprimer pour toujours",
  "erase.pin": "Saisissez votre code PIN pour supprimer le compte",
  "reminders.title": "Rappels",
  "reminders.checkIns": "Demandes de nouvelles",
  "reminders.checkIns.hint":
    "Cette page dit quand l’une d’elles demande. La lumière du porte-clés la montre dans "
      + "tous les cas.",
  "reminders.affirmations": "Vos affirmations",
  "reminders.affirmations.hint": "Aux heures que vous avez choisies sous Calme.",
  "reminders.review": "Bilans",
  "reminders.review.hint":
    "Un jour après une alarme sans bilan, et le dimanche tant qu’un bilan est en cours.",
  "reminders.tips": "Un conseil chaque jour",
  "reminders.tips.hint": "Un conseil court sur votre porte-clés et cette page.",
  "reminders.quotes": "Une phrase chaque jour",
  "reminders.quotes.hint": "Une ligne pour la journée.",
  "reminders.mails": "Par courriel aussi",
  "reminders.mails.hint":
    "Il dit qu’il y a quelque chose, et rien de plus. Votre adresse doit être confirmée.",
  "reminders.unconfirmed":
    "Aucun courriel ne peut partir tant que votre adresse e-mail n’est pas confirmée.",
  "reminders.time": "Heure",
  "reminders.time.hint":
    "Quand viennent les conseils, les phrases et le mot sur les bilans en cours.",
  "reminders.save": "Enregistrer les rappels",
  "reminders.saved": "Les rappels sont enregistrés.",
};
