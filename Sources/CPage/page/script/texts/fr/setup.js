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
  "profile.messageEvery": "Minutes entre les messages pendant une alarme",
  "profile.messageEvery.hint": "De 1 à 60. Chaque message suivant dit où en sont les choses.",
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
    "Alors les chutes et les demandes de nouvelles sans réponse déclenchent aussi l’alarme.",
  "setup.finish.missing":
    "La protection ne peut pas encore être activée. Il manque\u00a0: {missing}.",
  "missing.name": "un nom complet",
  "missing.mobile": "un numéro de portable",
  "missing.country": "un pays",
  "missing.served": "un pays où le service est proposé",
  "missing.mayLocate": "l’autorisation d’utiliser les positions",
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
  "pairing.begin": "Appairer",
  "pairing.begin.name": "Appairer l’appareil {device}",
  "pairing.offer":
    "Votre appareil peut être appairé maintenant, ou plus tard dans les réglages\u00a0: "
    + "ensuite aucun autre appui ne compte comme prouvé.",
  "pairing.title": "Appairer votre appareil",
  "pairing.text":
    "Ensuite votre appareil ne croit que cette centrale, et cette centrale sait ce qui vient "
    + "de votre appareil.",
  "pairing.label.title": "Par le code de son étiquette",
  "pairing.label.code": "Code de l’étiquette",
  "pairing.label.hint":
    "45 lettres et chiffres, ou ce que dit son code QR. Espaces et tirets ne comptent pas. "
    + "L’appareil doit être branché.",
  "pairing.label.do": "Appairer par ce code",
  "pairing.button.title": "Par son bouton",
  "pairing.button.text":
    "Un appareil sans étiquette reçoit une clé par son câble. Qui écoute la ligne à ce moment a "
    + "la clé\u00a0: appairez là où personne n’écoute.",
  "pairing.step.unplug":
    "Coupez le courant de l’appareil\u00a0: débranchez-le, et éteignez-le s’il a un "
    + "interrupteur.",
  "pairing.step.hold": "Appuyez sur son bouton, et tenez-le.",
  "pairing.step.plug": "Branchez l’appareil, en tenant toujours le bouton.",
  "pairing.step.pair":
    "Choisissez «\u00a0Appairer maintenant\u00a0», et tenez le bouton jusqu’à ce qu’il soit "
    + "écrit ici que c’est fait.",
  "pairing.do": "Appairer maintenant",
  "pairing.holding": "Tenez le bouton…",
  "pairing.done": "L’appareil {device} est appairé.",
  "pairing.none": "non appairé",
  "pairing.paired": "appairé",
  "pairing.unproved": "appairé, mais sans preuve",
  "pairing.end": "Mettre fin à l’appairage",
  "pairing.end.name": "Mettre fin à l’appairage de l’appareil {device}",
  "pairing.end.ask": "Mettre fin à l’appairage de cet appareil\u00a0?",
  "pairing.end.text":
    "Ensuite qui tient sa ligne peut appuyer et allumer comme n’importe qui. Si l’appareil "
    + "ne répond pas, il ne croit personne tant qu’il n’est pas appairé de nouveau.",
  "pairing.ended": "L’appareil {device} n’est plus appairé.",
  "pairing.ended.alone":
    "L’appareil {device} n’est plus appairé ici. Il ne l’a pas confirmé\u00a0: il ne croit "
    + "personne tant qu’il n’est pas appairé de nouveau.",
};
