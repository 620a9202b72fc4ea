import NMEA
import Testing

@Suite(
  .enabled(
    if: ReceiverLog.isWanted,
    "NOT RUN: no receiver logs in the folder FOB_NMEA_LOGS nor beside the repository"))
struct ReceiverLogTests {
  @Test(arguments: ReceiverLog.all)
  func `position and time are those that gpsd reads`(_ log: ReceiverLog) throws {
    var bytes = try log.bytes()[...]
    var receiver = GPSReceiver()
    var comparison = Comparison(secondsAdded: log.weeksAddedByGPSD * 7 * 86_400)
    for reading in try log.readings() {
      var sentence = ""
      while !reading.sentence.hasPrefix("$\(sentence)*") {
        if !sentence.isEmpty { comparison.acceptedHereAlone.insert(sentence) }
        let next = receiver.nextSentence(in: &bytes)
        sentence = try #require(next, "gpsd accepts \(reading.sentence)")
      }
      if let report = reading.report {
        comparison.add(report, receiver.fix, after: reading.sentence)
      }
    }
    #expect(comparison.otherPositions == Set(log.otherPositions.keys))
    #expect(comparison.acceptedHereAlone == Set(log.acceptedHereAlone.keys))
    #expect(comparison.positions == log.positions)
    #expect(comparison.times == log.times)
    #expect(receiver.fieldErrors == 0)
  }

  @Test(arguments: ReceiverLog.all)
  func `each receiver yields a position and keeps it`(_ log: ReceiverLog) throws {
    var receiver = GPSReceiver()
    var best = GPSQuality.none
    for byte in try log.bytes() {
      let had = receiver.fix != nil
      _ = receiver.receive(byte, at: .seconds(0))
      best = max(best, receiver.quality(at: .seconds(0)))
      #expect(!had || receiver.fix != nil)
    }
    #expect(receiver.fix != nil)
    #expect(best == log.bestQuality)
  }

  @Test func `no log of the folder is left out`() throws {
    #expect(try ReceiverLog.namesInFolder() == ReceiverLog.all.map(\.name))
  }

  private struct Comparison {
    let secondsAdded: UInt32
    var positions = 0
    var times = 0
    var otherPositions: Set<String> = []
    var acceptedHereAlone: Set<String> = []

    mutating func add(_ report: ReceiverLog.Report, _ fix: GPSFix?, after sentence: String) {
      guard let latitude = report.lat, let longitude = report.lon else { return }
      positions += 1
      guard let fix, abs(Double(fix.latitude) - latitude * 1e7) <= 1,
        abs(Double(fix.longitude) - longitude * 1e7) <= 1
      else {
        otherPositions.insert(sentence)
        return
      }
      guard fix.utc != 0, let seconds = report.seconds else { return }
      times += 1
      #expect(fix.utc + secondsAdded == seconds, "\(sentence)")
    }
  }
}

extension GPSReceiver {
  /// Takes bytes off `bytes` until one ends a sentence, and gives that sentence.
  fileprivate mutating func nextSentence(in bytes: inout ArraySlice<UInt8>) -> String? {
    let accepted = reader.accepted
    while let byte = bytes.popFirst() {
      _ = receive(byte, at: .seconds(0))
      if reader.accepted != accepted { return reader.text }
    }
    return nil
  }
}
