import FobBase
import Glibc
import SerialIO
import Synchronization
import WireProtocol

/// The keys of the keychains that this core is paired with: a file of their own, for its owner
/// alone, which no log, capture, backup or export has a copy of (PROTOCOL.md, 15).
///
/// A key is offered before it goes over the line, and kept beside an older one until the keychain
/// has proved either: whatever answer is lost or made up, the right one is here.
///
/// A file that cannot be read stops nothing: presses are heard without keys, and its words say so.
/// It is set aside before another is written.
final class Keyring: Sendable {
  private struct State {
    var keys = KeyTable()
    /// Why the file cannot be read, where it is there.
    var damage: String?
  }

  private let path: String
  private let state: Mutex<State>

  /// Reads the keys of a state folder.
  init(folder: String) {
    let path = folder + "/keys"
    self.path = path
    do throws(IOFailure) {
      let text = try SecretFile.read(path, longest: 1 << 20, isFile: true).text
      let keys = text.flatMap(KeyTable.init)
      state = Mutex(
        State(keys: keys ?? KeyTable(), damage: keys == nil ? "\(path) is damaged" : nil))
    } catch {
      state = Mutex(State(damage: error.errno == ENOENT ? nil : "\(error)"))
    }
  }

  /// The keys as they are now.
  var table: KeyTable { state.withLock { $0.keys } }

  /// Takes away what an earlier run has left of a file that it was writing. Only for the process
  /// that has the state folder.
  func clearDrafts() { PrivateFile.clearDrafts(of: path) }

  /// Of the keychains that are paired.
  var keys: [DeviceID: PairingKey] { table.keys }

  /// Why no key is known, in words; nil where all is well.
  var damage: String? { state.withLock { $0.damage } }

  /// Keeps a key beside that which the device has, before it is sent. It is durable then.
  func offer(_ key: PairingKey, to device: DeviceID) throws(IOFailure) {
    try change { $0.offered[device] = key }
  }

  /// The device has proved whether it has taken the key that it was offered.
  /// - Throws: where the file still has both keys: the next start asks again.
  func settle(_ device: DeviceID, isTaken: Bool) throws(IOFailure) {
    try state.withLock { (state) throws(IOFailure) in
      state.keys.settle(device, isTaken: isTaken)
      try write(state.keys)
    }
  }

  /// Keeps a key in place of all that the device had; nil: none. It is durable then.
  func keep(_ key: PairingKey?, of device: DeviceID) throws(IOFailure) {
    try change {
      $0.keys[device] = key
      $0.offered[device] = nil
    }
  }

  /// Keeps keys in place of those that their devices had. They are durable then.
  func keep(_ new: KeyTable) throws(IOFailure) { try change { $0.take(new) } }

  private func change(_ body: (inout KeyTable) -> Void) throws(IOFailure) {
    try state.withLock { (state) throws(IOFailure) in
      var keys = state.keys
      body(&keys)
      if state.damage != nil { _ = try PrivateFile.setAside(path) }
      try write(keys)
      state = State(keys: keys)
    }
  }

  private func write(_ keys: KeyTable) throws(IOFailure) {
    try PrivateFile.write(Array(keys.text.utf8), to: path)
  }
}

/// The keys of a state folder, as its file `keys` has them: a line each.
///
/// ```
/// fob keys 1
/// DEVICE LOW HIGH
/// DEVICE LOW HIGH offered
/// ```
/// Each number has 16 hexadecimal digits. A device has at most one line of each kind.
struct KeyTable: Sendable {
  /// Of the devices that are paired.
  var keys: [DeviceID: PairingKey] = [:]
  /// Those that devices were given in a pairing of which nobody knows the end.
  var offered: [DeviceID: PairingKey] = [:]

  private static let head = "fob keys 1"
  private static let mark = " offered"

  /// No device is paired.
  init() {}

  /// - Returns: nil where a line is no key, or another for the same device.
  init?(_ text: String) {
    let lines = text.split(separator: "\n")
    guard lines.first == Self.head[...] else { return nil }
    for line in lines.dropFirst() {
      let isOffered = line.hasSuffix(Self.mark)
      let numbers = line.dropLast(isOffered ? Self.mark.utf8.count : 0)
        .split(separator: " ", omittingEmptySubsequences: false).map(Self.number)
      guard numbers.count == 3, let device = numbers[0], let low = numbers[1],
        let high = numbers[2]
      else { return nil }
      let key = PairingKey(low: low, high: high)
      let place = isOffered ? \Self.offered : \Self.keys
      guard self[keyPath: place].updateValue(key, forKey: DeviceID(rawValue: device)) == nil
      else { return nil }
    }
  }

  /// Sixteen hexadecimal digits and nothing else: `UInt64` would take a sign.
  private static func number(_ text: Substring) -> UInt64? {
    guard text.utf8.count == 16, text.allSatisfy(\.isHexDigit) else { return nil }
    return UInt64(text, radix: 16)
  }

  /// The contents of the file.
  var text: String {
    func lines(_ keys: [DeviceID: PairingKey], _ mark: String) -> [String] {
      keys.map { device, key in
        "\(device.text) \(Hex.text(key.low, digits: 16)) \(Hex.text(key.high, digits: 16))\(mark)"
      }
    }
    return ([Self.head] + (lines(keys, "") + lines(offered, Self.mark)).sorted())
      .joined(separator: "\n") + "\n"
  }

  /// Whether there is any key of this device.
  func knows(_ device: DeviceID) -> Bool { keys[device] != nil || offered[device] != nil }

  /// All that have a key.
  var devices: [DeviceID] { Set(keys.keys).union(offered.keys).sorted() }

  mutating func settle(_ device: DeviceID, isTaken: Bool) {
    guard let key = offered.removeValue(forKey: device), isTaken else { return }
    keys[device] = key
  }

  /// Takes over all that another table has of its devices.
  mutating func take(_ new: KeyTable) {
    for device in new.devices {
      keys[device] = new.keys[device]
      offered[device] = new.offered[device]
    }
  }
}
