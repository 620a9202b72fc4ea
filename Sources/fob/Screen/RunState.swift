import AlertCore
import Bridge
import Emulator
import FobBase
import WireProtocol

/// All that the full-screen view of `fob run` shows, at one moment. What is nil is not known.
struct RunState: Sendable {
  /// The alarm, as the core has it.
  struct Emergency: Equatable, Sendable {
    var state: EmergencyState
    /// Seconds until people are told, in a countdown.
    var countdown: Int64?
    /// Names of those who have it in hand.
    var acknowledgedBy: [String] = []
    /// It goes on at another account, as far as is known here.
    var hasMoved = false
    /// Why a restart may forget it; nil: the store works.
    var storageFailure: String?
  }

  /// The keychain, as its board has it.
  struct Keychain: Equatable, Sendable {
    var device: String
    var isPlugged: Bool
    var isPowered: Bool
    var hasHost: Bool
    var isLinked: Bool
    var isHeld: Bool
    var shown: ShownState?
    var detail: UInt8
    var hasSounder: Bool
    /// Nil: it has none.
    var battery: UInt8?
    /// What the receiver hears; "none": there is no receiver.
    var receiver: String
    /// none, weak or good; nil without power.
    var fix: String?
    /// In 1e-7 degree.
    var latitude: Int32?
    var longitude: Int32?
    /// Events that are not acked; nil without power.
    var unacked: Int?
  }

  /// What a contact was told of the last incident, and what is known of that.
  struct Telling: Equatable, Sendable {
    /// Name of the contact, as the account has it.
    var contact: String
    /// The last that is known, as in "received: raise 1".
    var what: String
    var tone: Timeline.Tone
  }

  /// The page for a browser.
  struct Page: Equatable, Sendable {
    var address: String
    /// Nil where it has been used, or is too old.
    var code: String?
  }

  /// Number and name of the account that has the keychain; nil: it is the first.
  var account: String?
  var alarm: Emergency?
  /// The accounts beside it that have an open alarm.
  var otherAlarms: [AccountNumber] = []
  var keychain: Keychain?
  /// The last press whose ack was heard; nil: none.
  var press: PressStages?
  /// Nil: no page is served.
  var page: Page?
  /// Why there is none, where one was to be.
  var pageObstacle: String?
  /// What fob ctl and fob monitor ask by --socket.
  var sockets: String?
  /// As it was told at the start: "is" and the PIN that was made up, or that one was given.
  var pin: String?
  /// One for each contact, in the order in which they were told.
  var told: [Telling] = []
  /// What happened, the oldest first.
  var happened: [TimelineLine] = []
  /// The last frames, the oldest first, as `fob monitor` prints them.
  var frames: [String] = []
  /// While a PIN is typed: how many digits it has.
  var typedDigits: Int?
  /// All keys are listed in place of facts and lists.
  var showsKeys = false
}

extension RunState.Keychain {
  /// What of the state is shown. A light that blinks is no change.
  init(_ state: EmulatorState) {
    device = state.device
    (isPlugged, isPowered, hasHost) = (state.plugged, state.powered, state.host)
    (isLinked, isHeld) = (state.linked, state.held)
    shown = state.shown.flatMap { name in
      (UInt8.min...UInt8.max).lazy.compactMap(ShownState.init(rawValue:))
        .first { "\($0)" == name }
    }
    (detail, hasSounder, battery) = (state.detail, state.sounder, state.battery)
    (receiver, fix, unacked) = (state.receiver, state.gps, state.unacked)
    (latitude, longitude) = (state.latitude, state.longitude)
  }
}

extension RunState.Emergency {
  /// - Parameter name: of a contact of the account.
  init(_ status: CoreStatus, name: (ContactID) -> String) {
    state = status.state
    if status.state == .alertCountdown, let ends = status.incident?.countdownEnds,
      ends.boot == status.now.boot
    {
      countdown = max(0, (ends.since(status.now).microseconds + 999_999) / 1_000_000)
    }
    acknowledgedBy = status.incident?.acknowledgedBy.map(name) ?? []
    hasMoved = status.incident?.endReason == .moved
    storageFailure = status.storageFailure
  }
}
