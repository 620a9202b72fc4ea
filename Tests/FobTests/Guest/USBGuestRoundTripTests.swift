import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing
import WireProtocol

/// A question and its answer on the package's own line beside a bare program in C that writes the
/// same bytes and reads as many, on the same keychain, in turns.
@Suite(.serialized, .enabled(if: USBGuest.isHere)) struct USBGuestRoundTripTests {
  private static let rounds = Soak.isOn ? 40 : 4
  private static let count = 25
  /// The soak holds the bar, by the medians. Beside other programs those are apart by chance: then
  /// the quickest tenth says whether ours waits for something, which is many times as long.
  private static let most = Soak.isOn ? 1.15 : 8
  private static let share = Soak.isOn ? 2 : 10

  /// TIME_REQ as the keychain's own clock sync asks it, outside any session.
  private static let question = WireFrame(
    FrameBody(TimeRequest(hostSend: 1, session: 1), sequence: 1)
  ).withBytes { Array($0) }

  private static let answerLength = WireFrame(
    FrameBody(
      TimeResponse(
        to: TimeRequest(hostSend: 1, session: 1), receive: 1, send: 1, bootNonce: 1), sequence: 1)
  ).withBytes { $0.count }

  @Test func `a round trip takes about as long as that of a bare program in C`() throws {
    let rig = try USBRig([.tty], hasBridge: false)
    try rig.plug()
    try rig.awaitNode(rig.serials[0])
    try compare(.tty, rig, USBRig.link(rig.serials[0]))
    try Self.takePortAway()
    try compare(.usb, rig, rig.serials[0])
    rig.stop()
  }

  /// - Parameter name: by which the program in C opens the keychain.
  private func compare(_ way: USBRig.Way, _ rig: USBRig, _ name: String) throws {
    let program = [
      name, Self.question.map { String(format: "%02x", $0) }.joined(), "\(Self.answerLength)",
      "\(Self.count)",
    ]
    var bare: [UInt64] = []
    var ours: [UInt64] = []
    for _ in 0..<Self.rounds {
      bare += try Self.run("echo_\(way)", program)
      ours += try RoundTrips.measure(
        way.spec(rig.serials[0]), Self.question, answer: Self.answerLength, count: Self.count)
    }
    let (own, other) = (Self.typical(ours), Self.typical(bare))
    let ratio = Double(own) / Double(other)
    USBGuest.say(
      "round trip by \(way): \(own / 1_000) µs, in C \(other / 1_000) µs, ratio "
        + String(format: "%.3f", ratio))
    #expect(ratio <= Self.most, "\(way)")
  }

  /// So that kernel and udev do not make it anew between the rounds.
  private static func takePortAway() throws {
    let driver = "/sys/bus/usb/drivers/cdc_acm"
    let bound = try FileManager.default.contentsOfDirectory(atPath: driver)
    let interface = try #require(bound.first { $0.hasSuffix(":1.0") })
    try Data(interface.utf8).write(to: URL(filePath: driver + "/unbind"))
  }

  private static func run(_ name: String, _ arguments: [String]) throws -> [UInt64] {
    let beside = (RunningFob.binary as NSString).deletingLastPathComponent
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "\(beside)/\(name)")
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(name) ended with an error")
    return text.split(separator: "\n").compactMap { UInt64($0) }
  }

  private static func typical(_ samples: [UInt64]) -> UInt64 {
    samples.sorted()[samples.count / share]
  }
}
