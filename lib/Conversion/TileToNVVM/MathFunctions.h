//===- MathFunctions.h - functions of f32, to 2 ulp --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The algorithms, over a builder `B` of operations: MathExpansion.cpp instantiates them with one that writes
// arith ops, the unit test with one that computes on the CPU and compares with long double.
//
// B has types V (f32), I (i32), L (i64) and P (i1) and the operations that are called on `b` below. Floats
// round once an operation; nothing may contract a product and a sum but fma. ex2, rcp and lg2 are the
// approximations of the hardware (errors: PtxForms.def).
//
// Polynomials are near-minimax fits; each comment says of what, where, and the error before rounding.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_CONVERSION_TILETONVVM_MATHFUNCTIONS_H
#define TILEC_LIB_CONVERSION_TILETONVVM_MATHFUNCTIONS_H

#include <initializer_list>

namespace tilec::lowering {

/// 2/pi in words of 32 bits, behind one of zeros.
inline constexpr unsigned twoOverPiWords[8] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                               0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};

template <typename B> class MathFunctions {
public:
  using V = typename B::V;
  using I = typename B::I;
  using P = typename B::P;

  explicit MathFunctions(B &builder) : b(builder) {}

  V exp(V x) {
    // x = k ln 2 + r. Beyond these ends the result is 0 or infinity.
    x = b.minNaN(b.maxNaN(x, b.f(-105.0)), b.f(90.0));
    V k = roundToInteger(b.mul(x, b.f(log2e)));
    V r = b.fma(k, b.f(-ln2High), x);
    r = b.fma(k, b.f(-ln2Low), r);
    // e^r = 1 + r + r^2 Q(r), |r| <= 0.35: 2^-28.3
    V q = polynomial(r, {0x1.fffffcp-2, 0x1.55549p-3, 0x1.5558fap-5, 0x1.123b1p-7, 0x1.6a21eap-10});
    return scale(b.add(b.f(1.0), b.fma(b.mul(r, r), q, r)), k);
  }

  V log(V x) {
    Log parts = reduceLog(x);
    // e ln2 + f + t, ln2 in two parts.
    V low = b.fma(parts.e, b.f(ln2Low), parts.t);
    V sum = b.fma(parts.e, b.f(ln2High), b.add(parts.f, low));
    return withLogSpecials(x, sum);
  }

  V log2(V x) {
    Log parts = reduceLog(x);
    V hi = b.mul(parts.f, b.f(log2e));
    V lo = b.fma(parts.f, b.f(log2e), b.neg(hi));
    lo = b.fma(parts.f, b.f(log2eLow), lo);
    lo = b.fma(parts.t, b.f(log2e), lo);
    return withLogSpecials(x, b.add(parts.e, b.add(hi, lo)));
  }

  V tanh(V x) {
    V a = b.abs(x);
    // tanh(x) = x + x^3 P(x^2), |x| <= 0.65: 2^-27.1
    V t = b.mul(x, x);
    V p = polynomial(t, {-0x1.555524p-2, 0x1.1103fp-3, -0x1.b7cfc2p-5, 0x1.4f5df8p-6, -0x1.696d56p-8});
    V small = b.fma(b.mul(x, t), p, x);
    // 1 - 2 / (e^2a + 1); from 9.02 on that is 1.
    V d = b.add(exp(b.minNaN(b.add(a, a), b.f(20.0))), b.f(1.0));
    V r = b.rcp(d);
    r = b.fma(r, b.fma(b.neg(d), r, b.f(1.0)), r); // one Newton step: the approximation alone is not enough
    V large = b.fma(b.f(-2.0), r, b.f(1.0));
    return copySign(b.select(b.lessThan(a, b.f(0.65)), small, large), x); // of zero too
  }

  V sigmoid(V x) {
    // n / (1 + e) with e = e^-|x|, so that nothing overflows; the denominator in two parts.
    V e = exp(b.neg(b.abs(x)));
    V n = b.select(b.lessThan(x, b.f(0.0)), e, b.f(1.0));
    V d = b.add(b.f(1.0), e);
    V dLow = b.sub(e, b.sub(d, b.f(1.0)));
    V r = b.rcp(d);
    V q = b.mul(n, r);
    V rest = b.fma(b.neg(q), dLow, b.fma(b.neg(q), d, n));
    return b.fma(rest, r, q);
  }

  V erf(V x) {
    V a = b.abs(x);
    // erf(x) = x + x P(x^2), |x| <= 1: 2^-29.6
    V t = b.mul(x, x);
    V p = polynomial(t, {0x1.06eba8p-3, -0x1.81273ep-2, 0x1.ce2cf8p-4, -0x1.b7f90cp-6, 0x1.5405a4p-8,
                         -0x1.a3f6a6p-11, 0x1.496942p-14});
    V small = b.fma(x, p, x);
    // erfc(x) = 2^(x Q(x)), 0.99 <= x <= 4: 2^-31.2 of erf; from 3.92 on erf is 1.
    V c = b.minNaN(a, b.f(4.0));
    V q = polynomial(c, {-0x1.a0dbc8p+0, -0x1.d50aeep-1, -0x1.3aa86ap-3, 0x1.1b6cfap-5, -0x1.6207f2p-8,
                         0x1.06d804p-11, -0x1.4ab7c4p-16});
    V large = b.sub(b.f(1.0), b.ex2(b.mul(c, q)));
    return b.select(b.lessThan(a, b.f(1.0)), small, copySign(large, x));
  }

  V sin(V x) { return sinOrCos(x, 0); }
  V cos(V x) { return sinOrCos(x, 1); }

  /// x^y with the special cases of C, annex F.
  V pow(V x, V y) {
    V a = b.abs(x), zero = b.f(0.0), one = b.f(1.0), infinity = b.infinity();
    V r = powPositive(a, y);

    // Which y are integers, and odd. From 2^24 on all are even.
    V ay = b.abs(y);
    P isInteger = b.equal(b.trunc(ay), ay);
    V half = b.mul(ay, b.f(0.5));
    P isOdd = b.both(b.both(isInteger, b.lessThan(ay, b.f(0x1p24))), b.notEqual(b.trunc(half), half));

    // A base of 0 or infinity, and an infinite exponent, give 0 or infinity.
    P yPositive = b.lessThan(zero, y);
    P grows = b.equal(a, infinity);
    P atEnd = b.either(grows, b.equal(a, zero));
    P yInfinite = b.equal(ay, infinity);
    grows = b.select(yInfinite, b.lessThan(one, a), grows);
    P isLarge = b.same(grows, yPositive);
    r = b.select(b.either(atEnd, yInfinite), b.select(isLarge, infinity, zero), r);
    r = b.select(b.both(yInfinite, b.equal(a, one)), one, r);

    P negative = b.lessThanInt(b.bits(x), b.i(0)); // -0 too
    r = b.select(b.both(negative, isOdd), b.neg(r), r);
    P noReal =
        b.both(b.both(b.lessThan(x, zero), b.lessThan(a, infinity)), b.notP(b.either(isInteger, yInfinite)));
    r = b.select(b.either(noReal, b.either(b.isNaN(x), b.isNaN(y))), b.nan(), r);
    return b.select(b.either(b.equal(x, one), b.equal(y, zero)), one, r);
  }

  /// Halves away from zero.
  V round(V x) {
    // Adding the largest float below a half keeps 0.49999997 at 0.
    V magnitude = b.trunc(b.add(b.abs(x), b.f(0x1.fffffep-2)));
    // From 2^23 on all are integers, and the sum would round.
    return b.select(b.lessThan(b.abs(x), b.f(0x1p23)), copySign(magnitude, x), x);
  }

private:
  static constexpr double log2e = 0x1.715476p+0, log2eLow = 0x1.4ae0cp-26;
  static constexpr double ln2 = 0x1.62e43p-1;
  static constexpr double ln2High = 0x1.62e4p-1,
                          ln2Low = 0x1.7f7d1cp-20; // k * ln2High is exact for |k| < 2^9

  /// Horner's rule, lowest coefficient first.
  V polynomial(V x, std::initializer_list<double> coefficients) {
    const double *c = coefficients.end() - 1;
    V sum = b.f(*c);
    while (c != coefficients.begin())
      sum = b.fma(sum, x, b.f(*--c));
    return sum;
  }

  V copySign(V magnitude, V sign) {
    I s = b.andI(b.bits(sign), b.i(int(0x80000000u)));
    return b.fromBits(b.orI(b.andI(b.bits(magnitude), b.i(0x7fffffff)), s));
  }

  /// To nearest, |x| < 2^22.
  V roundToInteger(V x) {
    V magic = b.f(0x1.8p23);
    return b.sub(b.add(x, magic), magic);
  }

  /// 2^(k + f + fLow) for an integer k in -200 … 200, |f| <= 0.51, fLow tiny.
  V exp2Parts(V k, V f, V fLow) {
    V sum = b.add(f, fLow);
    V carried = b.add(b.sub(f, sum), fLow); // what the sum lost
    // 2^f = 1 + f P(f), |f| <= 1/2: 2^-28.9
    V p = polynomial(
        sum, {0x1.62e43p-1, 0x1.ebfbdcp-3, 0x1.c6aee8p-5, 0x1.3b2d4ap-7, 0x1.5f3e7cp-10, 0x1.41fdcp-13});
    V r = b.fma(sum, p, b.fma(carried, b.f(ln2), b.f(1.0)));
    return scale(r, k);
  }

  /// r 2^k, k in -200 … 200, in two steps, since 2^k alone may be out of range. Not by ex2: below 2^-126 the
  /// hardware's powers of two are inexact.
  V scale(V r, V k) {
    I n = b.toInt(k);
    I first = b.sarI(n, 1), second = b.subI(n, first);
    return b.mul(b.mul(r, powerOfTwo(first)), powerOfTwo(second));
  }
  V powerOfTwo(I n) { return b.fromBits(b.shlI(b.addI(n, b.i(127)), 23)); }

  /// x = 2^e (1 + f), f in -1/3 … 1/3; log(1 + f) = f + t.
  struct Log {
    V e, f, t;
  };

  /// x = 2^e m, m in 2/3 … 4/3.
  void split(V x, V &e, V &m) {
    P isSubnormal = b.lessThan(x, b.f(0x1p-126));
    x = b.select(isSubnormal, b.mul(x, b.f(0x1p24)), x);
    I u = b.bits(x);
    I n = b.sarI(b.subI(u, b.i(0x3f2aaaab)), 23);
    m = b.fromBits(b.subI(u, b.shlI(n, 23)));
    e = b.sub(b.toFloat(n), b.select(isSubnormal, b.f(24.0), b.f(0.0)));
  }

  Log reduceLog(V x) {
    Log parts;
    V m;
    split(x, parts.e, m);
    V f = b.sub(m, b.f(1.0));
    // log(1 + f) = f - f^2/2 + f^3 Q(f), |f| <= 1/3: 2^-27.7
    V q = polynomial(f, {0x1.555504p-2, -0x1.ffff02p-3, 0x1.99d0cp-3, -0x1.559aecp-3, 0x1.1ecf06p-3,
                         -0x1.f35c1cp-4, 0x1.1e8934p-3, -0x1.076a6ap-3});
    parts.f = f;
    parts.t = b.mul(b.mul(f, f), b.fma(f, q, b.f(-0.5)));
    return parts;
  }

  /// 0, negative numbers, infinity and NaN: what the hardware says is exact.
  V withLogSpecials(V x, V result) {
    P ordinary = b.both(b.lessThan(b.f(0.0), x), b.lessThan(x, b.infinity()));
    return b.select(ordinary, result, b.lg2(x));
  }

  V sinOrCos(V x, int quarters) {
    // x = j pi/2 + r
    V j = roundToInteger(b.mul(x, b.f(0x1.45f306p-1)));
    V r = b.fma(j, b.f(-0x1.921fb6p+0), x);
    r = b.fma(j, b.f(0x1.777a5cp-25), r);
    r = b.fma(j, b.f(0x1.ee59dap-50), r);
    I n = b.toInt(j);
    // Beyond that the three parts of pi/2 do not suffice.
    b.ifRare(b.lessThan(b.f(105615.0), b.abs(x)), r, n,
             [&](V &rest, I &quarter) { reduceLarge(x, rest, quarter); });
    n = b.addI(n, b.i(quarters));
    V t = b.mul(r, r);
    // sin(r) = r + r^3 P(r^2), cos(r) = 1 - r^2/2 + r^4 P(r^2), |r| <= pi/4: 2^-28.0, 2^-33.0
    V s = b.fma(b.mul(r, t), polynomial(t, {-0x1.555546p-3, 0x1.110736p-7, -0x1.9941fep-13}), r);
    V c = b.fma(b.mul(t, t), polynomial(t, {0x1.55554ap-5, -0x1.6c0c2ep-10, 0x1.99e9d2p-16}),
                b.fma(t, b.f(-0.5), b.f(1.0)));
    V y = b.select(b.equalInt(b.andI(n, b.i(1)), b.i(0)), s, c);
    y = b.fromBits(b.xorI(b.bits(y), b.shlI(b.andI(n, b.i(2)), 30)));
    // Infinity has no angle; the rest of it is not NaN by itself.
    y = b.select(b.equal(b.abs(x), b.infinity()), b.nan(), y);
    // The polynomial makes +0 of -0.
    return quarters == 0 ? b.select(b.equal(x, b.f(0.0)), x, y) : y;
  }

  /// The same for |x| >= 2^16 (Payne and Hanek): x = m 2^e, and of 2^e 2/pi only the 96 bits from weight 2
  /// down matter, because m times what is above is a multiple of 4 quarters.
  void reduceLarge(V x, V &rest, I &quarter) {
    using L = typename B::L;
    I u = b.bits(x);
    L m = b.widen(b.orI(b.andI(u, b.i(0x7fffff)), b.i(0x800000)));
    I e = b.subI(b.andI(b.shrI(u, 23), b.i(0xff)), b.i(127 + 23));
    // The table has 32 zeros in front; weight 2 is its bit e + 30.
    I start = b.addI(e, b.i(30));
    I word = b.shrI(start, 5), shift = b.andI(start, b.i(31));
    L w[4];
    for (int k = 0; k < 4; ++k)
      w[k] = b.widen(b.twoOverPi(b.addI(word, b.i(k))));
    L window[3];
    for (int k = 0; k < 3; ++k)
      window[k] = b.upperHalf(b.shlL(b.orL(b.shlL(w[k], 32), w[k + 1]), b.widen(shift)));
    // m times the window, modulo 2^96.
    L low = b.mulL(window[2], m);
    L middle = b.addL(b.mulL(window[1], m), b.upperHalf(low));
    L high = b.addL(b.mulL(window[0], m), b.upperHalf(middle));
    // Two bits of quarters, then the rest of a quarter; above a half it belongs to the next.
    quarter = b.shrI(b.lowerHalf(high), 30);
    L fraction = b.orL(b.shlL(high, 34), b.shlL(b.widen(b.lowerHalf(middle)), 2));
    fraction = b.orL(fraction, b.widen(b.shrI(b.lowerHalf(low), 30)));
    quarter = b.addI(quarter, b.shrI(b.lowerHalf(b.upperHalf(fraction)), 31));
    rest = b.scaleTurns(fraction); // signed, times pi/2 / 2^64
    P negative = b.lessThanInt(u, b.i(0));
    rest = b.select(negative, b.neg(rest), rest);
    quarter = b.select(negative, b.subI(b.i(0), quarter), quarter);
  }

  /// a^y, 0 < a < infinity, by log2 a in two floats to 2^-36.
  V powPositive(V a, V y) {
    V e, m;
    split(a, e, m);
    // s = (m - 1) / (m + 1) in two parts; |s| <= 1/5.
    V f = b.sub(m, b.f(1.0));
    V d = b.add(f, b.f(2.0));
    V dLow = b.sub(f, b.sub(d, b.f(2.0)));
    V r = b.rcp(d);
    V s = b.mul(f, r);
    V sLow = b.mul(b.fma(b.neg(s), dLow, b.fma(b.neg(s), d, f)), r);
    // t = s^2
    V t = b.mul(s, s);
    V tLow = b.fma(b.add(s, s), sLow, b.fma(s, s, b.neg(t)));
    // log(m) / 2 = s + s^3 (1/3 + u), u = t P(t), t <= 0.04: 2^-42
    V u = b.mul(t, polynomial(t, {0x1.99999p-3, 0x1.2496ecp-3, 0x1.c5519ep-4, 0x1.9c33dap-4}));
    V third = b.f(0x1.555556p-2);
    V c = b.add(third, u);
    V cLow = b.add(b.sub(u, b.sub(c, third)), b.f(-0x1.555556p-27));
    // w = s t, then w c
    V w = b.mul(s, t);
    V wLow = b.fma(s, t, b.neg(w));
    wLow = b.fma(s, tLow, b.fma(sLow, t, wLow));
    V z = b.mul(w, c);
    V zLow = b.fma(w, c, b.neg(z));
    zLow = b.fma(w, cLow, b.fma(wLow, c, zLow));
    // v = s + z
    V v = b.add(s, z);
    V vLow = b.add(b.add(b.sub(s, v), z), b.add(sLow, zLow));
    // l = v * 2 log2 e
    V scale = b.f(2 * log2e);
    V l = b.mul(v, scale);
    V lLow = b.fma(v, scale, b.neg(l));
    lLow = b.fma(v, b.f(2 * log2eLow), b.fma(vLow, scale, lLow));
    // h = e + l: e is 0 or larger than l
    V h = b.add(e, l);
    V hLow = b.add(b.add(b.sub(e, h), l), lLow);
    // p = y h
    V p = b.mul(y, h);
    V pLow = b.fma(y, hLow, b.fma(y, h, b.neg(p)));
    P isFar = b.notP(b.lessThan(b.abs(p), b.f(200.0)));
    V bounded = b.minNaN(b.maxNaN(p, b.f(-200.0)), b.f(200.0));
    pLow = b.select(isFar, b.f(0.0), pLow);
    V k = roundToInteger(bounded);
    return exp2Parts(k, b.sub(bounded, k), pLow);
  }

  B &b;
};

} // namespace tilec::lowering

#endif // TILEC_LIB_CONVERSION_TILETONVVM_MATHFUNCTIONS_H
