extension RecordingScript {
  /// Takes the weight, performs the set in its style, and puts the weight back.
  mutating func performSet() {
    let home = here(movement.home)
    let far = here(movement.far)
    let racked = here(movement.racked)
    let style =
      options.setStyle
      ?? (isHard && random.chance(0.3)
        ? (random.chance(0.5) ? .restPause : .drop) : .straight)
    var plan = PlannedSet(style: style, home: home, far: far)

    track.move(to: racked, duration: random.uniform(0.9...1.8))
    adjustGrip(around: racked)
    plan.executionStart = track.end
    unrack(home: home, far: far)

    let reps = options.reps ?? random.integer(5...15)
    let partials = options.partialReps ?? (isHard && random.chance(0.5) ? random.integer(1...3) : 0)
    let loss =
      options.velocityLoss ?? (isHard ? random.uniform(0.1...0.5) : random.uniform(0...0.25))
    let shrink = isHard ? random.uniform(0...0.14) : random.uniform(0...0.05)
    let clusters = clusterSizes(of: reps, style: style)
    for (index, size) in clusters.enumerated() {
      if index > 0 { restWithin(style, home: home, racked: racked) }
      let isLast = index == clusters.count - 1
      perform(size, partials: isLast ? partials : 0, loss: loss, shrink: shrink, into: &plan)
    }

    track.hold(random.uniform(0.5...1.4))
    if track.last.values != home.values {
      track.move(to: home, duration: random.uniform(0.4...0.8))
    }
    track.move(to: racked, duration: random.uniform(0.7...1.4))
    if random.chance(0.8) { knock(random.uniform(6...30), at: track.end) }
    track.hold(random.uniform(0.3...1))
    plan.executionEnd = track.end + random.uniform(0...1)
    sets.append(plan)
  }

  private mutating func clusterSizes(of reps: Int, style: SetStyle) -> [Int] {
    guard style != .straight, reps >= 4 else { return [reps] }
    let second = max(2, reps / 3)
    guard reps - second >= 5, random.chance(0.5) else { return [reps - second, second] }
    let third = max(2, second / 2)
    return [reps - second - third, second, third]
  }

  /// Appends small movements of a hand that adjusts its grip.
  private mutating func adjustGrip(around racked: Posture) {
    for _ in 0..<random.integer(0...3) {
      var posture = racked
      posture[.elbow] += random.gaussian(deviation: 0.12)
      posture[.pronation] += random.gaussian(deviation: 0.25)
      posture[.flexion] += random.gaussian(deviation: 0.1)
      track.move(to: posture, duration: random.uniform(0.3...0.8))
      track.hold(random.uniform(0...0.5))
    }
  }

  private mutating func unrack(home: Posture, far: Posture) {
    if random.chance(0.6) { knock(random.uniform(3...10), at: track.end) }
    track.move(to: home, duration: random.uniform(0.9...1.8))
    if random.chance(isHard ? 0.5 : 0.15) {
      // A set-up pull tests the load with less movement than a partial rep.
      track.hold(random.uniform(0.2...0.8))
      let part = random.uniform(0.06...(isHard ? 0.2 : 0.12))
      track.move(to: home.toward(far, part), duration: random.uniform(0.35...0.7), turning: 0.8)
      track.move(to: home, duration: random.uniform(0.35...0.7))
    }
    track.hold(random.uniform(0.7...2.2))
  }

  private mutating func restWithin(_ style: SetStyle, home: Posture, racked: Posture) {
    switch style {
    case .straight: break
    case .restPause:
      let end = track.end + random.uniform(6...14)
      while track.end < end {
        track.hold(random.uniform(1...3))
        var posture = home
        posture[.lean] += random.gaussian(deviation: 0.04)
        posture[.flexion] += random.gaussian(deviation: 0.05)
        posture[.pronation] += random.gaussian(deviation: 0.08)
        track.move(to: posture, duration: random.uniform(0.6...1.4))
      }
      track.move(to: home, duration: 0.8)
      track.hold(random.uniform(0.5...1.2))
    case .drop:
      track.hold(0.4)
      track.move(to: racked, duration: random.uniform(0.7...1.2))
      knock(random.uniform(5...18), at: track.end)
      adjustGrip(around: racked)
      track.hold(random.uniform(1...4))
      track.move(to: home, duration: random.uniform(0.8...1.4))
      track.hold(random.uniform(0.4...1.2))
    }
  }

  /// Appends reps at the person's tempo, with fatigue towards the end and partial reps after it (or, half of
  /// the time, among the last reps).
  private mutating func perform(
    _ count: Int, partials: Int, loss: Double, shrink: Double, into plan: inout PlannedSet
  ) {
    let timing = isHard ? 0.10 : 0.045
    let ranging = isHard ? 0.05 : 0.02
    let early = partials > 0 && count > 3 && random.chance(0.5) ? 1 : 0
    for index in 0..<count {
      // Fatigue sets in after the first third.
      let done = count > 1 ? Double(index) / Double(count - 1) : 0
      let late = max(0, (done - 0.3) / 0.7)
      let fatigue = late * late.squareRoot()
      let slowdown = 1 / (1 - loss * fatigue)
      var tempo = movement.tempo
      tempo.concentric *= slowdown * (1 + random.gaussian(deviation: timing))
      tempo.eccentric *=
        (1 + 0.4 * (slowdown - 1)) * (1 + random.gaussian(deviation: timing))
      tempo.contractedPause *= 1 + random.gaussian(deviation: 2 * timing)
      tempo.stretchedPause *= (1 + random.gaussian(deviation: 2 * timing)) * (1 + 0.6 * fatigue)
      let range = max(0.7, (1 - shrink * fatigue) * (1 + random.gaussian(deviation: ranging)))
      if early == 1 && index == count - 2 {
        performRep(
          tempo: tempo, range: random.uniform(0.25...0.42), fatigue: fatigue, index: index,
          isPartial: true, into: &plan)
      }
      performRep(
        tempo: tempo, range: range, fatigue: fatigue, index: index, isPartial: false, into: &plan)
    }
    var tempo = movement.tempo
    tempo.concentric /= 1 - loss
    for _ in 0..<max(0, partials - early) {
      performRep(
        tempo: tempo, range: random.uniform(0.25...0.42), fatigue: 1, index: 0, isPartial: true,
        into: &plan)
    }
  }

  private mutating func performRep(
    tempo: Tempo, range: Double, fatigue: Double, index: Int, isPartial: Bool,
    into plan: inout PlannedSet
  ) {
    let first = movement.family.startsConcentric
    // A shorter movement takes less time, but not in proportion.
    let scale = isPartial ? range.squareRoot() : 1
    let out = scale * (first ? tempo.concentric : tempo.eccentric)
    let back = scale * (first ? tempo.eccentric : tempo.concentric)
    let farPause = isPartial ? 0 : first ? tempo.contractedPause : tempo.stretchedPause
    let homePause = first ? tempo.stretchedPause : tempo.contractedPause
    let shake = 1 + 0.8 * fatigue

    var far = plan.home.toward(plan.far, range).with(.tremor, shake)
    var home = plan.home.with(.tremor, shake)
    let wobble = isHard ? 0.03 : 0.015
    for coordinate in [
      Posture.Coordinate.abduction, .axialRotation, .pronation, .flexion, .elbow,
    ] {
      far[coordinate] += random.gaussian(deviation: wobble)
      home[coordinate] += random.gaussian(deviation: 0.5 * wobble)
    }
    if movement.family == .alternatingLunge {
      let foot = index % 2 == 0 ? 1.0 : -1.0
      far[.heading] += 0.05 * foot
      far[.bodyY] += 0.03 * foot
      far[.flexion] += 0.025 * foot
    }

    let lifting = PostureTrack.Profile(
      skew: random.uniform(-0.15...0.15), sticking: 0.16 * fatigue * random.unit())
    let lowering = PostureTrack.Profile(skew: random.uniform(-0.2...0.2))
    let outStart = track.end
    track.move(
      to: far, duration: out, profile: first ? lifting : lowering,
      turning: farPause < 0.1 ? 0.85 : 0)
    let outEnd = track.end
    if farPause >= 0.1 { track.hold(farPause) }
    let backStart = track.end
    let continuesWithoutPause = movement.family != .alternatingCurl && homePause < 0.1
    track.move(
      to: home, duration: back, profile: first ? lowering : lifting,
      turning: continuesWithoutPause ? 0.85 : 0)
    plan.reps.append(
      PlannedRep(
        outStart: outStart, outEnd: outEnd, backStart: backStart, backEnd: track.end,
        range: range, isPartial: isPartial))
    if homePause >= 0.1 { track.hold(homePause) }
    if movement.family == .alternatingCurl { waitForOtherSide(home: home, tempo: tempo) }
  }

  /// Appends the other arm's rep: this arm hangs still except for motion of the trunk.
  private mutating func waitForOtherSide(home: Posture, tempo: Tempo) {
    var swayed = home
    swayed[.heading] += 0.02 * random.sign()
    swayed[.bodyY] += 0.008
    swayed[.lean] -= 0.015
    track.move(to: swayed, duration: tempo.concentric)
    track.move(to: home, duration: tempo.eccentric)
  }
}
