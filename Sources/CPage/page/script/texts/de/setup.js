/** Set-up, and what it shares with the settings: the profile, and the account's keychains. */
export default {
  "setup.title": "Einrichten",
  "profile.name": "Name",
  "profile.email": "E-Mail",
  "profile.mobile": "Mobilnummer",
  "profile.mobile.hint": "Wie in Ihrem Land, oder mit Plus und Landesvorwahl, wie +15555550100",
  "profile.country": "Land",
  "profile.country.none": "Wählen Sie ein Land",
  "profile.language": "Sprache",
  "profile.zone": "Zeitzone",
  "profile.possessive": "Pronomen in englischen Nachrichten",
  "profile.possessive.hint": "Wie in „has activated their keychain alarm“",
  "profile.possessives": "her his their",
  "profile.possessive.default": "their",
  "profile.mayLocate": "Meine Position verwenden",
  "profile.mayLocate.hint":
    "Bei einem Alarm erfahren Kontakte, wo der Schlüsselanhänger ist. Der Schutz braucht das.",
  "profile.messageEvery": "Minuten zwischen Nachrichten bei einem Alarm",
  "profile.messageEvery.hint": "Von 1 bis 60. Jede weitere Nachricht sagt, wie es dann steht.",
  "setup.start.title": "Willkommen",
  "setup.start.text": "Stecken Sie Ihr SafeTime-Gerät ein, um zu beginnen.",
  "setup.start.connect": "Mein SafeTime-Gerät verbinden",
  "setup.start.login": "Anmelden, ohne ein neues Gerät zu verbinden",
  "setup.start.login.hint": "Sie müssen schon ein Konto haben.",
  "setup.search.title": "Gerät einrichten",
  "setup.search.searching": "Gerät wird gesucht …",
  "setup.search.found": "Gerät gefunden!",
  "setup.search.several": "Mehrere Geräte gefunden. Welches ist Ihres?",
  "setup.search.connecting": "Verbindung wird aufgebaut …",
  "setup.search.connected": "Verbunden!",
  "setup.search.notFound": "Gerät nicht gefunden",
  "setup.search.notFound.text": "Prüfen Sie, ob Ihr Gerät eingeschaltet ist und das Licht blinkt.",
  "setup.owner.title": "Sind Sie das?",
  "setup.owner.asking": "Es wird nachgesehen, wessen Gerät das ist …",
  "setup.owner.text": "Dieses Gerät ist mit dem Konto von {owner} verbunden.",
  "setup.owner.pin": "PIN für {owner} eingeben",
  "setup.owner.notYou": "Nicht Sie?",
  "setup.owner.one":
    "Ein SafeTime-Gerät kann nur mit einem Konto zugleich verbunden sein. Um es mit einem "
    + "neuen Konto zu verwenden, muss {owner} es zuerst trennen.",
  "setup.owner.back": "Zurück zum Anfang",
  "setup.login.title": "Mit vorhandenem Konto anmelden",
  "setup.login.unknown": "Unbekannte E-Mail",
  "setup.login.unknown.text": "Es gibt kein Konto mit der Adresse {email}.",
  "setup.account.title": "Konto anlegen",
  "setup.account.text":
    "Wir brauchen einige Angaben von Ihnen. Ihre Kontakte erfahren Ihren Namen.",
  "setup.claim.title": "Ihr Gerät wird verbunden",
  "setup.claim.text": "Gerät {device} wird Ihres …",
  "setup.claim.later": "Ohne Gerät weiter",
  "setup.pin.title": "PIN festlegen",
  "setup.pin.text":
    "Mit ihr schalten Sie den Alarm ab, ändern die Angaben des Kontos und melden sich an.",
  "setup.pin.choose": "PIN wählen",
  "setup.people.title": "Notfallkontakte",
  "setup.people.text": "Diese Personen werden benachrichtigt, wenn Ihr Alarm ausgelöst wird.",
  "setup.people.none": "Niemand würde benachrichtigt",
  "setup.people.none.text":
    "Niemand wird bei einem Alarm benachrichtigt, solange Sie keine Notfallkontakte hinzufügen.",
  "setup.people.add": "Kontakte hinzufügen",
  "setup.people.skip": "Vorerst überspringen",
  "setup.finish.title": "Alles eingerichtet!",
  "setup.finish.text":
    "Von nun an brauchen Änderungen Ihre PIN. Ein Druck auf den Knopf löst immer den Alarm aus.",
  "setup.finish.protect": "Schutz einschalten",
  "setup.finish.protect.hint": "Dann lösen auch Stürze und versäumte Nachfragen den Alarm aus.",
  "setup.finish.missing": "Der Schutz kann noch nicht eingeschaltet werden. Es fehlt: {missing}.",
  "missing.name": "ein vollständiger Name",
  "missing.mobile": "eine Mobilnummer",
  "missing.country": "ein Land",
  "missing.served": "ein Land, in dem der Dienst angeboten wird",
  "missing.mayLocate": "die Erlaubnis, Positionen zu verwenden",
  "setup.finish.done": "Klingt gut!",
  "setup.finish.people": "Kontakte ändern",
  "setup.finish.account": "Angaben des Kontos ändern",
  "keychain.named": "Gerät {device}",
  "keychain.none": "Kein Gerät ist mit Ihrem Konto verbunden: ein Druck erreicht niemanden.",
  "keychain.every": "Jedes Gerät dieses Prüfstands gehört zum Konto; keines ist zu trennen.",
  "keychain.linked": "eingesteckt",
  "keychain.unlinked": "nicht eingesteckt",
  "keychain.unclaimed": "gehört niemandem",
  "keychain.connect": "Verbinden",
  "keychain.connect.name": "Gerät {device} verbinden",
  "keychain.connected": "Gerät {device} ist Ihres.",
  "keychain.disconnect": "Trennen",
  "keychain.disconnect.name": "Gerät {device} trennen",
  "keychain.disconnect.ask": "Dieses Gerät trennen?",
  "keychain.disconnect.text":
    "Es verlässt Ihr Konto: sein Knopf benachrichtigt Ihre Kontakte nicht mehr. Sein Licht "
    + "blinkt, und jeder kann es mit einem Konto verbinden.",
  "keychain.disconnected": "Gerät {device} ist getrennt. Sein Licht blinkt.",
  "pairing.begin": "Paaren",
  "pairing.begin.name": "Gerät {device} paaren",
  "pairing.offer":
    "Ihr Gerät kann jetzt gepaart werden, oder später in den Einstellungen: Dann gilt kein "
    + "anderer Druck als bewiesen.",
  "pairing.title": "Ihr Gerät paaren",
  "pairing.text":
    "Danach glaubt Ihr Gerät nur dieser Zentrale, und diese Zentrale weiß, was von Ihrem "
    + "Gerät kam.",
  "pairing.label.title": "Mit dem Code auf seinem Etikett",
  "pairing.label.code": "Code auf dem Etikett",
  "pairing.label.hint":
    "45 Buchstaben und Ziffern, oder was sein QR-Code sagt. Leerzeichen und Striche zählen "
    + "nicht. Das Gerät muss eingesteckt sein.",
  "pairing.label.do": "Mit diesem Code paaren",
  "pairing.button.title": "Mit seinem Knopf",
  "pairing.button.text":
    "Ein Gerät ohne Etikett nimmt einen Schlüssel über sein Kabel. Wer in diesem Augenblick die "
    + "Leitung abhört, hat den Schlüssel: Paaren Sie, wo das niemand tut.",
  "pairing.step.unplug":
    "Nehmen Sie dem Gerät den Strom: Ziehen Sie es ab, und schalten Sie es aus, wenn es "
    + "einen Schalter hat.",
  "pairing.step.hold": "Drücken Sie seinen Knopf, und halten Sie ihn.",
  "pairing.step.plug": "Stecken Sie es ein, und halten Sie den Knopf weiter.",
  "pairing.step.pair":
    "Wählen Sie „Jetzt paaren“, und halten Sie den Knopf, bis hier steht, dass es gepaart "
    + "ist.",
  "pairing.do": "Jetzt paaren",
  "pairing.holding": "Halten Sie den Knopf …",
  "pairing.done": "Gerät {device} ist gepaart.",
  "pairing.none": "nicht gepaart",
  "pairing.paired": "gepaart",
  "pairing.unproved": "gepaart, aber nicht bewiesen",
  "pairing.end": "Paarung beenden",
  "pairing.end.name": "Paarung von Gerät {device} beenden",
  "pairing.end.ask": "Die Paarung dieses Geräts beenden?",
  "pairing.end.text":
    "Danach kann jeder, der seine Leitung hat, wie Sie drücken und das Licht stellen. "
    + "Antwortet das Gerät nicht, so glaubt es niemandem, bis es neu gepaart wird.",
  "pairing.ended": "Gerät {device} ist nicht mehr gepaart.",
  "pairing.ended.alone":
    "Gerät {device} ist hier nicht mehr gepaart. Es hat das nicht bestätigt: Es glaubt "
    + "niemandem, bis es neu gepaart wird.",
};
