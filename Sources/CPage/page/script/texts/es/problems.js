/** Why something was refused, by the code of the problem, and by its field. */
export default {
  "problem.unreachable": "La central no responde. Lo que usted ve puede ser antiguo.",
  "problem.differentPIN": "Los dos no eran iguales. Elija de nuevo un PIN.",
  "problem.notDurable":
    "Está hecho, pero no se pudo guardar: tras un reinicio puede quedar anulado.",
  "problem.locked":
    "Nada más se puede cambiar hasta que se desactive la alarma o se lea la pulsación.",
  "problem.wrongPIN": "PIN incorrecto. Nada ha cambiado.",
  "problem.busy": "La central está ocupada. Nada ha cambiado. Inténtelo de nuevo.",
  "problem.stopping": "La central se está deteniendo. Nada ha cambiado.",
  "problem.notAnswered": "La central no respondió a tiempo: no se sabe si se hizo.",
  "problem.storageFailure": "Ahora no se puede leer nada de lo guardado. Inténtelo de nuevo.",
  "problem.changedMeanwhile": "Entretanto se cambió en otro lugar. Mírelo de nuevo.",
  "problem.tooLarge": "Es demasiado grande.",
  "problem.sessionOver": "La sesión de esta página ha terminado. Inicie sesión de nuevo.",
  "problem.tokenNeeded": "La sesión de esta página ha terminado. Inicie sesión de nuevo.",
  "problem.coreNeeded": "Esto atañe a toda la central y no es para una sola cuenta.",
  "problem.accountGone": "Esta cuenta ya no existe.",
  "problem.oneAccount": "Esta central lleva una sola cuenta.",
  "problem.scopeNeeded": "Esta página no puede hacerlo.",
  "problem.pinNeeded": "Se necesita el PIN. Nada ha cambiado.",
  "problem.pinBlocked": "Demasiados PIN incorrectos. Espere antes del próximo intento.",
  "problem.unknownEmail": "No hay ninguna cuenta con esta dirección de correo.",
  "problem.tooManyEmails":
    "Se probaron demasiadas direcciones. Espere un poco y vuelva a intentarlo.",
  "problem.tooManyChanges": "Demasiados cambios. Espere un poco y vuelva a intentarlo.",
  "problem.unknownContact": "Este contacto ya no existe.",
  "problem.unknownDevice": "Este dispositivo no está enchufado o no se conoce.",
  "problem.notLinked": "Este dispositivo no está enchufado donde está la central.",
  "problem.remoteKeychain":
    "Este dispositivo está en un puente de otro equipo. Emparéjelo allí con el código de su "
    + "etiqueta, o enchúfelo donde está la central y emparéjelo con su botón.",
  "problem.pairingRuns": "Este dispositivo ya se está emparejando. Espere un poco.",
  "problem.notPaired": "Este dispositivo no está emparejado.",
  "problem.notHeld":
    "El botón no estaba pulsado desde que el dispositivo tiene corriente. Quítele la "
    + "corriente, pulse el botón, enchúfelo, y siga pulsando.",
  "problem.noAnswer":
    "El dispositivo no ha respondido. Quizá su firmware no conoce el emparejamiento.",
  "problem.notStored": "La memoria del dispositivo no tomó la clave. Nada ha cambiado.",
  "problem.keyNotKept": "La central no puede guardar la clave. Nada ha cambiado.",
  "problem.labelMistyped":
    "No es el código de una etiqueta: una letra o cifra está mal, falta o sobra. Compárelo con la "
    + "etiqueta.",
  "problem.severalLines":
    "Varios dispositivos dicen ser este, y ninguno lo prueba. Desenchufe todos menos el que "
    + "tiene en la mano.",
  "problem.labelOfAnother": "Es la etiqueta de otro dispositivo.",
  "problem.keyNotProved":
    "El dispositivo no tiene la clave de esta etiqueta: se emparejó o se desemparejó después. Nada "
    + "ha cambiado. Emparéjelo con su botón.",
  "problem.unownedDevice": "Este dispositivo no pertenece a ninguna cuenta. Conéctelo primero.",
  "problem.notProtecting":
    "La protección está apagada: una caída o un aviso de control sin respuesta no cuenta.",
  "problem.noAccount": "Todavía no hay ninguna cuenta.",
  "problem.accountExists": "Ya hay una cuenta. Inicie sesión en ella.",
  "problem.notLoggedIn": "Nadie ha iniciado sesión en la cuenta.",
  "problem.unchanged": "Nada ha cambiado.",
  "problem.claimed": "Este dispositivo está conectado a otra cuenta.",
  "problem.nothingOpen": "No hay ninguna alarma abierta.",
  "problem.nothingEnded": "No hay ninguna alarma terminada.",
  "problem.nobodyTold": "Todavía no se ha avisado a nadie: la cuenta atrás sigue en marcha.",
  "problem.unowned": "Esta alarma no pertenece a ninguna cuenta: la termina un administrador.",
  "problem.noMail":
    "Desde aquí no se puede enviar correo: no hay ningún canal de correo configurado.",
  "problem.mailFailed": "El correo no fue aceptado. Inténtelo de nuevo.",
  "problem.notSent": "No se pudo enviar el correo. Inténtelo de nuevo.",
  "problem.tooOften": "Hace poco se envió un PIN nuevo. Búsquelo o espere una hora.",
  "problem.invalid.name": "Se necesita un nombre, de 100 letras como máximo.",
  "problem.invalid.email": "Esto no es una dirección de correo como owner@example.org.",
  "problem.invalid.mobile":
    "Esto no es un número de teléfono. Escríbalo como en su país, o con un más y el prefijo "
    + "del país, como +15555550100.",
  "problem.invalid.numbers":
    "Esto no es un número de teléfono. Escríbalo como en su país, o con un más y el prefijo "
    + "del país, como +15555550100.",
  "problem.invalid.country": "Elija un país.",
  "problem.invalid.language": "Elija un idioma.",
  "problem.invalid.zone": "Elija una zona horaria.",
  "problem.invalid.possessive": "Se necesita un pronombre, de 100 letras como máximo.",
  "problem.invalid.pin": "Un PIN tiene cuatro cifras.",
  "problem.invalid.messageEvery": "Entre 1 y 60 minutos.",
  "problem.noContacts": "En este archivo no se encontró ningún contacto con nombre y número.",
  "problem.startPast": "Está en el pasado. Elija un día o una hora posterior.",
  "problem.endPast":
    "El último día está en el pasado, o antes del primero. Elija uno posterior o bórrelo.",
  "problem.movedPast": "No se puede mover al pasado. Elija un día o una hora posterior.",
  "problem.noDescription": "Escriba qué se pregunta.",
  "problem.unknownSeries": "Esta serie ya no existe.",
  "problem.unknownCheckIn": "Este aviso de control ya no existe.",
  "problem.tooEarly": "Este aviso de control da una alarma: aún no se puede responder.",
  "problem.checkInClosed":
    "Este aviso de control ya está respondido o terminado. Vea el historial.",
  "problem.unknownAffirmation": "Esta afirmación ya no existe. Vuelva a mirar la lista.",
  "problem.seriesRuns": "Esta serie no ha terminado: edítela.",
  "problem.exerciseRuns": "Hay un ejercicio en marcha: deténgalo primero.",
  "problem.noExercise": "No hay ningún ejercicio así en marcha.",
  "problem.checkInOverdue": "Hay un aviso de control vencido: respóndalo primero.",
  "problem.incomplete":
    "Este espacio no está completo: necesita un destinatario localizable y un texto.",
  "problem.unknownReview": "Este repaso ya no existe.",
  "problem.reviewExists": "Esta alarma ya tiene un repaso: edítelo.",
  "problem.changed": "Otra ventana ha guardado esta respuesta entretanto.",
  "problem.invalid.description": "Como máximo 160 letras en una línea; menos si llevan acentos.",
  "problem.invalid.rule":
    "Esta regla no da ninguna fecha. Elija un día; las veces por las horas son como máximo 48.",
  "problem.invalid.time": "Elija una hora.",
  "problem.invalid.start": "Elija un día.",
  "problem.invalid.date": "Elija un día.",
  "problem.invalid.limit": "Entre 5 y 1440 minutos.",
  "problem.invalid.nagEvery": "Entre 1 y 60 minutos.",
  "problem.invalid.shown": "Entre 1 y 366.",
  "problem.invalid.history": "Entre 10 y 10000.",
  "problem.invalid.logShown": "Entre 10 y 10000.",
  "problem.invalid.comment": "Como máximo 500 letras; menos si llevan acentos.",
};
