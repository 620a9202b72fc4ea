/** Why something was refused, by the code of the problem, and by its field. */
export default {
  "problem.unreachable": "La centrale ne répond pas. Ce que vous voyez peut être ancien.",
  "problem.differentPIN": "Les deux n’étaient pas identiques. Choisissez de nouveau un code PIN.",
  "problem.notDurable":
    "C’est fait, mais n’a pas pu être enregistré\u00a0: après un redémarrage, cela peut être "
    + "annulé.",
  "problem.locked":
    "Rien d’autre ne peut être modifié avant que l’alarme soit arrêtée, ou l’appui lu.",
  "problem.wrongPIN": "Code PIN erroné. Rien n’a changé.",
  "problem.busy": "La centrale est occupée. Rien n’a changé. Réessayez.",
  "problem.stopping": "La centrale est en train de s’arrêter. Rien n’a changé.",
  "problem.notAnswered": "La centrale n’a pas répondu à temps\u00a0: on ne sait pas si c’est fait.",
  "problem.storageFailure": "Rien ne peut être lu pour le moment. Réessayez.",
  "problem.changedMeanwhile": "Cela a été modifié ailleurs entre-temps. Regardez de nouveau.",
  "problem.tooLarge": "C’est trop grand.",
  "problem.sessionOver": "La session de cette page est terminée. Connectez-vous de nouveau.",
  "problem.tokenNeeded": "La session de cette page est terminée. Connectez-vous de nouveau.",
  "problem.coreNeeded": "Cela concerne toute la centrale, et non un seul compte.",
  "problem.accountGone": "Ce compte n’existe plus.",
  "problem.oneAccount": "Cette centrale ne tient qu’un seul compte.",
  "problem.scopeNeeded": "Cette page n’y est pas autorisée.",
  "problem.pinNeeded": "Le code PIN est nécessaire. Rien n’a changé.",
  "problem.pinBlocked": "Trop de codes PIN erronés. Attendez avant le prochain essai.",
  "problem.unknownEmail": "Il n’y a pas de compte avec cette adresse e-mail.",
  "problem.tooManyEmails": "Trop d’adresses ont été essayées. Attendez un peu, puis réessayez.",
  "problem.tooManyChanges": "Trop de changements. Attendez un peu, puis réessayez.",
  "problem.unknownContact": "Ce contact n’existe plus.",
  "problem.unknownDevice": "Cet appareil n’est pas branché ou n’est pas connu.",
  "problem.notLinked": "Cet appareil n’est pas branché là où est la centrale.",
  "problem.remoteKeychain":
    "Cet appareil est sur une passerelle d’un autre ordinateur. Appairez-le là par le code de son "
    + "étiquette, ou branchez-le là où est la centrale et appairez-le par son bouton.",
  "problem.pairingRuns": "Cet appareil est déjà en cours d’appairage. Attendez un peu.",
  "problem.notPaired": "Cet appareil n’est pas appairé.",
  "problem.notHeld":
    "Le bouton n’était pas tenu depuis que l’appareil a du courant. Coupez son courant, "
    + "appuyez sur le bouton, branchez-le, et tenez toujours.",
  "problem.noAnswer":
    "L’appareil n’a pas répondu. Peut-être son logiciel ne connaît-il pas l’appairage.",
  "problem.notStored": "La mémoire de l’appareil n’a pas pris la clé. Rien n’a changé.",
  "problem.keyNotKept": "La centrale ne peut pas garder la clé. Rien n’a changé.",
  "problem.labelMistyped":
    "Ce n’est pas le code d’une étiquette\u00a0: une lettre ou un chiffre est faux, manque ou est "
    + "de trop. Comparez-le avec l’étiquette.",
  "problem.severalLines":
    "Plusieurs appareils disent être celui-ci, et aucun ne le prouve. Débranchez-les tous sauf "
    + "celui que vous tenez.",
  "problem.labelOfAnother": "C’est l’étiquette d’un autre appareil.",
  "problem.keyNotProved":
    "L’appareil n’a pas la clé de cette étiquette\u00a0: il a été appairé ou dissocié depuis. "
    + "Rien n’a changé. Appairez-le par son bouton.",
  "problem.unownedDevice": "Cet appareil n’appartient à aucun compte. Associez-le d’abord.",
  "problem.notProtecting":
    "La protection est arrêtée\u00a0: une chute ou une demande de nouvelles sans réponse ne "
    + "compte pas.",
  "problem.noAccount": "Il n’y a pas encore de compte.",
  "problem.accountExists": "Il y a déjà un compte. Connectez-vous-y.",
  "problem.notLoggedIn": "Personne n’est connecté au compte.",
  "problem.unchanged": "Rien n’a changé.",
  "problem.claimed": "Cet appareil est associé à un autre compte.",
  "problem.nothingOpen": "Aucune alarme n’est en cours.",
  "problem.nothingEnded": "Il n’y a pas d’alarme terminée.",
  "problem.nobodyTold":
    "Personne n’a encore été prévenu\u00a0: le compte à rebours est encore en cours.",
  "problem.unowned": "Cette alarme n’appartient à aucun compte\u00a0: un administrateur y met fin.",
  "problem.noMail":
    "Aucun e-mail ne peut être envoyé d’ici\u00a0: aucun canal pour e-mail n’est configuré.",
  "problem.mailFailed": "L’e-mail n’a pas été accepté. Réessayez.",
  "problem.notSent": "L’e-mail n’a pas pu être envoyé. Réessayez.",
  "problem.tooOften":
    "Un nouveau code PIN a été envoyé il y a peu. Cherchez-le, ou attendez une heure.",
  "problem.invalid.name": "Un nom est nécessaire, de 100 lettres au plus.",
  "problem.invalid.email": "Ce n’est pas une adresse e-mail comme owner@example.org.",
  "problem.invalid.mobile":
    "Ce n’est pas un numéro de téléphone. Écrivez-le comme dans votre pays, ou avec un plus et "
    + "l’indicatif du pays, comme +15555550100.",
  "problem.invalid.numbers":
    "Ce n’est pas un numéro de téléphone. Écrivez-le comme dans votre pays, ou avec un plus et "
    + "l’indicatif du pays, comme +15555550100.",
  "problem.invalid.country": "Choisissez un pays.",
  "problem.invalid.language": "Choisissez une langue.",
  "problem.invalid.zone": "Choisissez un fuseau horaire.",
  "problem.invalid.possessive": "Un pronom est nécessaire, de 100 lettres au plus.",
  "problem.invalid.pin": "Un code PIN a quatre chiffres.",
  "problem.invalid.messageEvery": "Entre 1 et 60 minutes.",
  "problem.noContacts": "Aucun contact avec un nom et un numéro n’a été trouvé dans ce fichier.",
  "problem.startPast": "C’est dans le passé. Choisissez un jour ou une heure plus tard.",
  "problem.endPast":
    "Le dernier jour est passé, ou avant le premier. Choisissez-en un plus tard, ou effacez-le.",
  "problem.movedPast":
    "On ne peut pas la déplacer dans le passé. Choisissez un jour ou une heure plus tard.",
  "problem.noDescription": "Écrivez ce qui est demandé.",
  "problem.unknownSeries": "Cette série n’existe plus.",
  "problem.unknownCheckIn": "Cette demande de nouvelles n’existe plus.",
  "problem.tooEarly":
    "Cette demande de nouvelles déclenche une alarme\u00a0: on ne peut pas encore y répondre.",
  "problem.checkInClosed":
    "Cette demande de nouvelles a sa réponse, ou est terminée. Voyez l’historique.",
  "problem.unknownAffirmation": "Cette affirmation n’existe plus. Regardez de nouveau la liste.",
  "problem.seriesRuns": "Cette série n’est pas terminée\u00a0: modifiez-la.",
  "problem.exerciseRuns": "Un exercice est en cours\u00a0: arrêtez-le d’abord.",
  "problem.noExercise": "Aucun exercice de ce genre n’est en cours.",
  "problem.checkInOverdue": "Une demande de nouvelles est en retard\u00a0: répondez-y d’abord.",
  "problem.incomplete":
    "Cet emplacement n’est pas complet\u00a0: il faut un destinataire joignable et un texte.",
  "problem.unknownReview": "Ce bilan n’existe plus.",
  "problem.reviewExists": "Cette alarme a déjà un bilan\u00a0: modifiez-le.",
  "problem.changed": "Une autre fenêtre a enregistré cette réponse entre-temps.",
  "problem.invalid.description": "Au plus 160 lettres, sur une ligne, moins avec des accents.",
  "problem.invalid.rule":
    "Cette règle ne donne aucune date. Choisissez un jour\u00a0; le nombre multiplié par les "
    + "heures est d’au plus 48.",
  "problem.invalid.time": "Choisissez une heure.",
  "problem.invalid.start": "Choisissez un jour.",
  "problem.invalid.date": "Choisissez un jour.",
  "problem.invalid.limit": "Entre 5 et 1440 minutes.",
  "problem.invalid.nagEvery": "Entre 1 et 60 minutes.",
  "problem.invalid.shown": "Entre 1 et 366.",
  "problem.invalid.history": "Entre 10 et 10000.",
  "problem.invalid.logShown": "Entre 10 et 10000.",
  "problem.invalid.comment": "Au plus 500 lettres, moins avec des accents.",
};
