/** The tips and quotes of the day (R85). */
export default {
  "daily.tip.0": "Try your keychain with a bench account before you need it.",
  "daily.tip.1": "Charge your keychain on a fixed day of the week.",
  "daily.tip.2": "Tell your contacts what they are to do when a message comes.",
  "daily.tip.3": "Write down places where you often are: messages name them.",
  "daily.tip.4": "A check-in at bedtime answers with one click.",
  "daily.tip.5": "Your PIN ends an alarm. Choose one that nobody guesses.",
  "daily.tip.6": "After an alarm, a short look back helps the next time.",
  "daily.quote.0": "One step is enough for now.",
  "daily.quote.1": "You may ask for help.",
  "daily.quote.2": "This moment will pass, too.",
  "daily.quote.3": "Slow is a good pace.",
  "daily.quote.4": "You have come through hard days before.",
  "daily.quote.5": "Breathe out first.",
  "daily.quote.6": "Small things count.",
};
