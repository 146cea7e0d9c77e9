import Motion
import SignalProcessing

extension MovementTemplate {
  /// Bytes that are held beside the value itself: shape, projection and similarities.
  var byteCount: Int { (shape.count + 9 * space.groups) * 16 + similarities.count * 4 }

  /// Whether reps that lie in `buffer` go on with a set of this movement: a share of them resembles it
  /// as remembered movements must, in posture and energy too.
  func goesOn(
    in reps: [RepRun.Rep], period repPeriod: Double, in buffer: FrameStore,
    configuration: DetectorConfiguration
  ) -> Bool {
    let alike = matches(with: reps, in: buffer, configuration: configuration).filter {
      isOfMovement($0, configuration)
    }
    let similarity = alike.reduce(0) { $0 + $1.similarity } / Float(max(alike.count, 1))
    let wanted = configuration.matchedShare * Double(reps.count) * min(1, repPeriod / period)
    return similarity >= configuration.recalledRunSimilarity && Double(alike.count) >= wanted
  }

  /// Whether a match is like a rep of this movement, in posture and energy too.
  func isOfMovement(_ match: Match, _ configuration: DetectorConfiguration) -> Bool {
    let limit = Math.cosine(configuration.recalledTiltDegrees / 180 * Double.pi)
    return match.similarity >= configuration.recalledRepSimilarity
      && match.postureCosine >= Float(limit)
      && configuration.recalledEnergy.contains(match.energy)
  }

  private func matches(
    with reps: [RepRun.Rep], in buffer: FrameStore, configuration: DetectorConfiguration
  ) -> [Match] {
    guard
      let first = reps.first, let last = reps.last,
      let rows = buffer.rows(from: first.start - period, to: last.end + period)
    else { return [] }
    let origin = buffer.times[rows.lowerBound]
    return matches(in: buffer.frames(rows)[...], configuration: configuration).filter {
      origin + $0.start < last.end - 0.2 && origin + $0.end > first.start + 0.2
    }
  }
}
