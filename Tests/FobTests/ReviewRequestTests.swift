import TestSupport
import Testing

/// `fob ctl review`, real processes.
struct ReviewRequestTests {
  @Test func `an answer is read behind the PIN, and stands in no command line and no output`()
    throws
  {
    let scratch = try ScratchDirectory()
    let socket = scratch.path("core.sock")
    let core = try RunningFob(
      ["core", "--bench", "--state", scratch.path("state"), "--control", socket], in: scratch,
      pin: "2468")
    func ask(_ words: [String], input: String) throws -> RunningFob {
      let fob = try RunningFob(
        ["ctl", "review"] + words + ["--socket", socket], in: scratch, awaitsReady: false,
        pin: input)
      fob.awaitEnd()
      return fob
    }
    #expect(try ask(["begin"], input: "2468").output.contains(#""id":1,"#))
    let saved = try ask(
      ["save", "1", "--step", "1", "--text", "-"], input: "2468\nA lift.\nIt stood still.")
    #expect(saved.output.contains(#"{"text":"A lift.\nIt stood still.","version":1}"#))
    let stale = try ask(["save", "1", "--step", "1", "--text", "-"], input: "2468\nLater.")
    #expect(stale.awaitEnd() == 77 && stale.output.contains("another window"), "\(stale.output)")
    #expect(try ask(["show", "1"], input: "1357").output.contains("wrong PIN"))
    #expect(!core.output.contains("lift"))
    core.interrupt()
    #expect(core.awaitEnd() == 0)
  }
}
