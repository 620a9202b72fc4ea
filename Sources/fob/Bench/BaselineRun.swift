import ArgumentParser
import Foundation

/// What `--compare` names: the JSON of an earlier run, or an earlier fob to run beside this one.
enum BaselineRun: ExpressibleByArgument {
  case run(String)
  case program(String)

  init(argument path: String) {
    let isExecutable = FileManager.default.isExecutableFile(atPath: path)
    let head = FileHandle(forReadingAtPath: path).flatMap { try? $0.read(upToCount: 1) }?.first
    // A file of some disks is executable whatever it is: JSON is told by how it begins.
    self =
      isExecutable && head != nil && head != UInt8(ascii: "{") ? .program(path) : .run(path)
  }
}
