import FobBase

/// What is wrong with a keychain, in plain words.
extension DeviceDefect {
  /// `it says of its clock …`
  var words: String {
    switch self {
    case .clockWraps(let bits, let unit, let fullIn, let clocks):
      "from now on \(Self.words(clocks)) counted in \(bits) bits of \(unit) µs, full after"
        + " \(NumberText.length(fullIn)) at the latest"
    case .clockRuns(let pace, let clocks):
      switch pace {
      case .frozen: "from now on \(Self.words(clocks)) frozen"
      case .backward: "from now on \(Self.words(clocks)) running backward"
      case .fast: "from now on \(Self.words(clocks)) a hundred times too fast"
      case .slow: "from now on \(Self.words(clocks)) a hundred times too slow"
      }
    case .stumbles(let ahead, let numbers):
      "from now on what is no press is stamped \(NumberText.length(ahead)) ahead of time,"
        + " and numbered \(numbers) too high"
    case .numbers(let numbers): Self.words(numbers)
    case .nonces(.constant): "from now on each boot has the same nonce"
    case .nonces(.otherInHello): "from now on HELLO has another nonce than all else"
    case .nonces(.otherInEachEvent): "from now on each event has a nonce of its own"
    case .idBorrowed(let other): "from now on it says that it is keychain \(other + 1)"
    case .readings: "from now on its battery, its fixes and its flags are nonsense"
    }
  }

  private static func words(_ clocks: Clocks) -> String {
    switch clocks {
    case .stamps: "the clock of its events is"
    case .all: "its clock is"
    }
  }

  private static func words(_ numbers: Numbers) -> String {
    switch numbers {
    case .highestOnce: "its next press has the highest number that there is"
    case .highestOfBootOnce: "its next press has the highest number of its boot"
    case .mergedAheadOnce: "its next press stands for all up to a number far ahead"
    case .leaping: "from now on the numbers of its events leap"
    case .repeating: "from now on two events each have one number"
    case .wrapping: "from now on its events are numbered 1 to 4, again and again"
    case .falling: "from now on the numbers of its events fall"
    }
  }
}
