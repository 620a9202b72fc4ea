import FobBase
import Foundation
import HummingbirdTLS
import NIOCore
import NIOPosix
import NIOSSL

/// What keeps others from reaching this server by one of its names: found out by asking it once
/// under each, as soon as it listens.
struct SelfCheck: Sendable {
  let configuration: ConsoleConfiguration
  let port: Int
  let loops: MultiThreadedEventLoopGroup

  private static let patience = TimeAmount.seconds(3)

  /// In words, with a hint; none: it answers under every name.
  func troubles() async -> [String] {
    var troubles: [String] = []
    if configuration.address.isWildcard, configuration.names.isEmpty {
      troubles.append(
        "other hosts are answered only where they ask for an address of this host; name it with"
          + " --host NAME or --public-url URL")
    }
    for name in configuration.names {
      if let trouble = await trouble(under: name) { troubles.append(trouble) }
    }
    do {
      if let tls = configuration.tls,
        let leaf = try NIOSSLCertificate.fromPEMFile(tls.certificate).first
      {
        troubles += mistakes(in: leaf, of: tls.certificate)
      }
    } catch {
      troubles.append("the certificate cannot be read again: \(error)")
    }
    return troubles
  }

  private func trouble(under name: String) async -> String? {
    let answer: String
    do {
      answer = try await ask(under: name)
    } catch {
      return "asked for \(name), this server does not answer itself: \(error)"
    }
    let status = answer.split(separator: " ").dropFirst().first
    guard status != "200" else { return nil }
    return "asked for \(name), this server answers \(status ?? "nothing") to itself;"
      + " name that host with --host \(name)"
  }

  /// - Returns: the beginning of the answer.
  private func ask(under name: String) async throws -> String {
    let channel = try await ClientBootstrap(group: loops).connectTimeout(Self.patience)
      .connect(host: reached, port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          if configuration.tls != nil {
            // It knows itself: whom others trust is theirs to say.
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.certificateVerification = .none
            try channel.pipeline.syncOperations.addHandler(
              NIOSSLClientHandler(context: NIOSSLContext(configuration: tls), serverHostname: nil))
          }
          // Without an answer it is the end of the connection that is heard.
          channel.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
          return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
            wrappingChannelSynchronously: channel)
        }
      }
    let host = name.contains(":") ? "[\(name)]" : name
    return try await channel.executeThenClose { inbound, outbound in
      try await outbound.write(
        ByteBuffer(
          string: "GET /healthz HTTP/1.1\r\nHost: \(host):\(port)\r\nConnection: close\r\n\r\n"))
      var text = ""
      for try await part in inbound {
        text += String(buffer: part)
        if text.contains("\r\n") { break }
      }
      return text
    }
  }

  private var reached: String {
    switch configuration.address.host {
    case "0.0.0.0": "127.0.0.1"
    case "::": "::1"
    case let host: host
    }
  }

  // MARK: The certificate

  private func mistakes(in leaf: NIOSSLCertificate, of file: String) -> [String] {
    let covered = leaf._subjectAlternativeNames().compactMap { name -> String? in
      name.nameType == .dnsName ? String(decoding: Array(name.contents), as: UTF8.self) : nil
    }
    // Addresses in certificates are rare, and who uses one knows: names are what is mistaken.
    let names = configuration.names.filter { HostAddress($0) == nil && $0 != "localhost" }
    var troubles = names.filter { name in !covered.contains { Self.covers($0, name) } }.map {
      "the certificate in \(file) is not for \($0): bridges and browsers will refuse it; give one"
        + " that names it"
    }
    if Date(timeIntervalSince1970: TimeInterval(leaf.notValidAfter)) < Date() {
      troubles.append("the certificate in \(file) has expired; give a new one")
    }
    return troubles
  }

  /// As RFC 9525 has it: a star stands for one whole label, the first.
  static func covers(_ pattern: String, _ name: String) -> Bool {
    let (pattern, name) = (pattern.lowercased(), name.lowercased())
    guard pattern.hasPrefix("*.") else { return pattern == name }
    guard let dot = name.firstIndex(of: "."), dot != name.startIndex else { return false }
    return name[dot...] == pattern.dropFirst()
  }
}
