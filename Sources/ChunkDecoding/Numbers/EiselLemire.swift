/// Returns the double nearest to `w` · 10^`q`, ties to even.
///
/// Eisel and Lemire's algorithm with a 128-bit table, which needs no fallback for any 64-bit `w`
/// (Mushtak and Lemire, "Fast Number Parsing Without Fallback", 2022). Overflow gives infinity.
@inline(__always)
func nearestDouble(_ w: UInt64, powerOfTen q: Int) -> Double {
  if w == 0 || q < smallestPowerOfFive { return 0 }
  if q > 308 { return .infinity }
  let leadingZeros = w.leadingZeroBitCount
  let normalized = w << UInt64(leadingZeros)
  let power = powersOfFive[q - smallestPowerOfFive]
  var (high, low) = normalized.multipliedFullWidth(by: power.high)
  if high & 0x1FF == 0x1FF {
    let second = normalized.multipliedFullWidth(by: power.low).high
    let (sum, carried) = low.addingReportingOverflow(second)
    low = sum
    if carried { high &+= 1 }
  }
  let upperBit = Int(high >> 63)
  let shift = UInt64(upperBit + 64 - 52 - 3)
  var mantissa = high >> shift
  var exponent = ((217_706 &* q) >> 16) + 63 + upperBit - leadingZeros + 1023
  if exponent <= 0 {
    // A subnormal number, or zero.
    if 1 - exponent >= 64 { return 0 }
    mantissa >>= UInt64(1 - exponent)
    mantissa += mantissa & 1
    mantissa >>= 1
    return Double(bitPattern: mantissa)
  }
  // Exactly between two doubles, which is only possible for small powers.
  if low <= 1, q >= -4, q <= 23, mantissa & 3 == 1, mantissa << shift == high {
    mantissa &= ~1
  }
  mantissa += mantissa & 1
  mantissa >>= 1
  if mantissa >= 1 << 53 {
    mantissa = 1 << 52
    exponent += 1
  }
  if exponent >= 0x7FF { return .infinity }
  return Double(bitPattern: (mantissa & ~(1 << 52)) | UInt64(exponent) << 52)
}
