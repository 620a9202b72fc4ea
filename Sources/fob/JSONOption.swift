import ArgumentParser

/// `--json`, which means the same at every command that has it.
struct JSONOption: ParsableArguments {
  @Flag(help: "Print JSON alone, one object a line.")
  var json = false

  /// Before anything is said.
  func begin() throws(Failure) {
    if json { try Terminal.keepOutput() }
  }
}
