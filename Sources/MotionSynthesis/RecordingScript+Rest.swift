extension RecordingScript {
  /// Appends a person's activities between sets, one after another, for about the given time.
  mutating func rest(seconds: Double) {
    let end = track.end + seconds
    track.move(to: here(Self.standing), duration: random.uniform(0.8...1.5))
    while track.end < end {
      let left = end - track.end
      let choice = random.unit()
      if left > 6 && choice < 0.35 {
        walk(seconds: min(left - 2, random.uniform(4...16)))
      } else if left > 7 && choice < 0.5 {
        drink()
      } else if isHard && left > 6 && choice < 0.58 {
        type(seconds: min(left - 2, random.uniform(3...10)))
      } else if choice < (isHard ? 0.85 : 0.72) {
        fidget(seconds: min(left, random.uniform(2...7)))
      } else {
        stand(seconds: min(left, random.uniform(2...7)))
      }
    }
  }

  private mutating func stand(seconds: Double) {
    let end = track.end + seconds
    while track.end < end {
      track.hold(random.uniform(0.8...3))
      var posture = here(Self.standing)
      posture[.lean] += random.gaussian(deviation: 0.03)
      posture[.heading] += random.gaussian(deviation: 0.08)
      posture[.flexion] += random.gaussian(deviation: 0.06)
      posture[.elbow] += random.gaussian(deviation: 0.08)
      posture[.bodyY] += random.gaussian(deviation: 0.02)
      track.move(to: posture, duration: random.uniform(0.5...1.4))
    }
  }

  private mutating func walk(seconds: Double) {
    // Stairs cause more bounce and allow no turns.
    let stairs = isHard && random.chance(0.25)
    let strength = stairs ? random.uniform(1.25...1.5) : random.uniform(0.6...1.15)
    var moving = here(Self.standing).with(.walking, strength).with(.tremor, 0.3)
    track.move(to: moving, duration: random.uniform(0.7...1.2))
    let end = track.end + seconds
    while track.end < end {
      // An occasional turn.
      heading += random.gaussian(deviation: stairs ? 0.1 : 0.7)
      moving[.heading] = heading
      moving[.walking] = strength * random.uniform(0.85...1.1)
      track.move(to: moving, duration: random.uniform(1.5...4))
    }
    track.move(to: here(Self.standing), duration: random.uniform(0.6...1))
  }

  private mutating func drink() {
    let reach = here(
      .degrees(
        lean: random.uniform(0...35), flexion: random.uniform(30...60), abduction: 10,
        elbow: random.uniform(20...50), pronation: 30)
    ).with(.tremor, 0.4)
    track.move(to: reach, duration: random.uniform(0.7...1.3))
    track.hold(random.uniform(0.4...1.2))
    let low = here(.degrees(flexion: 15, abduction: 8, elbow: 85, pronation: 0))
      .with(.tremor, 0.4)
    track.move(to: low, duration: random.uniform(0.6...1.2))
    for _ in 0..<random.integer(1...3) {
      let mouth = here(
        .degrees(
          lean: -random.uniform(0...8), flexion: random.uniform(30...50),
          abduction: random.uniform(20...45), axial: 25, elbow: random.uniform(125...140),
          pronation: random.uniform(20...60))
      ).with(.tremor, 0.5)
      track.move(to: mouth, duration: random.uniform(0.6...1.1))
      track.hold(random.uniform(0.8...3))
      track.move(to: low, duration: random.uniform(0.6...1.2))
      track.hold(random.uniform(0.2...1.5))
    }
    track.move(to: here(Self.standing), duration: random.uniform(0.7...1.3))
  }

  /// Appends typing on a phone: the forearm held up, with small quick rotations.
  private mutating func type(seconds: Double) {
    let base = here(
      .degrees(
        flexion: random.uniform(10...30), abduction: 10, axial: 25,
        elbow: random.uniform(75...105), pronation: random.uniform(-60...(-20)))
    ).with(.tremor, 0.4)
    track.move(to: base, duration: random.uniform(0.7...1.2))
    let end = track.end + seconds
    while track.end < end {
      var posture = base
      posture[.pronation] += random.gaussian(deviation: 0.05)
      posture[.elbow] += random.gaussian(deviation: 0.03)
      posture[.axialRotation] += random.gaussian(deviation: 0.03)
      track.move(to: posture, duration: random.uniform(0.12...0.35))
      if random.chance(0.2) { track.hold(random.uniform(0.1...0.9)) }
    }
    track.move(to: here(Self.standing), duration: random.uniform(0.6...1.2))
  }

  /// Appends irregular movements, as with a towel, a phone, hair or a plate.
  private mutating func fidget(seconds: Double) {
    let end = track.end + seconds
    let reach = isHard ? 1.3 : 1.0
    let base = here(
      .degrees(
        flexion: random.uniform(5...35), abduction: random.uniform(5...25),
        elbow: random.uniform(20...100), pronation: random.uniform(-30...70)))
    while track.end < end {
      var posture = base
      posture[.flexion] += reach * random.gaussian(deviation: 0.25)
      posture[.abduction] += reach * random.gaussian(deviation: 0.12)
      posture[.elbow] += reach * random.gaussian(deviation: 0.35)
      posture[.pronation] += reach * random.gaussian(deviation: 0.45)
      posture[.axialRotation] += reach * random.gaussian(deviation: 0.25)
      posture[.lean] += random.gaussian(deviation: 0.06)
      posture[.tremor] = 0.4
      track.move(
        to: posture, duration: random.uniform(0.3...1.1),
        profile: .init(skew: random.uniform(-0.3...0.3)))
      if random.chance(0.45) { track.hold(random.uniform(0.1...1.8)) }
      if random.chance(0.06) { knock(random.uniform(2...10), at: track.end) }
    }
    track.move(to: here(Self.standing), duration: random.uniform(0.6...1.2))
  }
}
