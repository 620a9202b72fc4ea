import Firmware
import TestSupport

/// A store on flash whose power can go, and what it must say.
final class FlashBench {
  let flash: TornFlash
  private(set) var expected: [UInt8]
  private var store: FlashStore<TornFlash>
  private let mirror: UnsafeMutableRawBufferPointer

  init(_ flash: TornFlash, expecting expected: [UInt8]) {
    self.flash = flash
    self.expected = expected
    mirror = .allocate(byteCount: expected.count, alignment: 8)
    store = FlashStore(flash, mirror: mirror)
  }

  deinit { mirror.deallocate() }

  /// Another board with the same bytes in its flash.
  convenience init(copying other: FlashBench, seed: UInt64) {
    self.init(TornFlash(copying: other.flash, seed: seed), expecting: other.expected)
  }

  var content: [UInt8] {
    var bytes = [UInt8](repeating: 0xEE, count: expected.count)
    let isRead = bytes.withUnsafeMutableBytes { store.read(at: 0, $0) }
    return isRead ? bytes : []
  }

  /// False where the store has refused.
  @discardableResult
  func perform(_ step: FlashStep) -> Bool {
    switch step {
    case .tidy: return store.tidy()
    case .write(let offset, let bytes):
      let isWritten = bytes.withUnsafeBytes { store.write(at: offset, $0) }
      if isWritten { expected = step.applied(to: expected) }
      return isWritten
    }
  }

  /// Power returns: the store is read anew.
  func reboot(cutAfter steps: Int? = nil) {
    flash.restorePower()
    flash.stepsLeft = steps
    store = FlashStore(flash, mirror: mirror)
  }
}

/// What the firmware asks of its store.
enum FlashStep: Sendable {
  case write(offset: Int, [UInt8])
  case tidy

  func applied(to content: [UInt8]) -> [UInt8] {
    guard case .write(let offset, let bytes) = self else { return content }
    var content = content
    content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    return content
  }

  /// A record in a slot, as events are; or a slot that is cleared; or a quiet moment.
  static func random(
    slots: Int, size: Int, using random: inout SeededGenerator
  ) -> FlashStep {
    let offset = Int.random(in: 0..<slots, using: &random) * size
    switch Int.random(in: 0..<8, using: &random) {
    case 0...1: return .tidy
    case 2...3: return .write(offset: offset, [UInt8](repeating: 0, count: size))
    default:
      return .write(
        offset: offset, (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
  }
}
