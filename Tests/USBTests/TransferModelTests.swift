import TestSupport
import Testing
import USB

/// Random hosts and firmware against a plain model of one stream each way: every URB is answered
/// exactly once, bytes come in order, none is lost or doubled.
@Suite struct TransferModelTests {
  /// What a world of submits, unlinks, writes and reads must come to.
  private struct Model {
    /// URBs that wait, in order.
    var inWaiting: [(sequence: UInt32, length: Int)] = []
    var outWaiting: [(sequence: UInt32, data: [UInt8])] = []
    /// Every URB that is still to be answered, an unlinking counted as one.
    var open: Set<UInt32> = []
    var unlinks: [UInt32: UInt32] = [:]
    /// What the firmware wrote and what the host got of it.
    var written: [UInt8] = []
    var received: [UInt8] = []
    /// What the host sent, what the firmware has read of it, how much the host knows to be taken.
    var sent: [UInt8] = []
    var read: [UInt8] = []
    var acknowledged = 0
    /// IN transfers that were answered, in order.
    var answered: [UInt32] = []
    /// The firmware could not write all that it wished.
    var isFull = false

    mutating func take(_ bytes: [UInt8]) {
      #expect(bytes[...] == sent[read.count..<read.count + bytes.count], "the firmware's bytes")
      read += bytes
    }
  }

  @Test(arguments: 0..<(Soak.isOn ? 2_000 : 60))
  func `every URB is answered once and every byte comes through`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let speed = USBSpeed.allCases.randomElement(using: &random)!
    var bench = Bench(speed)
    var model = Model()
    var next: UInt8 = 0
    func bytes(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in
        next &+= 1
        return next
      }
    }
    bench.submit(1, in: true, speed.bulkPacket)
    model.inWaiting.append((2, speed.bulkPacket))
    model.open.insert(2)
    for _ in 0..<400 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1, 2:
        let length = speed.bulkPacket * Int.random(in: 1...4, using: &random)
        guard model.inWaiting.count < 30 else { break }
        let urb = bench.submit(1, in: true, length)
        model.inWaiting.append((urb, length))
        model.open.insert(urb)
      case 3, 4:
        let count = [0, 1, 30, 63, 64, 65, 128, 512, 700, 2_500].randomElement(using: &random)!
        guard model.outWaiting.count < 10 else { break }
        let data = bytes(count)
        let urb = bench.submit(1, in: false, data: data)
        model.outWaiting.append((urb, data))
        model.open.insert(urb)
        model.sent += data
      case 5, 6:
        let count = [1, 30, 63, 64, 65, 128, 512, 1_024].randomElement(using: &random)!
        let data = bytes(count)
        let taken = bench.write(data)
        model.written += data.prefix(taken)
        if taken < count { model.isFull = true }
      case 7, 8: model.take(bench.read(Int.random(in: 1...600, using: &random)))
      default:
        // Not the last one, which would close the port.
        let victims = model.inWaiting.map(\.sequence) + model.answered.suffix(10)
        guard model.inWaiting.count > 1, let victim = victims.randomElement(using: &random)
        else { break }
        let urb = bench.unlink(victim)
        model.unlinks[urb] = victim
        model.open.insert(urb)
      }
      try hear(bench.answers(), &model, speed)
      #expect(bench.device.hostIsPresent)
      if model.isFull { #expect(model.written.count - model.received.count == 1_024) }
      model.isFull = false
    }
    try drain(&bench, &model, speed)
  }

  /// The firmware reads all, and the host asks for all.
  private func drain(_ bench: inout Bench, _ model: inout Model, _ speed: USBSpeed) throws {
    while model.read.count < model.sent.count {
      let more = bench.read()
      try #require(!more.isEmpty, "bytes of the host are stuck")
      model.take(more)
      try hear(bench.answers(), &model, speed)
    }
    while model.received.count < model.written.count {
      let urb = bench.submit(1, in: true, speed.bulkPacket)
      model.inWaiting.append((urb, speed.bulkPacket))
      model.open.insert(urb)
      try hear(bench.answers(), &model, speed)
      try #require(!model.open.contains(urb), "bytes of the firmware are stuck")
    }
    #expect(model.read == model.sent && model.outWaiting.isEmpty)
    #expect(model.received == model.written)
    #expect(model.open == Set(model.inWaiting.map(\.sequence)), "the rest waits for bytes")
  }

  private func hear(_ answers: [Answer], _ model: inout Model, _ speed: USBSpeed) throws {
    for answer in answers {
      let isOpen = model.open.remove(answer.sequence) != nil
      try #require(isOpen, "\(answer.sequence) is answered twice")
      if answer.code == 4 {
        let named = model.unlinks.removeValue(forKey: answer.sequence)
        let victim = try #require(named)
        let waited = model.inWaiting.firstIndex { $0.sequence == victim }
        #expect((answer.status == -104) == (waited != nil), "unlinking \(victim)")
        if let waited {
          model.inWaiting.remove(at: waited)
          let isOpen = model.open.remove(victim) != nil
          #expect(isOpen)
        }
      } else if let first = model.inWaiting.first, first.sequence == answer.sequence {
        #expect(answer.status == 0 && answer.data.count <= first.length)
        let place = model.received.count
        #expect(answer.data[...] == model.written[place..<place + answer.data.count])
        model.received += answer.data
        model.answered.append(model.inWaiting.removeFirst().sequence)
      } else {
        let first = try #require(model.outWaiting.first, "\(answer.sequence) was not next")
        #expect(answer.sequence == first.sequence, "out of order")
        #expect(answer.status == 0 && answer.actual == first.data.count)
        model.acknowledged += first.data.count
        model.outWaiting.removeFirst()
        // What is not read yet is in the endpoint: at most what it holds.
        #expect(model.acknowledged - model.read.count <= 1_024)
      }
    }
  }
}
