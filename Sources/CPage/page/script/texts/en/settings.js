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
};
