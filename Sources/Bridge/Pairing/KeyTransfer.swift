public import FobBase
import Glibc
import SerialIO
import SystemCrypto
public import WireProtocol

/// The keys of paired keychains on their way to another host, for a core that moves: a text of four
/// lines, sealed by a passphrase.
///
/// ```
/// fob sealed keys 1
/// 32 hexadecimal digits: salt of scrypt
/// 24: nonce of AES-256-GCM
/// the keys, encrypted, with their tag
/// ```
public enum KeyTransfer {
  /// The longest text that is read, in bytes: more keychains than a core can have.
  public static let longest = 1 << 20
  /// The fewest bytes of a passphrase: whoever has the text may try as long as they like.
  public static let shortestPassphrase = 12

  private static let head = "fob sealed keys 1"

  /// Why keys are not moved.
  public enum Refusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// The passphrase has fewer than 12 bytes.
    case shortPassphrase
    /// The file of the keys is damaged or cannot be read; why.
    case damaged(String)
    /// No keychain is paired.
    case none
    /// The text is none that `text` has made.
    case noKeys
    /// The passphrase is another, or the text has changed.
    case notOpened
    /// These have another key at this core.
    case differ([DeviceID])

    public var description: String {
      switch self {
      case .shortPassphrase:
        "the passphrase is too short: \(shortestPassphrase) characters or more, since whoever has"
          + " the file may try as long as they like"
      case .damaged(let words): words
      case .none: "no keychain is paired with this core"
      case .noKeys: "that is no file of fob keys export"
      case .notOpened: "the passphrase is another, or the file is damaged"
      case .differ(let devices):
        "another key is here already of \(devices.map(\.text).joined(separator: ", ")): one of"
          + " them is out of date; --replace takes those of the file"
      }
    }
  }

  /// The devices that have a key in a state folder, by their numbers.
  /// - Throws: `Refusal.damaged`.
  public static func devices(in folder: String) throws(Refusal) -> [DeviceID] {
    try keyring(folder).table.devices
  }

  /// The keys that the file of a state folder has.
  /// - Parameter file: its path; only its owner may read it.
  public static func keys(inFile file: String) throws -> [DeviceID: PairingKey] {
    guard let table = try SecretFile.read(file, longest: longest).text.flatMap(KeyTable.init)
    else { throw IOFailure("read", errno: EINVAL, path: file, reason: "it is no file of keys") }
    return table.keys
  }

  /// The keys of a state folder, sealed. A core that runs on it goes on meanwhile.
  /// - Parameters:
  ///   - folder: the state folder, which is only read.
  ///   - passphrase: UTF-8, 12 bytes or more.
  public static func text(of folder: String, by passphrase: [UInt8]) throws(Refusal) -> String {
    guard passphrase.count >= shortestPassphrase else { throw .shortPassphrase }
    let table = try keyring(folder).table
    guard !table.devices.isEmpty else { throw .none }
    let seal = PassphraseSeal(Array(table.text.utf8), by: passphrase)
    let lines = [seal.salt, seal.nonce, seal.sealed].map { Hex.text($0) }
    return ([head] + lines).joined(separator: "\n") + "\n"
  }

  /// Adds the keys of a text to a state folder: all of them or none.
  /// - Parameters:
  ///   - text: as `text(of:by:)` has made it.
  ///   - passphrase: the one that it was sealed by.
  ///   - folder: a state folder that no core runs on.
  ///   - replaces: where a device has another key there, that of the text takes its place.
  /// - Returns: the devices whose keys came.
  /// - Throws: `Refusal`, or `IOFailure` where the folder is in use or cannot be written.
  public static func read(
    _ text: String, by passphrase: [UInt8], into folder: String, replaces: Bool
  ) throws -> [DeviceID] {
    let new = try keys(in: text, by: passphrase)
    let lock = try StateLock(directory: folder)
    let keyring = try keyring(folder)
    let known = keyring.keys
    let differing = new.keys.filter { device, key in known[device].map { !($0 == key) } ?? false }
    guard replaces || differing.isEmpty else { throw Refusal.differ(differing.keys.sorted()) }
    try keyring.keep(new)
    withExtendedLifetime(lock) {}
    return new.devices
  }

  /// The keys of a text: any text, from anywhere.
  private static func keys(
    in text: String, by passphrase: [UInt8]
  ) throws(Refusal) -> KeyTable {
    guard let seal = seal(in: text) else { throw .noKeys }
    guard let plain = seal.open(by: passphrase) else { throw .notOpened }
    guard let table = KeyTable(String(decoding: plain, as: UTF8.self)) else { throw .noKeys }
    return table
  }

  /// What a passphrase is to open: of any text, from anywhere.
  static func seal(in text: String) -> PassphraseSeal? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let parts = lines.dropFirst().prefix(3).map { Hex.bytes(String($0)) }
    guard text.utf8.count <= longest, lines.first == head[...], lines.count == 5, lines[4].isEmpty,
      parts.count == 3, let salt = parts[0], let nonce = parts[1], let sealed = parts[2]
    else { return nil }
    return PassphraseSeal(salt: salt, nonce: nonce, sealed: sealed)
  }

  private static func keyring(_ folder: String) throws(Refusal) -> Keyring {
    let keyring = Keyring(folder: folder)
    if let damage = keyring.damage { throw .damaged(damage) }
    return keyring
  }
}
