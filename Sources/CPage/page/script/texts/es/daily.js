/** The tips and quotes of the day (R85). */
export default {
  "daily.tip.0": "Pruebe su llavero con una cuenta de prueba antes de necesitarlo.",
  "daily.tip.1": "Cargue su llavero un día fijo de la semana.",
  "daily.tip.2": "Diga a sus contactos qué deben hacer cuando llegue un mensaje.",
  "daily.tip.3": "Anote los lugares donde está a menudo: los mensajes los nombran.",
  "daily.tip.4": "A la hora de dormir, un clic responde al aviso de control.",
  "daily.tip.5": "Su PIN termina una alarma. Elija uno que nadie adivine.",
  "daily.tip.6": "Después de una alarma, un repaso breve ayuda la próxima vez.",
  "daily.quote.0": "Un paso basta por ahora.",
  "daily.quote.1": "Usted puede pedir ayuda.",
  "daily.quote.2": "Este momento también pasará.",
  "daily.quote.3": "Despacio es un buen ritmo.",
  "daily.quote.4": "Usted ya ha superado días difíciles.",
  "daily.quote.5": "Primero, suelte el aire.",
  "daily.quote.6": "Lo pequeño cuenta.",
};
