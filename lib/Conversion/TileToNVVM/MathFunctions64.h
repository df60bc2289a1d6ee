//===- MathFunctions64.h - functions of f64, to a few ulp --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same as MathFunctions.h for f64, where no approximations of the hardware help: polynomials and
// divisions. `B` has V (f64), I (i64) and P (i1).
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_CONVERSION_TILETONVVM_MATHFUNCTIONS64_H
#define TILEC_LIB_CONVERSION_TILETONVVM_MATHFUNCTIONS64_H

#include <cstdint>
#include <initializer_list>

namespace tilec::lowering {

/// 2/pi in words of 64 bits, behind one of zeros.
inline constexpr uint64_t twoOverPiWords64[20] = {0,
                                                  0xa2f9836e4e441529,
                                                  0xfc2757d1f534ddc0,
                                                  0xdb6295993c439041,
                                                  0xfe5163abdebbc561,
                                                  0xb7246e3a424dd2e0,
                                                  0x06492eea09d1921c,
                                                  0xfe1deb1cb129a73e,
                                                  0xe88235f52ebb4484,
                                                  0xe99c7026b45f7e41,
                                                  0x3991d639835339f4,
                                                  0x9c845f8bbdf9283b,
                                                  0x1ff897ffde05980f,
                                                  0xef2f118b5a0a6d1f,
                                                  0x6d367ecf27cb09b7,
                                                  0x4f463f669e5fea2d,
                                                  0x7527bac7ebe5f17b,
                                                  0x3d0739f78a5292ea,
                                                  0x6bfb5fb11f8d5d08,
                                                  0x56033046fc7b6bab};

template <typename B> class MathFunctions64 {
public:
  using V = typename B::V;
  using I = typename B::I;
  using P = typename B::P;

  explicit MathFunctions64(B &builder) : b(builder) {}

  V exp(V x) {
    x = clamp(x, -746.0, 710.0);
    V k = roundToInteger(b.mul(x, b.f(log2e)));
    V r = b.fma(k, b.f(-ln2High), x);
    r = b.fma(k, b.f(-ln2Low), r);
    // e^r = 1 + r + r^2 Q(r), |r| <= 0.35: 2^-57.9
    V q =
        polynomial(r, {0x1.000000000000ap-1, 0x1.5555555555502p-3, 0x1.5555555550618p-5, 0x1.1111111125d7fp-7,
                       0x1.6c16c1849c3cep-10, 0x1.a01a013478028p-13, 0x1.a01998f686e5ap-16,
                       0x1.71df0ed374afdp-19, 0x1.28ae6069a7ce0p-22, 0x1.ada317424d4e5p-26});
    return scale(b.add(b.f(1.0), b.fma(b.mul(r, r), q, r)), k);
  }

  V exp2(V x) {
    x = clamp(x, -1076.0, 1025.0);
    V k = roundToInteger(x);
    return exp2Parts(k, b.sub(x, k), b.f(0.0));
  }

  V log(V x) {
    V e, m;
    split(x, e, m);
    V f = b.sub(m, b.f(1.0));
    // With s = f / (2 + f) and h = f^2 / 2: log(1 + f) = f - h + s (h + R(s^2)), R: 2^-61.6
    V s = b.div(f, b.add(f, b.f(2.0)));
    V z = b.mul(s, s);
    V r = b.mul(z, polynomial(z, {0x1.555555555554fp-1, 0x1.999999999c1bep-2, 0x1.24924921e0c64p-2,
                                  0x1.c71c74928637fp-3, 0x1.745c4a43edce6p-3, 0x1.3b35d2c42b325p-3,
                                  0x1.0dca794cbc3a2p-3, 0x1.1b88bb65e4ec0p-3}));
    V h = b.mul(b.mul(b.f(0.5), f), f);
    V low = b.fma(s, b.add(h, r), b.mul(e, b.f(ln2Low)));
    V sum = b.fma(e, b.f(ln2High), b.sub(f, b.sub(h, low)));
    return withLogSpecials(x, sum);
  }

  V log2(V x) {
    V high, low;
    log2Parts(x, high, low);
    return withLogSpecials(x, b.add(high, low));
  }

  V tanh(V x) {
    V a = b.abs(x);
    // tanh(x) = x + x^3 P(x^2), |x| <= 0.6: 2^-62.6
    V t = b.mul(x, x);
    V p = polynomial(t, {-0x1.5555555555554p-2, 0x1.1111111110ed8p-3, -0x1.ba1ba1b9f6d32p-5,
                         0x1.664f48792e230p-6, -0x1.226e33e7e43d5p-7, 0x1.d6d387c5a23a8p-9,
                         -0x1.7d9e9ce81489fp-10, 0x1.3521384b34ff5p-11, -0x1.f21387f3c5dbfp-13,
                         0x1.83d7900f2a1b4p-14, -0x1.055d9adc36ecdp-15, 0x1.b3c918501a4bbp-18});
    V small = b.fma(b.mul(x, t), p, x);
    V d = b.add(exp(b.add(a, a)), b.f(1.0));
    V large = b.sub(b.f(1.0), b.div(b.f(2.0), d));
    return copySign(b.select(b.lessThan(a, b.f(0.6)), small, large), x); // of zero too
  }

  V sigmoid(V x) {
    V e = exp(b.neg(b.abs(x)));
    V n = b.select(b.lessThan(x, b.f(0.0)), e, b.f(1.0));
    return b.div(n, b.add(b.f(1.0), e));
  }

  V erf(V x) {
    V a = b.abs(x);
    // erf(x) = x + x P(x^2), |x| <= 1: 2^-74
    V t = b.mul(x, x);
    V p = polynomial(t, {0x1.06eba8214db69p-3, -0x1.812746b0379e7p-2, 0x1.ce2f21a042be2p-4,
                         -0x1.b82ce31288b47p-6, 0x1.565bcd0e6a2c6p-8, -0x1.c02db40035504p-11,
                         0x1.f9a326f792686p-14, -0x1.f4d25bf6daa04p-17, 0x1.b9e6c35748d6dp-20,
                         -0x1.5f73c0cb888e8p-23, 0x1.fcbaf854d6ad4p-27, -0x1.517b6837ebddbp-30,
                         0x1.9a0315bc49a5bp-34, -0x1.b3cdb18c27a74p-38, 0x1.3b6e829863046p-42});
    V small = b.fma(x, p, x);
    // erfc(x) = e^(-x^2) W(u), u = (x - 2.4) / (x + 2.4), 1 <= x <= 6: 2^-75 of erf; from 5.93 on erf is 1.
    V c = b.select(b.lessThan(b.f(6.0), a), b.f(6.0), a);
    V u = b.div(b.sub(c, b.f(2.4)), b.add(c, b.f(2.4)));
    V w = polynomial(u, {0x1.bf7c43b86e7a2p-3, -0x1.872d68a71dfa0p-2, 0x1.017dbaafb4966p-2,
                         -0x1.e233f781e51d6p-4, 0x1.0c0d0be587863p-5, -0x1.651296a5b2ab6p-11,
                         -0x1.85c9a4d1c85b2p-9, 0x1.f79c6b97b5330p-12, 0x1.69820c9f5386bp-12,
                         -0x1.2cef69cc03bc1p-14, -0x1.d52b35809dab4p-15, 0x1.ce07aa19b3e79p-18,
                         0x1.694f999b1fd91p-17, 0x1.2b06b7de311cbp-21, -0x1.1cb501a8b76afp-19,
                         -0x1.ec44bac8311b2p-21, -0x1.f71de79230da8p-24});
    V large = b.fma(b.neg(exp(b.neg(b.mul(c, c)))), w, b.f(1.0));
    return b.select(b.lessThan(a, b.f(1.0)), small, copySign(large, x));
  }

  V sin(V x) { return sinOrCos(x, 0); }
  V cos(V x) { return sinOrCos(x, 1); }

  V pow(V x, V y) {
    V a = b.abs(x), zero = b.f(0.0), one = b.f(1.0), infinity = b.infinity();
    V r = powPositive(a, y);

    V ay = b.abs(y);
    P isInteger = b.equal(b.trunc(ay), ay);
    V half = b.mul(ay, b.f(0.5));
    P isOdd = b.both(b.both(isInteger, b.lessThan(ay, b.f(0x1p53))), b.notEqual(b.trunc(half), half));

    P yPositive = b.lessThan(zero, y);
    P grows = b.equal(a, infinity);
    P atEnd = b.either(grows, b.equal(a, zero));
    P yInfinite = b.equal(ay, infinity);
    grows = b.select(yInfinite, b.lessThan(one, a), grows);
    P isLarge = b.same(grows, yPositive);
    r = b.select(b.either(atEnd, yInfinite), b.select(isLarge, infinity, zero), r);
    r = b.select(b.both(yInfinite, b.equal(a, one)), one, r);

    P negative = b.lessThanInt(b.bits(x), b.i(0));
    r = b.select(b.both(negative, isOdd), b.neg(r), r);
    P noReal =
        b.both(b.both(b.lessThan(x, zero), b.lessThan(a, infinity)), b.notP(b.either(isInteger, yInfinite)));
    r = b.select(b.either(noReal, b.either(b.isNaN(x), b.isNaN(y))), b.nan(), r);
    return b.select(b.either(b.equal(x, one), b.equal(y, zero)), one, r);
  }

  /// Halves away from zero.
  V round(V x) {
    V magnitude = b.trunc(b.add(b.abs(x), b.f(0x1.fffffffffffffp-2)));
    return b.select(b.lessThan(b.abs(x), b.f(0x1p52)), copySign(magnitude, x), x);
  }

private:
  static constexpr double log2e = 0x1.71547652b82fep+0, log2eLow = 0x1.777d0ffda0d24p-56;
  static constexpr double ln2 = 0x1.62e42fefa39efp-1;
  static constexpr double ln2High = 0x1.62e42fee00000p-1, ln2Low = 0x1.a39ef35793c76p-33;

  V polynomial(V x, std::initializer_list<double> coefficients) {
    const double *c = coefficients.end() - 1;
    V sum = b.f(*c);
    while (c != coefficients.begin())
      sum = b.fma(sum, x, b.f(*--c));
    return sum;
  }

  /// NaN stays.
  V clamp(V x, double low, double high) {
    x = b.select(b.lessThan(x, b.f(low)), b.f(low), x);
    return b.select(b.lessThan(b.f(high), x), b.f(high), x);
  }

  V copySign(V magnitude, V sign) {
    I s = b.andI(b.bits(sign), b.i(INT64_MIN));
    return b.fromBits(b.orI(b.andI(b.bits(magnitude), b.i(INT64_MAX)), s));
  }

  /// To nearest, |x| < 2^51.
  V roundToInteger(V x) {
    V magic = b.f(0x1.8p52);
    return b.sub(b.add(x, magic), magic);
  }
  /// Of an integer below 2^51: the low bits of its sum with 1.5 * 2^52.
  I toInt(V x) { return b.subI(b.bits(b.add(x, b.f(0x1.8p52))), b.i(0x4338000000000000)); }

  V powerOfTwo(I n) { return b.fromBits(b.shlI(b.addI(n, b.i(1023)), 52)); }

  /// r 2^k, k in -2000 … 2000, in two steps, since 2^k alone may be out of range.
  V scale(V r, V k) {
    I n = toInt(k);
    I first = b.sarI(n, 1), second = b.subI(n, first);
    return b.mul(b.mul(r, powerOfTwo(first)), powerOfTwo(second));
  }

  /// 2^(k + f + fLow), |f| <= 0.51, fLow tiny.
  V exp2Parts(V k, V f, V fLow) {
    V sum = b.add(f, fLow);
    V carried = b.add(b.sub(f, sum), fLow);
    // 2^f = 1 + f P(f), |f| <= 1/2: 2^-64.3
    V p = polynomial(sum, {0x1.62e42fefa39efp-1, 0x1.ebfbdff82c58fp-3, 0x1.c6b08d704a0cfp-5,
                           0x1.3b2ab6fba4e27p-7, 0x1.5d87fe78a25f7p-10, 0x1.430912f88288dp-13,
                           0x1.ffcbfc750b5f8p-17, 0x1.62c021e735759p-20, 0x1.b524dcf2b9234p-24,
                           0x1.e4d05be12d523p-28, 0x1.ea01d6adc6908p-32, 0x1.c2e44616f00dcp-36});
    return scale(b.fma(sum, p, b.fma(carried, b.f(ln2), b.f(1.0))), k);
  }

  /// x = 2^e m, m in 2/3 … 4/3.
  void split(V x, V &e, V &m) {
    P isSubnormal = b.lessThan(x, b.f(0x1p-1022));
    x = b.select(isSubnormal, b.mul(x, b.f(0x1p54)), x);
    I u = b.bits(x);
    I n = b.sarI(b.subI(u, b.i(0x3fe5555555555555)), 52);
    m = b.fromBits(b.subI(u, b.shlI(n, 52)));
    e = b.sub(b.toFloat(n), b.select(isSubnormal, b.f(54.0), b.f(0.0)));
  }

  V withLogSpecials(V x, V result) {
    V special = b.select(b.equal(x, b.f(0.0)), b.neg(b.infinity()), b.nan());
    special = b.select(b.equal(x, b.infinity()), x, special);
    return b.select(b.both(b.lessThan(b.f(0.0), x), b.lessThan(x, b.infinity())), result, special);
  }

  /// log2 x in two doubles, to about 2^-66.
  void log2Parts(V x, V &high, V &low) {
    V e, m;
    split(x, e, m);
    V f = b.sub(m, b.f(1.0));
    V d = b.add(f, b.f(2.0));
    V dLow = b.sub(f, b.sub(d, b.f(2.0)));
    V s = b.div(f, d);
    V sLow = b.div(b.fma(b.neg(s), dLow, b.fma(b.neg(s), d, f)), d);
    V t = b.mul(s, s);
    V tLow = b.fma(b.add(s, s), sLow, b.fma(s, s, b.neg(t)));
    // log(m) / 2 = s + s^3 (1/3 + u), u = t P(t), t <= 0.04: 2^-69
    V u = b.mul(t, polynomial(t, {0x1.9999999999967p-3, 0x1.2492492498f67p-3, 0x1.c71c71bc4917ap-4,
                                  0x1.745d1bd307d67p-4, 0x1.3b1295f3a4595p-4, 0x1.113a5c7440206p-4,
                                  0x1.dac88d1590576p-5, 0x1.01956de9cc45bp-4}));
    V third = b.f(0x1.5555555555555p-2);
    V c = b.add(third, u);
    V cLow = b.add(b.sub(u, b.sub(c, third)), b.f(0x1.5555555555555p-56));
    V w = b.mul(s, t);
    V wLow = b.fma(s, t, b.neg(w));
    wLow = b.fma(s, tLow, b.fma(sLow, t, wLow));
    V z = b.mul(w, c);
    V zLow = b.fma(w, c, b.neg(z));
    zLow = b.fma(w, cLow, b.fma(wLow, c, zLow));
    V v = b.add(s, z);
    V vLow = b.add(b.add(b.sub(s, v), z), b.add(sLow, zLow));
    V factor = b.f(2 * log2e);
    V l = b.mul(v, factor);
    V lLow = b.fma(v, factor, b.neg(l));
    lLow = b.fma(v, b.f(2 * log2eLow), b.fma(vLow, factor, lLow));
    high = b.add(e, l);
    low = b.add(b.add(b.sub(e, high), l), lLow);
  }

  V powPositive(V a, V y) {
    V h, hLow;
    log2Parts(a, h, hLow);
    V p = b.mul(y, h);
    V pLow = b.fma(y, hLow, b.fma(y, h, b.neg(p)));
    P isFar = b.notP(b.lessThan(b.abs(p), b.f(1500.0)));
    V bounded = clamp(p, -1500.0, 1500.0);
    pLow = b.select(isFar, b.f(0.0), pLow);
    V k = roundToInteger(bounded);
    return exp2Parts(k, b.sub(bounded, k), pLow);
  }

  V sinOrCos(V x, int quarters) {
    V j = roundToInteger(b.mul(x, b.f(0x1.45f306dc9c883p-1)));
    V r = b.fma(j, b.f(-0x1.921fb54442d18p+0), x);
    r = b.fma(j, b.f(-0x1.1a62633145c07p-54), r);
    r = b.fma(j, b.f(0x1.f1976b7ed8fbcp-110), r);
    I n = toInt(j);
    b.ifRare(b.lessThan(b.f(0x1p20), b.abs(x)), r, n,
             [&](V &rest, I &quarter) { reduceLarge(x, rest, quarter); });
    n = b.addI(n, b.i(quarters));
    V t = b.mul(r, r);
    // sin(r) = r + r^3 P(r^2), cos(r) = 1 - r^2/2 + r^4 P(r^2), |r| <= pi/4: 2^-68, 2^-75
    V s = b.fma(b.mul(r, t),
                polynomial(t, {-0x1.5555555555555p-3, 0x1.111111111110bp-7, -0x1.a01a01a018a4ap-13,
                               0x1.71de3a532dc55p-19, -0x1.ae645289eb6e8p-26, 0x1.61208a03ca0fbp-33,
                               -0x1.aaa127d3370e3p-41}),
                r);
    V c = b.fma(b.mul(t, t),
                polynomial(t, {0x1.5555555555555p-5, -0x1.6c16c16c16c0fp-10, 0x1.a01a01a018ca6p-16,
                               -0x1.27e4fb75e9300p-22, 0x1.1eed8c8e3a211p-29, -0x1.939321497b288p-37,
                               0x1.aabbd8784a6ffp-45}),
                b.fma(t, b.f(-0.5), b.f(1.0)));
    V y = b.select(b.equalInt(b.andI(n, b.i(1)), b.i(0)), s, c);
    y = b.fromBits(b.xorI(b.bits(y), b.shlI(b.andI(n, b.i(2)), 62)));
    y = b.select(b.equal(b.abs(x), b.infinity()), b.nan(), y);
    // The polynomial makes +0 of -0.
    return quarters == 0 ? b.select(b.equal(x, b.f(0.0)), x, y) : y;
  }

  /// Payne and Hanek for |x| >= 2^20: see MathFunctions::reduceLarge; 192 bits of 2/pi from weight 2 down.
  void reduceLarge(V x, V &rest, I &quarter) {
    I u = b.bits(x);
    I m = b.orI(b.andI(u, b.i(0xfffffffffffff)), b.i(0x10000000000000));
    I e = b.subI(b.andI(b.shrI(u, 52), b.i(0x7ff)), b.i(1023 + 52));
    I start = b.addI(e, b.i(62));
    I word = b.shrI(start, 6), shift = b.andI(start, b.i(63));
    // Infinity and NaN come here too: the table ends with what the largest number needs.
    word = b.minUnsigned(word, b.i(16));
    I w[4];
    for (int k = 0; k < 4; ++k)
      w[k] = b.twoOverPi(b.addI(word, b.i(k)));
    I window[3];
    for (int k = 0; k < 3; ++k)
      window[k] = b.orI(b.shlBy(w[k], shift), b.shrBy(b.shrI(w[k + 1], 1), b.subI(b.i(63), shift)));
    I low = b.mulI(window[2], m);
    I product = b.mulI(window[1], m);
    I middle = b.addI(product, b.mulHigh(window[2], m));
    I carry = b.fromP(b.lessThanUnsigned(middle, product));
    I high = b.addI(b.mulI(window[0], m), b.addI(b.mulHigh(window[1], m), carry));
    quarter = b.shrI(high, 62);
    I fraction = b.orI(b.shlI(high, 2), b.shrI(middle, 62));
    I fractionLow = b.orI(b.shlI(middle, 2), b.shrI(low, 62));
    quarter = b.addI(quarter, b.shrI(fraction, 63));
    V turns = b.fma(b.toFloat(fraction), b.f(0x1p-64), b.mul(b.toFloatUnsigned(fractionLow), b.f(0x1p-128)));
    rest = b.mul(turns, b.f(0x1.921fb54442d18p+0));
    P negative = b.lessThanInt(u, b.i(0));
    rest = b.select(negative, b.neg(rest), rest);
    quarter = b.select(negative, b.subI(b.i(0), quarter), quarter);
  }

  B &b;
};

} // namespace tilec::lowering

#endif // TILEC_LIB_CONVERSION_TILETONVVM_MATHFUNCTIONS64_H
