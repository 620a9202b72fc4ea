import Testing

@testable import SerialIO

/// What the kernel's texts say of this process.
@Suite struct PrivilegeTests {
  @Test(
    arguments: [
      ("CapEff:\t000001ffffffffff\n", true, true), ("CapEff:\t0000000000004000\n", true, false),
      ("CapEff:\t0000000000800000\n", false, true), ("CapEff:\t0000000000000000\n", false, false),
      ("CapPrm:\t000001ffffffffff\n", false, false), ("CapEff:\tnothing\n", false, false),
      ("", false, false),
    ])
  func `rights are read from the status of a process`(
    text: String, mayLock: Bool, mayNice: Bool
  ) {
    let status = "Name:\tfob\n" + text + "Seccomp:\t0\n"
    #expect(Privilege.holds(.lockMemory, ofStatus: status) == mayLock)
    #expect(Privilege.holds(.nice, ofStatus: status) == mayNice)
  }

  @Test func `locked memory is read in bytes`() {
    #expect(MemoryLock.locked(in: "Rss:    2000 kB\nLocked:             1500 kB\n") == 1_536_000)
    #expect(MemoryLock.locked(in: "Rss: 7 kB\n") == 0)
    #expect(MemoryLock.locked(in: "Locked:") == 0)
  }

  @Test func `a pty has no driver that keeps bytes back, and says so`() throws {
    let device = try PseudoTerminal()
    let port = try SerialLine(path: device.slavePath).intoDescriptor()
    let latency = PortLatency.lower(port)
    #expect(latency.timer == nil)
    #expect(
      latency.description
        == "low_latency not set: its driver has no such mode, and does not need one")
  }

  @Test(
    arguments: [
      (nil, (16, 1), nil, "low_latency set; latency timer 16 → 1 ms"),
      (nil, (1, 1), nil, "low_latency set; latency timer 1 ms"),
      (
        "no", (16, 16), "cannot write", "low_latency not set: no; latency timer 16 ms; cannot write"
      ),
    ] as [(String?, (Int, Int), String?, String)])
  func `what became of a port is one line`(
    refusal: String?, timer: (Int, Int), timerRefusal: String?, text: String
  ) {
    let latency = PortLatency(
      refusal: refusal, timer: (before: timer.0, now: timer.1), timerRefusal: timerRefusal)
    #expect(latency.description == text)
  }
}
