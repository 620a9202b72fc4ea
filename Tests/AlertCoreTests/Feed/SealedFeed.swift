import FobBase
import WireProtocol

@testable import AlertCore

/// A paired keychain, a bridge on another host that has no key, and their core, in virtual time. A
/// class, since `#expect` calls no mutating method.
final class SealedFeed {
  static let key = PairingKey(low: 5, high: 6)
  static let link = LinkID(rawValue: FeedTable.firstLink)
  private static let software = SoftwareVersion(major: 0, minor: 1, patch: 0)

  private var table = FeedTable(nonce: 70)
  private var host = HostSession(line, software: SealedFeed.software, isRelay: true)
  private var queue = UplinkQueue(line: 0)
  var device = DeviceLink()
  private(set) var now = Instant(microseconds: 60_000_000)
  private var session: UInt32 = 6
  private var sequence: Int64 = 0
  private var hello: Hello?
  /// Frames of the core stay on their way.
  var isHeld = false
  /// What the core was told.
  var inputs: [CoreInput] = []
  /// What the bridge was told.
  var signals: [FeedSignal] = []
  /// What the keychain has believed.
  var requests: [HostRequest] = []
  /// Everything that the bridge has posted of the keychain.
  private(set) var posted: [CheckedFeed.Input] = []
  private(set) var unproved: [DeviceID] = []
  /// Whether the keychain has proved the keys that it was asked for.
  private(set) var asked: [Bool] = []
  /// Whether it has taken the key that it was offered.
  private(set) var offers: [Bool] = []

  /// - Parameter isPaired: whether the keychain has the key that the core has.
  init(isPaired: Bool = true) {
    if isPaired { device.pair(with: Self.key) }
    use([keychain: Self.key])
  }

  /// - Parameter offered: to `keychain`, in a pairing of which nobody knows the end.
  func use(_ keys: [DeviceID: PairingKey], offered: PairingKey? = nil) {
    inputs += table.use(keys, offered: offered.map { [keychain: $0] } ?? [:], at: now)
    deliver()
  }

  /// The bridge opens the line, again where it was open.
  func open() {
    session += 1
    host.opened(session: session, nonce: 1, indication: nil, at: now)
    run(.milliseconds(5))
  }

  /// Linked, and at rest.
  static func linked(isPaired: Bool = true) -> SealedFeed {
    let feed = SealedFeed(isPaired: isPaired)
    feed.indicate(.idle)
    feed.open()
    feed.indicate(.idle)
    feed.run(isPaired ? .milliseconds(10) : .seconds(4), beats: true)
    (feed.inputs, feed.signals, feed.requests) = ([], [], [])
    return feed
  }

  /// - Parameter beats: whether the keychain says HEARTBEAT each second.
  func run(_ span: Interval, beats: Bool = false) {
    let end = now + span
    var beat = now + .seconds(1)
    while now < end {
      if beats, now >= beat {
        say(Heartbeat())
        beat = now + .seconds(1)
      }
      carry(host.wake(at: now))
      let news = table.keepSeals(at: now)
      inputs += news.inputs
      unproved += news.unproved
      deliver()
      asked += table.takeAskedKeys().map(\.isProved)
      offers += table.takeOffers().map(\.isTaken)
      now = now + .milliseconds(1)
    }
  }

  // MARK: The bridge

  private func carry(_ output: HostOutput) {
    for frame in output.frames { toDevice(frame) }
    for input in output.inputs { _ = queue.take(input) }
    for frame in output.relayed { _ = queue.take(frame) }
    while let batch = queue.next(bridge: "0123456789abcdef", echo: nil, at: now) {
      posted += batch.inputs
      hello = batch.hello
      post(batch.inputs, down: batch.down)
      queue.succeeded(isSealRead: true)
    }
  }

  /// A batch of the bridge.
  func post(_ inputs: [CheckedFeed.Input], down: String? = nil) {
    sequence += 1
    take(FeedSample.batch(inputs, sequence: sequence, hello: hello, down: down))
  }

  func take(_ batch: CheckedFeed, of holder: String = "token") {
    inputs += (try? table.take(batch, of: holder, at: now))?.inputs ?? []
    deliver()
  }

  /// Has the bridge say all that it can by itself.
  func forge(_ record: EventRecord, _ indication: Indication) {
    let ack = host.acknowledge(EventAck(record.identity), at: now)
    let light = host.indicate(indication, at: now)
    for frame in [ack, light].compactMap(\.self) { toDevice(frame) }
  }

  // MARK: The core

  func ask(for key: PairingKey) -> Bool { table.ask(for: key, of: keychain, at: now) }

  func acknowledge(_ record: EventRecord) -> FeedTable.Destination {
    defer { deliver() }
    return table.acknowledge(EventAck(record.identity), on: Self.link)
  }

  /// - Returns: how many lines the bridge is to tell by itself.
  @discardableResult
  func indicate(_ state: ShownState) -> Int {
    let told = table.indicate(Indication(state: state), to: nil)
    deliver()
    return told.count
  }

  private func deliver() {
    for (bridge, signal) in table.takeSignals() where bridge.holder == "token" {
      signals.append(signal)
      if !isHeld { relay(signal) }
    }
  }

  /// The bridge hears a signal.
  func relay(_ signal: FeedSignal) {
    guard case .frame(_, let frame) = signal, let sent = host.relay(frame, at: now) else { return }
    toDevice(sent)
  }

  // MARK: The keychain

  func say(_ payload: some Payload) { hear(device.frame(payload, at: now)) }

  func hearUnsealed(_ payload: some Payload) { hear(WireFrame(FrameBody(payload, sequence: 9))) }

  private func hear(_ frame: WireFrame) {
    frame.withBytes { carry(host.receive($0, at: now)) }
  }

  private func toDevice(_ frame: WireFrame) {
    frame.withBytes { raw in
      var chunk = raw
      while let request = device.next(&chunk, at: now) {
        requests.append(request)
        if let answer = device.answer(request, at: now) { hear(answer) }
      }
    }
  }

  /// The acks and lights that the keychain has believed.
  var believed: [String] {
    requests.compactMap { request in
      switch request {
      case .ack(let ack): "ack \(ack.number.text)"
      case .indicate(let indicate): "\(indicate.state)"
      default: nil
      }
    }
  }

  /// What the core was told, but for lost frames.
  var heard: [String] {
    inputs.filter { proof($0) == nil }.map(\.words).filter { $0 != "missed" }
  }

  /// What the core heard of proofs.
  var proofs: [LineProof] { inputs.compactMap(proof) }

  private func proof(_ input: CoreInput) -> LineProof? {
    if case .proof(_, let proof) = input { proof } else { nil }
  }
}
