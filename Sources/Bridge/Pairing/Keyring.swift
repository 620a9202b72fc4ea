import FobBase
import Glibc
import SerialIO
import Synchronization
import WireProtocol

/// The keys of the keychains that this core is paired with: a file of their own, for its owner
/// alone, which no log, capture, backup or export has a copy of (PROTOCOL.md, 15).
///
/// A file that cannot be read stops nothing: presses are heard without keys, and its words say so.
/// It is set aside before another is written.
final class Keyring: Sendable {
  private struct State {
    var keys: [DeviceID: PairingKey]
    /// Why the file cannot be read, where it is there.
    var damage: String?
  }

  private static let head = "fob keys 1"

  private let path: String
  private let state: Mutex<State>

  /// Reads the keys of a state folder.
  init(folder: String) {
    let path = folder + "/keys"
    self.path = path
    do throws(IOFailure) {
      let text = try SecretFile.read(path, longest: 1 << 20).text
      let keys = text.flatMap(Self.keys)
      state = Mutex(
        State(keys: keys ?? [:], damage: keys == nil ? "\(path) is damaged" : nil))
    } catch {
      state = Mutex(State(keys: [:], damage: error.errno == ENOENT ? nil : "\(error)"))
    }
  }

  var keys: [DeviceID: PairingKey] { state.withLock { $0.keys } }

  /// Why no key is known, in words; nil where all is well.
  var damage: String? { state.withLock { $0.damage } }

  /// Keeps a key in place of that which the device had; nil: none. It is durable then.
  func keep(_ key: PairingKey?, of device: DeviceID) throws(IOFailure) {
    try change { $0[device] = key }
  }

  /// Keeps keys in place of those that their devices had. They are durable then.
  func keep(_ keys: [DeviceID: PairingKey]) throws(IOFailure) {
    try change { $0.merge(keys) { _, new in new } }
  }

  private func change(
    _ body: (inout [DeviceID: PairingKey]) -> Void
  ) throws(IOFailure) {
    try state.withLock { (state) throws(IOFailure) in
      var keys = state.keys
      body(&keys)
      if state.damage != nil { _ = try PrivateFile.setAside(path) }
      try PrivateFile.write(Array(Self.text(of: keys).utf8), to: path)
      state = State(keys: keys)
    }
  }

  static func text(of keys: [DeviceID: PairingKey]) -> String {
    let lines = keys.map { device, key in
      "\(device.text) \(Hex.text(key.low, digits: 16)) \(Hex.text(key.high, digits: 16))"
    }
    return ([head] + lines.sorted()).joined(separator: "\n") + "\n"
  }

  /// - Returns: nil where a line is no key.
  static func keys(in text: String) -> [DeviceID: PairingKey]? {
    let lines = text.split(separator: "\n")
    guard lines.first == head[...] else { return nil }
    var keys: [DeviceID: PairingKey] = [:]
    for line in lines.dropFirst() {
      let numbers = line.split(separator: " ", omittingEmptySubsequences: false).map {
        $0.utf8.count == 16 ? UInt64($0, radix: 16) : nil
      }
      guard numbers.count == 3, let device = numbers[0], let low = numbers[1],
        let high = numbers[2]
      else { return nil }
      keys[DeviceID(rawValue: device)] = PairingKey(low: low, high: high)
    }
    return keys
  }
}
