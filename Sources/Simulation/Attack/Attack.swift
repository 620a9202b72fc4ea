import FobBase

/// A direction on a keychain's line.
public enum WireWay: Equatable, Sendable, CaseIterable {
  case toHost, toDevice

  var other: WireWay { self == .toHost ? .toDevice : .toHost }
}

/// What somebody on a keychain's line does for a while. He reads all frames and has no key.
public enum Attack: Equatable, Sendable {
  /// Frames are lost; with `eventsAlone` only events and their acks.
  case drop(WireWay, eventsAlone: Bool)
  /// Frames wait until he lets them go.
  case hold(WireWay, then: LetGo)
  /// Each two frames change places.
  case reorder(WireWay)
  case double(WireWay)
  /// Sealed frames go on without what seals them.
  case strip(WireWay)
  /// Each frame also goes back to its sender.
  case reflect(WireWay)
  /// Each frame also goes to the other end of another keychain's line.
  case relay(to: Int)
  /// Frames that he has recorded on the line of a keychain, of any boot and session.
  case replay(WireWay, from: Int)
  /// From the next boot on, the keychain hears what an earlier boot of it has heard, at the same
  /// time of its clock, and its host no more.
  case rerun
  /// Presses are lost; one of his own with the same number goes on instead.
  case impersonate
  /// Frames of his own.
  case forge(Forgery)

  /// What becomes of frames that were held.
  public enum LetGo: Equatable, Sendable, CaseIterable {
    case inOrder, reversed
    /// The first three, and no other.
    case oldestAlone
  }
}

/// A frame that the attacker makes up, by all that he has read.
public enum Forgery: Equatable, Sendable, CaseIterable {
  // To the keychain
  case ack, calm, help, ledSet, config, hostHello, challenge, unpair
  // To the host
  case press, click, release, fault, heartbeat, position, deviceHello, strangerHello, proof

  var way: WireWay {
    switch self {
    case .ack, .calm, .help, .ledSet, .config, .hostHello, .challenge, .unpair: .toDevice
    case .press, .click, .release, .fault, .heartbeat, .position, .deviceHello, .strangerHello,
      .proof:
      .toHost
    }
  }
}

extension Attack {
  var fault: Fault {
    switch self {
    case .drop: .frameDropped
    case .hold, .reorder: .frameHeld
    case .double, .replay, .reflect, .rerun: .frameReplayed
    case .strip: .sealStripped
    case .relay: .frameRelayed
    case .impersonate, .forge: .frameForged
    }
  }

  /// As in `the attacker drops what goes to the host`.
  var words: String {
    switch self {
    case .drop(let way, let eventsAlone):
      "drops \(eventsAlone ? "events and acks" : "what goes") \(way.words)"
    case .hold(let way, let then): "holds back what goes \(way.words), then \(then.words)"
    case .reorder(let way): "lets each two frames \(way.words) change places"
    case .double(let way): "doubles what goes \(way.words)"
    case .strip(let way): "takes the seal off what goes \(way.words)"
    case .reflect(let way): "also sends back what goes \(way.words)"
    case .relay(let other): "also brings all that is said to keychain \(other + 1)'s line"
    case .replay(let way, let other):
      "replays \(way.words) what he recorded on keychain \(other + 1)'s line"
    case .rerun: "plays to its next boot what an earlier one has heard"
    case .impersonate: "puts a press of his own in place of each"
    case .forge(let forgery): "forges \(forgery.words)"
    }
  }
}

extension WireWay {
  fileprivate var words: String { self == .toHost ? "to the host" : "to the keychain" }
}

extension Attack.LetGo {
  fileprivate var words: String {
    switch self {
    case .inOrder: "lets it go"
    case .reversed: "lets it go in reverse"
    case .oldestAlone: "lets the oldest go alone"
    }
  }
}

extension Forgery {
  fileprivate var words: String {
    switch self {
    case .ack: "an ack"
    case .calm: "a light that says that all is well"
    case .help: "a light that says that help comes"
    case .ledSet: "a pattern for the light"
    case .config: "a setting"
    case .hostHello: "HELLO of a host"
    case .challenge: "CHALLENGE"
    case .unpair: "UNPAIR"
    case .press: "a press"
    case .click: "a click"
    case .release: "the release of a press"
    case .fault: "a fault that the keychain reports"
    case .heartbeat: "HEARTBEAT"
    case .position: "a position"
    case .deviceHello: "HELLO of the keychain"
    case .strangerHello: "HELLO of a keychain that nobody knows"
    case .proof: "PROOF"
    }
  }
}
