import AlertCore
import FobBase
import Synchronization
import WireProtocol

/// Finds the core for what one line brings: that of the account whose keychain speaks.
final class LineOwner: Sendable {
  private struct State {
    unowned var core: any CoreEndpoint
    /// Of the keychain on the line, as far as one was heard.
    var hello: Hello?
  }

  private let link: LinkID
  private unowned let home: any CoreEndpoint
  private let state: Mutex<State>

  /// - Parameter home: has the line until a keychain of another account is heard on it.
  init(_ link: LinkID, _ home: any CoreEndpoint) {
    self.link = link
    self.home = home
    state = Mutex(State(core: home, hello: nil))
  }

  /// The core that has the line.
  var core: any CoreEndpoint { state.withLock { $0.core } }

  /// - Parameter input: of this line.
  func core(for input: CoreInput) -> any CoreEndpoint {
    if case .linkUp(_, let hello) = input { return pass(to: hello) }
    return input.speaker.map { core(of: $0) } ?? core
  }

  /// The keychain that an input is of, where no HELLO of it has come on the line: a press may come
  /// before.
  func newcomer(in input: CoreInput) -> DeviceID? {
    guard let device = input.speaker else { return nil }
    return state.withLock { $0.hello?.deviceID == device ? nil : device }
  }

  /// The keychain on the line may be another account's now: tells both.
  func renew() {
    let (core, hello) = state.withLock { ($0.core, $0.hello) }
    guard let hello else { return }
    let now = pass(to: hello)
    if now !== core { now.handle(.linkUp(link, hello)) }
  }

  /// The device of an event is that of the line nearly always; then nothing is looked up.
  private func core(of device: DeviceID) -> any CoreEndpoint {
    state.withLock { $0.hello?.deviceID == device ? $0.core : nil } ?? home.core(of: device)
  }

  @discardableResult
  private func pass(to hello: Hello) -> any CoreEndpoint {
    let core = home.core(of: hello.deviceID)
    let (before, wasUp) = state.withLock { state in
      defer { state = State(core: core, hello: hello) }
      return (state.core, state.hello != nil)
    }
    if before !== core, wasUp {
      before.take(link, isGone: true)
      before.handle(.linkDown(link, reason: "its keychain is not this account's now"))
    }
    core.take(link, isGone: false)
    // It may have changed its owner meanwhile, who would wait for the line.
    return home.core(of: hello.deviceID) === core ? core : pass(to: hello)
  }
}

extension CoreInput {
  /// The keychain that says it, where it says its own id; nil: it does not.
  fileprivate var speaker: DeviceID? {
    switch self {
    case .linkUp(_, let hello): hello.deviceID
    case .event(_, let record, _): record.identity.deviceID
    case .barePress(_, let identity), .unprovedPress(_, let identity): identity.deviceID
    default: nil
    }
  }

  /// The line that brings it; nil: none does.
  var link: LinkID? {
    switch self {
    case .linkUp(let link, _), .linkDown(let link, _), .missed(let link), .event(let link, _, _),
      .barePress(let link, _), .unprovedPress(let link, _), .heartbeat(let link, _),
      .position(let link, _), .proof(let link, _), .unavailable(let link, _),
      .clockFit(let link, _, _):
      link
    case .committed, .commitFailed, .answered, .userCommand, .pinRefused, .paired, .keyTrouble,
      .pairing, .ways, .zoneTable, .movedHere, .movedAway, .heardElsewhere, .damage, .refreshed,
      .clockMoved, .wake:
      nil
    }
  }
}
