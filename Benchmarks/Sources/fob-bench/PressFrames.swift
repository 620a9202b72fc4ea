import FobBase
import WireProtocol

/// EVENT frames of one bench keychain, a press each, numbered from 1; all of one size.
struct PressFrames {
  static let size = 64
  static let device = DeviceID(rawValue: 0x8000_0000_0000_0001)
  static let boot: UInt32 = 1
  static let bootNonce: UInt32 = 0xF0B0_F0B0

  /// - Parameter clock: the keychain's at the first edge, µs.
  static func press(_ n: Int, clock: UInt64) -> [UInt8] {
    var record = EventRecord(
      EventIdentity(
        deviceID: device, number: EventNumber(boot: boot, n: UInt32(n)), kind: .pressed,
        clock: clock, bootNonce: bootNonce))
    record.commitDelta = 15_000
    record.millivolts = 3_100
    record.batteryPercent = 80
    let frame = WireFrame(FrameBody(record, sequence: UInt16(truncatingIfNeeded: n)))
    let bytes = frame.withBytes { Array($0) }
    precondition(bytes.count == size)
    return bytes
  }
}
