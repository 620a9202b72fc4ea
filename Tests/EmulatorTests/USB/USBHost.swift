import Firmware
import FobBase
import SerialIO
import Testing
import USB
import WireProtocol

/// A host that opens the port of an imported keychain as Linux' cdc_acm does, with 16 transfers
/// waiting for data and one for notifications, and speaks the wire protocol over it.
final class USBHost {
  static let parked = 16

  let client: USBClient
  /// Every event is acked.
  var acks = true
  private(set) var reports: [DeviceMessage] = []
  private(set) var notifications: [[UInt8]] = []
  private let readLength: Int
  private var link: HostLink?
  private var data: Set<UInt32> = []
  private var notification: UInt32?
  private var others: [UInt32: USBClient.Answer] = [:]

  /// Imports the device and sets its configuration.
  init(_ address: DeviceSpec, importing busID: String, readLength: Int = 128) throws {
    client = try USBClient(address)
    self.readLength = readLength
    try #require(try client.importDevice(busID), "the import of \(busID)")
    try #require(try control(0x00, 9, 1) != nil, "SET_CONFIGURATION")
  }

  /// The data that came; nil for STALL.
  func control(
    _ type: UInt8, _ request: UInt8, _ value: UInt16 = 0, _ index: UInt16 = 0,
    length: UInt16 = 0, data: [UInt8] = []
  ) throws -> [UInt8]? {
    let setup = SetupPacket(
      requestType: type, request: request, value: value, index: index,
      length: data.isEmpty ? length : UInt16(data.count))
    let number = try client.submit(
      0, isIn: type & 0x80 != 0, Int(length), setup: setup, data: data)
    let answer = try answer(to: number)
    return answer.status == 0 ? answer.data : nil
  }

  /// With a new session of the wire protocol.
  func open() throws {
    let now = BootClock.now()
    link = HostLink(session: .random(in: 1 ... .max), software: Keychain.software, at: now)
    notification = try client.submit(2, isIn: true, 16)
    for _ in 0..<Self.parked { data.insert(try client.submit(1, isIn: true, readLength)) }
    _ = try #require(try control(0x21, 0x20, data: [0x80, 0x25, 0, 0, 0, 0, 8]))
    _ = try #require(try control(0x21, 0x22, 3))
    try say()
  }

  /// Everything that waits is taken back.
  /// - Returns: what the unlinkings came to.
  @discardableResult
  func close() throws -> [Int32] {
    link = nil
    _ = try #require(try control(0x21, 0x22, 0))
    let victims = data.sorted() + [notification].compactMap(\.self)
    let unlinks = try victims.map { try client.unlink($0) }
    data = []
    notification = nil
    return try unlinks.map { try answer(to: $0).status }
  }

  /// Takes everything back and asks anew, in one piece: the keychain sees both at once.
  func reopenAtOnce() throws {
    let unlinks = try client.together {
      let unlinks = try data.sorted().map { try client.unlink($0) }
      data = []
      for _ in 0..<Self.parked { data.insert(try client.submit(1, isIn: true, readLength)) }
      return unlinks
    }
    for unlink in unlinks { _ = try answer(to: unlink) }
  }

  /// One more transfer to the device; its sequence number.
  @discardableResult
  func write(_ bytes: [UInt8]) throws -> UInt32 { try client.submit(1, isIn: false, data: bytes) }

  func awaitLink() throws {
    try pump("HELLO") {
      reports.contains { if case .hello = $0 { true } else { false } }
    }
  }

  func event(_ number: EventNumber) throws -> EventRecord {
    try pump("event \(number)") { find(number) != nil }
    return try #require(find(number))
  }

  func awaitNotifications(_ count: Int) throws {
    try pump("\(count) notifications") { notifications.count >= count }
  }

  func answer(to number: UInt32) throws -> USBClient.Answer {
    try pump("the answer to \(number)") { others[number] != nil }
    let found = others.removeValue(forKey: number)
    return try #require(found)
  }

  /// Until the device goes.
  func awaitEnd() throws {
    #expect(throws: USBClient.Gone.self) { try pump("the end of the connection") { false } }
  }

  private func find(_ number: EventNumber) -> EventRecord? {
    for case .event(let record) in reports where record.identity.number == number {
      return record
    }
    return nil
  }

  private func pump(_ what: String, until isDone: () -> Bool) throws {
    let deadline = BootClock.now() + .seconds(10)
    while !isDone() {
      let wake = min(link?.nextWake ?? deadline, deadline)
      if let answer = try client.next(until: wake) {
        try hear(answer)
      } else {
        try #require(BootClock.now() < deadline, "\(what) did not come within 10 s")
      }
      if let wake = link?.nextWake, wake <= BootClock.now() { try say() }
    }
  }

  private func hear(_ answer: USBClient.Answer) throws {
    if data.remove(answer.sequence) != nil {
      #expect(answer.status == 0)
      data.insert(try client.submit(1, isIn: true, readLength))
      try hear(bytes: answer.data)
    } else if answer.sequence == notification {
      notifications.append(answer.data)
      notification = try client.submit(2, isIn: true, 16)
    } else {
      others[answer.sequence] = answer
    }
  }

  private func hear(bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { raw in
      var chunk = raw
      while let report = link?.next(&chunk, at: BootClock.now()) {
        reports.append(report)
        if acks, case .event(let record) = report,
          let ack = link?.frame(EventAck(record.identity), at: BootClock.now())
        {
          try write(ack.withBytes { Array($0) })
        }
      }
    }
    try say()
  }

  private func say() throws {
    let now = BootClock.now()
    while let frame = link?.nextFrame(at: now) { try write(frame.withBytes { Array($0) }) }
    _ = link?.noiseSummary(at: now)
  }
}
