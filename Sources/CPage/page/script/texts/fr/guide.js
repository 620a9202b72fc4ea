/** The user guide of check-ins. */
export default {
  "guide.title": "Comment marchent les demandes de nouvelles",
  "guide.job": "À quoi elles servent",
  "guide.job.text":
    "Pour appuyer sur le bouton, il faut pouvoir le faire. Une demande de nouvelles vient à "
    + "l’heure choisie\u00a0: allez-vous bien\u00a0? Votre réponse tient en une pression. Si vous "
    + "ne dites rien, de l’aide est appelée pour vous.\nUne demande de nouvelles qui n’appelle "
    + "personne est un simple rappel.",
  "guide.make": "En créer une",
  "guide.make.text":
    "Choisissez Créer une demande de nouvelles, écrivez ce qui est demandé, choisissez la "
    + "fréquence, l’heure et le premier jour. Les prochaines dates s’affichent à côté pendant que "
    + "vous écrivez. Un dernier jour peut être donné, puis effacé.\nSi le silence appelle de "
    + "l’aide, l’enregistrement demande votre code PIN.",
  "guide.rules": "Cinq sortes",
  "guide.rules.text":
    "Une fois\u00a0; tous les tant de jours, plusieurs fois par jour si vous voulez\u00a0; les "
    + "semaines, aux jours choisis\u00a0; les mois et les années, un jour par son numéro ou par "
    + "sa place, comme le deuxième vendredi.\nLes heures sont celles du fuseau de votre compte, "
    + "même au changement d’heure. Un mois sans ce jour est sauté.",
  "guide.answer": "Répondre",
  "guide.answer.text":
    "Tant qu’une réponse est attendue, l’État montre le grand bouton Je vais bien, et le nombre "
    + "est affiché près de Demandes de nouvelles et dans le titre de la page. Terminer, dans la "
    + "liste, accepte aussi un commentaire.\n{answer}",
  "guide.colours": "Couleurs",
  "guide.colours.text":
    "Bleu\u00a0: échéance dans plus de 20 minutes. Vert\u00a0: dans 20 minutes ou moins. "
    + "Jaune\u00a0: en retard. Rouge\u00a0: en retard de 20 minutes ou plus. Le mot et la forme "
    + "disent la même chose.",
  "guide.silence": "Ce que fait le silence",
  "guide.silence.text":
    "On vous redemande jusqu’à votre réponse. Après les minutes choisies, un compte à rebours "
    + "commence, avec lumière et son\u00a0; votre code PIN l’arrête, {countdown}. "
    + "À la fin, vos contacts lisent que vous n’avez pas répondu, et non que vous avez "
    + "appuyé.\nIl faut que la protection soit active. Sinon, l’État et cette vue disent en rouge "
    + "que les demandes de nouvelles ne déclenchent aucune alarme.",
  "guide.countdown.guarded": "un clic ne fait que le taire",
  "guide.countdown.literal": "une pression met fin à l’attente, et l’on appelle aussitôt",
  "guide.single": "En modifier ou en retirer une",
  "guide.single.text":
    "Modifier et Supprimer demandent si vous pensez à cette demande seule ou à la série. Les "
    + "autres restent telles quelles.",
  "guide.history": "Ce qui a été",
  "guide.history.text":
    "Ce qui a été répondu, manqué ou retiré s’y trouve, le plus récent d’abord, avec son "
    + "commentaire, qu’on peut modifier. Rétablir rouvre une demande terminée\u00a0; "
    + "Réactiver relance une série terminée.",
  "guide.lost": "Rien n’est perdu",
  "guide.lost.text":
    "Qui quitte un éditeur avec des modifications est interrogé\u00a0: Enregistrer, Abandonner "
    + "ou Continuer la modification. Ce qui était en cours quand le navigateur ou une alarme est "
    + "intervenu est gardé dans ce navigateur\u00a0: Rétablir le ramène.",
};
