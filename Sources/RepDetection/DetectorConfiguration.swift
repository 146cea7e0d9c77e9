import MotionFrames
import SignalProcessing
import TemplateSearch

/// The settings of a detector: the caller's knowledge and choices, and the thresholds that experiments vary.
/// Each stage has a type of its own for its settings. Constants of a single feature are defined where it is
/// computed.
///
/// The thresholds were chosen on all the recordings named in docs/accuracy.md, at the center of a plateau
/// wherever there is one. Only the fitted weights are evaluated with devices, people and days left out.
///
/// A detector clamps configured durations: periods to 0.1 to 60 s, gaps to at most 10 minutes, a rest within
/// a set to at most an hour, a set to at most a day.
public struct DetectorConfiguration: Sendable, Codable {
  /// The caller's knowledge of the set.
  public var hints = SetHints()
  /// Weights for scoring segmentations and sets.
  package var weights = CounterWeights.fitted
  /// Minimum probability for a run of reps to be announced as a set. A lower value finds more sets, and finds
  /// them earlier, but gives more false positives.
  public var setProbability = 0.5
  /// Prior probability that a repeated movement is a set: about 0.5 in workouts, 0.05 over whole days.
  public var setPrior = 0.53
  /// Odds multiplier for expected runs: a declared set, a movement like a pattern of the hints or like an
  /// accepted bout of its set, the tempo of the hints.
  package var expectationOdds = 20.0

  // MARK: Stages

  package var frontEnd = FrontEndConfiguration()
  package var search = TemplateSearchConfiguration()
  /// Rules for counting reps before a bout of a declared set is recognized.
  package var provisional = ProvisionalConfiguration()
  /// Maximum gap within a segment of signal, in seconds. A longer one ends the segment.
  public var longestGapSeconds: Double {
    get { frontEnd.longestGapSeconds }
    set { frontEnd.longestGapSeconds = newValue }
  }

  // MARK: Comparing reps

  /// Minimum similarity of a movement to the others of its run; three such movements start a search for a
  /// run. Also the minimum mean similarity for a run to consist of reps, and for two movements to be a run.
  package var movementSimilarity: Float = 0.55
  package var runSimilarity: Float = 0.72
  /// Minimum turn or tilt of the wrist in a rep, as a fraction of the typical one in its run. A movement that
  /// falls short in both is a partial rep: reported but not counted.
  package var leastExtent: Float = 0.6
  /// Minimum fraction of a rep's motion that must have been measured; the rest may lie in a gap. The part
  /// beyond all samples may last at most `longestCutSeconds` in a rep with even motion.
  package var leastMeasuredFraction = 0.5
  package var longestCutSeconds = 0.9
  /// Maximum gap in all sensors within a rep, as a fraction of the rep. A rep is cut off at a longer gap,
  /// unless the gap is shorter than a silent sensor's.
  package var longestGapInReps = 0.25

  // MARK: Candidates

  /// Corner frequencies of the low-passes whose output is searched for turning points, in Hz.
  package var candidateCornersHz = [0.35, 0.6, 1.0, 1.7, 3.0]
  /// Minimum excursion of a turning point, as a fraction of the spread between the 5th and 95th percentile.
  package var turningPointHysteresis = 0.35
  /// The shortest period of reps, in seconds.
  public var shortestPeriodSeconds = 0.35
  /// The longest period of reps, in seconds.
  public var longestPeriodSeconds = 9.0
  /// Number of candidates that are refined when a set is segmented; two thirds while looking for one.
  package var candidatesInSet = 6
  /// Number of hypotheses whose phase is swept when a set is segmented.
  package var hypothesesSwept = 2

  // MARK: Decision

  /// Cost of movement and offset at rep boundaries. The chosen segmentation maximizes ln P − cost · (motion +
  /// offset). Motion is the wrist's motion at the boundaries, as a fraction of its mean motion. Offset is the
  /// distance from the first reps that would be announced in a declared set to the nearest reps of the
  /// segmentation, in periods.
  package var boundaryCost = 3.0

  /// Bonus for the score of a segmentation of a declared set that has the intended number of reps.
  package var targetPreference: Float = 1

  // MARK: Walking

  /// Minimum similarity to walking (``ForearmMotion``), 0 to 1, for a movement to be a stride and a run to be
  /// a walk.
  package var leastGait: Float = 0.35
  /// Minimum step peak (``StepSpectrum``) of a walk.
  package var leastStepPeak: Float = 0.06

  // MARK: Finding sets

  /// Interval between searches of the recent signal, in seconds.
  package var hopSeconds = 2.0
  /// Durations of the searched windows of recent signal, in seconds: a short one for movements that fit into
  /// it `chainReps` times, a long one for slow movements.
  package var shortWindowSeconds = 10.0
  package var longWindowSeconds = 24.0
  /// Minimum number of movements in a window for a run to be a potential set. Two are enough if they are
  /// slow.
  package var chainReps = 3
  /// Minimum period of a slow movement, in seconds. Two faster movements are not a set, and sides do not
  /// alternate faster.
  package var slowPeriodSeconds = 1.6
  /// Maximum pause between reps that belong together, in periods, or in intervals between searches if those
  /// are longer. A shorter one gives more false sets. A set is over when the time for one more rep has also
  /// passed.
  package var pauseInPeriods = 1.5
  /// Maximum rest within a set, in seconds. Rest-pause sets have 10 to 20 s between bouts, drop sets the time
  /// it takes to change the weight; straight sets follow each other after half a minute or more. A set has
  /// ended when this time has passed since its last rep. If 0, every bout is a set.
  public var longestRestWithinSetSeconds = 20.0
  /// Maximum duration of a set, in seconds. A longer one is finalized in parts.
  public var longestSetSeconds = 900.0

  // MARK: Live counting

  /// True to announce a detected set with its first rep, as the wrist begins another one like it. Otherwise
  /// it is announced after two reps have ended: about 2 s later, with fewer false positives.
  public var announcesWithFirstRep = true

  /// Overlap between reps, in periods: the next rep may begin this long before the end of the last one. The
  /// template is learned again this long after that end, when the whole rep is in the signal.
  package var liveOverlapInPeriods = 0.2
  /// Time after its end in the best segmentation at which a rep is announced, in seconds.
  package var liveHoldSeconds = 0.28

  public init() {}
}

extension DetectorConfiguration {
  /// `leastExtent` in the units of ``WristExtent/shortfall(of:)``: the largest shortfall of a rep.
  var mostShortfall: Float { -Math.log(leastExtent) }

  /// The configuration with durations clamped so that memory and time stay bounded. NaN is replaced by the
  /// default.
  var withinBounds: Self {
    let defaults = Self()
    var result = self
    func bound(_ value: inout Double, to bounds: ClosedRange<Double>, defaults: Double) {
      value = value.isNaN ? defaults : min(max(value, bounds.lowerBound), bounds.upperBound)
    }
    bound(&result.shortestPeriodSeconds, to: 0.1...60, defaults: defaults.shortestPeriodSeconds)
    bound(&result.longestPeriodSeconds, to: 0.1...60, defaults: defaults.longestPeriodSeconds)
    bound(&result.longestGapSeconds, to: 0...600, defaults: defaults.longestGapSeconds)
    bound(
      &result.longestRestWithinSetSeconds, to: 0...3600,
      defaults: defaults.longestRestWithinSetSeconds)
    bound(&result.longestSetSeconds, to: 0...86_400, defaults: defaults.longestSetSeconds)
    return result
  }

  /// The range of a typical rep's duration, in seconds.
  var periods: ClosedRange<Double> {
    shortestPeriodSeconds...max(longestPeriodSeconds, shortestPeriodSeconds)
  }

  /// Returns the range of a typical rep's duration in a window of the recent signal, in seconds.
  func periods(inLongWindow isLong: Bool) -> ClosedRange<Double> {
    let shortest = isLong ? max(slowPeriodSeconds, shortestPeriodSeconds) : shortestPeriodSeconds
    let longest = isLong ? longestPeriodSeconds : shortWindowSeconds / Double(chainReps)
    return shortest...max(min(longest, longestPeriodSeconds), shortest)
  }

  /// Returns the minimum number of movements of a run.
  func movementsNeeded(period: Double) -> Int { period < slowPeriodSeconds ? chainReps : 2 }

  /// Returns the longest gap in all sensors that a rep may contain, in seconds.
  func longestGap(period: Double) -> Double {
    max(frontEnd.silentSensorSeconds, longestGapInReps * period)
  }

  /// Returns true if two periods differ by less than a quarter.
  static func haveSameTempo(_ one: Double, _ other: Double) -> Bool {
    one < 1.25 * other && other < 1.25 * one
  }

  /// Returns the longest pause between two reps that belong together, in seconds.
  func longestPause(period: Double) -> Double { pauseInPeriods * max(period, hopSeconds) }
}
