import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// A mailer that hangs while its core ends, as processes.
struct MailerTests {
  private let rig: RemoteRig

  init() throws {
    rig = try RemoteRig(
      config: """
        sinks:
          - {type: mail, from: alarm@example.org, test: true, command: [/bin/sh, SCRATCH/mailer]}
        """)
    // One for each contact. Our child is the shell; what it starts stands for a mailer's own.
    let folder = rig.scratch.path
    try """
    ls -l /proc/$$/fd > \(folder)/fds.$$
    sleep 1000 &
    echo $! >> \(folder)/sleepers
    echo $$ $! > \(folder)/draft.$$
    mv \(folder)/draft.$$ \(folder)/mailer.pids
    wait
    """.write(toFile: rig.scratch.path("mailer"), atomically: true, encoding: .utf8)
  }

  /// The shell and its child, once they run.
  private func awaitMailer() throws -> (shell: String, child: String) {
    let path = rig.scratch.path("mailer.pids")
    try rig.expect("a mailer") { FileManager.default.fileExists(atPath: path) }
    let pids = try String(contentsOfFile: path, encoding: .utf8).split(
      whereSeparator: \.isWhitespace)
    try #require(pids.count == 2)
    return (String(pids[0]), String(pids[1]))
  }

  /// Gone, or ended and not yet collected by whoever inherited it.
  private func hasEnded(_ process: String) -> Bool {
    let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return stat.map { $0.contains(") Z ") } ?? true
  }

  /// Those of a killed core live on: nobody is left who knows of them.
  private func endWaiters() {
    rig.core.interrupt()
    rig.core.awaitEnd()
    let pids = try? String(contentsOfFile: rig.scratch.path("sleepers"), encoding: .utf8)
    for pid in (pids ?? "").split(separator: "\n").compactMap({ pid_t($0) }) { kill(pid, SIGKILL) }
  }

  @Test func `a core that is killed leaves no mailer behind, and its port free`() throws {
    _ = try rig.press()
    let mailer = try awaitMailer()
    defer { endWaiters() }
    rig.core.kill9()
    // A core that could not listen would not become ready.
    try rig.startCore()
    try rig.expect("the mailer to be gone") { hasEnded(mailer.shell) }
    let fds = try String(contentsOfFile: rig.scratch.path("fds.\(mailer.shell)"), encoding: .utf8)
    #expect(fds.contains("/mailer\n"), "its script: \(fds)")
    for ours in ["socket:", "sqlite", "eventfd", "eventpoll"] { #expect(!fds.contains(ours)) }
  }

  @Test func `a core that is asked to end takes its mailer and what that started with it`() throws {
    _ = try rig.press()
    let mailer = try awaitMailer()
    rig.core.interrupt()
    #expect(rig.core.awaitEnd() == 0)
    try rig.expect("both to be gone") { hasEnded(mailer.shell) && hasEnded(mailer.child) }
  }
}
