import SignalProcessing

/// The settings of a detector: what the caller knows and may choose, and the thresholds that trials change, in one
/// place. Constants that shape a figure stand where it is computed.
///
/// The thresholds were chosen with all recordings in view that docs/accuracy.md names, at the centre of a
/// plateau wherever there is one. Only the fitted weights are judged with devices, people and days left out.
///
/// Whatever durations a caller sets, a detector keeps them within bounds: periods from 0.1 to 60 s, a gap of at
/// most 10 minutes, a rest within a set of at most an hour, a set of at most a day.
public struct DetectorConfiguration: Sendable, Codable {
  /// What the caller knows.
  public var hints = SetHints()
  /// How segmentations and sets are judged.
  package var weights = CounterWeights.fitted
  package var rule = CountingRule.fitted
  /// The probability from which a run of reps is a set, and is announced as one. A lower value finds more sets,
  /// sooner, and more false positives.
  public var setProbability = 0.46
  /// How many times the odds of a found run those of a declared set are that it is one at all.
  package var declaredSetOdds = 30.0
  /// The same of a movement that resembles none of the hints' patterns, where there are any.
  package var unknownMovementOdds = 0.5

  // MARK: Front end

  /// Corner of the low-pass on all channels, Hz.
  package var frontEndCornerHz = 5.0
  /// How slowly the accelerometer corrects the direction of gravity, and the vertical velocity forgets, s.
  package var gravityTimeConstantSeconds = 2.0
  /// How slowly gravity is corrected where no gyroscope turns it, s.
  package var gravityTimeConstantWithoutGyroscopeSeconds = 0.5
  /// A sensor without a reading for this long is silent: nothing waits for it, and the wrist is taken to be
  /// still, s. No rep holds a longer gap in all sensors, unless it is shorter than this share of a rep: it is
  /// cut off there.
  package var silentSensorSeconds = 0.5
  package var longestGapInReps = 0.25
  /// What a rep is known by: at least this share of its motion was measured. The rest may lie in a gap. Beyond
  /// all samples lies at most what takes a rep that moves evenly this long, s.
  package var leastMeasuredShare = 0.5
  package var longestCutSeconds = 0.9
  /// Before its first sample and after its last the wrist is taken to be at rest for so long, having moved on
  /// at first, evenly slower, for this part of it, s.
  package var restBeyondSignalSeconds = 2.0
  package var slowingSeconds = 0.4
  /// A gap longer than this ends the segment of signal, s.
  public var longestGapSeconds = 10.0
  /// Samples in a row with a time before the newest after which the clock was set back.
  package var backwardTimesBeforeRestart = 50

  // MARK: Comparing reps

  /// The amplitudes of a typical exercise. Below this share of them (`MovementActivity`) the wrist is at rest,
  /// and nothing is a set or a rep.
  package var gravityReferenceG = 0.35
  package var rotationReferenceRadPerS = 0.8
  package var accelerationReferenceG = 0.12
  package var leastActivity: Float = 0.1
  /// What moves by less than this share of what is usual in its run is no rep.
  package var leastRepAmplitude: Float = 0.2

  /// A movement is one of a run if it is this similar to the others: a run is searched for where three are. A run
  /// is one of reps if its movements are on average this similar.
  package var movementSimilarity: Float = 0.55
  package var runSimilarity: Float = 0.72
  /// What is on average this similar is clearly one movement: two alone, one side like the other, and what is
  /// found by searching before as many were seen to begin and to end.
  package var clearSimilarity: Float = 0.83
  /// What turns and tilts the wrist by less than this share of what is usual in its run is a partial rep, which is
  /// told and not counted.
  package var leastExtent: Float = 0.6

  /// How finely reps are compared while looking for sets, and when one is segmented.
  package var windowResolution = ShapeResolution(stepsPerRep: 10, phases: 8)
  package var segmentationResolution = ShapeResolution(stepsPerRep: 14, phases: 16)

  // MARK: Candidates

  /// Corners of the low-passes on which turning points are looked for, Hz.
  package var candidateCornersHz = [0.35, 0.6, 1.0, 1.7, 3.0]
  /// A turn counts from this share of the spread between the 5th and 95th percentile.
  package var turningPointHysteresis = 0.35
  /// The shortest period of reps, s.
  public var shortestPeriodSeconds = 0.35
  /// The longest period of reps, s.
  public var longestPeriodSeconds = 9.0
  /// Candidates that are refined while looking for a set, and when one is segmented.
  package var candidatesInWindow = 4
  package var candidatesInSet = 6

  // MARK: Template search

  /// A rep is at most this many times as long or as short as a typical one, and a bout's typical rep as that
  /// of the bouts before it.
  package var repLengthRatio = 1.8
  /// Similarity squared that a rep must exceed to be worth more than rest.
  package var rewardOffset: Float = 0.35
  /// Hypotheses whose phase is swept when a set is segmented, and phases tried.
  package var hypothesesSwept = 2
  package var sweepPhases = 4
  /// Runs whose periods differ by less than this share are of one period.
  package var distinctPeriods = 0.08
  /// Searches with a template learned anew, for each phase.
  package var sweepPasses = 2

  /// Signal beyond the window that reps are compared with, in periods.
  package var contextInPeriods = 2.2

  // MARK: Decision

  /// Reps begin and end as in the segmentation with the highest ln P − cost · (motion + offset), where motion is
  /// how much the wrist moves at the boundaries, in shares of its mean motion, and offset how far the first reps
  /// that a declared set would be told begin from its reps, in periods.
  package var boundaryCost = 3.0

  /// What the score of a segmentation of a declared set gains by the tempo that the hints expect, and by
  /// the number of reps that was intended.
  package var usualPeriodPreference: Float = 3
  package var targetPreference: Float = 1
  /// Where the caller declares so, and reps were not halves: from this pause between reps, in durations of
  /// a rep, on the other side works unseen.
  package var unseenSidePause = 0.6

  // MARK: Walking

  /// A movement is a stride, and a run of movements a walk, if it is so much like walking (``ForearmMotion``), 0 to 1.
  package var leastGait: Float = 0.35

  // MARK: Finding sets

  /// How often the recent signal is looked at, s.
  package var hopSeconds = 2.0
  /// How much of it is looked at, and for reps of which periods, s.
  package var windows = [
    Window(seconds: 10, periods: 0.35...3), Window(seconds: 24, periods: 1.6...9),
  ]
  /// A run of so many movements in a window is a set in the making; two, if they are slow and clearly alike.
  package var chainReps = 3
  /// What takes at least this long is slow, s: two hasty movements are no set, and two sides do not take turns
  /// so fast.
  package var slowPeriodSeconds = 1.6
  /// Reps belong together if the pause between them is at most the larger of these: in periods,
  /// and s. A set is over when the time for one more rep has passed as well.
  package var pauseInPeriods = 1.5
  package var pauseSeconds = 3.0
  /// The longest rest within a set, s: rest-pause sets have 10 to 20 s between bouts, drop sets the
  /// time that changing the weight takes, straight sets follow each other after half a minute and more.
  /// A set has ended when so much time has passed since its last rep. 0: every bout is a set.
  public var longestRestWithinSetSeconds = 20.0
  /// The longest set that is kept whole, s. What is longer is finalized in parts.
  public var longestSetSeconds = 900.0

  // MARK: Counting along

  /// A found set is announced from so many movements: from 1 as the wrist sets out on another one like it, from
  /// more no sooner than they end. 0: when a window of ten seconds shows it, some seconds later, for a quarter
  /// less work.
  public var recognisedReps = 1
  /// What counts as a rep before a bout of a declared set is recognised.
  package var provisional = ProvisionalConfiguration()

  /// Frames (of 40 ms) between two looks at the rep under way.
  package var framesBetweenLiveSearches = 2
  /// The next rep may begin this long before the end of the last one, and the template is learned anew this
  /// long after it, in periods: all of it is known by then.
  package var liveOverlapInPeriods = 0.2
  /// How long a rep must have ended in the best segmentation before it is announced, s.
  package var liveHoldSeconds = 0.28

  public init() {}

  /// How much of the recent signal is searched for reps of which periods, s.
  package struct Window: Sendable, Codable {
    package var seconds: Double
    package var periods: ClosedRange<Double>
  }
}

extension DetectorConfiguration {
  /// Standard deviation of rotation below which a wrist is at rest, rad/s.
  package var restRotationRadPerS: Double { Double(leastActivity) * rotationReferenceRadPerS }

  /// `leastRepAmplitude` as a share of energy, which is the square of an amplitude.
  var energyFloor: Float { leastRepAmplitude * leastRepAmplitude }

  /// `leastExtent` as ``WristExtent/shortfall(of:)`` measures it: above this a movement is a partial rep.
  var mostShortfall: Float { -Math.log(leastExtent) }

  /// The same with durations in which memory and time stay bounded, and by default where one is no number.
  var withinBounds: Self {
    let usual = Self()
    var result = self
    func bound(_ value: inout Double, to bounds: ClosedRange<Double>, usual: Double) {
      value = value.isNaN ? usual : min(max(value, bounds.lowerBound), bounds.upperBound)
    }
    bound(&result.shortestPeriodSeconds, to: 0.1...60, usual: usual.shortestPeriodSeconds)
    bound(&result.longestPeriodSeconds, to: 0.1...60, usual: usual.longestPeriodSeconds)
    bound(&result.longestGapSeconds, to: 0...600, usual: usual.longestGapSeconds)
    bound(
      &result.longestRestWithinSetSeconds, to: 0...3600, usual: usual.longestRestWithinSetSeconds)
    bound(&result.longestSetSeconds, to: 0...86_400, usual: usual.longestSetSeconds)
    return result
  }

  /// How long a typical rep may take, s.
  var periods: ClosedRange<Double> {
    shortestPeriodSeconds...max(longestPeriodSeconds, shortestPeriodSeconds)
  }

  /// The longest gap in the signal that a rep may hold, s.
  func longestGap(period: Double) -> Double {
    max(silentSensorSeconds, longestGapInReps * period)
  }

  /// The longest pause between two reps that belong together, s.
  func longestPause(period: Double) -> Double { max(pauseInPeriods * period, pauseSeconds) }
}
