/** The tips and quotes of the day (R85). */
export default {
  "daily.tip.0": "Probieren Sie Ihren Anhänger mit einem Testkonto aus, bevor Sie ihn brauchen.",
  "daily.tip.1": "Laden Sie Ihren Anhänger an einem festen Wochentag.",
  "daily.tip.2": "Sagen Sie Ihren Kontakten, was sie bei einer Nachricht tun sollen.",
  "daily.tip.3": "Schreiben Sie Orte auf, an denen Sie oft sind: Nachrichten nennen sie.",
  "daily.tip.4": "Eine Nachfrage zur Schlafenszeit beantworten Sie mit einem Klick.",
  "daily.tip.5": "Ihre PIN beendet einen Alarm. Wählen Sie eine, die niemand errät.",
  "daily.tip.6": "Nach einem Alarm hilft ein kurzer Rückblick beim nächsten Mal.",
  "daily.quote.0": "Ein Schritt reicht für jetzt.",
  "daily.quote.1": "Sie dürfen um Hilfe bitten.",
  "daily.quote.2": "Auch dieser Augenblick geht vorbei.",
  "daily.quote.3": "Langsam ist ein gutes Tempo.",
  "daily.quote.4": "Sie haben schon schwere Tage überstanden.",
  "daily.quote.5": "Atmen Sie zuerst aus.",
  "daily.quote.6": "Auch Kleines zählt.",
};
