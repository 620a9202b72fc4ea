import CProtocolReference
import Glibc

/// The device in C on a bench board, in virtual time: nothing on it happens by itself.
final class CBench {
  static let name = "fob keychain"
  static let build = "0.1.0"

  private let device = UnsafeMutablePointer<fob_device>.allocate(capacity: 1)
  private let board = UnsafeMutablePointer<fob_board>.allocate(capacity: 1)
  private let texts: [UnsafeMutablePointer<CChar>?]

  /// Since boot, µs.
  private(set) var clock: UInt64 = 0
  private(set) var isClosed = false
  private var edges: [(closed: Bool, at: UInt64)] = []
  var hasBattery = true
  var hasGPS = true
  var battery: (millivolts: UInt16, percent: UInt8) = (3_900, 65)
  var toDevice: [UInt8] = []
  /// What the device sent in this boot.
  private(set) var wire: [UInt8] = []
  /// How many bytes the link still takes.
  var linkRoom = Int.max
  private(set) var store = [UInt8](repeating: 0xFF, count: Int(FOB_STORE_SIZE))
  var failsWrites = false
  var failsReads = false
  /// Microseconds that a write to the store takes, as the board's own clock has them.
  var writeTakes: UInt64 = 0
  private var decoder = CDecoded()
  private var taken = 0
  private var spent: UInt64 = 0

  /// - Parameter name: of the board, as FW_INFO has it.
  init(name: String = CBench.name) {
    texts = [strdup(name), strdup(CBench.build)]
    device.initialize(to: fob_device())
    board.initialize(to: fob_board())
    let own = Unmanaged.passUnretained(self).toOpaque()
    board.pointee.context = own
    board.pointee.storage.context = own
    board.pointee.device_id = 1 << 63 | 1
    board.pointee.firmware_version = (0, 1, 0)
    board.pointee.name = UnsafePointer(texts[0])
    board.pointee.build = UnsafePointer(texts[1])
    board.pointee.write_link = { CBench.of($0).writeLink($1!, $2) }
    board.pointee.clock = { CBench.of($0).clock + CBench.of($0).spent }
    board.pointee.storage.read = { CBench.of($0).readStore(at: $1, $2!, $3) }
    board.pointee.storage.write = { CBench.of($0).writeStore(at: $1, $2!, $3) }
  }

  deinit {
    device.deallocate()
    board.deallocate()
    for text in texts { free(text) }
  }

  var unacked: Int { Int(device.pointee.session.events.records.unacked.count) }

  /// Turns a bit of the store.
  func damageStore(at place: Int) { store[place] ^= 1 }

  func eraseStore() { store = [UInt8](repeating: 0xFF, count: store.count) }

  func boot(_ cause: UInt8, nonce: UInt32) {
    clock = 0
    edges = []
    toDevice = []
    wire = []
    linkRoom = .max
    decoder = CDecoded()
    taken = 0
    board.pointee.reset_cause = cause
    board.pointee.boot_nonce = nonce
    board.pointee.button_closed = isClosed
    board.pointee.millivolts = battery.millivolts
    board.pointee.battery_percent = battery.percent
    board.pointee.has_no_battery = !hasBattery
    board.pointee.has_no_gps = !hasGPS
    fob_device_boot(device, board, clock)
    run(until: 0)
  }

  func setContact(closed: Bool) {
    guard closed != isClosed else { return }
    isClosed = closed
    edges.append((closed, clock))
  }

  /// Polls as a board would: when something happens, and when the device asked for it.
  func run(until end: UInt64) {
    while true {
      let wake = poll()
      if wake >= end && clock == end { return }
      clock = max(clock, min(wake, end))
    }
  }

  func report(_ fix: fob_gps_fix) {
    withUnsafePointer(to: fix) { fob_device_fix(device, $0, clock) }
    poll()
  }

  /// The clock at once elsewhere, also before where it was.
  func setClock(_ time: UInt64) { clock = time }

  @discardableResult
  func poll() -> UInt64 {
    let bytes = toDevice
    spent = 0
    toDevice = []
    fob_device_receive(device, bytes, bytes.count, clock)
    for edge in edges { fob_device_contact(device, edge.closed, edge.at, clock) }
    edges = []
    fob_device_contact(device, isClosed, clock, clock)
    if clock >= device.pointee.next_second {
      fob_device_battery(device, battery.millivolts, battery.percent)
    }
    let wake = fob_device_poll(device, clock)
    precondition(wake >= clock, "asked to be polled in the past")
    return wake
  }

  /// The bodies sent since the last call.
  func takeSent() -> [[UInt8]] {
    decoder.feed(Array(wire[taken...]))
    taken = wire.count
    precondition(decoder.refusals.isEmpty, "the device sent a damaged frame")
    return decoder.takeBodies()
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> CBench {
    Unmanaged<CBench>.fromOpaque(context!).takeUnretainedValue()
  }

  private func writeLink(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
    let taken = min(count, linkRoom)
    if linkRoom != .max { linkRoom -= taken }
    wire += UnsafeBufferPointer(start: bytes, count: taken)
    return taken
  }

  private func readStore(at offset: Int, _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Bool
  {
    guard !failsReads else { return false }
    for at in 0..<count { bytes[at] = store[offset + at] }
    return true
  }

  private func writeStore(at offset: Int, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    spent += writeTakes
    guard !failsWrites else { return false }
    for at in 0..<count { store[offset + at] = bytes[at] }
    return true
  }
}
