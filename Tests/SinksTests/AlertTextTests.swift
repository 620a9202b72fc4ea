import FobBase
import Testing

@testable import AlertCore
@testable import Sinks

@Suite struct AlertTextTests {
  /// R39.
  @Test func `the alarm says who, what, where, when, and links a map`() {
    #expect(
      text(.sample(.raise))
        == "ALERT! Owner has activated their SafeTime keychain alarm and may be in an emergency"
        + " situation. Last known location was near the Royal Observatory. 51.4778000, -0.0015000"
        + " at 11:47pm EST. Map: geo:51.4778000,-0.0015000")
  }

  /// G19.
  @Test func `the pronoun is the account's`() {
    var account = Account.owner
    account.possessive = "her"
    #expect(text(.sample(.raise), account).contains("has activated her SafeTime keychain alarm"))
  }

  /// R39, G19.
  @Test(arguments: [
    ("America/New_York", "11:47pm EST"), ("UTC", "4:47am GMT"), ("no such zone", "4:47am GMT"),
  ])
  func `the time is told in the account's zone`(zone: String, time: String) {
    #expect(text(.sample(.raise), .owner.inZone(zone)).contains(" at \(time). "))
  }

  @Test func `summer time has its own name`() {
    var position = Position.observatory
    position.wall = 1_784_087_220_000_000
    let now = Timestamp(boot: 1, instant: Instant(microseconds: 0), wall: position.wall)
    let text = AlertText(account: .owner).text(of: .sample(.raise, at: position), now: now)
    #expect(text.contains(" at 11:47pm EDT. "))
  }

  @Test func `a position of another day says the day`() {
    let old = Position.observatory.measured(.minutes(3 * 24 * 60))
    #expect(text(.sample(.raise, at: old)).contains(" at Jan 11, 11:47pm EST. "))
    let recent = Position.observatory.measured(.minutes(11 * 60))
    #expect(text(.sample(.raise, at: recent)).contains(" at 12:47pm EST. "))
  }

  /// R39.
  @Test func `an alarm without a position says so, and when it was pressed`() {
    #expect(
      text(.sample(.raise, at: nil))
        == "ALERT! Owner has activated their SafeTime keychain alarm and may be in an emergency"
        + " situation. The location is not known. Pressed at 11:47pm EST.")
  }

  @Test func `presses made out of reach are told with their number, and that their age is unknown`()
  {
    var told = Notification.sample(.raise, at: nil)
    told.context.outOfReach = 64
    #expect(
      text(told)
        == "ALERT! Owner has activated their SafeTime keychain alarm and may be in an emergency"
        + " situation. 64 presses made out of reach, age unknown. The location is not known."
        + " Heard at 11:47pm EST.")
    told.context.outOfReach = 1
    #expect(text(told).contains(" situation. 1 press made out of reach, age unknown. The location"))
  }

  @Test func `a press that is not proved is told as one, right behind who has pressed`() {
    var told = Notification.sample(.raise, at: nil)
    told.context.isUnproved = true
    #expect(
      text(told)
        == "ALERT! Owner has activated their SafeTime keychain alarm and may be in an emergency"
        + " situation. This is not proved to be from their keychain. The location is not known."
        + " Pressed at 11:47pm EST.")
  }

  /// G18.
  @Test func `a further press is told with its number`() {
    #expect(
      text(.sample(.update, sequence: 3))
        == "ALERT! Owner has pressed their SafeTime keychain alarm again. Last known location was"
        + " near the Royal Observatory. 51.4778000, -0.0015000 at 11:47pm EST."
        + " Map: geo:51.4778000,-0.0015000 (message 3)")
  }

  /// R37, G2.
  @Test func `an alarm that nobody acknowledged is told again with its number`() {
    #expect(
      text(.sample(.again, at: nil, sequence: 7))
        == "ALERT! The alarm of Owner is still active and nobody has acknowledged it."
        + " The location is not known. Pressed at 11:47pm EST. (message 7)")
  }

  /// R52, G4.
  @Test(arguments: [
    (
      EndReason.disarmed,
      "ALL CLEAR. The SafeTime keychain alarm of Owner was switched off with the PIN at 11:47pm"
        + " EST."
    ),
    (
      .cancelled,
      "ALL CLEAR. The SafeTime keychain alarm of Owner was cancelled at 11:47pm EST; it has no PIN."
    ),
    (
      .gaveWay,
      "The bench alarm of Owner has ended at 11:47pm EST: a real alarm has taken its place. Nobody"
        + " has switched it off."
    ),
    (
      .trackingOver,
      "The alarm of Owner has ended at 11:47pm EST, after 30 minutes of tracking. Nobody has"
        + " switched it off: please make sure that all is well."
    ),
    (
      .moved,
      "The keychain that raised the alarm of Owner is another account's since 11:47pm EST. The"
        + " alarm goes on there: nobody has switched it off."
    ),
  ])
  func `a closing message says how it ended, and clears only what a person has ended`(
    reason: EndReason, expected: String
  ) {
    #expect(text(.sample(.closing, ended: reason)) == expected)
  }

  @Test(arguments: [
    (
      "en", "BENCH TEST: The alarm was handed over to another account",
      "The keychain that raised this alarm is another account's since 11:48pm EST. The alarm went"
        + " on there: nobody had switched it off. Whether it has ended since is not known here."
    ),
    (
      "de", "TEST: Der Alarm wurde an ein anderes Konto übergeben",
      "Der Schlüsselanhänger, der diesen Alarm ausgelöst hat, gehört seit 23:48 Uhr EST zu einem"
        + " anderen Konto. Dort ging der Alarm weiter: Niemand hatte ihn ausgeschaltet. Ob er"
        + " seither geendet hat, ist hier nicht bekannt."
    ),
    (
      "fr", "ESSAI : L'alarme a été transmise à un autre compte",
      "Le porte-clés qui a déclenché cette alarme appartient depuis 23h48 EST à un autre compte."
        + " L'alarme y continuait : personne ne l'avait arrêtée. On ne sait pas ici si elle a pris"
        + " fin depuis."
    ),
    (
      "es", "PRUEBA: La alarma pasó a otra cuenta",
      "El llavero que activó esta alarma pertenece desde las 23:48 EST a otra cuenta. Allí"
        + " continuaba la alarma: nadie la había desactivado. Aquí no se sabe si ha terminado desde"
        + " entonces."
    ),
  ])
  func `who asks later hears that an alarm has moved, and not that it is over`(
    language: String, title: String, expected: String
  ) throws {
    let ending = try #require(
      AlertText(account: .owner, language: language).ending(of: .cap(ended: .moved), now: .evening))
    #expect(ending.language == language && ending.title == title)
    #expect(ending.text == expected)
  }

  @Test func `who asks later hears how an alarm ended in the words of its closing message`() {
    let texts = AlertText(account: .owner)
    for reason in EndReason.allCases where reason != .moved {
      let closing = Notification(
        .closing, to: Account.owner.contacts[0], of: .cap(ended: reason), sequence: 1,
        position: nil, at: .evening + .minutes(1))
      let said = texts.ending(of: .cap(ended: reason), now: .evening)?.text
      #expect(said == texts.text(of: closing, now: .evening), "\(reason)")
    }
    #expect(texts.ending(of: .cap(), now: .evening) == nil, "it is open")
  }

  /// R39, G19.
  @Test func `the nearest place is named, and none that is farther than about a kilometre`() {
    var position = Position.observatory
    position.longitude = -80_000
    #expect(text(.sample(.raise, at: position)).contains("near the market. "))
    position.latitude += 150_000
    #expect(text(.sample(.raise, at: position)).contains("location was 51.4928000, -0.0080000 at"))
    #expect(text(.sample(.raise), .owner.at([])).contains("location was 51.4778000, "))
  }

  @Test(arguments: [Int32.min, -1, 0, 1, .max])
  func `a position outside of the globe is told as it came`(value: Int32) {
    let position = Position(latitude: value, longitude: value, quality: 1, wall: 0)
    for place in [Int32.min, 0, .max] {
      let account = Account.owner.at([Place(name: "here", latitude: place, longitude: place)])
      #expect(text(.sample(.raise, at: position), account).contains(Position.degrees(value)))
    }
  }

  /// R39.
  @Test(arguments: [
    (Int32(0), "0.0000000"), (1, "0.0000001"), (-1, "-0.0000001"), (-15_000, "-0.0015000"),
    (393_298_832, "39.3298832"), (-820_977_485, "-82.0977485"), (1_800_000_000, "180.0000000"),
    (.max, "214.7483647"), (.min, "-214.7483648"),
  ])
  func `degrees have seven decimals and keep their sign`(value: Int32, expected: String) {
    #expect(Position.degrees(value) == expected)
  }

  /// R39, G8.
  @Test func `one of the owner's messages is their words alone, and its own headline`() {
    let told = Notification.sample(.raise)
    func message(isBench: Bool) -> OutgoingMessage {
      let send = MessageSend(
        id: told.incident, slot: 1, recipient: told.contact, message: "I am safe", by: "button",
        isBench: isBench, decidedWall: told.decidedAt.wall)
      return OutgoingMessage(
        Notification(send, decidedAt: told.decidedAt), account: .owner,
        acknowledgeURL: "https://example.org/a", now: .evening)
    }
    #expect(message(isBench: false).text == "I am safe")
    #expect(message(isBench: false).headline == "I am safe")
    #expect(message(isBench: false).acknowledgeURL == nil)
    #expect(message(isBench: true).text == AlertPhrases.of("en")[.bench] + "I am safe")
  }

  /// One more sentence, and no more than one more part.
  @Test(arguments: [Notification.Kind.raise, .update, .again], [false, true])
  func `a message fits in two parts of 153 septets, with a typical name and place`(
    kind: Notification.Kind, isUnproved: Bool
  ) throws {
    var account = Account.owner.inZone("America/Argentina/Buenos_Aires")
    account.name = "Maximiliane Musterfrau-Example"
    account.places[0].name = "77 Mill St., Athens, Ohio 45701"
    let far = Position(latitude: -1_234_567_891, longitude: -1_234_567_891, quality: 2, wall: 0)
    account.places[0].latitude = far.latitude
    account.places[0].longitude = far.longitude
    var told = Notification.sample(kind, at: far, sequence: 100)
    told.context.isUnproved = isUnproved
    told.context.unprovedPresses = isUnproved ? 407 : nil
    let septets = try #require(GSM7Oracle.septets(text(told, account)))
    #expect(septets <= (isUnproved ? 3 : 2) * 153)
  }

  /// R124.
  @Test func `an unanswered check-in is told in the owner's words, with when it was due`() {
    let told = Notification.sample(.raise, trigger: .checkIn, question: .wellness)
    #expect(
      text(told)
        == "ALERT! Owner has not answered a check-in (\"Am I well?\") that was due at 11:27pm EST"
        + " and may be in an emergency situation. Last known location was near the Royal"
        + " Observatory. 51.4778000, -0.0015000 at 11:47pm EST. Map: geo:51.4778000,-0.0015000")
    let old = UnansweredCheckIn(
      description: "Am I well?", due: Timestamp.evening.wall - 86_400_000_000)
    #expect(
      text(.sample(.raise, trigger: .checkIn, question: old))
        .contains("that was due at Jan 13, 11:47pm EST and may be"))
  }

  /// The sentence goes on behind the last quotation mark, and nothing turns it around.
  @Test(arguments: [
    ("She said \"well\"", "She said 'well'"), ("{time} {name}", "{time} {name}"),
    ("\u{202E}x\u{2066}\u{2028}y", "xy"), ("Map: geo:0,0 http://example.org/", nil),
    ("\u{1F468}\u{200D}\u{1F469}", nil), ("Subject: x", nil),
  ])
  func `a description does no harm to the text around it`(words: String, told: String?) {
    let question = UnansweredCheckIn(
      description: words, due: UnansweredCheckIn.wellness.due)
    let message = text(.sample(.raise, trigger: .checkIn, question: question))
    let plain = text(.sample(.raise, trigger: .checkIn, question: .wellness))
    #expect(message == plain.replacing("Am I well?", with: told ?? words))
  }

  private func text(_ notification: Notification, _ account: Account = .owner) -> String {
    AlertText(account: account).text(of: notification, now: .evening)
  }
}
