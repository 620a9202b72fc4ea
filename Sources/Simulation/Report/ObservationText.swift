import FobBase
import Judge
import WireProtocol

/// Observations in plain words. Everything counts from 1, incidents in the order in which they are
/// first seen.
struct ObservationText {
  /// Whom it happened to, and what happened.
  struct Words: Equatable {
    var who: String
    var what: String
  }

  private var incidents: [UInt64] = []

  mutating func words(_ observation: Observation) -> Words {
    switch observation {
    case .contact(let keychain, let closed):
      Words(who: "finger \(keychain + 1)", what: closed ? "contact closes" : "contact opens")
    case .power(let keychain, let isOn):
      Self.keychain(keychain, isOn ? "power comes: it boots" : "power goes")
    case .kept(let keychain, let event, let isVolatile):
      Self.keychain(
        keychain,
        isVolatile
          ? "keeps \(Self.words(event)) in memory only: its store refused it"
          : "keeps \(Self.words(event))")
    case .boardForgot(let keychain, let identity):
      Self.keychain(keychain, "its store has lost \(Self.words(identity)), which it said it had")
    case .said(let keychain, let event, let identity):
      Self.keychain(
        keychain,
        "says \(Self.words(event)) as \(Self.words(identity)), nonce \(identity.bootNonce),"
          + " at \(identity.clock) µs of its clock")
    case .light(let keychain, let state, let sounder):
      Self.keychain(keychain, "shows \(Self.words(state, sounder))")
    case .cutOff(let keychain, let isCutOff):
      Self.keychain(
        keychain, isCutOff ? "no word of its core can come to it" : "its core is in reach again")
    case .forgotten(let keychain, let number):
      Self.keychain(keychain, "forgets event \(number.text), as an ack says")
    case .sent(let keychain, let identity): Self.keychain(keychain, "says \(Self.words(identity))")
    case .beat(let keychain, _): Self.keychain(keychain, "says HEARTBEAT")
    case .unacked(let keychain, let count):
      Self.keychain(keychain, "holds \(NumberText.count(count, "unacked event")) at the end")
    case .calm: Words(who: "world", what: "calm: no fault is in force any more")
    default: wordsOfHost(observation)
    }
  }

  private mutating func wordsOfHost(_ observation: Observation) -> Words {
    switch observation {
    case .account(let host, let account):
      Self.host(host, "has an account \(Self.words(account))")
    case .started(let host, let standing):
      Self.host(
        host,
        "starts: \(standing.state.rawValue)"
          + (standing.incident == 0 ? "" : " of \(name(standing.incident))"))
    case .stopped(let host): Self.host(host, "its process has ended")
    case .rebooted(let host, let elapsed):
      Self.host(host, "reboots: by its wall clock \(NumberText.length(elapsed)) pass")
    case .heard(let host, let event): Self.host(host, "hears \(Self.words(event))")
    case .heardUnproved(let host, let event):
      Self.host(host, "hears \(Self.words(event)), not proved")
    case .believed(let host, let keychain, _):
      Self.host(host, "believes HEARTBEAT of keychain \(keychain + 1)")
    case .stored(let host, let batch): Self.host(host, "has stored \(words(batch))")
    case .diskForgot(let host, let identities):
      Self.host(
        host,
        "its disk has lost what it said it had:"
          + " \(Self.list(identities.map { Self.words($0) }))")
    case .acked(let host, let number, let keychain, _):
      Self.host(host, "acks event \(number.text) to keychain \(keychain + 1)")
    case .indicated(let host, let incident, let state, let sounder, _, let due):
      Self.host(
        host,
        "says \(Self.words(state, sounder))" + (due > 0 ? " \(due)" : "")
          + (incident == 0 ? "" : " for \(name(incident))"))
    case .moved(let host, let incident, let from, let to):
      Self.host(host, "\(name(incident)): \(from.rawValue) → \(to.rawValue)")
    case .queues(let host, let events, let log, let deliveries, let line):
      Self.host(
        host,
        "waiting: \(events) events, \(log) log lines, \(deliveries) deliveries,"
          + " \(line) bytes for a line")
    default: wordsOfPeople(observation)
    }
  }

  private mutating func wordsOfPeople(_ observation: Observation) -> Words {
    switch observation {
    case .asked(let host, let request, let userRequest):
      Words(
        who: "person",
        what: "asks host \(host + 1): \(Self.words(userRequest)) (request \(request))")
    case .answered(let host, let request, let state, let isRefused, let isDurable):
      Self.host(
        host,
        "answers request \(request): \(isRefused ? "refused" : "done"), \(state.rawValue)"
          + (isDurable ? "" : ", not durable"))
    case .handedOut(let host, let message):
      Self.host(
        host,
        "hands out \(words(message)) for contact \(message.contact + 1), to way \(message.way + 1)")
    case .told(_, let message):
      Words(who: "contact \(message.contact + 1)", what: "is told: \(words(message))")
    case .refused(let host, let message):
      Self.host(host, "is refused \(words(message)) for contact \(message.contact + 1)")
    default: wordsOfCheckIns(observation)
    }
  }

  private mutating func wordsOfCheckIns(_ observation: Observation) -> Words {
    switch observation {
    case .raised(let host, let incident, let by):
      Self.host(
        host, "raises \(name(incident)) by \(by.map { Self.words($0) } ?? "no check-in")")
    case .checkInSaid(let host, let word, let name):
      Self.host(host, "\(Self.words(name)) is \(word.rawValue)")
    case .wallClock(let host, let wall):
      Self.host(host, "its wall clock shows \(NumberText.seconds(Instant(microseconds: wall)))")
    case .zone(let host, let zone): Self.host(host, "has the zone \(zone.words)")
    case .exerciseSaid(let host, let word): Self.host(host, Self.words(word))
    case .companionsRead(let host, let reviews, let breathing):
      Self.host(
        host,
        "has \(NumberText.count(reviews.count, "review")), and \(breathing.seconds) s of breathing"
          + " in \(breathing.count) sessions")
    case .ownersRows(let host, let rows):
      Self.host(host, "has of the owner: \(Self.list(rows, "nothing"))")
    case .wordSeen(let host, let word, let place):
      Self.host(host, "lets \(word) be seen in \(place.rawValue)")
    case .companionsFound(let host, let found):
      Self.host(host, "its disk really has \(words(found))")
    default: Words(who: "world", what: "\(observation)")
    }
  }

  private static func words(_ word: ExerciseWord) -> String {
    switch word {
    case .started(let kind, let click):
      "\(kind.rawValue) begins\(click == nil ? "" : " by a click")"
    case .ended(let kind): "\(kind.rawValue) is over"
    case .brokenOff: "breathing was broken off"
    case .totalsReplaced: "the totals are others"
    }
  }

  private static func words(_ name: CheckInName) -> String {
    "check-in \(name.key) of series \(name.series)"
  }

  // MARK: Parts

  private static func keychain(_ index: Int, _ what: String) -> Words {
    Words(who: "keychain \(index + 1)", what: what)
  }

  private static func host(_ index: Int, _ what: String) -> Words {
    Words(who: "host \(index + 1)", what: what)
  }

  private mutating func name(_ incident: UInt64) -> String {
    guard let place = incidents.firstIndex(of: incident) else {
      incidents.append(incident)
      return "incident \(incidents.count)"
    }
    return "incident \(place + 1)"
  }

  /// As in `press 1.4 of keychain 1, merged 1.2 to 1.4`.
  private static func words(_ event: Event) -> String {
    var text = words(event.identity)
    if event.flags.contains(.merged) {
      text += ", merged of \(event.covered) from \(event.firstCovered.text)"
    }
    if event.flags.contains(.replayed) { text += ", replayed" }
    if event.flags.contains(.atBoot) { text += ", at boot" }
    return text
  }

  private static func words(_ identity: EventIdentity) -> String {
    let kind =
      switch identity.kind {
      case .pressed: "press"
      case .released: "release"
      case .booted: "boot"
      case .batteryLow: "battery low"
      case .batteryCritical: "battery critical"
      case .batteryRecovered: "battery recovered"
      case .fault: "fault"
      case nil: "event of kind \(identity.rawKind)"
      }
    return "\(kind) \(identity.number.text) of keychain \(identity.deviceID.number)"
  }

  private static func words(_ state: ShownState, _ sounder: Bool) -> String {
    "\(state)" + (sounder ? ", sounder on" : "")
  }

  private static func words(_ userRequest: UserRequest) -> String {
    switch userRequest {
    case .acknowledge(let contact): "acknowledge, contact \(contact + 1)"
    case .disarm: "disarm"
    case .cancel: "cancel"
    case .silence: "silence"
    case .quit: "quit"
    case .resume: "resume"
    case .wrongPIN: "disarm, with a wrong PIN"
    case .endUnowned: "end what is unclaimed"
    case .logIn: "log in"
    case .logOut: "log out"
    case .protect: "protect"
    case .claim(let device): "claim keychain \(device.number)"
    case .disconnect(let device): "disconnect keychain \(device.number)"
    case .addContact: "add a contact"
    case .removeContact(let contact): "remove contact \(contact + 1)"
    case .trigger(let device, let key, _):
      "raise for keychain \(device.number), which has fallen: key \(key)"
    case .unprotect: "end protection"
    case .erase: "erase the account"
    case .addSeries(let plan): "add a series: \(plan.words)"
    case .editSeries(let id, let plan): "edit series \(id): \(plan.words)"
    case .removeSeries(let id): "remove series \(id)"
    case .complete(let name): "complete \(words(name))"
    case .restore(let name): "restore \(words(name))"
    case .fillSlot(let slot, let contact, let hasText):
      "fill slot \(slot) for contact \(contact + 1)\(hasText ? "" : ", without a text")"
    case .emptySlot(let slot): "empty slot \(slot)"
    case .sendMessage(let slot, let key, _): "send slot \(slot): key \(key)"
    default: wordsOfCalm(userRequest)
    }
  }

  private static func wordsOfCalm(_ userRequest: UserRequest) -> String {
    switch userRequest {
    case .startExercise(let kind, let device):
      "start \(kind.rawValue) on \(device.map { "keychain \($0.number)" } ?? "each light")"
    case .stopExercise: "stop the exercise"
    case .countItem: "count an item"
    case .clickBreathes(let isOn): "one click \(isOn ? "starts breathing" : "starts nothing")"
    case .saveTotals(let totals): "save \(totals.seconds) s in \(totals.count) sessions"
    case .beginReview(let incident):
      "begin a review of \(incident == nil ? "no alarm" : "an alarm")"
    case .saveAnswer(let review, let step, let text, let version):
      "save answer \(step) of review \(review) after version \(version): \(text)"
    case .completeReview(let id): "complete review \(id)"
    case .deleteReview(let id): "delete review \(id)"
    case .label: "say what an alarm was"
    default: "write a line"
    }
  }

  private static func words(_ account: AccountState) -> String {
    guard account.exists else { return "that is erased" }
    var parts = [account.isLoggedIn ? "logged in" : "logged out"]
    if account.isProtecting { parts.append("protecting") }
    let keychains = account.keychains.map { $0.sorted().map { "\($0.number)" } }
    parts.append("of keychains \(keychains.map { list($0, "none") } ?? "all")")
    let contacts = account.contacts.map { $0.sorted().map { "\($0 + 1)" } }
    parts.append("for contacts \(contacts.map { list($0, "none") } ?? "all")")
    return parts.joined(separator: ", ")
  }

  private static func list(_ parts: [String], _ none: String) -> String {
    parts.isEmpty ? none : parts.joined(separator: " and ")
  }

  private mutating func words(_ message: Message) -> String {
    var text = "message \(message.sequence) (\(message.kind.rawValue)) of \(name(message.incident))"
    let aliases = message.aliases.map { name($0) }
    if !aliases.isEmpty { text += ", which closes \(Self.list(aliases)) too" }
    return text
  }

  private mutating func words(_ batch: Batch) -> String {
    var parts: [String] = []
    for entry in batch.entries {
      let place = entry.incident == 0 ? "the log" : name(entry.incident)
      parts.append("\(Self.words(entry.event)) in \(entry.isOpen ? "doubt" : place)")
    }
    for (identity, incident) in batch.meanings {
      parts.append("\(Self.words(identity)) means \(incident == 0 ? "nothing" : name(incident))")
    }
    for incident in batch.incidents {
      parts.append("\(name(incident.name)) \(incident.state.rawValue)")
    }
    for (id, plan) in batch.series { parts.append("series \(id), \(plan.words)") }
    for id in batch.removedSeries { parts.append("no series \(id)") }
    for row in batch.checkIns { parts.append("\(Self.words(row.name)) \(row.state.rawValue)") }
    for (slot, contact) in batch.slots {
      parts.append("slot \(slot) \(contact.map { "for contact \($0 + 1)" } ?? "is not complete")")
    }
    for send in batch.sends { parts.append("\(name(send.name)) \(send.state.rawValue)") }
    if let session = batch.session {
      parts.append("\(session.seconds) s of breathing\(session.isOver ? ", over" : "")")
    }
    if let total = batch.breathing { parts.append("\(total.seconds) s in \(total.count) sessions") }
    for review in batch.reviews {
      parts.append(
        "review \(review.id)\(review.incident.map { " of \(name($0))" } ?? "") with answers"
          + " \(review.answers.filter { !$0.isEmpty })")
    }
    for id in batch.removedReviews { parts.append("no review \(id)") }
    if batch.affirmations > 0 { parts.append("lines of the owner") }
    if let account = batch.account { parts.append("an account \(Self.words(account))") }
    return parts.isEmpty ? "no event and no incident" : Self.list(parts)
  }

  /// The first few of a long list.
  private static func list(_ parts: [String]) -> String {
    let most = 6
    guard parts.count > most else { return parts.joined(separator: "; ") }
    return parts.prefix(most).joined(separator: "; ") + "; \(parts.count - most) more"
  }
}
