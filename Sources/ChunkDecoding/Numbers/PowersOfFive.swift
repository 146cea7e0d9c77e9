/// The exponent of the first power in ``powersOfFive``.
let smallestPowerOfFive = -342

/// The 128 most significant bits of the powers of five from 5^−342 to 5^308: rounded up from 5^−27 to 5^−1, else
/// truncated (Lemire, "Number Parsing at a Gigabyte per Second", 2021, §6).
let powersOfFive: [(high: UInt64, low: UInt64)] = {
  var powers: [(high: UInt64, low: UInt64)] = []
  // 128 bits remain after the last division.
  var reciprocal = BigNatural(1)
  reciprocal.shiftLeft(by: 960)
  for exponent in 1 ... -smallestPowerOfFive {
    reciprocal.divide(by: 5)
    let (high, low) = reciprocal.leadingBits
    powers.append((high, exponent <= 27 ? low + 1 : low))
  }
  powers.reverse()
  var power = BigNatural(1)
  for _ in 0...308 {
    powers.append(power.leadingBits)
    power.multiply(by: 5)
  }
  return powers
}()
