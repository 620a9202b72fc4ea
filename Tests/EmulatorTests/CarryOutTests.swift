import Emulator
import FobBase
import Foundation
import TestSupport
import Testing

/// Requests of the control socket that come another way.
@Suite struct CarryOutTests {
  @Test func `a press is answered with its event, as at the socket`() throws {
    let rig = try Rig(controlName: nil)
    let answer = try Self.ask(rig.keychain, #"{"do":"press","hold_ms":40}"#).get()
    #expect(answer.hasPrefix(#"{"event":"1."#) && answer.hasSuffix(#""ok":true}"#), "\(answer)")
    let state = try Self.ask(rig.keychain, #"{"do":"state"}"#).get()
    #expect(state.contains(#""device":"8000000000000007""#), "\(state)")
  }

  @Test(arguments: [
    (#"{"do":"jump"}"#, "must be one of"),
    (#"{"do":"battery","percent":101}"#, "0 to 100"),
    (#"{"do":"press","hold":3}"#, "does not belong here"),
    (#"{"do":"press","all":true}"#, "one keychain is asked here"),
    (#"{"do":"press","serial":8}"#, "one keychain is asked here"),
    (#"{"do":"subscribe"}"#, "control socket"), (#"{"do":"tap"}"#, "control socket"),
    (#"{"do":"gps","source":"pipe:/dev/zero"}"#, "a file of this host"),
    (#"{"do":"gps","source":"/etc/hostname"}"#, "a file of this host"),
    ("[]", "one flat JSON object"), ("", "one flat JSON object"),
  ])
  func `what cannot be done is refused in the socket's words`(
    request: String, reason: String
  ) throws {
    let rig = try Rig(controlName: nil)
    guard case .failure(let refusal) = try Self.ask(rig.keychain, request) else {
      Issue.record("it was done")
      return
    }
    #expect(refusal.description.contains(reason), "\(refusal)")
  }

  /// There is no fuzz entry of this parser: what it is made of does not build for the fuzzer.
  @Test(arguments: 1...8)
  func `whatever the bytes, each request is answered once`(seed: UInt64) throws {
    let rig = try Rig(controlName: nil)
    var generator = SeededGenerator(seed: seed)
    let seeds = [
      #"{"do":"press","hold_ms":40}"#, #"{"do":"gps","source":"story:tunnel","loop":true}"#,
      #"{"do":"fault","kind":"drop","every":7,"to":"host"}"#, #"{"do":"battery","mv":3700}"#,
      #"{"do":"wait","for":"ready","within_ms":1}"#, #"{"do":"powercut","ms":1}"#,
    ].map { Array($0.utf8) }
    for _ in 0..<200 {
      var request = seeds.randomElement(using: &generator)!
      for _ in 0..<Int.random(in: 0...4, using: &generator) where !request.isEmpty {
        let at = Int.random(in: 0..<request.count, using: &generator)
        switch Int.random(in: 0...3, using: &generator) {
        case 0: request[at] = UInt8.random(in: 0...255, using: &generator)
        case 1: request.remove(at: at)
        case 2: request.insert(contentsOf: request[at...].prefix(9), at: at)
        default: request.removeLast(request.count - at)
        }
      }
      _ = try Self.ask(rig.keychain, request)
    }
  }

  private static func ask(
    _ keychain: EmulatedKeychain, _ request: String
  ) throws -> Result<String, CommandRefusal> { try ask(keychain, Array(request.utf8)) }

  private static func ask(
    _ keychain: EmulatedKeychain, _ request: [UInt8]
  ) throws -> Result<String, CommandRefusal> {
    let answers = Gathered<Result<String, CommandRefusal>>()
    keychain.carryOut(request) { answer in
      answers.put(answer.map { String(decoding: $0, as: UTF8.self) })
    }
    return try answers.take("an answer") { $0.first }
  }
}
