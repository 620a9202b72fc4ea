/** Settings. */
export default {
  "settings.locked": "Bloqueado",
  "settings.locked.text": "Su PIN abre los ajustes.",
  "settings.pinChanged": "Entretanto se cambió el PIN. No se guardó nada; introduzca el nuevo.",
  "settings.account": "Datos de la cuenta",
  "settings.save": "Guardar los datos",
  "settings.saved": "Guardado",
  "settings.pin": "PIN",
  "settings.pin.text": "Desactiva la alarma y abre estos ajustes.",
  "settings.pin.change": "Cambiar el PIN",
  "settings.pin.set": "Establecer un PIN",
  "settings.pin.current": "Introduzca su PIN actual",
  "settings.pin.done": "PIN cambiado",
  "settings.pin.done.text": "Su PIN nuevo vale desde ahora.",
  "settings.keychains": "Dispositivos SafeTime",
  "settings.places": "Lugares",
  "settings.places.text": "El más cercano se nombra en los mensajes.",
  "settings.places.none": "No hay lugares definidos: los mensajes solo llevan coordenadas.",
  "settings.language": "Idioma de esta página",
  "settings.language.account": "Como la cuenta, o si no como el navegador",
  "settings.language.hint": "Solo para este navegador. La página se vuelve a cargar.",
  "settings.browser": "Este navegador",
  "settings.browser.text":
    "Entró con un código de un solo uso. Su alarma sigue funcionando cuando se va.",
  "settings.browser.ask": "¿Cerrar la sesión de este navegador?",
  "settings.browser.back":
    "Para volver necesita un código nuevo de un solo uso: fob muestra uno cada vez que arranca.",
  "settings.browser.leave": "Cerrar la sesión de este navegador",
  "erase.title": "Eliminar la cuenta",
  "erase.text": "Quita todo lo que usted ha introducido. No se puede recuperar.",
  "erase.begin": "Eliminar la cuenta …",
  "erase.goes": "Lo que desaparece",
  "erase.goes.list":
    "Su nombre, sus números y direcciones; contactos y PIN; lugares, y dónde estuvo; "
      + "mensajes, avisos de control y afirmaciones; ejercicios y repasos",
  "erase.stays": "Lo que queda",
  "erase.stays.list":
    "Cuándo se dio una alarma y cuándo terminó, sin nombres; lo que ya se envió, en manos de "
      + "quienes lo tienen",
  "erase.word": "eliminar",
  "erase.type": "Para eliminarla, escriba la palabra {word}",
  "erase.do": "Eliminar para siempre",
  "erase.pin": "Introduzca su PIN para eliminar la cuenta",
  "reminders.title": "Recordatorios",
  "reminders.checkIns": "Avisos de control",
  "reminders.checkIns.hint":
    "Esta página dice cuándo pregunta uno. La luz del llavero lo muestra en todo caso.",
  "reminders.affirmations": "Afirmaciones",
  "reminders.affirmations.hint": "A las horas que usted eligió en Calma.",
  "reminders.review": "Repasos",
  "reminders.review.hint":
    "Un día después de una alarma sin repaso, y los domingos mientras haya un repaso en curso.",
  "reminders.tips": "Un consejo cada día",
  "reminders.tips.hint": "Uno breve sobre su llavero y esta página.",
  "reminders.quotes": "Una frase cada día",
  "reminders.quotes.hint": "Una línea para el día.",
  "reminders.mails": "También por correo",
  "reminders.mails.hint":
    "Dice que hay algo, y ni una palabra de ello. Su dirección debe estar confirmada.",
  "reminders.unconfirmed":
    "No se puede enviar ningún correo hasta que confirme su dirección.",
  "reminders.time": "Hora",
  "reminders.time.hint": "Cuándo llegan los consejos, las frases y el aviso de repasos en curso.",
  "reminders.save": "Guardar los recordatorios",
  "reminders.saved": "Los recordatorios están guardados.",
};
