// Each language has each phrase; a test holds them together.
extension AlertPhrases {
  static let english = AlertPhrases(
    time: "h:mma zzz", dateAndTime: "MMM d, h:mma zzz",
    [
      .pressed: "ALERT! {name} has activated {their} SafeTime keychain alarm and may be in an"
        + " emergency situation.",
      .fall: "ALERT! A fall of {name} was noticed at {time}, and nobody has said since that all is"
        + " well. {name} may be in an emergency situation.",
      .checkIn: "ALERT! {name} did not answer a check-in, which was overdue at {time}, and may be"
        + " in an emergency situation.",
      .unanswered: "ALERT! {name} has not answered a check-in (\"{question}\") that was due at"
        + " {time} and may be in an emergency situation.",
      .afterFall: "A fall was noticed at {time}.",
      .afterCheckIn: "A check-in, overdue at {time}, was not answered.",
      .afterUnanswered: "A check-in (\"{question}\") that was due at {time} was not answered.",
      .pressedAgain: "ALERT! {name} has pressed {their} SafeTime keychain alarm again.",
      .pressedThen: "ALERT! {name} has pressed {their} SafeTime keychain alarm.",
      .unacknowledged: "ALERT! The alarm of {name} is still active and nobody has acknowledged it.",
      .goesOn: "ALERT! The alarm of {name} is still active.",
      .unproved: "This is not proved to be from {their} keychain.",
      .unprovedPresses: "There were {count} such presses so far.",
      .onePressUnproved: "1 press is not proved to be from {their} keychain.",
      .somePressesUnproved: "{count} presses are not proved to be from {their} keychain.",
      .fleet: "There were {count} presses so far, on several keychains.",
      .handover: "The alarm of 1 keychain was handed over to another account.",
      .handovers: "The alarm of a keychain was handed over to another account {count} times.",
      .pressOutOfReach: "{count} press made out of reach, age unknown.",
      .pressesOutOfReach: "{count} presses made out of reach, age unknown.",
      .unknownPlace: "The location is not known.",
      .unsharedPlace: "The location is not shared.",
      .pressedAt: "Pressed at {time}.",
      .heardAt: "Heard at {time}.",
      .place: "Last known location was {position} at {time}. Map: {map}",
      .namedPlace: "Last known location was near {place}. {position} at {time}. Map: {map}",
      .message: "(message {number})",
      .disarmed: "ALL CLEAR. The SafeTime keychain alarm of {name} was switched off with the PIN at"
        + " {time}.",
      .cancelled: "ALL CLEAR. The SafeTime keychain alarm of {name} was cancelled at {time}; it has"
        + " no PIN.",
      .gaveWay: "The bench alarm of {name} has ended at {time}: a real alarm has taken its place."
        + " Nobody has switched it off.",
      .trackingOver: "The alarm of {name} has ended at {time}, after 30 minutes of tracking. Nobody"
        + " has switched it off: please make sure that all is well.",
      .moved: "The keychain that raised the alarm of {name} is another account's since {time}. The"
        + " alarm goes on there: nobody has switched it off.",
      .movedSince: "The keychain that raised this alarm is another account's since {time}. The"
        + " alarm went on there: nobody had switched it off. Whether it has ended since is not"
        + " known here.",
      .alert: "ALERT!",
      .clear: "ALL CLEAR",
      .ended: "The alarm has ended",
      .handedOver: "The alarm was handed over to another account",
      .bench: "BENCH TEST: ",
      .event: "Personal alarm",
      .ownMessage: "Personal message",
      .endedAt: "Ended at {time}.",
      .acknowledge: "I have it in hand",
      .waitSubject: "SafeTime: a check-in waits for your answer",
      .waitsSubject: "SafeTime: {count} check-ins wait for your answer",
      .wait: "A check-in waits for your answer:",
      .waits: "{count} check-ins wait for your answer:",
      .item: "- \"{question}\", due at {time}",
      .itemWithAlarm:
        "- \"{question}\", due at {time}; without an answer the countdown of the alarm"
        + " begins at {end}",
      .moreItems: "- and {count} more",
      .answerByClick: "Click your keychain once: that answers the oldest. Or answer on the page.",
      .answerByPage: "Answer on the page. Do not press the keychain for it: a press raises the"
        + " alarm.",
      .raisesNothing: "Protection is off: check-ins raise no alarm.",
    ])

  static let german = AlertPhrases(
    time: "H:mm 'Uhr' zzz", dateAndTime: "d.M., H:mm 'Uhr' zzz",
    [
      .pressed: "ALARM! {name} hat den SafeTime-Alarm am Schlüsselanhänger ausgelöst und ist"
        + " vielleicht in einer Notlage.",
      .fall: "ALARM! Um {time} wurde ein Sturz von {name} bemerkt, und seither hat niemand gesagt,"
        + " dass alles gut ist. {name} ist vielleicht in einer Notlage.",
      .checkIn: "ALARM! {name} hat auf eine Nachfrage nicht geantwortet, die um {time} überfällig"
        + " war, und ist vielleicht in einer Notlage.",
      .unanswered: "ALARM! {name} hat auf eine Nachfrage (\"{question}\") nicht geantwortet, die um"
        + " {time} fällig war, und ist vielleicht in einer Notlage.",
      .afterFall: "Um {time} wurde ein Sturz bemerkt.",
      .afterCheckIn: "Eine Nachfrage, um {time} überfällig, wurde nicht beantwortet.",
      .afterUnanswered: "Eine Nachfrage (\"{question}\"), um {time} fällig, wurde nicht"
        + " beantwortet.",
      .pressedAgain: "ALARM! {name} hat den SafeTime-Alarm am Schlüsselanhänger noch einmal"
        + " gedrückt.",
      .pressedThen: "ALARM! {name} hat den SafeTime-Alarm am Schlüsselanhänger gedrückt.",
      .unacknowledged: "ALARM! Der Alarm von {name} dauert an, und niemand hat ihn bestätigt.",
      .goesOn: "ALARM! Der Alarm von {name} dauert an.",
      .unproved: "Nicht bewiesen ist, dass es dieser Schlüsselanhänger war.",
      .unprovedPresses: "Bisher wurde {count}-mal so gedrückt.",
      .onePressUnproved: "Davon 1-mal ohne Beweis, dass es dieser Schlüsselanhänger war.",
      .somePressesUnproved: "Davon {count}-mal ohne Beweis, dass es dieser Schlüsselanhänger war.",
      .fleet: "Bisher wurde {count}-mal gedrückt, an mehreren Schlüsselanhängern.",
      .handover: "Der Alarm eines Schlüsselanhängers wurde an ein anderes Konto übergeben.",
      .handovers: "{count}-mal wurde der Alarm eines Schlüsselanhängers an ein anderes"
        + " Konto übergeben.",
      .pressOutOfReach: "{count} Druck außer Reichweite, Zeitpunkt unbekannt.",
      .pressesOutOfReach: "{count}-mal außer Reichweite gedrückt, Zeitpunkt unbekannt.",
      .unknownPlace: "Der Standort ist nicht bekannt.",
      .unsharedPlace: "Der Standort wird nicht mitgeteilt.",
      .pressedAt: "Gedrückt um {time}.",
      .heardAt: "Gehört um {time}.",
      .place: "Letzter bekannter Standort: {position} um {time}. Karte: {map}",
      .namedPlace: "Letzter bekannter Standort: nahe {place}. {position} um {time}. Karte: {map}",
      .message: "(Nachricht {number})",
      .disarmed: "ENTWARNUNG. Der SafeTime-Alarm von {name} wurde um {time} mit der PIN"
        + " ausgeschaltet.",
      .cancelled: "ENTWARNUNG. Der SafeTime-Alarm von {name} wurde um {time} beendet; er hat keine"
        + " PIN.",
      .gaveWay: "Der Testalarm von {name} ist um {time} zu Ende: Ein echter Alarm ist an seine"
        + " Stelle getreten. Niemand hat ihn ausgeschaltet.",
      .trackingOver: "Der Alarm von {name} ist um {time} zu Ende, nach 30 Minuten Ortung. Niemand"
        + " hat ihn ausgeschaltet: Bitte vergewissern Sie sich, dass alles gut ist.",
      .moved: "Der Schlüsselanhänger, der den Alarm von {name} ausgelöst hat, gehört seit {time} zu"
        + " einem anderen Konto. Dort geht der Alarm weiter: Niemand hat ihn ausgeschaltet.",
      .movedSince: "Der Schlüsselanhänger, der diesen Alarm ausgelöst hat, gehört seit {time} zu"
        + " einem anderen Konto. Dort ging der Alarm weiter: Niemand hatte ihn ausgeschaltet. Ob er"
        + " seither geendet hat, ist hier nicht bekannt.",
      .alert: "ALARM!",
      .clear: "ENTWARNUNG",
      .ended: "Der Alarm ist zu Ende",
      .handedOver: "Der Alarm wurde an ein anderes Konto übergeben",
      .bench: "TEST: ",
      .event: "Persönlicher Alarm",
      .ownMessage: "Persönliche Nachricht",
      .endedAt: "Zu Ende um {time}.",
      .acknowledge: "Ich kümmere mich darum",
      .waitSubject: "SafeTime: Eine Nachfrage wartet auf Ihre Antwort",
      .waitsSubject: "SafeTime: {count} Nachfragen warten auf Ihre Antwort",
      .wait: "Eine Nachfrage wartet auf Ihre Antwort:",
      .waits: "{count} Nachfragen warten auf Ihre Antwort:",
      .item: "- \"{question}\", fällig um {time}",
      .itemWithAlarm:
        "- \"{question}\", fällig um {time}; ohne Antwort beginnt um {end} der Countdown"
        + " des Alarms",
      .moreItems: "- und {count} weitere",
      .answerByClick:
        "Drücken Sie einmal kurz auf den Schlüsselanhänger: Das beantwortet die älteste."
        + " Oder antworten Sie auf der Seite.",
      .answerByPage: "Antworten Sie auf der Seite. Drücken Sie dafür nicht auf den"
        + " Schlüsselanhänger: Das löst den Alarm aus.",
      .raisesNothing: "Der Schutz ist aus: Nachfragen lösen keinen Alarm aus.",
    ])

  static let french = AlertPhrases(
    time: "H'h'mm zzz", dateAndTime: "d/M, H'h'mm zzz",
    [
      .pressed: "ALERTE ! {name} a déclenché l'alarme de son porte-clés SafeTime et se trouve"
        + " peut-être en situation d'urgence.",
      .fall: "ALERTE ! Une chute de {name} a été remarquée à {time}, et personne n'a dit depuis que"
        + " tout va bien. {name} se trouve peut-être en situation d'urgence.",
      .checkIn: "ALERTE ! {name} n'a pas répondu à une demande de nouvelles, en retard à {time}, et"
        + " se trouve peut-être en situation d'urgence.",
      .unanswered: "ALERTE ! {name} n'a pas répondu à une demande de nouvelles (\"{question}\")"
        + " prévue à {time} et se trouve peut-être en situation d'urgence.",
      .afterFall: "Une chute a été remarquée à {time}.",
      .afterCheckIn: "Une demande de nouvelles, en retard à {time}, est restée sans réponse.",
      .afterUnanswered:
        "Une demande de nouvelles (\"{question}\"), prévue à {time}, est restée sans"
        + " réponse.",
      .pressedAgain: "ALERTE ! {name} a appuyé de nouveau sur l'alarme de son porte-clés SafeTime.",
      .pressedThen: "ALERTE ! {name} a appuyé sur l'alarme de son porte-clés SafeTime.",
      .unacknowledged: "ALERTE ! L'alarme de {name} est toujours active et personne ne l'a"
        + " confirmée.",
      .goesOn: "ALERTE ! L'alarme de {name} est toujours active.",
      .unproved: "Rien ne prouve que cela vienne de son porte-clés.",
      .unprovedPresses: "Il y a eu {count} appuis de cette sorte jusqu'ici.",
      .onePressUnproved: "Dont 1 appui sans preuve qu'il vienne de son porte-clés.",
      .somePressesUnproved: "Dont {count} appuis sans preuve qu'ils viennent de son porte-clés.",
      .fleet: "Il y a eu {count} appuis jusqu'ici, sur plusieurs porte-clés.",
      .handover: "L'alarme d'un porte-clés a été transmise à un autre compte.",
      .handovers: "L'alarme d'un porte-clés a été transmise à un autre compte {count} fois.",
      .pressOutOfReach: "{count} appui fait hors de portée, heure inconnue.",
      .pressesOutOfReach: "{count} appuis faits hors de portée, heure inconnue.",
      .unknownPlace: "La position n'est pas connue.",
      .unsharedPlace: "La position n'est pas communiquée.",
      .pressedAt: "Appui à {time}.",
      .heardAt: "Reçu à {time}.",
      .place: "Dernière position connue : {position} à {time}. Carte : {map}",
      .namedPlace: "Dernière position connue : près de {place}. {position} à {time}. Carte : {map}",
      .message: "(message {number})",
      .disarmed: "FIN D'ALERTE. L'alarme SafeTime de {name} a été arrêtée avec le code PIN à"
        + " {time}.",
      .cancelled: "FIN D'ALERTE. L'alarme SafeTime de {name} a été annulée à {time} ; elle n'a pas"
        + " de code PIN.",
      .gaveWay: "L'alarme d'essai de {name} a pris fin à {time} : une vraie alarme l'a remplacée."
        + " Personne ne l'a arrêtée.",
      .trackingOver:
        "L'alarme de {name} a pris fin à {time}, après 30 minutes de suivi. Personne ne"
        + " l'a arrêtée : assurez-vous que tout va bien.",
      .moved: "Le porte-clés qui a déclenché l'alarme de {name} appartient depuis {time} à un autre"
        + " compte. L'alarme y continue : personne ne l'a arrêtée.",
      .movedSince: "Le porte-clés qui a déclenché cette alarme appartient depuis {time} à un autre"
        + " compte. L'alarme y continuait : personne ne l'avait arrêtée. On ne sait pas ici si elle"
        + " a pris fin depuis.",
      .alert: "ALERTE !",
      .clear: "FIN D'ALERTE",
      .ended: "L'alarme a pris fin",
      .handedOver: "L'alarme a été transmise à un autre compte",
      .bench: "ESSAI : ",
      .event: "Alarme personnelle",
      .ownMessage: "Message personnel",
      .endedAt: "Fin à {time}.",
      .acknowledge: "Je m'en occupe",
      .waitSubject: "SafeTime : une demande de nouvelles attend votre réponse",
      .waitsSubject: "SafeTime : {count} demandes de nouvelles attendent votre réponse",
      .wait: "Une demande de nouvelles attend votre réponse :",
      .waits: "{count} demandes de nouvelles attendent votre réponse :",
      .item: "- \"{question}\", prévue à {time}",
      .itemWithAlarm: "- \"{question}\", prévue à {time} ; sans réponse, le compte à rebours de"
        + " l'alarme commence à {end}",
      .moreItems: "- et {count} de plus",
      .answerByClick: "Appuyez une fois brièvement sur votre porte-clés : cela répond à la plus"
        + " ancienne. Ou répondez sur la page.",
      .answerByPage: "Répondez sur la page. N'appuyez pas pour cela sur le porte-clés : cela"
        + " déclenche l'alarme.",
      .raisesNothing: "La protection est désactivée : les demandes de nouvelles ne déclenchent pas"
        + " d'alarme.",
    ])

  static let spanish = AlertPhrases(
    time: "H:mm zzz", dateAndTime: "d/M, H:mm zzz",
    [
      .pressed: "¡ALERTA! {name} ha activado la alarma de su llavero SafeTime y puede estar en una"
        + " situación de emergencia.",
      .fall: "¡ALERTA! Se detectó una caída de {name} a las {time}, y desde entonces nadie ha dicho"
        + " que todo está bien. {name} puede estar en una situación de emergencia.",
      .checkIn: "¡ALERTA! {name} no respondió a un aviso de control, vencido a las {time}, y puede"
        + " estar en una situación de emergencia.",
      .unanswered:
        "¡ALERTA! {name} no ha respondido a un aviso de control (\"{question}\") previsto"
        + " a las {time} y puede estar en una situación de emergencia.",
      .afterFall: "A las {time} se detectó una caída.",
      .afterCheckIn: "Un aviso de control, vencido a las {time}, quedó sin respuesta.",
      .afterUnanswered: "Un aviso de control (\"{question}\"), previsto a las {time}, quedó sin"
        + " respuesta.",
      .pressedAgain: "¡ALERTA! {name} ha vuelto a pulsar la alarma de su llavero SafeTime.",
      .pressedThen: "¡ALERTA! {name} ha pulsado la alarma de su llavero SafeTime.",
      .unacknowledged: "¡ALERTA! La alarma de {name} sigue activa y nadie la ha confirmado.",
      .goesOn: "¡ALERTA! La alarma de {name} sigue activa.",
      .unproved: "Sin prueba de que venga de su llavero.",
      .unprovedPresses: "Hasta ahora hubo {count} pulsaciones así.",
      .onePressUnproved: "Hay 1 pulsación sin prueba de que venga de su llavero.",
      .somePressesUnproved: "Hay {count} pulsaciones sin prueba de que vengan de su llavero.",
      .fleet: "Hasta ahora hubo {count} pulsaciones, en varios llaveros.",
      .handover: "La alarma de un llavero pasó a otra cuenta.",
      .handovers: "La alarma de un llavero pasó a otra cuenta {count} veces.",
      .pressOutOfReach: "{count} pulsación fuera de alcance, hora desconocida.",
      .pressesOutOfReach: "{count} pulsaciones fuera de alcance, hora desconocida.",
      .unknownPlace: "No se conoce la ubicación.",
      .unsharedPlace: "La ubicación no se comparte.",
      .pressedAt: "Pulsada a las {time}.",
      .heardAt: "Recibida a las {time}.",
      .place: "Última ubicación conocida: {position} a las {time}. Mapa: {map}",
      .namedPlace: "Última ubicación conocida: cerca de {place}. {position} a las {time}."
        + " Mapa: {map}",
      .message: "(mensaje {number})",
      .disarmed: "FIN DE LA ALERTA. La alarma SafeTime de {name} se desactivó con el PIN a las"
        + " {time}.",
      .cancelled: "FIN DE LA ALERTA. La alarma SafeTime de {name} se canceló a las {time}; no tiene"
        + " PIN.",
      .gaveWay: "La alarma de prueba de {name} terminó a las {time}: una alarma real ocupa su"
        + " lugar. Nadie la desactivó.",
      .trackingOver: "La alarma de {name} terminó a las {time}, tras 30 minutos de seguimiento."
        + " Nadie la desactivó: compruebe que todo está bien.",
      .moved: "El llavero que activó la alarma de {name} pertenece desde las {time} a otra cuenta."
        + " Allí continúa la alarma: nadie la desactivó.",
      .movedSince: "El llavero que activó esta alarma pertenece desde las {time} a otra cuenta."
        + " Allí continuaba la alarma: nadie la había desactivado. Aquí no se sabe si ha terminado"
        + " desde entonces.",
      .alert: "¡ALERTA!",
      .clear: "FIN DE LA ALERTA",
      .ended: "La alarma ha terminado",
      .handedOver: "La alarma pasó a otra cuenta",
      .bench: "PRUEBA: ",
      .event: "Alarma personal",
      .ownMessage: "Mensaje personal",
      .endedAt: "Terminada a las {time}.",
      .acknowledge: "Yo me encargo",
      .waitSubject: "SafeTime: un aviso de control espera su respuesta",
      .waitsSubject: "SafeTime: {count} avisos de control esperan su respuesta",
      .wait: "Un aviso de control espera su respuesta:",
      .waits: "{count} avisos de control esperan su respuesta:",
      .item: "- \"{question}\", previsto a las {time}",
      .itemWithAlarm:
        "- \"{question}\", previsto a las {time}; sin respuesta, la cuenta atrás de la"
        + " alarma empieza a las {end}",
      .moreItems: "- y {count} más",
      .answerByClick: "Pulse una vez brevemente su llavero: eso responde al más antiguo. O responda"
        + " en la página.",
      .answerByPage: "Responda en la página. No pulse para ello el llavero: eso activa la alarma.",
      .raisesNothing: "La protección está desactivada: los avisos de control no activan ninguna"
        + " alarma.",
    ])
}
