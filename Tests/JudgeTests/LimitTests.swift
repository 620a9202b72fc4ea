import Judge
import Testing
import WireProtocol

@Suite struct LimitTests {
  @Test func `a queue is full at its limit`() {
    var scene = Scene()
    scene.see(.queues(host: 0, events: 4_160, log: 4_096, deliveries: 1_024, line: 4_096))
    #expect(scene.found.isEmpty)
    scene.see(.queues(host: 0, events: 4_161, log: 4_097, deliveries: 1_025, line: 4_097))
    #expect(scene.found == Array(repeating: .queueOverLimit, count: 4))
    scene.see(.queues(host: 0, events: 4_161, log: 0, deliveries: 0, line: 0))
    #expect(scene.found.count == 4)
  }

  @Test func `a run keeps sixteen violations`() {
    var scene = Scene()
    for name in UInt64(1)...40 { scene.say(.sending, of: name) }
    #expect(scene.found.count == 16)
  }
}
