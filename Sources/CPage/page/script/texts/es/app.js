/** Everywhere, the PIN, and the login. */
export default {
  "app.name": "fob",
  "app.skip": "Ir al contenido",
  "app.views": "Vistas",
  "app.connection": "Conexión",
  "app.bench": "Banco de pruebas",
  "app.keychain": "Llavero",
  "button.cancel": "Cancelar",
  "button.tryAgain": "Intentar de nuevo",
  "button.ok": "OK",
  "button.yes": "Sí",
  "button.no": "No",
  "connection.lost": "Conexión perdida. La central no responde. Se sigue intentando…",
  "connection.stale": "No se ha oído nada nuevo de la central. Se sigue intentando…",
  "connection.age": "Lo que aquí se lee era cierto {ago}.",
  "state.NO_EMERGENCY": "Sin emergencia",
  "state.ALERT_COUNTDOWN": "Cuenta atrás",
  "state.EMERGENCY_SENDING": "Avisando a los contactos",
  "state.EMERGENCY_SENT": "Mensaje recibido",
  "state.EMERGENCY_SENDING_FAILED": "No se pudo avisar a nadie",
  "state.EMERGENCY_ENDED": "Emergencia terminada",
  "pin.label": "PIN, 4 cifras",
  "pin.erase": "Borrar la última cifra",
  "pin.checking": "Comprobando…",
  "pin.wrongPIN": "PIN incorrecto. Nada ha cambiado.",
  "pin.pinBlocked": "Demasiados PIN incorrectos.",
  "pin.blocked": "Demasiados PIN incorrectos. Antes del próximo intento espere al menos",
  "pin.mayTry": "Ya puede intentarlo de nuevo.",
  "pin.busy": "La central está ocupada. Nada ha cambiado.",
  "pin.unreachable": "No hubo respuesta: no se sabe si el PIN fue aceptado.",
  "download.failed": "No se descargó: {reason}",
  "login.title": "Iniciar sesión",
  "login.again": "Iniciar sesión de nuevo",
  "login.over":
    "La sesión de esta página ha terminado, como tras un reinicio de la central. Se necesita "
    + "un código nuevo.",
  "login.alarm":
    "Había una alarma abierta. Sigue sin esta página: inicie sesión para verla y terminarla. "
    + "Si necesita ayuda y no está seguro de que se haya avisado a alguien, llame al {number}.",
  "login.code": "Código de un solo uso",
  "login.where":
    "El código está en el terminal en que se arrancó fob, debajo de la dirección de esta "
    + "página. Vale una vez y durante diez minutos; al arrancar fob de nuevo se crea otro.",
  "login.button": "Entrar",
  "login.byEmail": "Con correo y PIN",
  "login.email": "Correo electrónico",
  "login.length": {
    one: "Un código tiene {count} carácter.",
    many: "Un código tiene {count} letras y cifras.",
    other: "Un código tiene {count} letras y cifras.",
  },
  "login.wrong":
    "Este código es incorrecto, ya se usó o es demasiado antiguo; después de diez incorrectos "
    + "ya no vale ninguno. Busque el código más reciente en el terminal o arranque fob de nuevo "
    + "para obtener otro.",
  "login.wait": {
    one: "Demasiados intentos: espere {count} segundo.",
    many: "Demasiados intentos: espere {count} de segundos.",
    other: "Demasiados intentos: espere {count} segundos.",
  },
  "login.unreachable": "La central no responde. ¿Está fob en marcha?",
  "login.lastKnown": "Lo último que aquí se leía",
  "login.age": "Era cierto {ago} y puede ser distinto ahora.",
  "button.continue": "Continuar",
  "pin.enter": "Introducir el PIN",
  "contacts.title": "Contactos",
  "settings.title": "Ajustes",
  "history.title": "Historial",
  "newPIN.choose": "Elija un PIN de cuatro cifras",
  "newPIN.again": "El mismo PIN otra vez",
  "forgot.title": "¿Olvidó el PIN?",
  "forgot.text":
    "Se puede enviar un PIN nuevo a la dirección de la cuenta. El anterior vale hasta que el "
    + "nuevo se use por primera vez.",
  "forgot.send": "Enviar",
  "forgot.sent": "Correo enviado. Consúltelo e introduzca aquí su PIN nuevo.",
  "forgot.notSent": "No se envió ningún correo",
  "confirmation.sent": "Correo de confirmación enviado a {email}. Abra el enlace que contiene.",
  "confirmation.notSent": "No se envió ningún correo de confirmación: {reason}",
  "confirmation.needed": "{email} aún no está confirmado.",
  "confirmation.mailed":
    "Se envió un enlace a {email}. Hasta que lo abra, nadie sabe si su correo llega.",
  "confirmation.noMail": "{email} no está confirmado, y desde aquí no se puede enviar correo.",
  "confirmation.noAddress": "No hay dirección de correo: ningún correo puede llegarle.",
  "confirmation.resend": "Reenviar el correo de confirmación",
};
