/** Everywhere, the PIN, and the login. */
export default {
  "app.name": "fob",
  "app.skip": "Aller au contenu",
  "app.views": "Vues",
  "app.connection": "Connexion",
  "app.bench": "Banc d’essai",
  "app.keychain": "Porte-clés",
  "app.toAnswer": {
    one: "{count} en attente de réponse",
    many: "{count} en attente de réponse",
    other: "{count} en attente de réponse",
  },
  "button.cancel": "Annuler",
  "button.tryAgain": "Réessayer",
  "button.ok": "OK",
  "button.yes": "Oui",
  "button.no": "Non",
  "connection.lost": "Connexion perdue. La centrale ne répond pas. Nouvel essai…",
  "connection.stale": "Rien de nouveau n’a été entendu de la centrale. Nouvel essai…",
  "connection.age": "Ce qui est écrit ici était vrai {ago}.",
  "state.NO_EMERGENCY": "Pas d’urgence",
  "state.ALERT_COUNTDOWN": "Compte à rebours",
  "state.EMERGENCY_SENDING": "Les contacts sont prévenus",
  "state.EMERGENCY_SENT": "Message reçu",
  "state.EMERGENCY_SENDING_FAILED": "Personne n’a pu être prévenu",
  "state.EMERGENCY_ENDED": "Urgence terminée",
  "state.moved": "Alarme transmise",
  "pin.label": "Code PIN, 4 chiffres",
  "pin.erase": "Effacer le dernier chiffre",
  "pin.checking": "Vérification…",
  "pin.wrongPIN": "Code PIN erroné. Rien n’a changé.",
  "pin.pinBlocked": "Trop de codes PIN erronés.",
  "pin.blocked": "Trop de codes PIN erronés. Avant le prochain essai, attendez au moins",
  "pin.mayTry": "Vous pouvez réessayer maintenant.",
  "pin.busy": "La centrale est occupée. Rien n’a changé.",
  "pin.unreachable": "Aucune réponse\u00a0: on ne sait pas si le code PIN a été accepté.",
  "download.failed": "Non téléchargé\u00a0: {reason}",
  "login.title": "Connexion",
  "login.again": "Nouvelle connexion",
  "login.over":
    "La session de cette page est terminée, comme après un redémarrage de la centrale. Un "
    + "nouveau code est nécessaire.",
  "login.alarm":
    "Une alarme était en cours. Elle continue sans cette page\u00a0: connectez-vous pour la "
    + "voir et l’arrêter. Si vous avez besoin d’aide et n’êtes pas sûr que quelqu’un a été "
    + "prévenu, appelez le {number}.",
  "login.code": "Code à usage unique",
  "login.where":
    "Le code se trouve dans le terminal où fob a été démarré, sous l’adresse de cette page. Il "
    + "vaut une fois, et dix minutes\u00a0; redémarrer fob en fait un nouveau.",
  "login.button": "Se connecter",
  "login.byEmail": "Avec e-mail et code PIN",
  "login.email": "E-mail",
  "login.length": {
    one: "Un code a {count} caractère.",
    many: "Un code a {count} lettres et chiffres.",
    other: "Un code a {count} lettres et chiffres.",
  },
  "login.wrong":
    "Ce code est erroné, a déjà servi, ou est trop ancien\u00a0; après dix codes erronés, plus "
    + "aucun ne compte. Cherchez le code le plus récent dans le terminal, ou redémarrez fob pour "
    + "en avoir un nouveau.",
  "login.wait": {
    one: "Trop d’essais\u00a0: attendez {count} seconde.",
    many: "Trop d’essais\u00a0: attendez {count} de secondes.",
    other: "Trop d’essais\u00a0: attendez {count} secondes.",
  },
  "login.unreachable": "La centrale ne répond pas. fob est-il en marche\u00a0?",
  "login.lastKnown": "Ce qui était écrit ici en dernier",
  "login.age": "C’était vrai {ago}, et peut être différent à présent.",
  "button.continue": "Continuer",
  "pin.enter": "Saisir le code PIN",
  "checkIns.title": "Demandes de nouvelles",
  "calm.title": "Calme",
  "contacts.title": "Contacts",
  "settings.title": "Réglages",
  "history.title": "Historique",
  "review.title": "Bilan",
  "newPIN.choose": "Choisissez un code PIN de quatre chiffres",
  "newPIN.again": "Le même code PIN encore une fois",
  "unsaved.title": "Enregistrer les modifications\u00a0?",
  "unsaved.text": "Ce que vous avez modifié ici n’est pas encore enregistré.",
  "unsaved.save": "Enregistrer",
  "unsaved.discard": "Abandonner",
  "unsaved.goOn": "Continuer la modification",
  "forgot.title": "Code PIN oublié\u00a0?",
  "forgot.text":
    "Un nouveau code PIN peut être envoyé à l’adresse du compte. L’ancien reste valable "
    + "jusqu’à la première utilisation du nouveau.",
  "forgot.send": "Envoyer",
  "forgot.sent": "E-mail envoyé. Consultez-le et saisissez ici votre nouveau code PIN.",
  "forgot.notSent": "Aucun e-mail n’a été envoyé",
  "confirmation.sent": "E-mail de confirmation envoyé à {email}. Ouvrez le lien qu’il contient.",
  "confirmation.notSent": "Aucun e-mail de confirmation n’a été envoyé\u00a0: {reason}",
  "confirmation.needed": "{email} n’est pas encore confirmé.",
  "confirmation.mailed":
    "Un lien a été envoyé à {email}. Tant que vous ne l’avez pas ouvert, personne ne sait si "
    + "vos e-mails arrivent.",
  "confirmation.noMail": "{email} n’est pas confirmé, et aucun e-mail ne peut être envoyé d’ici.",
  "confirmation.noAddress":
    "Il n’y a pas d’adresse e-mail\u00a0: aucun e-mail ne peut vous parvenir.",
  "confirmation.resend": "Renvoyer l’e-mail de confirmation",
};
