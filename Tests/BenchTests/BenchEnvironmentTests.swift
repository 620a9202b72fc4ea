import TestSupport
import Testing

@testable import Bench

struct BenchEnvironmentTests {
  @Test func `this machine and its disk are read`() throws {
    let folder = try ScratchDirectory()
    let machine = BenchEnvironment.read(folder: folder.path)
    #expect(!machine.kernel.isEmpty && !machine.processor.isEmpty && machine.processors > 0)
    #expect(machine.loadBefore >= 0 && ["debug", "release"].contains(machine.build))
    let (median, p99) = (try #require(machine.flushMedian), try #require(machine.flushP99))
    #expect(median > 0 && p99 >= median)
  }

  @Test func `a folder that cannot be written leaves the flush out`() {
    #expect(BenchEnvironment.read(folder: "/nowhere").flushMedian == nil)
  }

  @Test func `the processor is named as the kernel names it, else by its architecture`() {
    let intel = "processor\t: 0\nmodel name\t: Some Processor @ 2.0GHz\nmodel name\t: other\n"
    #expect(BenchEnvironment.processor(in: intel) == "Some Processor @ 2.0GHz")
    #expect(!BenchEnvironment.processor(in: "processor: 0\n").isEmpty)
  }
}
