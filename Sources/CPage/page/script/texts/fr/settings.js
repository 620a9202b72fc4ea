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
};
