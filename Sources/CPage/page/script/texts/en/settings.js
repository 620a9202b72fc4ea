/** Settings. */
export default {
  "settings.locked": "Locked",
  "settings.locked.text": "Your PIN opens the settings.",
  "settings.pinChanged":
    "The PIN has been changed meanwhile. Nothing was saved; enter the new one.",
  "settings.account": "Account Info",
  "settings.save": "Save Account Info",
  "settings.saved": "Saved",
  "settings.pin": "PIN",
  "settings.pin.text": "It shuts off the alarm and opens these settings.",
  "settings.pin.change": "Change PIN",
  "settings.pin.set": "Set a PIN",
  "settings.pin.current": "Enter your current PIN",
  "settings.pin.done": "PIN changed",
  "settings.pin.done.text": "Your new PIN counts from now on.",
  "settings.keychains": "SafeTime devices",
  "settings.places": "Places",
  "settings.places.text": "The nearest one is named in messages.",
  "settings.places.none": "No places are set: messages have coordinates alone.",
  "settings.language": "Language of this page",
  "settings.language.account": "As the account, or as the browser",
  "settings.language.hint": "For this browser alone. The page is loaded anew.",
  "settings.browser": "This browser",
  "settings.browser.text":
    "It was let in by a one-time code. Your alarm goes on working when it leaves.",
  "settings.browser.ask": "Log this browser out?",
  "settings.browser.back":
    "To come back it needs a new one-time code: fob prints one each time it starts.",
  "settings.browser.leave": "Log this browser out",
  "erase.title": "Delete account",
  "erase.text": "Takes away everything that you have entered. It cannot be brought back.",
  "erase.begin": "Delete account …",
  "erase.goes": "What goes",
  "erase.goes.list":
    "Your name, numbers and addresses; contacts and PIN; places, and where you were; "
      + "messages, check-ins and affirmations; exercises and reviews",
  "erase.stays": "What stays",
  "erase.stays.list":
    "When alarms were raised, and when they ended, without names; what was sent already, with "
      + "the people who have it",
  "erase.word": "delete",
  "erase.type": "To delete it, type the word {word}",
  "erase.do": "Delete for ever",
  "erase.pin": "Enter your PIN to delete the account",
  "reminders.title": "Reminders",
  "reminders.checkIns": "Check-ins",
  "reminders.checkIns.hint":
    "This page says when one asks. The light of the keychain shows it in any case.",
  "reminders.affirmations": "Affirmations",
  "reminders.affirmations.hint": "At the times that you chose under Calm.",
  "reminders.review": "Reviews",
  "reminders.review.hint":
    "A day after an alarm that you have not looked back on, and on Sundays while a review "
      + "is in progress.",
  "reminders.tips": "A tip each day",
  "reminders.tips.hint": "A short one about your keychain and this page.",
  "reminders.quotes": "A quote each day",
  "reminders.quotes.hint": "A line for the day.",
  "reminders.mails": "By mail, too",
  "reminders.mails.hint":
    "It says that there is something, and no word of it. Your address must be confirmed.",
  "reminders.unconfirmed":
    "No mail can be sent until you confirm your email address.",
  "reminders.time": "Time of day",
  "reminders.time.hint": "When tips, quotes and the word about open reviews come.",
  "reminders.save": "Save reminders",
  "reminders.saved": "The reminders are saved.",
};
