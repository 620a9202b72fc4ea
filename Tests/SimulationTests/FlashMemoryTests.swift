import FobBase
import Testing
import WireProtocol

@testable import Simulation

struct FlashMemoryTests {
  @Test func `a memory that has lied names each event that it has lost, also one written over`() {
    var memory = FlashMemory()
    memory.isForgetful = true
    let slots = [slot(128), slot(130)]
    for slot in slots { #expect(slot.withUnsafeBytes { memory.write(at: 64, $0) }) }
    let kept = memory.written.map(\.identity)
    #expect(kept.map(\.number.n) == [128, 130])
    #expect(memory.losePower() == kept.reversed())
    #expect(memory.losePower().isEmpty)
  }

  /// As the firmware's store writes it: 64 bytes of payload, room for a CRC.
  private func slot(_ number: UInt32) -> [UInt8] {
    let identity = EventIdentity(
      deviceID: DeviceID(rawValue: 1), number: EventNumber(boot: 1, n: number), kind: .pressed,
      clock: 1, bootNonce: 1)
    var body = FrameBody(raw: UnsafeRawBufferPointer(start: nil, count: 0))
    EventRecord(identity).write(to: &body)
    let payload = body.withBytes { Array($0) }
    return payload + Array(repeating: 0, count: EventRecord.maxSize + 4 - payload.count)
  }
}
