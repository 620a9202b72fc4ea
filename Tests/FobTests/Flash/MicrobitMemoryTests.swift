import Testing
import Transport

@testable import fob

/// Whether a micro:bit would start with an image.
@Suite struct MicrobitMemoryTests {
  private let image = HexWriter.image().split(separator: "\n").map(String.init)

  @Test func `an image with vectors, code and nothing outside of the program's flash does`() throws
  {
    for version in Microbit.Version.allCases {
      try MicrobitMemory(version).check(IntelHex(Array(HexWriter.image().utf8)))
    }
  }

  @Test func `the stack begins in the RAM of the board's chip`() throws {
    for (stack, fits) in [
      (0x2000_4000, [true, true]), (0x2000_4008, [false, true]), (0x2002_0000, [false, true]),
      (0x2002_0008, [false, false]), (0x2000_0000, [false, false]), (0, [false, false]),
      (0xFFFF_FFFF, [false, false]), (0x2000_0001, [false, false]), (0x2000_2004, [false, false]),
    ] as [(UInt32, [Bool])] {
      for (version, fits) in zip(Microbit.Version.allCases, fits) {
        let refusal = refusal(HexWriter.image(stack: stack), version)
        #expect((refusal == nil) == fits, "\(refusal ?? "none")")
        if !fits {
          #expect(refusal?.hasPrefix("line 2 puts the stack at \(IntelHex.digits(stack))") == true)
        }
      }
    }
  }

  @Test func `the stack begins at a multiple of 8`() {
    #expect(
      refusal(HexWriter.image(stack: 0x2000_0004))
        == "line 2 puts the stack at 20000004, which is no multiple of 8")
  }

  @Test func `without vectors an image is blank`() throws {
    for (text, isBlank) in [
      (HexWriter.image(), false), (HexWriter.image(stack: .max, reset: .max), true),
      (":00000001FF\n", true),
    ] {
      #expect(MicrobitMemory.isBlank(try IntelHex(Array(text.utf8))) == isBlank)
    }
  }

  @Test func `the reset vector leads to Thumb code of the image`() {
    #expect(
      refusal(HexWriter.image(reset: 0x200))
        == "line 2 has the reset vector 00000200, whose lowest bit does not say Thumb code")
    for reset in [0x401, 0xBF, 0xFFFF_FFFF, 1] as [UInt32] {
      #expect(
        refusal(HexWriter.image(reset: reset))
          == "line 2 has the reset vector \(IntelHex.digits(reset)), outside of the image's code")
    }
  }

  @Test func `a line that was lost is missed, whichever it is`() {
    // The first record is an address, the last the end, and the one before that has no next one.
    for lost in 1..<image.count - 2 {
      var lines = image
      lines.remove(at: lost)
      let (what, place) = (lost <= 12 ? "vectors" : "bytes", UInt32(lost - 1) * 16)
      #expect(
        refusal(lines.joined(separator: "\n"))
          == "line \(lost + 1) begins at \(IntelHex.digits(place + 16)), and \(what) before it are"
          + " missing, from \(IntelHex.digits(place)) on")
    }
  }

  /// The user's configuration registers stand at 10001000; the store begins behind the program.
  @Test(arguments: [
    ([0x10, 0x00], 0x1014, "10001014", [false, false]),
    ([0, 3], 0x8000, "00038000", [false, true]),
    ([0, 7], 0x8000, "00078000", [false, false]), ([0x20, 0], 0, "20000000", [false, false]),
  ])
  func `bytes in configuration registers, RAM or the store are no program's`(
    upper: [UInt8], offset: UInt16, place: String, isFlash: [Bool]
  ) {
    for (version, isFlash) in zip(Microbit.Version.allCases, isFlash) {
      var lines = image
      lines.insert(HexWriter.record(4, 0, upper), at: lines.count - 1)
      lines.insert(HexWriter.record(0, offset, [1, 2]), at: lines.count - 1)
      let refusal = refusal(lines.joined(separator: "\n"), version)
      let words = isFlash ? "begins at \(place)" : "has bytes at \(place), outside of"
      #expect(
        refusal?.hasPrefix("line \(lines.count - 1) \(words)") == true, "\(refusal ?? "none")")
    }
  }

  /// - Returns: nil for none.
  private func refusal(_ text: String, _ version: Microbit.Version = .one) -> String? {
    do throws(IntelHex.Fault) {
      try MicrobitMemory(version).check(IntelHex(Array(text.utf8)))
      return nil
    } catch {
      return error.description
    }
  }
}
