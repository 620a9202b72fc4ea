import FobBase
import Foundation
import TestSupport
import Testing

/// What `examples/` shows is true of the core of today.
@Suite(.serialized) struct ExamplesTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  @Test func `curl.sh goes from the account to the document of an incident, real processes`() throws
  {
    let rig = try ExampleCore(in: scratch, receiver: "http://127.0.0.1:9/")
    defer { rig.clock.stop() }
    let example = try RunningExample("curl.sh", [rig.url, rig.tokenFile], in: scratch)
    #expect(try example.awaitEnd() == 0, "\(example.output)")
    for words in [
      #""missingForProtection":["a full name""#, #""id":"contact-1""#,
      #"{"durable":true,"state":"ALERT_COUNTDOWN"}"#, "event: incidentOpened\ndata: ",
      #"{"durable":true,"state":"EMERGENCY_ENDED"}"#, #""format":"fob-incident""#,
      #""endReason":"disarmed""#, #""name":"silenced""#,
    ] {
      #expect(example.output.contains(words), "without \(words): \(example.output)")
    }
    let again = try RunningExample("curl.sh", [rig.url, rig.tokenFile], in: scratch)
    #expect(try again.awaitEnd() != 0, "a refusal ends it")
    #expect(again.output.contains(#""status":409"#), "\(again.output)")
  }

  @Test func `press_to_end.py tells an emergency and its receiver hears it once, real processes`()
    throws
  {
    let receiver = try ExampleReceiver(in: scratch)
    let rig = try ExampleCore(in: scratch, receiver: receiver.url)
    defer { rig.clock.stop() }
    let example = try RunningExample(
      "python/press_to_end.py", [rig.url, rig.tokenFile, "--drop"], in: scratch)
    try example.awaitOutput("stream: resumed after ")
    try example.awaitOutput("trigger: ALERT_COUNTDOWN")
    #expect(!receiver.process.output.contains("told:"), "told before the countdown was over")
    rig.clock.move(by: .seconds(121))
    #expect(try example.awaitEnd() == 0, "\(example.output)")
    for words in [
      "stream: dropped on purpose", "told: EMERGENCY_SENT", "acknowledged: by contact-1",
      "disarmed: EMERGENCY_ENDED", "lines, each once and in order", "incidentOpened checkIn",
      "delivered raise 1 webhook:receiver", "acknowledged contact-1", "resumed",
    ] {
      #expect(example.output.contains(words), "without \(words): \(example.output)")
    }
    try receiver.process.awaitOutput("told: closing to webhook receiver: BENCH TEST: ALL CLEAR. ")
    let told = receiver.process.output.split(separator: "\n").filter { $0.hasPrefix("told: ") }
    #expect(told.count == 2, "\(told)")
    #expect(
      told.first?.hasPrefix("told: raise to webhook receiver: BENCH TEST: ALERT! Owner ") == true)
  }

  @Test func `the receiver believes what is signed and fresh, and tells a repeat once`() throws {
    let receiver = try ExampleReceiver(in: scratch)
    let now = Int(Date().timeIntervalSince1970)
    let body = #"{"kind":"raise","contact":{"id":"contact-1","name":"Contact 1"},"text":"ALERT!"}"#
    func answers(_ status: String, key: String, at time: Int, signs other: String? = nil) throws {
      let signature = try sign(other ?? body, key: key, at: time)
      let given = try post(body, to: receiver.url, key: key, at: time, signature: signature)
      #expect(given == status, "\(key): \(receiver.process.output)")
    }
    try answers("401", key: "other-body", at: now, signs: body + " ")
    try answers("401", key: "old", at: now - 310)
    try answers("401", key: "future", at: now + 310)
    let forged = try post(
      body, to: receiver.url, key: "forged", at: now,
      signature: "v2=" + String(repeating: "0", count: 64))
    #expect(forged == "401")
    // What was signed for one key is not told again under another.
    let rekeyed = try post(
      body, to: receiver.url, key: "rekeyed", at: now, signature: sign(body, key: "one", at: now))
    #expect(rekeyed == "401")
    // Signed then, sent as of now.
    let replayed = try post(
      body, to: receiver.url, key: "replayed", at: now,
      signature: sign(body, key: "replayed", at: now - 310))
    #expect(replayed == "401")
    #expect(!receiver.process.output.contains("told:"), "\(receiver.process.output)")
    try answers("200", key: "one", at: now)
    try answers("200", key: "one", at: now - 200)
    try answers("200", key: "two", at: now)
    try receiver.process.awaitOutput("known: one")
    let lines = receiver.process.output.split(separator: "\n").dropFirst()
    #expect(lines.filter { $0 == "told: raise to Contact 1: ALERT!" }.count == 2)
    #expect(lines.filter { $0 == "refused: old timestamp" }.count == 2)
    #expect(lines.filter { $0 == "refused: wrong signature" }.count == 4)
  }

  @Test func `every notification channel that core.yaml offers can be taken, real process`() throws
  {
    let secret = scratch.path("secret")
    let key = scratch.path("key")
    try RemoteRig.write(ExampleReceiver.secret, to: secret)
    try RemoteRig.write("00112233445566778899aabbccddeeff", to: key)
    var offered = 0
    let text = try String(contentsOfFile: RunningExample.path("core.yaml"), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map { line in
        guard line.hasPrefix("#  ") else { return String(line) }
        if line.contains("- type:") { offered += 1 }
        return line.contains("secretFile:")
          ? "    secretFile: \(line.contains("key") ? key : secret)" : String(line.dropFirst())
      }.joined(separator: "\n")
    #expect(offered == 7)
    let config = scratch.path("all.yaml")
    try Data(text.utf8).write(to: URL(fileURLWithPath: config))
    let core = try RunningFob(
      [
        "core", "--state", scratch.path("state"), "--control", scratch.path("core.sock"),
        "--config", config,
      ], in: scratch)
    #expect(try Talk(scratch.path("core.sock")).must(["do": "status"])["status"] != nil)
    core.interrupt()
    #expect(core.awaitEnd() == 0, "\(core.output)")
  }

  // MARK: A sender other than fob

  /// By openssl, so that nothing of ours checks itself.
  private func sign(_ body: String, key: String, at time: Int) throws -> String {
    let signed = scratch.path("signed")
    try Data("v2\n\(time)\n\(key)\n\(body)".utf8).write(to: URL(fileURLWithPath: signed))
    let answer = try run(["openssl", "dgst", "-sha256", "-hmac", ExampleReceiver.secret, signed])
    return "v2=" + (try #require(answer.split(whereSeparator: \.isWhitespace).last))
  }

  /// - Returns: the status of the answer.
  private func post(
    _ body: String, to url: String, key: String, at time: Int, signature: String
  ) throws -> String {
    try run([
      "curl", "--noproxy", "*", "--silent", "--max-time", "20", "--output", "/dev/null",
      "--write-out", "%{http_code}", "--header", "Content-Type: application/json", "--header",
      "Idempotency-Key: \(key)", "--header", "Fob-Timestamp: \(time)", "--header",
      "Fob-Signature-2: \(signature)", "--data-binary", body, url,
    ])
  }

  private func run(_ words: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(words[0]) failed; is it installed?")
    return String(decoding: output, as: UTF8.self)
  }
}
