import Motion
import SignalProcessing

/// Counts the first reps of a bout before anything has repeated often enough to be recognised.
///
/// In a declared set the first complete movement is a rep: the wrist sets out from rest, turns, and
/// comes back the same way. From then on the wrist is followed along the axis of that movement: it is
/// out beyond ``DetectorConfiguration/leastExtent`` of its range, near the axis, and a rep has ended when it is
/// back. If the next movement is of another kind, the first was taking position, and is taken back. Where no set
/// is declared the same watches for one: what repeats is its first rep. O(24) a frame, about 5 KB.
struct ProvisionalCounter: Sendable, Codable {
  enum Report: Sendable {
    case rep(CountedRep)
    /// The wrist is out again, soon after a rep and about as fast.
    case isRepeating
    /// What was counted was none.
    case takenBack
  }

  /// Departures that are kept.
  private static let capacity = 24
  /// A departure is slower than so many frames before and after it.
  private static let reach = 3

  private let configuration: ProvisionalConfiguration
  /// Whether all reps so far may have been none, and not the first one alone.
  private let isTentative: Bool
  /// The share of the first rep's turn that another one has.
  private let leastExtent: Float
  /// How many times as fast another one may be, or as slow.
  private let speedRatio: Float
  /// How long a rep may take, s.
  private let durations: ClosedRange<Double>
  private(set) var count = 0
  /// Begin of the first rep told and end of the last, s.
  private(set) var firstStart = Double.infinity
  private(set) var lastEnd = -Double.infinity
  /// What is counted; that of an earlier bout, while ``count`` is 0.
  private(set) var movement: ProvisionalMovement?
  private var newest: [WristMoment] = []
  private var framesSinceDeparture = 0
  private var departures: [Departure] = []
  private var progress: Progress?

  /// How far the wrist is in the rep that is followed.
  private struct Progress: Sendable, Codable {
    /// Where the rep began, and the fastest since, rad/s.
    var begin: WristMoment
    var peakSpeed: Float
    var isOut = false
    var watch = ReturnWatch()
  }

  /// - Parameters:
  ///   - known: the movement of an earlier bout of the set: only what resembles it is counted.
  ///   - isTentative: whether nobody said that there is a set.
  init(
    _ configuration: DetectorConfiguration, known: ProvisionalMovement? = nil,
    isTentative: Bool = false
  ) {
    self.configuration = configuration.provisional
    self.isTentative = isTentative
    leastExtent = configuration.leastExtent
    speedRatio = Float(configuration.repLengthRatio)
    durations = configuration.periods
    movement = known
  }

  /// The first reps of a window, two at most, as they are told of a declared set.
  static func firstReps(
    in window: TimedFrames, configuration: DetectorConfiguration
  ) -> [CountedRep] {
    var counter = ProvisionalCounter(configuration)
    var reps: [CountedRep] = []
    for (row, time) in window.times.enumerated()
    where !window.isBeyondSignal[row] {
      if row > 0, time - window.times[row - 1] > 1.5 / FrontEnd.frameRateHz {
        counter.forgetWay(before: time)
      }
      for report in counter.append(window.frames[row], at: time) {
        switch report {
        case .rep(let rep): reps.append(rep)
        case .isRepeating: break
        case .takenBack: reps = []
        }
      }
      if reps.count == 2 { break }
    }
    return reps
  }

  /// Forgets what was counted; where the wrist came from stays known.
  mutating func restart() {
    count = 0
    firstStart = .infinity
    movement = nil
    progress = nil
  }

  /// Forgets where the wrist came from: frames are missing before a time, s.
  mutating func forgetWay(before time: Double) {
    newest = []
    departures = []
    progress = nil
    // The clock may have been set back.
    lastEnd = min(lastEnd, time)
  }

  mutating func append(_ frame: TimedFrame) -> [Report] {
    if frame.startsAfterBreak { forgetWay(before: frame.time) }
    return frame.isMadeUp ? [] : append(frame.frame, at: frame.time)
  }

  private mutating func append(_ frame: MotionFrame, at time: Double) -> [Report] {
    let moment = next(frame, at: time)
    for i in departures.indices { departures[i].append(moment, configuration) }
    noteDeparture()
    if let begin = departures.first?.moment.time,
      moment.time - begin > durations.upperBound + 1
    {
      departures.removeFirst()
    }
    let wasOut = progress?.isOut == true
    if count > 0, let rep = followed(moment) { return [tell(rep)] }
    let repeating: [Report] = !wasOut && isRepeating ? [.isRepeating] : []
    for departure in departures.reversed() {
      guard let seen = departure.movement(lasting: durations, configuration) else { continue }
      return repeating + take(seen, at: moment)
    }
    return repeating
  }

  /// The wrist at the frame that came last.
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

  /// A rep may begin where the wrist was slowest.
  private mutating func noteDeparture() {
    framesSinceDeparture += 1
    guard newest.count == 2 * Self.reach + 1, framesSinceDeparture > Self.reach else { return }
    let middle = newest[Self.reach]
    guard middle.time >= lastEnd, newest.allSatisfy({ $0.speed >= middle.speed }) else { return }
    framesSinceDeparture = 0
    var departure = Departure(middle)
    for moment in newest[(Self.reach + 1)...] { departure.append(moment, configuration) }
    // A rep begins where the wrist leaves last.
    while let last = departures.last, !last.hasLeft(configuration) { departures.removeLast() }
    if departures.count >= Self.capacity { departures.removeFirst() }
    departures.append(departure)
  }

  /// A movement was seen from begin to end.
  private mutating func take(_ seen: ProvisionalMovement, at moment: WristMoment) -> [Report] {
    if count > 0 {
      let isUnderWay = progress?.isOut == true
      guard count == 1 || isTentative, !isUnderWay || moment.time - lastEnd > durations.upperBound,
        let movement, seen.resemblance(to: movement) < leastExtent
      else { return [] }
      count = 0
      return [.takenBack, tell(seen)]
    } else if let movement, seen.resemblance(to: movement) < leastExtent {
      return []
    }
    return [tell(seen)]
  }

  private mutating func tell(_ rep: ProvisionalMovement) -> Report {
    var rep = rep
    rep.begin.attitude = rep.begin.attitude.middle(to: rep.end.attitude)
    count += 1
    if count == 1 { firstStart = rep.begin.time }
    lastEnd = rep.end.time
    movement = rep
    progress = Progress(begin: rep.end, peakSpeed: 0)
    departures.removeAll { $0.moment.time < rep.end.time }
    let first = configuration.firstConfidence
    let confidence = count == 1 ? first : (1 + first) / 2
    return .rep(
      CountedRep(start: rep.begin.time, end: rep.end.time, confidence: confidence))
  }

  /// Whether the wrist is out on a rep that is like the last one so far.
  private var isRepeating: Bool {
    guard let movement, let progress, progress.isOut else { return false }
    let speed = progress.peakSpeed / movement.peakSpeed
    return speed <= speedRatio && speed * speedRatio >= 1
      && progress.begin.time - lastEnd <= movement.end.time - movement.begin.time
  }

  /// The rep that has just ended, of the movement that is followed.
  private mutating func followed(_ moment: WristMoment) -> ProvisionalMovement? {
    guard let movement, var progress else { return nil }
    self.progress = nil
    defer { self.progress = progress }
    let turn = movement.begin.attitude.turn(to: moment.attitude)
    let distance = (turn * movement.axis).sum()
    if !progress.isOut {
      let isHome =
        distance < configuration.returnedShare * movement.range
        && moment.speed < configuration.restingShare * movement.peakSpeed
      if isHome {
        progress.begin = moment
        progress.peakSpeed = 0
      }
      progress.peakSpeed = max(progress.peakSpeed, moment.speed)
      let aside = max(0, (turn * turn).sum() - distance * distance).squareRoot()
      progress.isOut =
        distance > leastExtent * movement.range
        && aside <= configuration.returnedShare * movement.range
      return nil
    }
    progress.peakSpeed = max(progress.peakSpeed, moment.speed)
    guard
      progress.watch.hasEnded(
        at: moment, distance: distance, range: movement.range, peakSpeed: progress.peakSpeed,
        configuration),
      let end = progress.watch.nearest
    else { return nil }
    var rep = movement
    // Where the wrist comes back to is where the next rep begins: that keeps up with drift.
    rep.begin = progress.begin
    rep.begin.attitude = movement.begin.attitude
    rep.end = end
    return rep
  }
}
