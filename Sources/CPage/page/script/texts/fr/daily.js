/** The tips and quotes of the day (R85). */
export default {
  "daily.tip.0": "Essayez votre porte-clés avec un compte d’essai avant d’en avoir besoin.",
  "daily.tip.1": "Chargez votre porte-clés un jour fixe de la semaine.",
  "daily.tip.2": "Dites à vos contacts quoi faire quand un message arrive.",
  "daily.tip.3": "Notez les lieux où vous êtes souvent : les messages les nomment.",
  "daily.tip.4": "À l’heure du coucher, un clic répond à la demande de nouvelles.",
  "daily.tip.5": "Votre code PIN met fin à une alarme. Choisissez-en un que personne ne devine.",
  "daily.tip.6": "Après une alarme, un court bilan aide pour la suivante.",
  "daily.quote.0": "Un pas suffit pour l’instant.",
  "daily.quote.1": "Vous avez le droit de demander de l’aide.",
  "daily.quote.2": "Ce moment passera, lui aussi.",
  "daily.quote.3": "La lenteur est un bon rythme.",
  "daily.quote.4": "Vous avez déjà traversé des jours difficiles.",
  "daily.quote.5": "Expirez d’abord.",
  "daily.quote.6": "Les petites choses comptent.",
};
