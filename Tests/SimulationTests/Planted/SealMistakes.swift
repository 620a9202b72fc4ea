import Emulator
import FobBase
import Judge

@testable import AlertCore
@testable import Firmware
@testable import Simulation
@testable import WireProtocol

/// Mistakes about what is proved. An end that believes a frame too easily is shown that frame with
/// the seal that it lacks.
struct SealMistakes {
  private let mistake: PlantedMistake
  private var taps: [Int: WireTap] = [:]
  private var counts: [UInt32: Count] = [:]
  /// Keychains that have heard HELLO of a host since their session was proved.
  private var greeted: Set<Int> = []
  private var challenged: Set<UInt64> = []
  /// The session in which a host first heard an event.
  private var bornIn: [EventIdentity: UInt32] = [:]

  /// Of one direction of a session: the newest true counter, and the newest that an end was shown.
  private struct Count {
    var isTrue: UInt32
    var shown: UInt32
  }

  init(_ mistake: PlantedMistake) { self.mistake = mistake }

  // MARK: The keychain

  mutating func booted(_ keychain: SimulatedKeychain) {
    taps[keychain.index] = nil
    if mistake == .keyForgottenAtReset, keychain.board.resetCause != .powerOn {
      keychain.firmware.link.unpair()
    }
  }

  /// What a keychain hears in place of these bytes.
  mutating func hears(
    _ bytes: [UInt8], _ keychain: SimulatedKeychain, at now: Instant
  ) -> [UInt8] {
    switch mistake {
    case .tagUnchecked, .unsealedBelieved, .heldBackBelieved, .helloEndsSeal, .ackByNumber,
      .unpairedByAnybody, .proofAskedOnce, .sessionKeyRepeats:
      break
    default: return bytes
    }
    var heard: [UInt8] = []
    let frames = bytes.withUnsafeBytes {
      taps[keychain.index, default: WireTap()].read($0, .toDevice, at: now)
    }
    for frame in frames { heard += hears(frame, keychain, at: now) }
    return heard
  }

  private mutating func hears(
    _ frame: WireTap.Frame, _ keychain: SimulatedKeychain, at now: Instant
  ) -> [UInt8] {
    if mistake == .proofAskedOnce, let challenge = frame.read(Challenge.self) {
      return challenged.insert(challenge.hostNonce).inserted ? frame.bytes : []
    }
    let seal = keychain.firmware.link.seal
    if frame.isOf(.hello) { greeted.insert(keychain.index) }
    guard seal.hasSession, frame.rawType != nil else { return frame.bytes }
    let key = seal.session.theirs
    let isTrue = isTrue(frame, key, seal.session.received)
    if isTrue { greeted.remove(keychain.index) }
    let clock = keychain.board.clock.reading(at: now).sealClock
    switch mistake {
    case .tagUnchecked where frame.isSealed,
      .unsealedBelieved where !frame.isSealed && frame.isOf(.indicate, .eventAck, .ledSet, .config),
      .helloEndsSeal
    where !frame.isSealed && frame.isOf(.indicate, .eventAck)
      && greeted.contains(keychain.index),
      .unpairedByAnybody where frame.isOf(.unpair):
      return sealed(frame, key, clock: isTrue ? frame.word(fromEnd: 16) : clock)
    case .heldBackBelieved where isTrue: return sealed(frame, key, clock: clock)
    case .ackByNumber where isTrue:
      guard let ack = frame.read(EventAck.self) else { break }
      return sealed(named(ack, keychain, frame), key, clock: clock)
    default: break
    }
    return isTrue ? sealed(frame, key, clock: frame.word(fromEnd: 16)) : frame.bytes
  }

  /// The same ack for whatever event has its number.
  private func named(
    _ ack: EventAck, _ keychain: SimulatedKeychain, _ frame: WireTap.Frame
  ) -> WireTap.Frame {
    guard let record = keychain.firmware.record(of: ack.number, &keychain.board) else {
      return frame
    }
    let body = FrameBody(EventAck(record.identity), sequence: 0).withBytes { Array($0) }
    return WireTap.Frame(bytes: [], body: body)
  }

  // MARK: The host

  /// What a host reads in place of these bytes.
  mutating func reads(
    _ bytes: [UInt8], from line: Int, _ session: HostSession, _ key: PairingKey?
  ) -> [UInt8] {
    switch mistake {
    case .counterRepeats, .hostBelievesUnsealed, .hostChecksNoTag, .unprovedEventCounts,
      .eventOfOneSession:
      break
    default: return bytes
    }
    var read: [UInt8] = []
    let now = Instant(microseconds: 0)
    let frames = bytes.withUnsafeBytes {
      taps[line, default: WireTap()].read($0, .toHost, at: now)
    }
    for frame in frames { read += reads(frame, session, key) }
    return read
  }

  private mutating func reads(
    _ frame: WireTap.Frame, _ session: HostSession, _ key: PairingKey?
  ) -> [UInt8] {
    guard let key, frame.rawType != nil, !frame.isOf(.hello, .proof, .reject) else {
      return frame.bytes
    }
    if let record = frame.read(EventRecord.self) {
      return reads(record.identity, frame, session, key)
    }
    guard let sealed = session.link.seal?.session else { return frame.bytes }
    let theirs = sealed.theirs
    let before = counts[theirs.chain[0]]?.isTrue
    let isTrue = isTrue(frame, theirs, sealed.received)
    let isAgain =
      !isTrue && frame.isSealed && frame.word(fromEnd: 12) == before && proves(frame, theirs)
    let isBelieved =
      switch mistake {
      case .counterRepeats: isTrue || isAgain
      case .hostBelievesUnsealed: isTrue || !frame.isSealed
      case .hostChecksNoTag: isTrue || frame.isSealed
      default: isTrue
      }
    guard isBelieved else { return frame.bytes }
    let clock = frame.isSealed ? frame.word(fromEnd: 16) : 0
    return self.sealed(frame, theirs, clock: clock)
  }

  private mutating func reads(
    _ event: EventIdentity, _ frame: WireTap.Frame, _ session: HostSession, _ key: PairingKey
  ) -> [UInt8] {
    switch mistake {
    case .unprovedEventCounts where event.kind != .pressed:
      return Self.sealed(frame, key.sealKey(.event), clock: 0, counter: 0)
    case .eventOfOneSession:
      guard let now = session.link.seal?.session?.theirs.chain[0] else { return frame.bytes }
      let born = bornIn[event] ?? now
      bornIn[event] = born
      guard born != now, frame.isSealed else { return frame.bytes }
      var body = frame.body
      body[body.count - 1] ^= 1
      return ForgedFrames.wire(body)
    default: return frame.bytes
    }
  }

  mutating func hears(_ input: inout CoreInput, _ host: SimulatedHost) -> Bool {
    switch (mistake, input) {
    case (.unprovedPressLeft, .unprovedPress): return false
    case (.proofMakesSecondEntry, .unprovedPress(let link, var identity)):
      identity.bootNonce ^= 1
      input = .unprovedPress(link, identity)
    case (.keysForgotten, .wake):
      if let run = host.run, run.began > Instant(microseconds: 0) { run.ends.trust([:]) }
    case (.sessionKeyRepeats, .linkUp(let link, let hello)):
      repeatKey(host, link, hello)
    default: break
    }
    return true
  }

  func decided(_ output: CoreOutput, _ host: SimulatedHost) {
    guard mistake == .ackByNumber, let run = host.run else { return }
    for (link, ack) in output.acks { run.ends.sessions[link.rawValue].proved.acks.append(ack) }
  }

  // MARK: A session key without what makes it new

  private func repeatKey(_ host: SimulatedHost, _ link: LinkID, _ hello: Hello) {
    guard let key = host.keys[hello.deviceID],
      let session = host.run?.ends.sessions[link.rawValue].link.session
    else { return }
    host.run?.ends.sessions[link.rawValue].link.seal?.session = SealedSession(
      Self.repeated(key, session, hello.deviceID), sends: .host, takes: .device)
  }

  /// The keychain has offered a session.
  func repeatKey(_ keychain: SimulatedKeychain, _ key: PairingKey?) {
    guard mistake == .sessionKeyRepeats, let key, keychain.firmware.link.seal.hasOffer else {
      return
    }
    let session = keychain.firmware.link.seal.offer.challenge.session
    keychain.firmware.link.seal.offer.key = Self.repeated(
      key, session, keychain.board.deviceID)
  }

  private static func repeated(
    _ key: PairingKey, _ session: UInt32, _ device: DeviceID
  ) -> SessionKey {
    let proof = Proof(
      session: session, bootCounter: 0, bootNonce: 0, number: 1, clock: 0, tag: 0)
    return key.sessionKey(hostNonce: 0, proof, device: device)
  }

  // MARK: Seals

  /// Whether the end would believe this frame without the mistake; if so it is counted.
  private mutating func isTrue(
    _ frame: WireTap.Frame, _ key: SealKey, _ received: UInt32
  ) -> Bool {
    let count = counts[key.chain[0]] ?? Count(isTrue: received, shown: received)
    counts[key.chain[0]] = count
    guard frame.isSealed, frame.word(fromEnd: 12) > count.isTrue, proves(frame, key) else {
      return false
    }
    counts[key.chain[0]]?.isTrue = frame.word(fromEnd: 12)
    return true
  }

  private func proves(_ frame: WireTap.Frame, _ key: SealKey) -> Bool {
    frame.body.withUnsafeBytes { key.proves(ReceivedFrame($0)) }
  }

  /// The frame with a seal that its receiver takes.
  private mutating func sealed(
    _ frame: WireTap.Frame, _ key: SealKey, clock: UInt32
  ) -> [UInt8] {
    let next = (counts[key.chain[0]]?.shown ?? 0) + 1
    counts[key.chain[0]]?.shown = next
    return Self.sealed(frame, key, clock: clock, counter: next)
  }

  private static func sealed(
    _ frame: WireTap.Frame, _ key: SealKey, clock: UInt32, counter: UInt32
  ) -> [UInt8] {
    var plain = Array(frame.body.dropLast(frame.isSealed ? SealTrailer.size : 0))
    plain[0] &= ~8
    var body = plain.withUnsafeBytes { FrameBody(raw: $0) }
    body.seal(key, clock: clock, counter: counter)
    return WireFrame(body).withBytes { Array($0) }
  }
}
