import Motion

/// Parses the app's messages other than chunks.
struct MessageParser {
  let options: DecodingOptions

  func parse(_ value: JSONValue) -> ChunkParser.Outcome {
    guard let type = (value["type"] ?? value["event"])?.text else {
      return .notAChunk("an object with neither \"samples\" nor \"type\"")
    }
    func field(_ key: String) -> JSONValue? { value[key] ?? value["metadata"]?[key] }
    let tooLong = [
      "sessionId", "exerciseId", "setId", "planId", "userId", "exerciseName", "messageId",
    ].contains { key in
      (field(key)?.text?.utf8.count ?? 0) > options.limits.textBytes
    }
    guard !tooLong else {
      return .notAChunk("an id of more than \(options.limits.textBytes) bytes")
    }
    let identity = SetIdentity(
      sessionId: field("sessionId")?.idText, exerciseId: field("exerciseId")?.idText,
      setId: field("setId")?.idText)
    func phase(_ key: String) -> WorkoutPhase? {
      field(key)?.text.flatMap(WorkoutPhase.init(rawValue:))
    }
    let time = field("timestamp") ?? field("detected_at") ?? field("startTime") ?? field("endTime")
    let unixTime = time?.unixTime(options.dateEncoding)
    if type == "healthData" {
      let heartRate = field("heartRate")?.number
      let calories = field("calories")?.number
      guard let unixTime, heartRate?.isFinite ?? true, calories?.isFinite ?? true else {
        return .notAChunk("a healthData message without a date or with values beyond numbers")
      }
      var message = HealthMessage(
        identity: identity, phase: phase("phase"),
        reading: HealthReading(unixTime: unixTime, heartRateBPM: heartRate, calories: calories))
      message.messageId = field("messageId")?.idText
      return .messages([.health(message)])
    }
    guard let kind = ControlMessage.Kind(rawValue: type) else {
      return .notAChunk("a message of the unknown type \"\(type.prefix(64))\"")
    }
    let reps = field("actualReps") ?? field("reps")
    // Without a count, the message revokes a correction.
    if kind == .correctSet, let reps, reps != .null, reps.integer == nil {
      return .notAChunk("a correctSet message with a count that is no whole number")
    }
    let deviceTime = unixTime == nil ? time?.number : nil
    var message = ControlMessage(
      kind: kind, identity: identity, phase: phase("to_phase") ?? phase("phase"),
      fromPhase: phase("from_phase"), unixTime: unixTime,
      deviceTime: deviceTime.flatMap { $0.isFinite ? $0 : nil },
      metadata: ChunkMetadata(
        type: type, planId: field("planId")?.idText, setOrder: field("setOrder")?.integer,
        exerciseIndex: field("exerciseIndex")?.integer, unixTime: unixTime))
    message.details = WorkoutDetails(
      userId: field("userId")?.idText, exerciseName: field("exerciseName")?.text,
      targetReps: field("targetReps")?.integer,
      reps: reps?.integer,
      weight: field("weight")?.number.flatMap { $0.isFinite ? $0 : nil })
    message.messageId = field("messageId")?.idText
    return .messages([.control(message)])
  }
}
