import Testing

/// `/readyz` and the metric of it, for whoever runs the core.
@Suite struct ReadinessTests {
  @Test func `a core whose server would make nothing durable is not ready, and counts as failing`()
    async throws
  {
    try await Rig.run { rig in
      #expect(try await rig.ask("GET", "/readyz", as: nil).status == 200)
      #expect(try await rig.ask("GET", "/metrics").text.contains("\nfob_store_failing 0\n"))
      rig.core.set { $0.serverTrouble = "the server of the store does not answer" }
      let answer = try await rig.ask("GET", "/readyz", as: nil)
      #expect(answer.status == 503)
      #expect(answer.text.contains("the server of the store does not answer"), "\(answer.text)")
      #expect(try await rig.ask("GET", "/metrics").text.contains("\nfob_store_failing 1\n"))
    }
  }
}
