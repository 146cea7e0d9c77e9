import Digests
import Motion
import WorkoutHistory

@testable import TimelineFormat

/// The contents of a timeline as lines of text, as printed by `reptrace_timeline.py --summary`.
enum TimelineSummary {
  static func lines(_ timeline: Timeline) -> [String] {
    let samples = timeline.samples
    var lines = [
      "samples \(samples.count) \(samples.clock.rawValue) \(samples.units.time.rawValue) "
        + "\(samples.units.bits)"
    ]
    for channel in samples.channels where !samples.isEmpty {
      var digest = SHA256()
      for value in samples[channel] {
        withUnsafeBytes(of: value.bitPattern.littleEndian) { digest.update($0) }
      }
      let isEstimated = samples.estimated.contains(channel) ? 1 : 0
      lines.append(
        "column \(channel.name) \(isEstimated) \(digest.finalize().hexadecimalDigits)")
    }
    lines += timeline.phases.map {
      "phase \($0.phase == .execution ? "execution" : "rest") "
        + "\($0.rows.lowerBound) \($0.rows.upperBound)"
    }
    if let set = timeline.set {
      lines.append(
        "set \(set.cause.rawValue) \(bits(set.start)) \(bits(set.end)) \(bits(set.confidence))")
      func rep(_ rep: CountedRep) -> String {
        "\(bits(rep.start)) \(bits(rep.end)) \(bits(rep.confidence))"
      }
      lines += set.reps.map { "rep " + rep($0) }
      lines += set.partialReps.map { "partial " + rep($0) }
    }
    if let provenance = timeline.provenance {
      lines += ["writer \(provenance.writer)", "detector \(provenance.detector)"]
      lines += provenance.settings.inByteOrder.map { "setting \($0.key) \($0.value)" }
    }
    let identity = timeline.identity
    for (name, id) in [
      ("sessionId", identity.sessionId), ("exerciseId", identity.exerciseId),
      ("setId", identity.setId),
    ] {
      if let id { lines.append("\(name) \(id)") }
    }
    if let date = timeline.unixTimeOfFirstSample {
      lines.append("unixTimeOfFirstSample \(bits(date))")
    }
    lines += timeline.movementCurve.map {
      "curve \(bits($0.time)) \(bits($0.movement)) \(bits(Double($0.completedRep ?? 0)))"
    }
    lines += timeline.health.map {
      "health \(bits($0.unixTime)) \($0.heartRateBPM.map(bits) ?? "-") "
        + "\($0.calories.map(bits) ?? "-")"
    }
    lines += timeline.otherSections.map {
      "section \($0.type.rawValue) \(SHA256.hash($0.payload).hexadecimalDigits)"
    }
    return lines
  }

  /// Returns the lines for bytes that may be damaged.
  static func lines(of bytes: [UInt8]?) -> [String] {
    guard let bytes, let timeline = try? TimelineDecoder().decode(bytes) else {
      return ["refused"]
    }
    return lines(timeline)
  }

  private static func bits(_ value: Double) -> String {
    withUnsafeBytes(of: value.bitPattern.bigEndian) { Array($0) }.hexadecimalDigits
  }
}
