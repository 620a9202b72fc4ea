import Hummingbird

/// What is true now (R24 to R33).
enum StatusOperations {
  static let all = [
    Operation(
      method: .get, path: "/v1/status", scope: .observe, summary: "What is true now",
      success: [.json(.reference("Status"), "The status")],
      handler: { Reply.json($0.core.status) }),
    Operation(
      method: .post, path: "/v1/status/refresh", scope: .operate,
      summary: "Asks the keychains again; what does not answer in time is an error",
      success: [.json(.reference("Status"), "The status as it is then")],
      handler: { Reply.json(await $0.core.refreshedStatus()) }),
  ]
}
