import Motion
import MotionFrames
import SignalProcessing
import TemplateSearch

/// Counts the first reps of a bout, before enough of them have repeated for it to be recognized.
///
/// In a declared set the first complete movement is a rep: the wrist sets out from rest, turns, and comes
/// back the same way. From then on the wrist is tracked along the axis of that movement. It is out if it is
/// near the axis and beyond ``DetectorConfiguration/leastExtent`` of the range; a rep has ended when the
/// wrist is back. If the next movement is of another kind, the first one only took up the starting position
/// and is retracted. If no set is declared, the counter watches for one: a movement that repeats is its first
/// rep. O(24) per frame, about 5 KB.
struct ProvisionalCounter: Sendable, Codable {
  enum Report: Sendable {
    case rep(CountedRep)
    /// The wrist is out again, soon after a rep and about as fast.
    case isRepeating
    /// The last announced rep was not one.
    case retracted
  }

  private static let capacity = 24
  /// Number of frames before and after an onset candidate in which the wrist is faster.
  private static let reach = 3

  private let configuration: ProvisionalConfiguration
  /// True if all reps so far may be withdrawn, not only the first.
  private let isTentative: Bool
  /// Minimum turn of another rep, as a fraction of the first rep's turn.
  private let leastExtent: Float
  /// Maximum ratio of another rep's speed to the first one's, in either direction.
  private let speedRatio: Float
  /// Allowed durations of a rep, in seconds.
  private let durations: ClosedRange<Double>
  private(set) var count = 0
  /// Begin of the first announced rep and end of the last, in seconds.
  private(set) var firstStart = Double.infinity
  private(set) var lastEnd = -Double.infinity
  /// The counted movement; while ``count`` is 0, that of an earlier bout.
  private(set) var movement: ProvisionalMovement?
  private var newest: [WristMoment] = []
  private var framesSinceCandidate = 0
  private var onsetCandidates: [OnsetCandidate] = []
  private var progress: Progress?

  /// The wrist's progress in the current rep.
  private struct Progress: Sendable, Codable {
    /// Begin of the rep, and the peak speed since, in rad/s.
    var begin: WristMoment
    var peakSpeed: Float
    var isOut = false
    var returnDetector = ReturnDetector()
  }

  /// - Parameters:
  ///   - known: The movement of an earlier bout of the set; only movements that resemble it are counted.
  ///   - isTentative: Whether no set is declared.
  init(
    _ configuration: DetectorConfiguration, known: ProvisionalMovement? = nil,
    isTentative: Bool = false
  ) {
    self.configuration = configuration.provisional
    self.isTentative = isTentative
    leastExtent = configuration.leastExtent
    speedRatio = Float(configuration.search.repLengthRatio)
    durations = configuration.periods
    movement = known
  }

  /// Returns the first reps of a window, at most two, as they would be announced in a declared set.
  static func firstReps(
    in window: TimedFrames, configuration: DetectorConfiguration
  ) -> [CountedRep] {
    var counter = ProvisionalCounter(configuration)
    var reps: [CountedRep] = []
    for (row, time) in window.times.enumerated()
    where !window.isBeyondSignal[row] {
      if row > 0, time - window.times[row - 1] > 1.5 / FrontEnd.frameRateHz {
        counter.resetHistory(before: time)
      }
      for report in counter.append(window.frames[row], at: time) {
        switch report {
        case .rep(let rep): reps.append(rep)
        case .isRepeating: break
        case .retracted: reps = []
        }
      }
      if reps.count == 2 { break }
    }
    return reps
  }

  /// Resets the count, but keeps the wrist's history.
  mutating func restart() {
    count = 0
    firstStart = .infinity
    movement = nil
    progress = nil
  }

  /// Drops the wrist's history, because frames are missing before a time, in seconds.
  mutating func resetHistory(before time: Double) {
    newest = []
    onsetCandidates = []
    progress = nil
    // The clock may have been set back.
    lastEnd = min(lastEnd, time)
  }

  mutating func append(_ frame: TimedFrame) -> [Report] {
    if frame.startsAfterBreak { resetHistory(before: frame.time) }
    return frame.isSynthetic ? [] : append(frame.frame, at: frame.time)
  }

  private mutating func append(_ frame: MotionFrame, at time: Double) -> [Report] {
    let moment = next(frame, at: time)
    for i in onsetCandidates.indices { onsetCandidates[i].append(moment, configuration) }
    noteOnsetCandidate()
    if let begin = onsetCandidates.first?.moment.time,
      moment.time - begin > durations.upperBound + 1
    {
      onsetCandidates.removeFirst()
    }
    let wasOut = progress?.isOut == true
    if count > 0, let rep = completedRep(at: moment) { return [report(rep)] }
    let repeating: [Report] = !wasOut && isRepeating ? [.isRepeating] : []
    for candidate in onsetCandidates.reversed() {
      guard let seen = candidate.movement(lasting: durations, configuration) else { continue }
      return repeating + process(seen, at: moment)
    }
    return repeating
  }

  /// Returns the wrist's state after the newest frame.
  private mutating func next(_ frame: MotionFrame, at time: Double) -> WristMoment {
    let speed = frame.squaredAngularSpeed.squareRoot()
    var attitude = Attitude()
    if let last = newest.last {
      attitude = last.attitude
      attitude.turn(by: frame.rotation, for: Float(1 / FrontEnd.frameRateHz))
    }
    let moment = WristMoment(time: time, attitude: attitude, speed: speed)
    if newest.count > 2 * Self.reach { newest.removeFirst() }
    newest.append(moment)
    return moment
  }

  /// Adds an onset candidate where the wrist was slowest, because a rep may begin there.
  private mutating func noteOnsetCandidate() {
    framesSinceCandidate += 1
    guard newest.count == 2 * Self.reach + 1, framesSinceCandidate > Self.reach else { return }
    let middle = newest[Self.reach]
    guard middle.time >= lastEnd, newest.allSatisfy({ $0.speed >= middle.speed }) else { return }
    framesSinceCandidate = 0
    var candidate = OnsetCandidate(middle)
    for moment in newest[(Self.reach + 1)...] { candidate.append(moment, configuration) }
    // A rep begins at the last candidate before the wrist leaves.
    while let last = onsetCandidates.last, !last.hasLeft(configuration) {
      onsetCandidates.removeLast()
    }
    if onsetCandidates.count >= Self.capacity { onsetCandidates.removeFirst() }
    onsetCandidates.append(candidate)
  }

  /// Handles a movement that was observed from begin to end.
  private mutating func process(_ seen: ProvisionalMovement, at moment: WristMoment) -> [Report] {
    if count > 0 {
      let isOngoing = progress?.isOut == true
      guard count == 1 || isTentative, !isOngoing || moment.time - lastEnd > durations.upperBound,
        let movement, seen.similarity(to: movement) < leastExtent
      else { return [] }
      count = 0
      return [.retracted, report(seen)]
    } else if let movement, seen.similarity(to: movement) < leastExtent {
      return []
    }
    return [report(seen)]
  }

  private mutating func report(_ rep: ProvisionalMovement) -> Report {
    var rep = rep
    rep.begin.attitude = rep.begin.attitude.middle(to: rep.end.attitude)
    count += 1
    if count == 1 { firstStart = rep.begin.time }
    lastEnd = rep.end.time
    movement = rep
    progress = Progress(begin: rep.end, peakSpeed: 0)
    onsetCandidates.removeAll { $0.moment.time < rep.end.time }
    let first = configuration.firstConfidence
    let confidence = count == 1 ? first : (1 + first) / 2
    return .rep(
      CountedRep(start: rep.begin.time, end: rep.end.time, confidence: confidence))
  }

  /// True if the wrist is out on a rep that so far resembles the last one.
  private var isRepeating: Bool {
    guard let movement, let progress, progress.isOut else { return false }
    let speed = progress.peakSpeed / movement.peakSpeed
    return speed <= speedRatio && speed * speedRatio >= 1
      && progress.begin.time - lastEnd <= movement.end.time - movement.begin.time
  }

  /// Returns the rep of the tracked movement that has just ended; nil if none has.
  private mutating func completedRep(at moment: WristMoment) -> ProvisionalMovement? {
    guard let movement, var progress else { return nil }
    self.progress = nil
    defer { self.progress = progress }
    let turn = movement.begin.attitude.turn(to: moment.attitude)
    let distance = (turn * movement.axis).sum()
    if !progress.isOut {
      let isHome =
        distance < configuration.returnedFraction * movement.range
        && moment.speed < configuration.restingFraction * movement.peakSpeed
      if isHome {
        progress.begin = moment
        progress.peakSpeed = 0
      }
      progress.peakSpeed = max(progress.peakSpeed, moment.speed)
      let aside = max(0, (turn * turn).sum() - distance * distance).squareRoot()
      progress.isOut =
        distance > leastExtent * movement.range
        && aside <= configuration.returnedFraction * movement.range
      return nil
    }
    progress.peakSpeed = max(progress.peakSpeed, moment.speed)
    guard
      progress.returnDetector.hasEnded(
        at: moment, distance: distance, range: movement.range, peakSpeed: progress.peakSpeed,
        configuration),
      let end = progress.returnDetector.nearest
    else { return nil }
    var rep = movement
    // The next rep begins at the place to which the wrist returned; this follows the drift.
    rep.begin = progress.begin
    rep.begin.attitude = movement.begin.attitude
    rep.end = end
    return rep
  }
}
