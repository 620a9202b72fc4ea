import FobBase
import Foundation
import NMEA
import SerialIO
import TestSupport
import Testing
import WireProtocol

@testable import Emulator

@Suite struct GPSTests {
  private let start = Instant(microseconds: 5_000_000)

  @Test func `the sentences of one time are one epoch, at the pace of the times`() throws {
    let text =
      "# a comment\r\n" + epoch("120000.00") + epoch("120000.01") + epoch("120000.03")
      + "noise\n" + epoch("120013.04") + epoch("115959.00")
    var feed = try feed(text, loop: false)
    let due: [Int64] = [0, 10_000, 30_000, 1_030_000, 2_030_000]
    var heard: [UInt8] = []
    for (index, offset) in due.enumerated() {
      let at = start + .microseconds(offset)
      feed.advance(to: at - .microseconds(1))
      #expect(feed.nextByte() == nil, "epoch \(index) came too early")
      feed.advance(to: at)
      let before = heard.count
      while let byte = feed.nextByte() { heard.append(byte) }
      #expect(heard.count > before, "epoch \(index) is late")
    }
    #expect(heard == Array(text.utf8), "every byte as it is in the file")
    #expect(feed.nextDue == nil, "silent at the end")
  }

  @Test func `a recording that loops begins again a second after its last epoch`() throws {
    var feed = try feed(epoch("235959.50") + epoch("000000.00"), loop: true)
    #expect(count(&feed, at: 0) > 0)
    #expect(feed.nextDue == start + .milliseconds(500), "midnight is half a second later")
    #expect(count(&feed, at: 500_000) > 0)
    #expect(feed.nextDue == start + .milliseconds(1_500))
    #expect(count(&feed, at: 1_500_000) > 0)
  }

  @Test func `what a board without power missed is not heard later`() throws {
    let text = (10...59).map { epoch("1200\($0).00") }.joined()
    var feed = try feed(text, loop: false)
    let one = epoch("120010.00").utf8.count
    #expect(count(&feed, at: 0) == one)
    #expect(count(&feed, at: 30_000_000) == one)
    #expect(feed.nextDue == start + .seconds(31))
  }

  @Test func `a file without times and an empty one do no harm`() throws {
    var text = try feed("hello\nworld\n", loop: false)
    #expect(count(&text, at: 0) == 12)
    #expect(text.nextDue == nil)
    var nothing = try feed("", loop: true)
    #expect(count(&nothing, at: 0) == 0)
    #expect(nothing.nextDue == nil)
    #expect(throws: IOFailure.self) {
      try GPSFeed(.file(path: "/nowhere/at.all", loop: false), at: start)
    }
  }

  @Test func `a place is written so that it is read back to the last digit`() throws {
    var random = SeededGenerator(seed: 42)
    for i in 0..<2_000 {
      let latitude =
        i == 0 ? 900_000_000 : Int32.random(in: -900_000_000...900_000_000, using: &random)
      let longitude =
        i == 0 ? -1_800_000_000 : Int32.random(in: -1_800_000_000...1_800_000_000, using: &random)
      let utc = Int64.random(in: 1_600_000_000...2_800_000_000, using: &random)
      let source = GPSSource.stationary(latitude: latitude, longitude: longitude)
      var feed = try GPSFeed(source, at: start, utc: utc * 1_000_000)
      feed.advance(to: start)
      var receiver = GPSReceiver()
      while let byte = feed.nextByte() { _ = receiver.receive(byte, at: start) }
      let fix = try #require(receiver.fix)
      #expect(fix.latitude == latitude && fix.longitude == longitude)
      #expect(fix.utc == UInt32(utc))
      #expect(fix.quality == .good && fix.satellites == 8)
      #expect(receiver.reader.accepted == 3 && receiver.reader.refused == 0)
    }
    for (latitude, longitude) in [(Int32(900_000_001), Int32(0)), (.min, .min)] {
      #expect(throws: IOFailure.self) {
        try GPSFeed(.stationary(latitude: latitude, longitude: longitude), at: start)
      }
    }
  }

  @Test func `the recorded place arrives in the event on a real pty`() throws {
    let directory = try ScratchDirectory()
    let path = "\(directory.path)/log.nmea"
    let gga = sentence("GPGGA,120000.00,4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,46.9,M,,")
    let rmc = sentence("GPRMC,120000.00,A,4807.0380,N,01131.0000,E,000.0,000.0,230325,,,A")
    try Data((gga + rmc).utf8).write(to: URL(filePath: path))
    let rig = try Rig(in: directory, gps: .file(path: path, loop: true))
    let host = try TestHost(rig.keychain.linkPath, acks: true)
    let record = try host.event(try rig.press())
    #expect(record.position.latitude == 481_173_000)
    #expect(record.position.longitude == 115_166_667)
    #expect(record.position.quality == .good)
    let state = try rig.state()
    #expect(state.gps == "good" && state.latitude == 481_173_000)
  }

  private func feed(_ text: String, loop: Bool) throws -> GPSFeed {
    let directory = try ScratchDirectory()
    let path = "\(directory.path)/log.nmea"
    try Data(text.utf8).write(to: URL(filePath: path))
    return try GPSFeed(.file(path: path, loop: loop), at: start)
  }

  private func count(_ feed: inout GPSFeed, at offset: Int64) -> Int {
    feed.advance(to: start + .microseconds(offset))
    var count = 0
    while feed.nextByte() != nil { count += 1 }
    return count
  }

  private func epoch(_ time: String) -> String {
    sentence("GPGGA,\(time),4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,46.9,M,,")
      + sentence("GPGSV,1,1,00") + sentence("GNGLL,4807.0380,N,01131.0000,E,\(time),A,A")
      + sentence("GPRMC,\(time),V,,,,,,,,,,N")
  }

  private func sentence(_ characters: String) -> String {
    let checksum = characters.utf8.reduce(0, ^)
    return "$\(characters)*\(String(format: "%02X", checksum))\r\n"
  }
}
