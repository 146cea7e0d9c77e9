/// Sines and cosines by fdlibm's polynomials without range checks, as the floor of the timeline's codec.
enum Trigonometry {
  /// Computes eight angles at a time.
  static func sum(_ angles: [Double]) -> Double {
    var sums = SIMD8<Double>(repeating: 0)
    angles.withUnsafeBytes { bytes in
      var offset = 0
      while offset + 64 <= bytes.count {
        let both = both(bytes.loadUnaligned(fromByteOffset: offset, as: SIMD8<Double>.self))
        sums += both.sine + both.cosine
        offset += 64
      }
    }
    return sums.sum()
  }

  /// Computes two angles at a time, each depending on the previous result, as when a row is predicted from
  /// the row above.
  static func chained(_ angles: [Double]) -> Double {
    var last = SIMD2<Double>(repeating: 0)
    angles.withUnsafeBytes { bytes in
      var offset = 0
      while offset + 16 <= bytes.count {
        let angles = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD2<Double>.self)
        let both = both(angles + last * 1e-9)
        last = both.sine + both.cosine
        offset += 16
      }
    }
    return last.sum()
  }

  @inline(__always)
  private static func both<Lanes: SIMD<Double>>(_ x: Lanes) -> (sine: Lanes, cosine: Lanes) {
    let magic = Lanes(repeating: 6_755_399_441_055_744)
    let n = (x * 0.636619772367581382 + magic) - magic
    let r = (x - n * 1.57079632673412561417) - n * 6.07710050650619224932e-11
    let z = r * r
    var s = z * 1.58969099521155010221e-10 + -2.50507602534068634195e-08
    s = s * z + 2.75573137070700676789e-06
    s = s * z + -1.98412698298579493134e-04
    s = s * z + 8.33333333332248946124e-03
    s = s * z + -1.66666666666666324348e-01
    var c = z * -1.13596475577881948265e-11 + 2.08757232129817482790e-09
    c = c * z + -2.75573143513906633035e-07
    c = c * z + 2.48015872894767294178e-05
    c = c * z + -1.38888888888741095749e-03
    c = c * z + 4.16666666666666019037e-02
    return (r + r * z * s, 1 - 0.5 * z + z * z * c)
  }
}
