/** Set-up, and what it shares with the settings: the profile, and the account's keychains. */
export default {
  "setup.title": "Configuration",
  "profile.name": "Nom",
  "profile.email": "E-mail",
  "profile.mobile": "Portable",
  "profile.mobile.hint":
    "Comme dans votre pays, ou avec un plus et l’indicatif du pays, comme +15555550100",
  "profile.country": "Pays",
  "profile.country.none": "Choisissez un pays",
  "profile.language": "Langue",
  "profile.zone": "Fuseau horaire",
  "profile.possessive": "Pronom dans les messages en anglais",
  "profile.possessive.hint": "Comme dans «\u00a0has activated their keychain alarm\u00a0»",
  "profile.possessives": "her his their",
  "profile.possessive.default": "their",
  "profile.mayLocate": "Utiliser ma position",
  "profile.mayLocate.hint":
    "En cas d’alarme, les contacts apprennent où est le porte-clés. La protection en a besoin.",
  "setup.start.title": "Bienvenue",
  "setup.start.text": "Branchez votre appareil SafeTime pour commencer.",
  "setup.start.connect": "Associer mon appareil SafeTime",
  "setup.start.login": "Se connecter sans associer de nouvel appareil",
  "setup.start.login.hint": "Vous devez déjà avoir un compte.",
  "setup.search.title": "Configuration de l’appareil",
  "setup.search.searching": "Recherche de l’appareil…",
  "setup.search.found": "Appareil trouvé\u00a0!",
  "setup.search.several": "Plusieurs appareils trouvés. Lequel est le vôtre\u00a0?",
  "setup.search.connecting": "Établissement de la connexion…",
  "setup.search.connected": "Connecté\u00a0!",
  "setup.search.notFound": "Appareil introuvable",
  "setup.search.notFound.text": "Vérifiez que votre appareil est allumé et que le voyant clignote.",
  "setup.owner.title": "Est-ce vous\u00a0?",
  "setup.owner.asking": "On cherche à qui est cet appareil…",
  "setup.owner.text": "Cet appareil est associé au compte de {owner}.",
  "setup.owner.pin": "Saisissez le code PIN de {owner}",
  "setup.owner.notYou": "Ce n’est pas vous\u00a0?",
  "setup.owner.one":
    "Un appareil SafeTime ne peut être associé qu’à un compte à la fois. Pour l’utiliser avec "
    + "un nouveau compte, {owner} doit d’abord le dissocier du sien.",
  "setup.owner.back": "Retour au début",
  "setup.login.title": "Se connecter avec un compte existant",
  "setup.login.unknown": "E-mail inconnu",
  "setup.login.unknown.text": "Il n’y a pas de compte avec l’adresse {email}.",
  "setup.account.title": "Créer un compte",
  "setup.account.text":
    "Nous avons besoin de quelques informations. Vos contacts apprendront votre nom.",
  "setup.claim.title": "Association de votre appareil",
  "setup.claim.text": "L’appareil {device} devient le vôtre…",
  "setup.claim.later": "Continuer sans lui",
  "setup.pin.title": "Définir un code PIN",
  "setup.pin.text":
    "Il sert à arrêter l’alarme, à modifier les informations du compte et à se connecter.",
  "setup.pin.choose": "Choisir un code PIN",
  "setup.people.title": "Contacts d’urgence",
  "setup.people.text": "Ces personnes sont prévenues si votre alarme est déclenchée.",
  "setup.people.none": "Personne ne serait prévenu",
  "setup.people.none.text":
    "Personne ne sera prévenu d’une alarme tant que vous n’ajoutez pas de contacts d’urgence.",
  "setup.people.add": "Ajouter des contacts",
  "setup.people.skip": "Passer pour l’instant",
  "setup.finish.title": "Tout est configuré\u00a0!",
  "setup.finish.text":
    "Désormais, les modifications demandent votre code PIN. Un appui sur le bouton déclenche "
    + "toujours l’alarme.",
  "setup.finish.protect": "Activer la protection",
  "setup.finish.protect.hint":
    "Alors les chutes et les signes de vie manqués déclenchent aussi l’alarme.",
  "setup.finish.missing":
    "La protection ne peut pas encore être activée. Il manque\u00a0: {missing}.",
  "setup.finish.done": "C’est parfait\u00a0!",
  "setup.finish.people": "Modifier les contacts",
  "setup.finish.account": "Modifier les informations du compte",
  "keychain.named": "Appareil {device}",
  "keychain.none":
    "Aucun appareil n’est associé à votre compte\u00a0: un appui ne prévient personne.",
  "keychain.every":
    "Chaque appareil de ce banc d’essai appartient au compte\u00a0; aucun n’est à dissocier.",
  "keychain.linked": "branché",
  "keychain.unlinked": "non branché",
  "keychain.unclaimed": "n’est à personne",
  "keychain.connect": "Associer",
  "keychain.connect.name": "Associer l’appareil {device}",
  "keychain.connected": "L’appareil {device} est à vous.",
  "keychain.disconnect": "Dissocier",
  "keychain.disconnect.name": "Dissocier l’appareil {device}",
  "keychain.disconnect.ask": "Dissocier cet appareil\u00a0?",
  "keychain.disconnect.text":
    "Il quitte votre compte\u00a0: son bouton ne préviendra plus vos contacts. Son voyant "
    + "clignote, et n’importe qui peut l’associer à un compte.",
  "keychain.disconnected": "L’appareil {device} est dissocié. Son voyant clignote.",
};
