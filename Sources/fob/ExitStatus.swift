import CLinux
import Capture
import FobBase
import Foundation
import Glibc
import SerialIO
import Storage
import Transport

/// How `fob` ends, after sysexits(3). One table for every command.
enum ExitStatus: Int32, CaseIterable {
  case success = 0
  case expectationMissed = 1
  case usage = 64
  case cannotOpen = 66
  case unreachable = 69
  case unsteady = 71
  case ioError = 74
  case timedOut = 75
  case refused = 77

  var meaning: String {
    switch self {
    case .success: "done, or ended by Ctrl-C"
    case .expectationMissed:
      "what the demo promises or a scenario expects did not happen, a world broke a rule, "
        + "a keychain does not conform, a replay differs, fob doctor finds an error, "
        + "or fob bench a press that was lost or a stage that is worse"
    case .usage: "the command line is wrong"
    case .cannotOpen: "a file, folder or device cannot be opened"
    case .unreachable:
      "nobody answers at the control socket, the server of --store does not serve, or another core "
        + "has taken the store over"
    case .unsteady: "the machine did not keep to the times of fob bench: its figures do not count"
    case .ioError: "reading or writing failed"
    case .timedOut: "it did not happen in time"
    case .refused: "the keychain, the bridge or the system refused"
    }
  }

  static var table: String {
    allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: "; ") + "."
  }
}

/// What a command could not do, in words for a person, and how the process ends.
struct Failure: Error {
  let status: ExitStatus
  let text: String

  init(_ status: ExitStatus, _ text: String) {
    self.status = status
    self.text = text
  }

  /// The text, in which devices and files of others may have words, for a terminal.
  var printable: String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { PrintableText.of(String($0)) }.joined(separator: "\n")
  }
}

extension Failure {
  /// Runs `body`; what the targets below throw becomes a failure with its exit code.
  static func mapped<T>(_ body: () throws -> T) throws(Failure) -> T {
    do {
      return try body()
    } catch let failure as Failure {
      throw failure
    } catch let failure as IOFailure {
      throw Failure(failure)
    } catch let failure as StorageFailure where failure.isOfServer {
      throw Failure(.unreachable, "\(failure)")
    } catch let failure as StorageFailure {
      throw Failure(
        .cannotOpen,
        "\(failure); name another folder with --state, or make room and permission there")
    } catch {
      throw Failure(.ioError, words(for: error))
    }
  }

  /// What a target says of its own errors; of the language's and libraries', what they have for
  /// people.
  private static func words(for error: any Error) -> String {
    switch error {
    case is DecodingError, is EncodingError, is CocoaError: error.localizedDescription
    default: "\(error)"
    }
  }

  init(_ failure: IOFailure) {
    self.init(Self.status(of: failure), "\(failure)\(Self.channel(of: failure))")
  }

  /// Of a keychain's line that cannot be opened.
  init(line failure: IOFailure) {
    let hint: String? =
      switch failure.errno {
      case EBUSY: "stop it, as a bridge that has the keychain"
      case EACCES: PortUser.current.refusal(of: failure.path)
      case ENOENT: "fob devices lists the lines that are here"
      default: nil
      }
    self.init(Self.status(of: failure), "\(failure)\(hint.map { "; \($0)" } ?? "")")
  }

  private static func status(of failure: IOFailure) -> ExitStatus {
    switch failure.errno {
    case ETIMEDOUT: .timedOut
    case ECONNREFUSED, ECONNRESET: .unreachable
    case EIO, EPIPE, ENOSPC, EFBIG, EDQUOT: .ioError
    default: .cannotOpen
    }
  }

  private static func channel(of failure: IOFailure) -> String {
    switch failure.errno {
    case EADDRINUSE: "; stop what runs there, or choose another place"
    case EWOULDBLOCK: "; stop it, or name another folder with --state"
    default: ""
    }
  }
}

/// Ctrl-C and SIGTERM as something to wait for. Made before any thread is started, so that no
/// thread takes the signals.
struct Termination: ~Copyable {
  private let signals: OwnedDescriptor

  init() throws(IOFailure) {
    let wanted = [SIGINT, SIGTERM, SIGHUP]
    signals = OwnedDescriptor(
      owning: try Syscall.run("wait for", "signals") {
        clinux_signalfd(wanted, Int32(wanted.count))
      }, path: "signals")
  }

  var descriptor: Int32 { signals.number }

  /// Waits for a signal.
  /// - Returns: its number; nil where it could not be read.
  func next() -> Int32? {
    guard wait() else { return nil }
    // A signalfd_siginfo, which begins with the signal's number (signalfd(2)).
    var info = [UInt32](repeating: 0, count: 32)
    let count = info.withUnsafeMutableBytes { read(signals.number, $0.baseAddress, $0.count) }
    return count > 0 ? Int32(info[0]) : nil
  }

  /// Waits for a signal, or until the deadline.
  /// - Returns: true when one came.
  func wait(until deadline: Instant? = nil) -> Bool {
    ((try? Syscall.poll(signals.number, for: POLLIN, until: deadline)) ?? 0) != 0
  }
}
