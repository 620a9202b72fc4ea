/** The user guide of check-ins. */
export default {
  "guide.title": "Cómo funcionan los avisos de control",
  "guide.job": "Para qué sirven",
  "guide.job.text":
    "Para pulsar el botón hay que poder hacerlo. Un aviso de control le pregunta, a la hora "
    + "que elija, si está bien. Su respuesta es una pulsación. Si no dice nada, se llama a "
    + "alguien por usted.\nUn aviso que no llama a nadie es un recordatorio corriente.",
  "guide.make": "Crear uno",
  "guide.make.text":
    "Elija Nuevo aviso de control, escriba qué se pregunta, elija la frecuencia, la hora y el "
    + "primer día. Las próximas fechas aparecen al lado mientras escribe. Se puede dar un último "
    + "día y volver a borrarlo.\nSi el silencio llama a alguien, guardar requiere su PIN.",
  "guide.rules": "Cinco tipos",
  "guide.rules.text":
    "Una vez; cada tantos días, varias veces al día si quiere; semanas en los días elegidos; "
    + "meses y años en un día por su número o por su lugar, como el segundo viernes.\nLas horas "
    + "son las de la zona de su cuenta, también con el cambio de hora. Un mes sin ese día se "
    + "salta.",
  "guide.answer": "Responder",
  "guide.answer.text":
    "Mientras se pueda responder, el Estado tiene el botón grande Estoy bien, y el número "
    + "figura junto a Avisos de control y en el título de la página. Completar, en la lista, "
    + "admite también un comentario.\n{answer}",
  "guide.colours": "Colores",
  "guide.colours.text":
    "Azul: falta más de 20 minutos. Verde: faltan 20 minutos o menos. Amarillo: vencido. Rojo: "
    + "vencido hace 20 minutos o más. La palabra y la forma dicen lo mismo.",
  "guide.silence": "Qué hace el silencio",
  "guide.silence.text":
    "Se le pregunta una y otra vez hasta que responda. Tras los minutos elegidos empieza una "
    + "cuenta atrás, con luz y sonido; su PIN la detiene, {countdown}. Al acabar, "
    + "sus contactos leen que no ha respondido, y no que haya pulsado.\nPara eso la protección "
    + "debe estar activa. Si no lo está, el Estado y esta vista dicen en rojo que los avisos de "
    + "control no dan ninguna alarma.",
  "guide.countdown.guarded": "un clic solo la silencia",
  "guide.countdown.literal": "una pulsación acaba la espera, y se llama enseguida",
  "guide.single": "Cambiar o quitar uno",
  "guide.single.text":
    "Editar y Eliminar preguntan si se refiere a este o a la serie. Los demás quedan como están.",
  "guide.history": "Lo que fue",
  "guide.history.text":
    "Lo respondido, perdido o quitado está ahí, lo más reciente primero, con su comentario, que "
    + "se puede cambiar. Restaurar vuelve a preguntar uno respondido; Reactivar empieza de nuevo "
    + "una serie terminada.",
  "guide.lost": "Nada se pierde",
  "guide.lost.text":
    "A quien deja un editor con cambios se le pregunta: Guardar, Descartar o Seguir editando. "
    + "Lo que se escribía cuando el navegador o una alarma interrumpió se conserva en este "
    + "navegador: Restaurar lo recupera.",
};
