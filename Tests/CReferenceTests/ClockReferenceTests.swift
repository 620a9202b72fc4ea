import TestSupport
import Testing
import WireProtocol

/// What only the boards of firmware do: a clock that goes back, a link that takes little at a time.
struct ClockReferenceTests {
  @Test func `after the clock went back, the heartbeat comes before every stamp of the new time`() {
    let bench = CBench()
    bench.boot(1, nonce: 41)
    bench.run(until: 5_500_000)
    _ = bench.takeSent()
    bench.setClock(2_000_000)
    bench.poll()
    let sent = bench.takeSent()
    #expect(sent.first?[1] == MessageType.heartbeat.rawValue)
    #expect(sent.first.map { Array($0[4..<12]) } == [0x80, 0x84, 0x1E, 0, 0, 0, 0, 0])
    #expect(sent.dropFirst().contains { $0[1] == MessageType.event.rawValue })
  }

  @Test func `a press that was closing when the clock went back still becomes one`() {
    let bench = CBench()
    bench.boot(1, nonce: 41)
    bench.run(until: 5_000_000)
    _ = bench.takeSent()
    bench.setContact(closed: true)
    bench.run(until: 5_010_000)
    bench.setClock(1_000_000)
    bench.run(until: 1_010_000)
    let presses = bench.takeSent().filter { $0[1] == 0x10 && $0[20] == 1 }
    #expect(presses.count == 1)
  }

  @Test func `a lone zero goes before the first frame and after a quiet second, and else nowhere`()
  {
    let bench = CBench()
    bench.boot(1, nonce: 41)
    #expect(bench.wire[0] == 0 && bench.wire[1] != 0)
    let events = bench.takeSent().filter { $0[1] == MessageType.event.rawValue }
    let identity = events[0].dropFirst(4).withUnsafeBytes { EventIdentity($0) }
    bench.toDevice = WireFrame(FrameBody(EventAck(identity), sequence: 1)).withBytes { Array($0) }
    bench.run(until: 5_500_000)
    #expect(bench.unacked == 0)
    let quiet = bench.wire.count
    bench.run(until: 6_500_000)
    #expect(bench.wire[quiet] == 0 && bench.wire[quiet + 1] != 0)
    let answered = bench.wire.count
    let question = FrameBody(type: .firmwareInfo, sequence: 2)
    bench.toDevice = WireFrame(question).withBytes { Array($0) }
    bench.run(until: 6_600_000)
    #expect(bench.wire.count > answered && bench.wire[answered] != 0)
  }

  @Test func `a link that takes a byte at a time gets whole frames and every press`() {
    let bench = CBench()
    bench.boot(1, nonce: 41)
    var presses = Set<[UInt8]>()
    var time: UInt64 = 0
    for step in 0..<6_000 {
      time += 1_000
      bench.linkRoom = 3
      if step % 400 == 100 { bench.setContact(closed: true) }
      if step % 400 == 200 { bench.setContact(closed: false) }
      bench.run(until: time)
      for body in bench.takeSent() where body[1] == 0x10 && body[20] == 1 {
        presses.insert(Array(body[12..<20]))
      }
    }
    #expect(presses.count == 15)
  }
}
