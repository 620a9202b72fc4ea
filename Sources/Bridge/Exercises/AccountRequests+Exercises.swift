import AlertCore
import Control

/// The exercises at the control socket.
extension AccountRequests {
  private struct ExerciseAnswer: Encodable {
    let ok: Bool
    let exercises: ExerciseStatus
    var error: String?
  }

  /// Says how they stand; with `exercise` it starts that one first, or stops what runs.
  func exercises(_ asked: Request, _ reply: ControlReply) {
    let bridge = bridge
    guard let wanted = asked.exercise else {
      reply.send(ExerciseAnswer(ok: true, exercises: bridge.exercises))
      return
    }
    let exercise = Exercise(rawValue: wanted)
    guard exercise != nil || wanted == "stop" else {
      reply.fail("\"exercise\" is breathing, grounding or stop")
      return
    }
    let command = exercise.map { ExerciseCommand.start($0, device: asked.device) } ?? .stop
    bridge.perform(.exercise(command), by: Self.who) { answer in
      reply.send(
        ExerciseAnswer(
          ok: answer.refusal == nil, exercises: bridge.exercises,
          error: answer.refusal?.description))
    }
  }
}
