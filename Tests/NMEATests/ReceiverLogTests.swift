import NMEA
import Testing

@Suite(
  .enabled(
    if: ReceiverLog.isWanted,
    "NOT RUN: no receiver logs in the folder FOB_NMEA_LOGS nor beside the repository"))
struct ReceiverLogTests {
  @Test(arguments: ReceiverLog.all)
  func `position, time and mode are those that gpsd reads`(_ log: ReceiverLog) throws {
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
      comparison.add(receiver.reader, reading.sentence)
      if let report = reading.report {
        comparison.add(report, receiver, after: reading.sentence)
      }
    }
    #expect(comparison.otherModes == log.otherModes)
    #expect(comparison.unreadable == Set(log.unreadable.keys))
    #expect(comparison.reports == log.reports)
    #expect(comparison.otherTimes == log.otherTimes)
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
    var reports = 0
    var positions = 0
    var times = 0
    var otherTimes: [String: Int] = [:]
    var otherModes: [String: Int] = [:]
    var acceptedHereAlone: Set<String> = []
    var unreadable: Set<String> = []
    /// The last one.
    var zda: ZDA?

    mutating func add(_ reader: SentenceReader, _ sentence: String) {
      do throws(FieldError) {
        if case .zda(let zda) = try reader.sentence() { self.zda = zda }
      } catch {
        unreadable.insert(sentence)
      }
    }

    mutating func add(
      _ report: ReceiverLog.Report, _ receiver: GPSReceiver, after sentence: String
    ) {
      reports += 1
      if receiver.mode(at: .seconds(0)).rawValue != report.mode {
        otherModes[String(sentence.prefix(6)), default: 0] += 1
      }
      addPosition(of: report, receiver.fix, after: sentence)
      guard let seconds = report.seconds else { return }
      if report.mode != 1 {
        times += 1
        #expect(receiver.fix.map { $0.utc + secondsAdded } == seconds, "\(sentence)")
      } else if receiver.fix?.utc != seconds, zda?.utc != seconds {
        otherTimes[String(report.time?.prefix(10) ?? ""), default: 0] += 1
      }
    }

    private mutating func addPosition(
      of report: ReceiverLog.Report, _ fix: GPSFix?, after sentence: String
    ) {
      guard let latitude = report.lat, let longitude = report.lon else { return }
      positions += 1
      guard let fix else {
        Issue.record("no position after \(sentence)")
        return
      }
      #expect(abs(Double(fix.latitude) - latitude * 1e7) <= 1, "\(sentence)")
      #expect(abs(Double(fix.longitude) - longitude * 1e7) <= 1, "\(sentence)")
    }
  }
}

extension ZDA {
  fileprivate var utc: UInt32? {
    guard let day, let time else { return nil }
    return day * 86_400 + time / 1_000
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
