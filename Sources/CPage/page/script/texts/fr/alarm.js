/** The view of an alarm. */
export default {
  "alarm.title": "Alarme",
  "alarm.heading.ALERT_COUNTDOWN": "Allez-vous bien\u00a0?",
  "alarm.heading.EMERGENCY_SENDING": "Nous prévenons vos contacts…",
  "alarm.heading.EMERGENCY_SENT": "Nous sommes alertés",
  "alarm.heading.EMERGENCY_SENDING_FAILED": "Personne n’a pu être prévenu",
  "alarm.heading.EMERGENCY_ENDED": "L’urgence est terminée",
  "alarm.heading.moved": "L’alarme a été transmise",
  "alarm.means.ALERT_COUNTDOWN":
    "Quand le temps sera écoulé, vos contacts seront prévenus. Personne n’a encore été prévenu.",
  "alarm.means.fall":
    "Une chute a été remarquée. Quand le temps sera écoulé, vos contacts seront prévenus. "
    + "Personne n’a encore été prévenu.",
  "alarm.means.checkIn":
    "Une demande de nouvelles est en retard. Quand le temps sera écoulé, vos contacts seront "
    + "prévenus. Personne n’a encore été prévenu.",
  "alarm.means.question":
    "Personne n’a répondu à la demande de nouvelles «\u00a0{name}\u00a0», prévue\u00a0: {at}. À la "
    + "fin du délai, vos contacts seront prévenus. Personne ne l’est encore.",
  "alarm.question":
    "Personne n’a répondu à la demande de nouvelles «\u00a0{name}\u00a0», prévue\u00a0: {at}.",
  "alarm.means.EMERGENCY_SENDING":
    "Aucun message n’a encore été reçu. Il est renvoyé jusqu’à ce qu’il le soit.",
  "alarm.means.EMERGENCY_SENT":
    "Une machine a répondu\u00a0: peut-être que personne ne l’a encore lu.",
  "alarm.means.acknowledged": "L’alarme continue jusqu’à ce que vous l’annuliez.",
  "alarm.means.EMERGENCY_SENDING_FAILED":
    "Aucun message n’a été reçu jusqu’ici. Il est toujours envoyé, en silence. N’attendez pas.",
  "alarm.means.noContacts": "Il n’y a aucun contact à prévenir. N’attendez pas d’aide.",
  "alarm.means.unowned":
    "Ce porte-clés n’appartient à aucun compte, ou personne n’est connecté\u00a0: l’appui est "
    + "enregistré, et personne n’est prévenu.",
  "alarm.ended.disarmed":
    "L’alarme a été arrêtée avec le code PIN. Ceux qui en ont été prévenus sont informés que "
    + "c’est fini.",
  "alarm.ended.cancelled":
    "L’alarme a été annulée. Ceux qui en ont été prévenus sont informés que c’est fini.",
  "alarm.ended.gaveWay": "Une vraie alarme a pris sa place. Personne ne l’a arrêtée.",
  "alarm.ended.trackingOver":
    "Trente minutes se sont écoulées, et votre position n’est plus suivie. Si vous avez encore "
    + "besoin d’aide, maintenez le bouton enfoncé ou appelez le {number}.",
  "alarm.ended.moved":
    "Le porte-clés appartient maintenant à un autre compte. L’alarme y continuait\u00a0: personne "
    + "ne l’avait arrêtée. On ne sait pas ici si elle a pris fin depuis.",
  "alarm.ended.over": "L’alarme est arrêtée.",
  "alarm.until.ALERT_COUNTDOWN": "Vos contacts seront prévenus dans",
  "alarm.next": "Prochain message dans {time}",
  "alarm.noNext": "Aucun autre message n’est prévu\u00a0: il a été confirmé.",
  "alarm.trying": "Envoi en cours depuis",
  "alarm.noTime": "––:––",
  "alarm.call": "Appelez vous-même à l’aide",
  "alarm.contacts": {
    one: "{count} contact",
    many: "{count} de contacts",
    other: "{count} contacts",
  },
  "alarm.nobody": "Personne n’est prévenu.",
  "alarm.noContacts": "Aucun contact\u00a0: personne n’est prévenu.",
  "alarm.fine": "Je vais bien",
  "alarm.cancel": "Annuler l’alarme",
  "alarm.callNumber": "Appeler le {number}",
  "emergency.works": "Le {number} fonctionne depuis la plupart des téléphones portables.",
  "alarm.silence": "Couper le son",
  "alarm.quit": "Quit\u00a0: couper le son et dire ce qui s’est passé",
  "alarm.keepOn": "Laisser l’alarme active",
  "alarm.endIt": "Mettre fin à l’alarme",
  "alarm.soundOn": "Le porte-clés sonne.",
  "alarm.soundOff": "Le porte-clés est silencieux. L’alarme continue.",
  "alarm.lesser": "Son et questions",
  "alarm.goesOn": "Appeler, couper le son ou choisir «\u00a0Quit\u00a0» ne met pas fin à l’alarme.",
  "alarm.pinWhy": "L’alarme continue jusqu’à ce que le code PIN soit juste.",
  "alarm.sure":
    "Êtes-vous sûr\u00a0? L’alarme s’arrête, et ceux qui ont été prévenus en sont informés.",
  "alarm.unknown": "Cette page n’entend pas la centrale",
  "alarm.unknownAge": "Ce qui est écrit ici était vrai {ago}.",
  "alarm.unknownMeans":
    "La centrale continue sans cette page, si elle est en marche. On ne sait pas ici si "
    + "quelqu’un a été prévenu depuis, combien de temps il reste au compte à rebours, ni si "
    + "l’alarme est terminée. Si vous avez besoin d’aide, appelez le {number}.",
  "alarm.facts": "Cette urgence",
  "alarm.began": "Alarme, commencée {ago}",
  "alarm.presses": {
    one: "Le bouton a été pressé une fois.",
    many: "Le bouton a été pressé {count} fois.",
    other: "Le bouton a été pressé {count} fois.",
  },
  "alarm.unproved": {
    one: "Rien ne prouve que {count} appui vienne de votre porte-clés.",
    many: "Rien ne prouve que {count} appuis viennent de votre porte-clés.",
    other: "Rien ne prouve que {count} appuis viennent de votre porte-clés.",
  },
  "alarm.messages": {
    one: "{count} message jusqu’ici.",
    many: "{count} de messages jusqu’ici.",
    other: "{count} messages jusqu’ici.",
  },
  "alarm.fixes": {
    one: "{count} position, entendue {ago}.",
    many: "{count} de positions, la dernière {ago}.",
    other: "{count} positions, la dernière {ago}.",
  },
  "alarm.lastPosition": "Votre dernière position connue a été entendue {ago}.",
  "alarm.noPosition": "Votre position n’est pas connue.",
  "alarm.notYetLocated": "Votre position n’est pas encore suivie.",
  "alarm.notLocated": "Votre position n’est pas utilisée\u00a0: votre compte ne l’autorise pas.",
  "alarm.place": "Où vous êtes",
  "alarm.bench":
    "Un porte-clés du banc d’essai\u00a0: seuls des canaux d’essai le servent, personne n’est "
    + "appelé.",
  "alarm.people": "Qui est prévenu",
  "alarm.inHand": {
    one: "{names} s’en occupe.",
    many: "{names} s’en occupent.",
    other: "{names} s’en occupent.",
  },
  "alarm.noAnswer": {
    one: "Reçu par {count}. Personne n’a encore répondu.",
    many: "Reçu par {count}. Personne n’a encore répondu.",
    other: "Reçu par {count}. Personne n’a encore répondu.",
  },
  "alarm.log": "Ce qui se passe",
  "step.sent": "Envoyé",
  "step.received": "Reçu",
  "step.acknowledged": "Confirmé",
  "step.notYet": "pas encore",
  "contact.notified": "Renvoyé à {time}, pas encore reçu.",
  "contact.delivered": "Reçu de nouveau à {time}.",
  "contact.deliveryFailed": "Pas joint.",
  "contact.withdrawn": "Pas envoyé\u00a0: ce n’est plus nécessaire.",
  "contact.undone": "S’en occupait avant que le bouton soit pressé de nouveau.",
  "closing.notified": "Envoyé que c’est fini\u00a0; pas encore reçu.",
  "closing.delivered": "Reçu que c’est fini.",
  "closing.deliveryFailed": "Pas joint pour dire que c’est fini.",
  "closing.withdrawn": "Pas dit que c’est fini\u00a0: ce n’est plus nécessaire.",
  "moved.notified": "Envoyé que cela continue ailleurs\u00a0; pas encore reçu.",
  "moved.delivered": "Reçu que cela continue ailleurs.",
  "moved.deliveryFailed": "Pas joint pour dire que cela continue ailleurs.",
  "moved.withdrawn": "Pas dit que cela continue ailleurs\u00a0: ce n’est plus nécessaire.",
  "message.raise": "l’alarme",
  "message.update": "un nouvel appui",
  "message.again": "de nouveau l’alarme",
  "message.closing": "que c’est fini",
  "message.moved": "que cela continue ailleurs",
  "line.incidentOpened": "L’alarme a commencé",
  "line.pressAdded": "Le bouton a été pressé",
  "line.pressJoined":
    "Un appui est arrivé, fait hors de portée avant l’arrêt de l’alarme\u00a0: il est mis de "
    + "côté, et personne n’est prévenu",
  "line.bootDoubted": "{detail}",
  "line.pressUnproved": "Un appui dont rien ne prouve qu’il vienne de ce porte-clés",
  "line.pressProved": "L’appui est revenu, avec sa preuve",
  "line.pressMoved": "L’appui est passé au compte auquel le porte-clés appartient maintenant",
  "line.triggerAdded": "Un autre déclencheur\u00a0: {detail}",
  "line.checkInEscalated": "Une demande de nouvelles est restée sans réponse",
  "line.checkInCovered":
    "Une demande de nouvelles est arrivée à échéance\u00a0: cette alarme la couvre",
  "line.stateChanged": "{states}",
  "line.notified": "Envoyé à {contact} par {sink}\u00a0: {message}",
  "line.delivered": "Reçu pour {contact} par {sink}\u00a0: {message}",
  "line.deliveryFailed": "Pas reçu pour {contact} par {sink}\u00a0: {message}. {reason}.",
  "line.withdrawn": "Il n’est plus nécessaire de dire à {contact}\u00a0: {message}",
  "line.acknowledged": "Confirmé\u00a0: {contact} s’en occupe",
  "line.silenced": "Le son a été coupé",
  "line.surveyOpened": "«\u00a0Quit\u00a0» a été choisi",
  "line.surveyAnswered": "Réponse\u00a0: {detail}",
  "line.wrongPIN": "Un code PIN erroné a été essayé",
  "line.pinBlocked": "Trop de codes PIN erronés\u00a0: le prochain doit attendre",
  "line.recovered": "La centrale a été redémarrée\u00a0: l’alarme continue",
  "line.commitFailed": "L’enregistrement a échoué\u00a0: {detail}",
  "line.storageHealed": "L’enregistrement fonctionne de nouveau",
  "line.resumed": "Reprise",
  "line.noSink": "aucun canal",
  "line.noReason": "aucune raison donnée",
  "line.next": "Prochain essai à {time}.",
  "survey.title": "Comment allez-vous\u00a0?",
  "survey.question": "L’alarme continue. Que s’est-il passé\u00a0?",
  "survey.fell": "Je suis tombé",
  "survey.notFell": "Je ne suis pas tombé",
  "survey.sure":
    "Êtes-vous sûr\u00a0? Alors l’alarme s’arrête, et ceux qui ont été prévenus en sont informés.",
  "survey.fellNoted": "Il est noté que vous êtes tombé.",
  "survey.fellMeans": "L’alarme continue, et votre position est suivie.",
  "survey.noHelp": "Je n’ai plus besoin d’aide",
  "awake.on": "Cette page garde l’écran allumé.",
  "awake.off": "Cette page ne peut pas garder l’écran allumé\u00a0: gardez-le allumé vous-même.",
  "ended.title": "Et maintenant\u00a0?",
  "ended.when": "Elle s’est terminée le {when}.",
  "ended.moved": "Elle a été transmise le {when}.",
  "ended.what": "Qu’est-ce que c’était\u00a0? La réponse aide à distinguer les alarmes.",
  "outcome.true": "Une vraie urgence",
  "outcome.false": "Une fausse alarme",
  "outcome.test": "Un essai",
  "ended.kept": "Votre réponse est conservée.",
  "ended.press": "Maintenir le bouton enfoncé déclenche une nouvelle alarme, même maintenant.",
  "ended.resume": "Reprendre",
};
