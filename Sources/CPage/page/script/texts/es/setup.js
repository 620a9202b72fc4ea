/** Set-up, and what it shares with the settings: the profile, and the account's keychains. */
export default {
  "setup.title": "Configuración inicial",
  "profile.name": "Nombre",
  "profile.email": "Correo electrónico",
  "profile.mobile": "Móvil",
  "profile.mobile.hint": "Como en su país, o con un más y el prefijo del país, como +15555550100",
  "profile.country": "País",
  "profile.country.none": "Elija un país",
  "profile.language": "Idioma",
  "profile.zone": "Zona horaria",
  "profile.possessive": "Pronombre en los mensajes en inglés",
  "profile.possessive.hint": "Como en «has activated their keychain alarm»",
  "profile.possessives": "her his their",
  "profile.possessive.default": "their",
  "profile.mayLocate": "Usar mi posición",
  "profile.mayLocate.hint":
    "En una alarma, los contactos saben dónde está el llavero. La protección lo necesita.",
  "profile.messageEvery": "Minutos entre mensajes en una alarma",
  "profile.messageEvery.hint":
    "De 1 a 60. Cada mensaje siguiente dice cómo están las cosas entonces.",
  "setup.start.title": "Bienvenido",
  "setup.start.text": "Enchufe su dispositivo SafeTime para empezar.",
  "setup.start.connect": "Conectar mi dispositivo SafeTime",
  "setup.start.login": "Iniciar sesión sin conectar un dispositivo nuevo",
  "setup.start.login.hint": "Debe tener ya una cuenta.",
  "setup.search.title": "Configuración del dispositivo",
  "setup.search.searching": "Buscando el dispositivo…",
  "setup.search.found": "¡Dispositivo encontrado!",
  "setup.search.several": "Se encontraron varios dispositivos. ¿Cuál es el suyo?",
  "setup.search.connecting": "Estableciendo la conexión…",
  "setup.search.connected": "¡Conectado!",
  "setup.search.notFound": "Dispositivo no encontrado",
  "setup.search.notFound.text":
    "Compruebe que su dispositivo está encendido y que la luz parpadea.",
  "setup.owner.title": "¿Es usted?",
  "setup.owner.asking": "Buscando de quién es este dispositivo…",
  "setup.owner.text": "Este dispositivo está conectado a la cuenta de {owner}.",
  "setup.owner.pin": "Introduzca el PIN de {owner}",
  "setup.owner.notYou": "¿No es usted?",
  "setup.owner.one":
    "Un dispositivo SafeTime solo puede estar conectado a una cuenta a la vez. Para usarlo con "
    + "una cuenta nueva, {owner} debe desconectarlo primero de la suya.",
  "setup.owner.back": "Volver al principio",
  "setup.login.title": "Iniciar sesión con una cuenta existente",
  "setup.login.unknown": "Correo desconocido",
  "setup.login.unknown.text": "No hay ninguna cuenta con la dirección {email}.",
  "setup.account.title": "Crear una cuenta",
  "setup.account.text": "Necesitamos algunos datos suyos. Sus contactos sabrán su nombre.",
  "setup.claim.title": "Conectando su dispositivo",
  "setup.claim.text": "El dispositivo {device} pasa a ser suyo…",
  "setup.claim.later": "Seguir sin él",
  "setup.pin.title": "Establecer un PIN",
  "setup.pin.text":
    "Sirve para desactivar la alarma, cambiar los datos de la cuenta e iniciar sesión.",
  "setup.pin.choose": "Elegir un PIN",
  "setup.people.title": "Contactos de emergencia",
  "setup.people.text": "Se avisa a estas personas si se activa su alarma.",
  "setup.people.none": "No se avisaría a nadie",
  "setup.people.none.text":
    "No se avisará a nadie de una alarma si no añade contactos de emergencia.",
  "setup.people.add": "Añadir contactos",
  "setup.people.skip": "Omitir por ahora",
  "setup.finish.title": "¡Todo listo!",
  "setup.finish.text":
    "A partir de ahora, los cambios necesitan su PIN. Pulsar el botón siempre activa la alarma.",
  "setup.finish.protect": "Activar la protección",
  "setup.finish.protect.hint":
    "Entonces también las caídas y los avisos de control sin respuesta activan la alarma.",
  "setup.finish.missing": "La protección aún no se puede activar. Falta: {missing}.",
  "missing.name": "un nombre completo",
  "missing.mobile": "un número de móvil",
  "missing.country": "un país",
  "missing.served": "un país en el que se ofrece el servicio",
  "missing.mayLocate": "el permiso para usar posiciones",
  "setup.finish.done": "¡Perfecto!",
  "setup.finish.people": "Cambiar los contactos",
  "setup.finish.account": "Cambiar los datos de la cuenta",
  "keychain.named": "Dispositivo {device}",
  "keychain.none": "Ningún dispositivo está conectado a su cuenta: una pulsación no llega a nadie.",
  "keychain.every":
    "Todos los dispositivos de este banco de pruebas pertenecen a la cuenta; no hay ninguno "
    + "que desconectar.",
  "keychain.linked": "enchufado",
  "keychain.unlinked": "no enchufado",
  "keychain.unclaimed": "no es de nadie",
  "keychain.connect": "Conectar",
  "keychain.connect.name": "Conectar el dispositivo {device}",
  "keychain.connected": "El dispositivo {device} es suyo.",
  "keychain.disconnect": "Desconectar",
  "keychain.disconnect.name": "Desconectar el dispositivo {device}",
  "keychain.disconnect.ask": "¿Desconectar este dispositivo?",
  "keychain.disconnect.text":
    "Deja su cuenta: su botón ya no avisará a sus contactos. Su luz parpadea, y cualquiera "
    + "puede conectarlo a una cuenta.",
  "keychain.disconnected": "El dispositivo {device} está desconectado. Su luz parpadea.",
  "pairing.begin": "Emparejar",
  "pairing.begin.name": "Emparejar el dispositivo {device}",
  "pairing.offer":
    "Su dispositivo puede emparejarse ahora, o más tarde en los ajustes: después ninguna "
    + "otra pulsación cuenta como probada.",
  "pairing.title": "Emparejar su dispositivo",
  "pairing.text":
    "Después su dispositivo cree solo a esta central, y esta central sabe qué viene de su "
    + "dispositivo.",
  "pairing.label.title": "Con el código de su etiqueta",
  "pairing.label.code": "Código de la etiqueta",
  "pairing.label.hint":
    "45 letras y cifras, o lo que dice su código QR. Espacios y guiones no cuentan. El dispositivo "
    + "tiene que estar enchufado.",
  "pairing.label.do": "Emparejar con este código",
  "pairing.button.title": "Con su botón",
  "pairing.button.text":
    "Un dispositivo sin etiqueta recibe una clave por su cable. Quien escucha la línea en ese "
    + "momento tiene la clave: empareje donde nadie lo haga.",
  "pairing.step.unplug":
    "Quite la corriente al dispositivo: desenchúfelo, y apáguelo si tiene interruptor.",
  "pairing.step.hold": "Pulse su botón, y manténgalo.",
  "pairing.step.plug": "Enchúfelo, sin soltar el botón.",
  "pairing.step.pair":
    "Elija «Emparejar ahora», y mantenga el botón hasta que aquí diga que está emparejado.",
  "pairing.do": "Emparejar ahora",
  "pairing.holding": "Mantenga el botón…",
  "pairing.done": "El dispositivo {device} está emparejado.",
  "pairing.none": "sin emparejar",
  "pairing.paired": "emparejado",
  "pairing.unproved": "emparejado, pero sin prueba",
  "pairing.end": "Terminar el emparejamiento",
  "pairing.end.name": "Terminar el emparejamiento del dispositivo {device}",
  "pairing.end.ask": "¿Terminar el emparejamiento de este dispositivo?",
  "pairing.end.text":
    "Después quien tenga su línea puede pulsar y encender como cualquiera. Si el dispositivo "
    + "no responde, no cree a nadie hasta que se empareje de nuevo.",
  "pairing.ended": "El dispositivo {device} ya no está emparejado.",
  "pairing.ended.alone":
    "El dispositivo {device} ya no está emparejado aquí. No lo ha confirmado: no cree a "
    + "nadie hasta que se empareje de nuevo.",
};
