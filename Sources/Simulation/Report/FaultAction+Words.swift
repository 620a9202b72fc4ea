import Emulator
import FobBase
import Judge

/// Actions in plain words. Keychains, hosts and contacts count from 1 here.
extension FaultAction {
  /// The target, as in `keychain 1`.
  var object: String {
    switch self {
    case .press(let keychain, _), .clicks(let keychain, _), .stick(let keychain, _),
      .spoil(let keychain, _, _, _, _), .delay(let keychain, _, _), .unplug(let keychain, _),
      .move(let keychain, _), .cutPower(let keychain, _, _), .reset(let keychain),
      .failStore(let keychain, _), .makeStoreForgetful(let keychain, _),
      .loseBootCounter(let keychain), .jumpClock(let keychain, _), .battery(let keychain, _),
      .gps(let keychain, _), .sicken(let keychain, _), .attack(let keychain, _, _):
      "keychain \(keychain + 1)"
    case .kill(let host, _, _), .reboot(let host, _, _), .jumpWallClock(let host, _),
      .disk(let host, _, _), .channel(let host, _, _, _, _), .person(let host, _),
      .checkIn(let host, _), .review(let host, _),
      .changeZone(let host, _):
      "host \(host + 1)"
    case .feed, .endStream, .killBridge: "the bridge"
    }
  }

  /// As in `the button is pressed for 120 ms`.
  public var words: String {
    switch self {
    case .press(_, let hold): "the button is pressed for \(NumberText.length(hold))"
    case .clicks(_, let count): "\(NumberText.count(count, "click"))"
    case .stick(_, let span): "the contact is stuck closed for \(NumberText.length(span))"
    case .gps(_, let story): "the sky tells the story \(story.rawValue)"
    case .battery(_, let millivolts): "the battery has \(millivolts) mV"
    case .jumpClock(_, let interval): "its clock jumps by \(NumberText.shift(interval))"
    case .sicken(_, let defect): defect.words
    case .reset: "its watchdog resets it"
    case .loseBootCounter: "both copies of its boot counter are worn out"
    case .cutPower(_, let bytes, let span):
      "its power goes after \(NumberText.count(bytes, "more byte")) of store or 0.2 s,"
        + " for \(NumberText.length(span))"
    case .failStore(_, let span): "its store fails for \(NumberText.length(span))"
    case .makeStoreForgetful(_, let span):
      "its store lies about what it keeps for \(NumberText.length(span))"
    default: wordsOfLine ?? wordsOfHost
    }
  }

  private var wordsOfLine: String? {
    switch self {
    case .spoil(_, let kind, let way, let rate, let span):
      "its line \(Self.words(kind)) 1 byte in \(Int((1 / rate).rounded())), \(Self.words(way)),"
        + " for \(NumberText.length(span))"
    case .delay(_, let delay, let span):
      "its line is \(NumberText.length(delay)) late for \(NumberText.length(span))"
    case .unplug(_, let span): "it is unplugged for \(NumberText.length(span))"
    case .move(_, let host): "it is plugged into host \(host + 1)"
    case .attack(_, let attack, let span):
      "the attacker \(attack.words) for \(NumberText.length(span))"
    default: nil
    }
  }

  private var wordsOfHost: String {
    switch self {
    case .kill(_, let effects, let span):
      "its process is killed after \(NumberText.count(effects, "more effect")) or 0.2 s,"
        + " and is away for \(NumberText.length(span))"
    case .reboot(_, let span, let shift):
      "it reboots within \(NumberText.length(span)), its wall clock \(NumberText.shift(shift))"
    case .jumpWallClock(_, let interval): "its wall clock jumps by \(NumberText.shift(interval))"
    case .disk(_, let trouble, let span):
      "its disk \(Self.words(trouble)) for \(NumberText.length(span))"
    case .channel(_, let contact, let way, let trouble, let span):
      "the way \(way + 1) to contact \(contact + 1) \(Self.words(trouble))"
        + " for \(NumberText.length(span))"
    case .person(_, let asking): Self.words(asking)
    case .checkIn(_, let action): Self.words(action)
    case .review(_, let action): Self.words(action)
    case .changeZone(_, let zone): "the owner moves to the zone \(zone.words)"
    default: wordsOfBridge
    }
  }

  private var wordsOfBridge: String {
    switch self {
    case .feed(let trouble, let span): "\(Self.words(trouble)) for \(NumberText.length(span))"
    case .endStream: "its stream ends"
    case .killBridge(let span): "its process is killed, and is away for \(NumberText.length(span))"
    default: "\(self)"
    }
  }

  private static func words(_ trouble: FeedTrouble) -> String {
    switch trouble {
    case .cut: "nothing passes between it and its core"
    case .slow: "its way to its core is slow"
    case .losesBatches: "its way to its core loses batches"
    case .losesAnswers: "its way to its core loses answers"
    case .doublesBatches: "its way to its core doubles batches"
    }
  }

  private static func words(_ kind: WireFault.Kind) -> String {
    switch kind {
    case .stall: "stalls at"
    case .split: "splits at"
    case .insert: "gains a byte before"
    case .drop: "drops"
    case .flip: "flips a bit of"
    case .double: "doubles"
    }
  }

  private static func words(_ way: WireFault.Direction) -> String {
    switch way {
    case .host: "to the host"
    case .device: "to the keychain"
    case .both: "both ways"
    }
  }

  private static func words(_ trouble: DiskTrouble) -> String {
    switch trouble {
    case .slow: "is slow"
    case .full: "is full"
    case .hanging: "hangs"
    case .lying: "lies about flushes"
    case .failingLate: "fails late, having perhaps written,"
    }
  }

  private static func words(_ trouble: ChannelFault) -> String {
    switch trouble {
    case .refused: "refuses"
    case .silent: "is silent"
    case .slow: "is slow"
    case .answerLost: "takes messages and loses its answers"
    }
  }

  private static func words(_ userRequest: UserRequest) -> String {
    switch userRequest {
    case .acknowledge(let contact): "contact \(contact + 1) acknowledges"
    case .disarm: "a person disarms with the PIN"
    case .cancel: "a person cancels"
    case .silence: "a person silences"
    case .quit: "a person quits"
    case .resume: "a person resumes"
    case .wrongPIN: "a person gives a wrong PIN"
    case .endUnowned: "an administrator ends what is unclaimed"
    case .logIn: "the owner logs in"
    case .logOut: "the owner logs out"
    case .protect: "the owner starts protection"
    case .claim(let device): "the owner claims keychain \(device.number)"
    case .disconnect(let device): "the owner disconnects keychain \(device.number)"
    case .addContact: "the owner adds a contact"
    case .removeContact(let contact): "the owner removes contact \(contact + 1)"
    case .trigger(let device, let key, _):
      "a program says that keychain \(device.number) has fallen, by key \(key)"
    case .unprotect: "the owner ends protection"
    case .erase: "the owner erases the account"
    case .addSeries, .editSeries, .removeSeries, .complete, .restore: "the owner has check-ins"
    case .fillSlot(let slot, let contact, let hasText):
      "the owner fills slot \(slot) for contact \(contact + 1)\(hasText ? "" : ", without a text")"
    case .emptySlot(let slot): "the owner empties slot \(slot)"
    case .sendMessage(let slot, let key, _): "the owner sends slot \(slot) by page, key \(key)"
    default: wordsOfCalm(userRequest)
    }
  }

  private static func wordsOfCalm(_ userRequest: UserRequest) -> String {
    switch userRequest {
    case .startExercise(let kind, let device):
      "the owner starts \(kind.rawValue) on"
        + " \(device.map { "keychain \($0.number)" } ?? "each light")"
    case .stopExercise: "the owner stops the exercise"
    case .countItem: "the owner counts an item"
    case .clickBreathes(let isOn):
      "from now on one click \(isOn ? "starts breathing" : "starts nothing")"
    case .saveTotals(let totals):
      "the owner has breathed \(totals.count) times for \(totals.seconds) s"
    case .addLine: "the owner writes a line"
    default: "the owner looks back"
    }
  }

  private static func words(_ action: ReviewAction) -> String {
    switch action {
    case .begin(let isOfAlarm):
      "the owner begins a review of \(isOfAlarm ? "the last alarm" : "no alarm")"
    case .save(let place, let step, let word, let isStale):
      "the owner writes \(word) as answer \(step) of review \(place + 1)"
        + (isStale ? ", by a window that lags" : "")
    case .complete(let place): "the owner completes review \(place + 1)"
    case .delete(let place): "the owner deletes review \(place + 1)"
    case .label: "the owner says what the last alarm was"
    }
  }

  private static func words(_ action: CheckInAction) -> String {
    switch action {
    case .add(let plan): "the owner adds a series: \(plan.words)"
    case .edit(let place, let plan): "the owner edits series \(place + 1): \(plan.words)"
    case .remove(let place): "the owner removes series \(place + 1)"
    case .complete: "the owner completes the oldest check-in by page"
    case .restore: "the owner restores the check-in that was completed last"
    }
  }
}
