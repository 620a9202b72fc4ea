import FobBase
import WireProtocol

/// A host's and a device's end of a line, and a stranger between them who hears all. Times are ms.
final class SealedEnds {
  static let device = DeviceID.bench(1)
  static let key = PairingKey(low: 0x0706_0504_0302_0100, high: 0x0F0E_0D0C_0B0A_0908)

  var host: HostLink
  var deviceEnd = DeviceLink()
  var now: Int64 = 0
  /// Nothing of the host reaches the device.
  var isDeaf = false
  /// The type of the frame that is lost on its way next; nil: none.
  var loses: MessageType?
  /// Every frame of the host and of the device, as on the wire.
  private(set) var said: [[UInt8]] = []
  private(set) var answered: [[UInt8]] = []
  /// What either end made of the last frames.
  private(set) var requests: [String] = []
  private(set) var messages: [String] = []
  private var nonce: UInt64 = 1
  var bootNonce: UInt32 = 0xB007_0001
  var boots: UInt32 = 1
  /// The host's key; nil: it has none.
  var hostKey: PairingKey? = SealedEnds.key

  init(paired: Bool = true) {
    host = HostLink(
      session: FedHost.session, software: FedHost.software, at: .milliseconds(0))
    if paired { deviceEnd.pair(with: Self.key) }
  }

  private var instant: Instant { .milliseconds(now) }

  /// Hands bytes to the device, and its answers to the host.
  @discardableResult
  func toDevice(_ bytes: [UInt8]) -> [String] {
    var names: [String] = []
    bytes.withUnsafeBytes { raw in
      var rest = raw
      while let request = deviceEnd.next(&rest, at: instant) {
        names.append(request.name)
        answer(request)
      }
    }
    requests += names
    return names
  }

  private func answer(_ request: HostRequest) {
    switch request {
    case .hello(let session):
      var answer = Hello(role: .device, session: session, software: FedHost.software)
      answer.deviceID = Self.device
      answer.bootCounter = boots
      answer.bootNonce = bootNonce
      answer.capabilities = Hello.seals | (deviceEnd.isPaired ? Hello.isPaired : 0)
      say(answer)
    case .challenge(let challenge):
      let proof = deviceEnd.prove(
        challenge, device: Self.device, bootCounter: boots, bootNonce: bootNonce, at: instant)
      if let proof { say(proof) }
    default: break
    }
  }

  /// A frame of the device.
  @discardableResult
  func say<P: Payload>(_ payload: P) -> [String] {
    let bytes = deviceEnd.frame(payload, at: instant).bytes
    answered.append(bytes)
    return isLost(bytes) ? [] : toHost(bytes)
  }

  @discardableResult
  func toHost(_ bytes: [UInt8]) -> [String] {
    var names: [String] = []
    bytes.withUnsafeBytes { raw in
      var rest = raw
      while let message = host.next(&rest, at: instant) {
        if case .nothing = message { continue }
        if case .proof = message, !host.isProofOurs { continue }
        if case .hello(let hello) = message {
          nonce += 1
          let key = hello.deviceID == Self.device ? hostKey : nil
          host.trust(key, of: hello.deviceID, nonce: nonce, at: instant)
        }
        names.append(message.name)
      }
    }
    messages += names
    return names
  }

  /// The frame of the host that says this now, not yet handed to the device.
  func frame<P: Payload>(_ payload: P) -> [UInt8] { host.frame(payload, at: instant).bytes }

  /// Lets time pass, ms by ms, in which the host says what is due.
  func run(ms: Int64) {
    for _ in 0..<ms {
      sendDue()
      now += 1
    }
    sendDue()
  }

  private func sendDue() {
    var count = 0
    while let frame = host.nextFrame(at: instant) {
      count += 1
      precondition(count < 100, "the host has something due for ever")
      said.append(frame.bytes)
      if !isDeaf && !isLost(frame.bytes) { toDevice(frame.bytes) }
    }
  }

  /// Whether this is the frame that the line loses: the first of its kind.
  private func isLost(_ bytes: [UInt8]) -> Bool {
    guard let lost = loses, Decoded(bytes).bodies[0][1] == lost.rawValue else { return false }
    loses = nil
    return true
  }

  /// Until the session is proved at both ends.
  func link() {
    host.indicate(Indication(state: .idle), at: instant)
    run(ms: 5)
  }

  func takeUnproved() -> Bool { host.takeUnproved() }
  func takeProved() -> Bool { deviceEnd.takeProved() }

  /// The device loses its power.
  func reboot() {
    boots += 1
    bootNonce &+= 1
    let isPaired = deviceEnd.isPaired
    deviceEnd = DeviceLink()
    if isPaired { deviceEnd.pair(with: Self.key) }
  }
}
