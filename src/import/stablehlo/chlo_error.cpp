// The error function's complement and inverse, and a Bessel function, as XLA expands them: the
// polynomials of Cephes and of Giles. Tables are from the highest power down.
#include "import/stablehlo/functions.h"
#include "import/stablehlo/ops.h"

namespace hlocc::import::stablehlo {
namespace {

constexpr double kErfInside[] = {7.85386146e-05, -0.000801019371, 0.00518832775, -0.0268538129,
                                 0.112835854,    -0.37612626,     1.12837911};
constexpr double kErfcNear[] = {0.0232682,    -0.138703942, 0.368742466,  -0.582473278, 0.621000469,
                                -0.494451523, 0.340488,     -0.274112701, 0.563825965};
constexpr double kErfcFar[] = {-10.477664,  12.9772,    -7.49551868,  2.92101908,
                               -1.01526523, 0.42184633, -0.282076746, 0.564189494};
constexpr double kErfInsideAbove64[] = {9.6049737398705162, 90.026019720384269, 2232.0053459468431,
                                        7003.3251411280507, 55592.301301039493};
constexpr double kErfInsideBelow64[] = {1,
                                        33.561714164750313,
                                        521.35794978015269,
                                        4594.3238297098014,
                                        22629.000061389095,
                                        49267.394260863592};
constexpr double kErfcNearAbove64[] = {
    2.4619698147353052e-10, 0.56418956483106886, 7.4632105644226989,
    48.637197098568137,     196.5208329560771,   526.44519499547732,
    934.52852717195765,     1027.5518868951572,  557.53533536939938};
constexpr double kErfcNearBelow64[] = {1,
                                       13.228195115474499,
                                       86.707214088598974,
                                       354.93777888781989,
                                       975.70850174320549,
                                       1823.9091668790973,
                                       2246.3376081871097,
                                       1656.6630919416134,
                                       557.53534081772773};
constexpr double kErfcFarAbove64[] = {0.56418958354775506, 1.275366707599781,  5.0190504225118051,
                                      6.160210979930536,   7.4097426995044895, 2.9788666537210022};
constexpr double kErfcFarBelow64[] = {1,
                                      2.2605286322011726,
                                      9.3960352493800148,
                                      12.048953980809666,
                                      17.081445074756591,
                                      9.6089680906328585,
                                      3.3690764510008151};
constexpr double kBesselNear[] = {9.38153732e-09, -4.44505908e-08, 2.00329481e-07, -8.56872e-07,
                                  3.47025139e-06, -1.32731639e-05, 4.78156508e-05, -0.000161760821,
                                  0.000512286,    -0.00151357241,  0.0041564228,   -0.0105640851,
                                  0.0247264486,   -0.0529459827,   0.102643661,    -0.176416516,
                                  0.252587199};
constexpr double kBesselFar[] = {-3.83538046e-09, -2.63146891e-08, -2.51223611e-07, -3.88256467e-06,
                                 -0.000110588939, -0.00976109784,  0.778576255};
constexpr double kBesselNear64[] = {
    2.7779141127610464e-18,  -2.111421214358166e-17,  1.5536319577362005e-16,
    -1.1055969477353862e-15, 7.6006842947354077e-15,  -5.0421855047279118e-14,
    3.2237933659455748e-13,  -1.9839743977649436e-12, 1.1736186298890901e-11,
    -6.6634897235020271e-11, 3.6255902815521172e-10,  -1.8872497517228294e-09,
    9.3815373864957726e-09,  -4.4450591287963281e-08, 2.0032947535521353e-07,
    -8.5687202646954547e-07, 3.4702513081376785e-06,  -1.3273163656039436e-05,
    4.7815651075500542e-05,  -0.00016176081582589674, 0.00051228595616857576,
    -0.0015135724506312532,  0.0041564229443128882,   -0.010564084894626197,
    0.024726449030626516,    -0.052945981208094989,   0.10264365868984709,
    -0.17641651835783406,    0.25258718644363365};
constexpr double kBesselFar64[] = {
    7.5172963108421052e-18,  4.4143483230717077e-18,  -4.6503053684893586e-17,
    -3.2095259219934238e-17, 2.96262899764595e-16,    3.3082023109209285e-16,
    -1.8803547755107825e-15, -3.8144030724370075e-15, 1.0420276984128802e-14,
    4.272440016711951e-14,   -2.1015418427726643e-14, -4.0835511110921974e-13,
    -7.1985517762459084e-13, 2.0356285441470896e-12,  1.4125807436613782e-11,
    3.2526035830154884e-11,  -1.8974958123505413e-11, -5.5897434621965838e-10,
    -3.835380385964237e-09,  -2.6314688468895196e-08, -2.5122362378702088e-07,
    -3.8825648088776906e-06, -0.00011058893876262371, -0.0097610974913614687,
    0.77857623501828011};
constexpr double kErfInvCentral64[] = {
    -3.64441206401782e-21,  -1.6850591381820166e-19, 1.28584807152564e-18,
    1.1157877678025181e-17, -1.3331716628546209e-16, 2.0972767875968562e-17,
    6.6376381343583238e-15, -4.0545662729752069e-14, -8.1519341976054722e-14,
    2.6335093153082323e-12, -1.2975133253453532e-11, -5.4154120542946279e-11,
    1.0512122733215323e-09, -4.1126339803469837e-09, -2.9070369957882005e-08,
    4.2347877827932404e-07, -1.3654692000834679e-06, -1.3882523362786469e-05,
    0.00018673420803405714, -0.000740702534166267,   -0.0060336708714301491,
    0.24015818242558962,    1.6536545626831027};
constexpr double kErfInvMiddle64[] = {
    2.2137376921775787e-09, 9.0756561938885391e-08, -2.7517406297064545e-07,
    1.8239629214389228e-08, 1.5027403968909828e-06, -4.013867526981546e-06,
    2.9234449089955446e-06, 1.2475304481671779e-05, -4.7318229009055734e-05,
    6.8284851459573175e-05, 2.4031110387097894e-05, -0.00035503752036284748,
    0.0009532893797373805,  -0.0016882755560235047, 0.0024914420961078508,
    -0.0037512085075692412, 0.0053709145535900636,  1.0052589676941592,
    3.0838856104922208};
constexpr double kErfInvTail64[] = {
    -2.7109920616438573e-11, -2.5556418169965252e-10, 1.5076572693500548e-09,
    -3.789465440126737e-09,  7.61570120807834e-09,    -1.496002662714924e-08,
    2.9147953450901081e-08,  -6.7711997758452339e-08, 2.2900482228026655e-07,
    -9.9298272942317e-07,    4.5260625972231537e-06,  -1.9681778105531671e-05,
    7.5995277030017761e-05,  -0.00021503011930044477, -0.00013871931833623122,
    1.0103004648645344,      4.8499064014085844};
constexpr double kErfInvCentral[] = {2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
                                     -4.39150654e-06, 0.00021858087,  -0.00125372503,
                                     -0.00417768164,  0.246640727,    1.50140941};
constexpr double kErfInvTail[] = {-0.000200214257, 0.000100950558, 0.00134934322,
                                  -0.00367342844,  0.00573950773,  -0.0076224613,
                                  0.00943887047,   1.00167406,     2.83297682};

bool is_double(Real x) { return x.type() == PrimitiveType::kF64; }

// Inside (-1, 1).
Real erfc_inside(Real x) {
  const Real square = x * x;
  if (!is_double(x)) return 1 - x * polynomial(square, kErfInside);
  return 1 - x * polynomial(square, kErfInsideAbove64) / polynomial(square, kErfInsideBelow64);
}

// exp(-x^2) times what the polynomials give of |x| or of 1 / x^2, 0 where the exponential is.
Real erfc_outside(Real x) {
  const Real exponent = -(x * x), size = abs(x), power = exp(exponent);
  Real value = size;
  if (is_double(x)) {
    const Real near =
        power * polynomial(size, kErfcNearAbove64) / polynomial(size, kErfcNearBelow64);
    const Real far = power * polynomial(size, kErfcFarAbove64) / polynomial(size, kErfcFarBelow64);
    value = select(size < 8, near, far);
  } else {
    const Real q = 1 / (x * x);
    const Real part = select(size < 2, polynomial(q, kErfcNear), polynomial(q, kErfcFar));
    value = power * (1 / size) * part;
  }
  const Real cut = select(exponent < -std::log(largest_number(x.type())), 0, value);
  return select(x < 0, 2 - cut, cut);
}

Real real_erfc(Real x) { return select(abs(x) < 1, erfc_inside(x), erfc_outside(x)); }

// Of w = -log(1 - x^2), with one list of coefficients in the middle and one at the ends.
Real erf_inv_f32(Real x, Real w) {
  const Where is_central = w < 5;
  const Real at = select(is_central, w - 2.5, sqrt(w) - 3);
  Real sum = at;
  for (size_t i = 0; i < std::size(kErfInvTail); ++i) {
    const Real c = select(is_central, w.like(kErfInvCentral[i]), w.like(kErfInvTail[i]));
    sum = i == 0 ? c : c + sum * at;
  }
  return sum * x;
}

// Three lists of 23, 19 and 17 coefficients: sums of shorter ones stand still while longer go on.
Real erf_inv_f64(Real x, Real w) {
  constexpr size_t kTail = std::size(kErfInvTail64), kMiddle = std::size(kErfInvMiddle64);
  const Where is_central = w < 6.25, is_middle = w < 16;
  const Real at =
      select(is_central, w - 3.125, sqrt(w) - select(is_middle, w.like(3.25), w.like(5)));
  Real sum = at;
  for (size_t i = 0; i < std::size(kErfInvCentral64); ++i) {
    Real c = w.like(kErfInvCentral64[i]);
    if (i < kMiddle) c = select(is_central, c, w.like(kErfInvMiddle64[i]));
    if (i < kTail) c = select(is_middle, c, w.like(kErfInvTail64[i]));
    const Real next = i == 0 ? c : c + sum * at;
    sum = i < kTail ? next : select(i < kMiddle ? is_middle : is_central, next, sum);
  }
  return sum * x;
}

Real real_erf_inv(Real x) {
  const Real w = -log1p(x * -x);
  const Real inside = is_double(x) ? erf_inv_f64(x, w) : erf_inv_f32(x, w);
  return select(equal(abs(x), 1), x * std::numeric_limits<double>::infinity(), inside);
}

// Chebyshev's series by Clenshaw's rule.
template <typename List>
Real chebyshev(Real x, const List& coefficients) {
  Real now = x.like(0), before = now, earlier = now;
  for (const double c : coefficients) {
    earlier = before;
    before = now;
    now = x * before - earlier + c;
  }
  return (now - earlier) * 0.5;
}

Real real_bessel_i1e(Real x) {
  const Real size = abs(x), near_at = size * 0.5 - 2, far_at = 32 / size - 2;
  const Real near =
      is_double(x) ? chebyshev(near_at, kBesselNear64) : chebyshev(near_at, kBesselNear);
  const Real far = is_double(x) ? chebyshev(far_at, kBesselFar64) : chebyshev(far_at, kBesselFar);
  return sign(x) * select(size <= 8, size * near, far / sqrt(size));
}

}  // namespace

namespace ops {

InstructionId erfc(const Op& op) { return real_function(op, real_erfc, true); }
InstructionId erf_inv(const Op& op) { return real_function(op, real_erf_inv, true); }
InstructionId bessel_i1e(const Op& op) { return real_function(op, real_bessel_i1e, true); }

}  // namespace ops
}  // namespace hlocc::import::stablehlo
