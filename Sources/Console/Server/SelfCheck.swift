import FobBase
import Foundation
import SerialIO
import Sinks
import SystemCrypto

/// Finds out whether others can reach this server under its names: asks itself once under each, as
/// soon as it listens.
struct SelfCheck: Sendable {
  let configuration: ConsoleConfiguration
  let port: Int

  private static let patience = Interval.seconds(3)

  /// Troubles in words, with a hint; none if it answers under every name.
  func troubles() async -> [String] {
    var troubles: [String] = []
    if configuration.address.isWildcard, configuration.names.isEmpty {
      troubles.append(
        "other hosts are answered only where they ask for an address of this host; name it with"
          + " --host NAME or --public-url URL")
    }
    troubles += await answerTroubles()
    do {
      if let tls = configuration.tls, let leaf = try tls.chain().first {
        troubles += mistakes(in: leaf, of: tls.certificate)
      }
    } catch {
      troubles.append("the certificate cannot be read again: \(error)")
    }
    return troubles
  }

  /// Asks on its own thread: the answer comes from this server, which needs Swift's pool.
  private func answerTroubles() async -> [String] {
    await withCheckedContinuation { continuation in
      do {
        _ = try BlockingThread(name: "self check") {
          continuation.resume(returning: configuration.names.compactMap(trouble))
        }
      } catch {
        continuation.resume(returning: ["this server could not be asked by itself: \(error)"])
      }
    }
  }

  private func trouble(under name: String) -> String? {
    let status: Int
    do throws(HTTPTrouble) {
      status = try ask(under: name)
    } catch {
      return "asked for \(name), this server does not answer itself: \(error)"
    }
    guard status != 200 else { return nil }
    return "asked for \(name), this server answers \(status) to itself;"
      + " name that host with --host \(name)"
  }

  /// - Returns: the HTTP status of the answer.
  private func ask(under name: String) throws(HTTPTrouble) -> Int {
    let scheme = configuration.tls == nil ? "http" : "https"
    let host = name.contains(":") ? "[\(name)]" : name
    var request = HTTPRequest("\(scheme)://\(reached):\(port)/healthz")
    request.headers = [
      (name: "Host", value: "\(host):\(port)"), (name: "Connection", value: "close"),
    ]
    request.trust = .anyone
    request.connectWithin = Self.patience
    request.answerWithin = Self.patience
    return try HTTPTransfer(request).perform().status
  }

  private var reached: String {
    switch configuration.address.host {
    case "0.0.0.0": "127.0.0.1"
    case "::": "[::1]"
    case let host: host.contains(":") ? "[\(host)]" : host
    }
  }

  // MARK: The certificate

  private func mistakes(in leaf: Certificate, of file: String) -> [String] {
    // Only names are checked: addresses in certificates are rare, and used on purpose.
    let names = configuration.names.filter { HostAddress($0) == nil && $0 != "localhost" }
    var troubles = names.filter { !leaf.covers($0) }.map {
      "the certificate in \(file) is not for \($0): bridges and browsers will refuse it; give one"
        + " that names it"
    }
    if leaf.hasExpired {
      troubles.append("the certificate in \(file) has expired; give a new one")
    }
    return troubles
  }
}
