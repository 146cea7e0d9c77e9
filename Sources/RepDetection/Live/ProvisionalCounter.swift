import Motion
import SignalProcessing

/// Counts the first reps of a bout before anything has repeated often enough to be recognised.
///
/// In a declared set the first complete movement is a rep: the wrist sets out from rest, turns, and
/// comes back the same way. From then on the wrist is followed along the axis of that movement: it is
/// out beyond ``DetectorConfiguration/leastExtent`` of its range, and a rep has ended when it is back. If
/// the next movement is of another kind, the first was taking position, and is taken back. O(24) a
/// frame, about 5 KB.
struct ProvisionalCounter: Sendable, Codable {
  enum Report: Sendable {
    case rep(CountedRep)
    /// The only rep so far was none.
    case takenBack
  }

  /// Departures that are kept.
  private static let capacity = 24
  /// A departure is slower than so many frames before and after it.
  private static let reach = 3

  private let configuration: ProvisionalConfiguration
  /// The share of the first rep's turn that another one has.
  private let leastExtent: Float
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

  /// Bytes that are held.
  var byteCount: Int {
    newest.capacity * MemoryLayout<WristMoment>.stride
      + departures.capacity * MemoryLayout<Departure>.stride
  }

  /// - Parameter known: the movement of an earlier bout of the set: only what resembles it is
  ///   counted.
  init(_ configuration: DetectorConfiguration, known: ProvisionalMovement? = nil) {
    self.configuration = configuration.provisional
    leastExtent = configuration.leastExtent
    durations = configuration.periods
    movement = known
  }

  /// Forgets what was counted; where the wrist came from stays known.
  mutating func restart() {
    guard count > 0 || progress != nil else { return }
    count = 0
    firstStart = .infinity
    movement = nil
    progress = nil
    departures.removeAll(keepingCapacity: true)
  }

  mutating func append(_ frame: TimedFrame, _ report: (Report) -> Void) {
    if frame.startsAfterBreak {
      newest = []
      departures = []
      progress = nil
      // The clock may have been set back.
      lastEnd = min(lastEnd, frame.time)
    }
    guard !frame.isMadeUp else { return }
    let moment = next(frame)
    for i in departures.indices { departures[i].append(moment, configuration) }
    noteDeparture()
    if let begin = departures.first?.moment.time,
      moment.time - begin > durations.upperBound + 1
    {
      departures.removeFirst()
    }
    if count > 0, let rep = followed(moment) {
      tell(rep, report)
      return
    }
    for departure in departures.reversed() {
      guard let seen = departure.movement(lasting: durations, configuration) else { continue }
      take(seen, at: moment, report)
      return
    }
  }

  /// The wrist at the frame that came last.
  private mutating func next(_ frame: TimedFrame) -> WristMoment {
    let rate = frame.frame.rotation
    let speed = frame.frame.squaredAngularSpeed.squareRoot()
    var attitude = Attitude()
    if let last = newest.last {
      attitude = last.attitude
      attitude.turn(by: rate, for: Float(1 / FrontEnd.frameRateHz))
    }
    let moment = WristMoment(time: frame.time, attitude: attitude, speed: speed)
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
    if departures.count >= Self.capacity { departures.removeFirst() }
    departures.append(departure)
  }

  /// A movement was seen from begin to end.
  private mutating func take(
    _ seen: ProvisionalMovement, at moment: WristMoment, _ report: (Report) -> Void
  ) {
    if count > 0 {
      let isUnderWay = progress?.isOut == true
      guard count == 1, !isUnderWay || moment.time - lastEnd > durations.upperBound,
        let movement, seen.resemblance(to: movement) < leastExtent
      else { return }
      count = 0
      report(.takenBack)
    } else if let movement, seen.resemblance(to: movement) < leastExtent {
      return
    }
    tell(seen, report)
  }

  private mutating func tell(_ rep: ProvisionalMovement, _ report: (Report) -> Void) {
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
    report(
      .rep(
        CountedRep(start: rep.begin.time, end: rep.end.time, confidence: confidence)))
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
      progress.isOut = distance > leastExtent * movement.range
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
