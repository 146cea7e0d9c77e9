import MotionFrames

/// The settings of the search for reps that resemble a template.
package struct TemplateSearchConfiguration: Sendable, Codable {
  package var amplitudes = TypicalAmplitudes()
  /// Resolution for comparing reps while looking for sets, and when segmenting a set.
  package var windowResolution = ShapeResolution(stepsPerRep: 10, phases: 8)
  package var segmentationResolution = ShapeResolution(stepsPerRep: 14, phases: 16)
  /// Maximum ratio of a rep's length to the typical length, in either direction, and of a bout's typical
  /// length to that of earlier bouts.
  package var repLengthRatio = 1.8
  /// Minimum squared similarity for a rep to score better than rest.
  package var rewardOffset: Float = 0.35
  /// Number of phases tried when a set is segmented, and of searches per phase. Each search uses a template
  /// learned from the reps that the previous one found.
  package var sweepPhases = 4
  package var sweepPasses = 2

  package init() {}

  /// Minimum energy of a rep, the square of its amplitude, as a fraction of the typical energy in its run.
  var energyFloor: Float { amplitudes.leastFraction * amplitudes.leastFraction }
}
