import TestSupport
import Testing

/// The suite against the firmware on a Cortex-M.
@Suite(.serialized) struct QEMUConformTests {
  /// A board for each chapter, several at once: the time goes by in waiting.
  @Test(arguments: BoardFirmware.Board.allCases)
  func `conform passes on boards in QEMU, the long cases in a soak, real processes`(
    _ board: BoardFirmware.Board
  ) throws {
    // The flash of a micro:bit is read out before each frame goes on: on a busy host several boards
    // fall behind. Every day it is judged by one chapter, in a soak by all, two at once.
    let isSlow = board == .microbit
    let all = ["protocol", "reliability", "time", "button", "led", "battery", "gps", "seal"]
    let chapters = isSlow && !Soak.isOn ? ["protocol"] : all
    let atOnce = isSlow ? 2 : all.count
    for first in stride(from: 0, to: chapters.count, by: atOnce) {
      try judge(board, chapters[first..<min(first + atOnce, chapters.count)])
    }
  }

  private func judge(_ board: BoardFirmware.Board, _ chapters: ArraySlice<String>) throws {
    let runs = try chapters.map { chapter in
      let scratch = try ScratchDirectory()
      let keychain = try QEMUKeychain(in: scratch, board)
      // On a busy host QEMU's clock stands still, and its processor comes late.
      let run = try RunningFob(
        [
          "conform", "pty:" + scratch.path("keychain"), "--actuator",
          "control:" + scratch.path("keychain.sock"), "--chapter", chapter, "--slack", "800",
          "--clock-slack", "1500",
        ] + (Soak.isOn ? [] : ["--quick"]), in: scratch, awaitsReady: false)
      return (keychain, run)
    }
    for (keychain, run) in runs {
      try ConformCommandTests.expectPass(run)
      keychain.process.interrupt()
      #expect(keychain.process.awaitEnd() == 0)
    }
  }
}
