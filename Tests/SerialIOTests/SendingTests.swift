import FobBase
import Glibc
import SerialIO
import TestSupport
import Testing

@Suite struct SendingTests {
  /// Frames of 1 to 200 bytes after a length byte; the bytes of one say its number.
  private func frame(_ number: Int, using random: inout SeededGenerator) -> [UInt8] {
    let length = Int.random(in: 1...200, using: &random)
    return [UInt8(length)] + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: length)
  }

  @Test(arguments: 1...20)
  func `frames stay whole and in order when the device reads late, on a real pty`(
    seed: UInt64
  ) throws {
    let device = try PseudoTerminal()
    let loop = try ReaderLoop(
      SerialLine(path: device.slavePath).intoDescriptor(), name: "reader",
      handlers: ReaderHandlers(onBytes: { _, _ in }, onGone: { _ in }))
    try loop.start()
    var random = SeededGenerator(seed: seed)
    var kept: [[UInt8]] = []
    var drops: UInt64 = 0
    for number in 0..<500 {
      let frame = frame(number, using: &random)
      if loop.send(frame) == .dropped { drops += 1 } else { kept.append(frame) }
    }
    #expect(drops > 0, "the line never filled up")
    #expect(loop.droppedFrames == drops)
    let expected = Array(kept.joined())
    #expect(try TerminalProbe.read(expected.count, from: device.master) == expected)

    #expect(loop.send([9, 9]) == .written, "the line works on")
    #expect(try TerminalProbe.read(2, from: device.master) == [9, 9])
    #expect(loop.stop())
  }

  @Test(arguments: 1...5)
  func `frames of several threads never mix, on a real pty`(seed: UInt64) throws {
    let device = try PseudoTerminal()
    let loop = try ReaderLoop(
      SerialLine(path: device.slavePath).intoDescriptor(), name: "reader",
      handlers: ReaderHandlers(onBytes: { _, _ in }, onGone: { _ in }))
    try loop.start()
    let kept = Gathered<[UInt8]>()
    let threads = try (0..<3).map { part in
      try BlockingThread(name: "sender") {
        var random = SeededGenerator(seed: seed &* 100 &+ UInt64(part))
        for number in 0..<100 {
          let frame = frame(number * 3 + part, using: &random)
          if loop.send(frame) != .dropped { kept.put(frame) }
        }
      }
    }
    for thread in threads { #expect(thread.join(within: .seconds(10))) }
    let frames = try kept.take()
    #expect(frames.count + Int(loop.droppedFrames) == 300)
    var read = try TerminalProbe.read(frames.reduce(0) { $0 + $1.count }, from: device.master)[...]
    var came: [[UInt8]] = []
    while let length = read.first {
      came.append(Array(read.prefix(Int(length) + 1)))
      read = read.dropFirst(Int(length) + 1)
    }
    #expect(Set(came) == Set(frames) && came.count == frames.count)
    #expect(loop.stop())
  }

  @Test func `a frame that could never fit is dropped and counted, on a real pty`() throws {
    let device = try PseudoTerminal()
    let loop = try ReaderLoop(
      SerialLine(path: device.slavePath).intoDescriptor(), name: "reader",
      handlers: ReaderHandlers(onBytes: { _, _ in }, onGone: { _ in }))
    let frame = [UInt8](repeating: 1, count: Limits.hostTransmitBuffer + 1)
    #expect(loop.send(frame) == .dropped)
    #expect(loop.droppedFrames == 1)
    #expect(loop.stop())
  }
}

extension ReaderLoop {
  func send(_ frame: [UInt8]) -> SendOutcome { frame.withUnsafeBytes { send($0) } }
}
