import Control

extension EmulatedKeychain {
  /// Carries out one request of the control socket that came another way, as from another host.
  ///
  /// What stays with the socket, which only this user can open: streams (`subscribe`, `tap`), and
  /// GPS sources that are files of this host.
  /// - Parameters:
  ///   - request: one JSON object, as in `{"do":"press","hold_ms":120}`.
  ///   - answer: called once with the line that the socket would answer, or the refusal; on the
  ///     emulator's thread or the caller's, so it must not block.
  public func carryOut(
    _ request: [UInt8], _ answer: @escaping @Sendable (Result<[UInt8], CommandRefusal>) -> Void
  ) {
    do throws(CommandRefusal) {
      perform(try command(in: request)) { result in
        answer(
          result.map { _ in
            // Of text and numbers alone, which have a JSON form.
            (try? JSONLine.encode(AnswerJSON(result: result))) ?? []
          })
      }
    } catch {
      answer(.failure(error))
    }
  }

  private func command(in request: [UInt8]) throws(CommandRefusal) -> EmulatorCommand {
    let asked = try AddressedRequest.read(ControlRequest(line: request)).get()
    guard asked.address == .unsaid || asked.address == .serial(configuration.serial) else {
      throw CommandRefusal("one keychain is asked here, the one that the address names")
    }
    switch asked.request {
    case .command(.gps(.file, _)), .command(.gps(.pipe, _)):
      throw CommandRefusal(
        "a file of this host is chosen at its control socket or by --gps; here it is none, at:,"
          + " track: or story:")
    case .command(let command): return command
    case .subscribe, .tap:
      throw CommandRefusal("streams are to be had at the control socket")
    }
  }
}
