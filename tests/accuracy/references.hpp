// SPDX-License-Identifier: BSL-1.0
// What the C library lacks, in long double: digamma and the inverse of erf.
#pragma once

#include <cmath>
#include <limits>

namespace accuracy {

inline long double digamma(long double x) {
  constexpr long double pi = 3.14159265358979323846264338327950288L;
  if (std::isnan(x) || x == -std::numeric_limits<long double>::infinity() || (x <= 0 && std::floor(x) == x)) return std::numeric_limits<long double>::quiet_NaN();
  if (x < 0) {
    long double const f = x - std::nearbyint(x), angle = pi * f;
    return digamma(1 - x) - pi * std::cos(angle) / std::sin(angle);
  }
  // Near its zero, by the derivatives there.
  long double const u = (x - 0x1.762d86356be3fp+0L) - 9.549995429965697715184199e-17L;
  if (std::fabs(u) < 0.25L) {
    static constexpr long double c[] = {1.287404015320637745087e-10L, -1.881711092354019782235e-10L, 2.750369420128248862852e-10L, -4.020028354997647042355e-10L,
        5.875802667349349541954e-10L, -8.588262056089889130614e-10L, 1.25528798905961014294e-9L, -1.834769276002968215871e-9L,
        2.681757752408109160189e-9L, -3.919743335942332077769e-9L, 5.729222859849993771601e-9L, -8.374016297671790542904e-9L,
        1.223973140323366193908e-8L, -1.788998486491149265145e-8L, 2.614857695196186627953e-8L, -3.821960061917494212428e-8L,
        5.58629968353217144428e-8L, -8.165115189488408840841e-8L, 1.193439482983024277898e-7L, -1.744369511772774521813e-7L,
        2.549626552021554256662e-7L, -3.726616128343822958897e-7L, 5.446941930669445278501e-7L, -7.961425431241970400352e-7L,
        0.000001163667536354884270291L, -0.000001700853885433260658246L, 0.000002486022733129537948898L,
        -0.000003633650789801045668371L, 0.000005311060920889863387322L, -0.000007762817668462094425268L,
        0.0000113463845846638498067L, -0.00001658424227185413337524L, 0.00002424006611860131765268L,
        -0.0000354300709476596063157L, 0.00005178575795222080868993L, -0.00007569179582195065919238L,
        0.0001106337276874741090409L, -0.0001617062209197480344936L, 0.0002363560156402705279237L, -0.0003454680251063076995556L,
        0.0005049532658346020351774L, -0.000738070938996005129566L, 0.001078825201916296580692L, -0.001576936771430197259271L,
        0.002305126326734927836938L, -0.003369801655439328082793L, 0.004926781395729853446354L, -0.00720453438635686824097L,
        0.01053879161661217538812L, -0.0154247659049489591388L, 0.02259764823221810465962L, -0.03316112647484735929226L,
        0.04880428816414310722509L, -0.07219956125645471092612L, 0.1078240506912623657572L, -0.1639427054424065275043L,
        0.2584997609556510106244L, -0.4427631689835921060929L, 0.9676722454476211704274L};
    long double r = 0;
    for (long double k : c) r = r * u + k;
    return r * u;
  }
  long double shift = 0;
  while (x < 40) shift += 1 / x, x += 1;
  long double const w = 1 / (x * x);
  long double const series = w * (1 / 12.0L - w * (1 / 120.0L - w * (1 / 252.0L - w * (1 / 240.0L - w * (5 / 660.0L - w * (691 / 32760.0L - w / 12))))));
  return std::log(x) - 0.5L / x - series - shift;
}
inline long double erf_inv(long double x) {
  using limits = std::numeric_limits<long double>;
  long double const size = std::fabs(x);
  if (!(size <= 1)) return limits::quiet_NaN();
  if (size == 1) return std::copysign(limits::infinity(), x);
  constexpr long double half_root_pi = 0.886226925452758013649083741670572591398774728L;
  if (size < 1e-5L) return half_root_pi * x * (1 + size * size * (0.261799387799149436538553615273291907L));
  long double const tail = 1 - size;
  long double t = size < 0.7L ? half_root_pi * size : std::sqrt(-std::log(tail));
  for (int i = 0; i < 60; ++i) {
    long double const error = size < 0.5L ? size - std::erf(t) : std::erfc(t) - tail;
    long double const newton = error * half_root_pi * std::exp(t * t), step = newton / (1 - t * newton);
    t += step;
    if (std::fabs(step) <= limits::epsilon() * t) break;
  }
  return std::copysign(t, x);
}

}  // namespace accuracy
