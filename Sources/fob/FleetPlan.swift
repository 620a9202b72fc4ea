import ArgumentParser
import FobBase
import SerialIO

/// The lines and stores of `fob emulate --count N`, worked out before anything is opened.
struct FleetPlan {
  static let placeholder = "{n}"

  let count: Int
  let serial: UInt32
  /// As `--on` says it, with `{n}` for the number of each; nil for the standard pty.
  let on: String?
  let store: String?

  /// One for each keychain, in order.
  func lines() throws -> [DeviceSpec] {
    try checkCount()
    let text =
      on ?? "pty:\(RuntimeFolder.keychainLink)" + (count > 1 ? "-" + Self.placeholder : "")
    if text.contains(Self.placeholder) { return try numbered(text).map(Self.spec) }
    let first = try Self.spec(text)
    if count == 1 { return [first] }
    guard case .tcp(let host, let port) = first.kind else {
      throw missing("--on \(text)", "--on unix:/tmp/fob-{n}.sock")
    }
    guard port == 0 || Int(port) + count - 1 <= Int(UInt16.max) else {
      throw ValidationError(
        "--on \(text): \(count) ports from there on would end beyond 65535; choose a lower one")
    }
    return (0..<count).map { index in
      DeviceSpec(.tcp(host: host, port: port == 0 ? 0 : port + UInt16(index)))
    }
  }

  /// One for each keychain, nil for memory that ends with it.
  func stores() throws -> [String?] {
    try checkCount()
    guard let store else { return Array(repeating: nil, count: count) }
    if store.contains(Self.placeholder) { return numbered(store) }
    guard count == 1 else { throw missing("--store \(store)", "--store /tmp/fob-{n}.store") }
    return [store]
  }

  private static func spec(_ text: String) throws(ValidationError) -> DeviceSpec {
    do {
      return try DeviceSpec(text)
    } catch {
      throw ValidationError("\(error)")
    }
  }

  private func checkCount() throws {
    guard (1...Limits.devices).contains(count) else {
      throw ValidationError("--count takes 1 to \(Limits.devices) keychains")
    }
    // The upper half of a bench device id is fixed, so the serial number has 32 bits.
    guard UInt64(serial) + UInt64(count) - 1 <= UInt64(UInt32.max) else {
      throw ValidationError("--serial \(serial): \(count) from there on would end beyond 2^32")
    }
  }

  private func numbered(_ text: String) -> [String] {
    (1...count).map { text.replacing(Self.placeholder, with: "\($0)") }
  }

  private func missing(_ option: String, _ example: String) -> ValidationError {
    ValidationError(
      "\(option) names one thing for \(count) keychains: put {n} where the number of each goes,"
        + " as in \(example)")
  }
}
