#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Coefficients of the polynomials in include/trackplex/core/math.hpp and core/bessel.hpp.

Each polynomial is the minimax fit (Remez exchange, in decimal arithmetic) of a function on the
interval that the argument reduction leaves. The coefficients are rounded to float or double one by
one, from the lowest, and the others fitted again, so that they make up for the rounding.
Quotients of polynomials agree with the function at Chebyshev points; their coefficients are
positive, so that rounding them does little.
Prints C++ literals and the largest error relative to the elementary function, in bits.
"""
import struct
from decimal import Decimal as D, getcontext

getcontext().prec = 60


def series(term, z):
    """Sum of term(0), term(1), ... times powers of z, for |z| < 1 or rapidly falling terms."""
    total, power, k = D(0), D(1), 0
    while True:
        add = term(k) * power
        total += add
        if abs(add) < D(10) ** -58:
            return total
        power, k = power * z, k + 1


def factorial(n):
    return D(1) if n < 2 else n * factorial(n - 1)


def atan(x):
    """By halving the angle, then the Taylor series."""
    for _ in range(6):
        x = x / (1 + (1 + x * x).sqrt())
    return 64 * x * series(lambda k: D((-1) ** k) / (2 * k + 1), x * x)


def sin_rest(z):  # sin r = r + r z p(z), z = r^2
    return series(lambda k: (-1) ** (k + 1) / factorial(2 * k + 3), z)


def cos_rest(z):  # cos r = 1 - z/2 + z^2 p(z)
    return series(lambda k: (-1) ** k / factorial(2 * k + 4), z)


def exp_rest(r):  # exp r = 1 + r + r^2 p(r)
    return series(lambda k: 1 / factorial(k + 2), r)


def log_rest(f):  # log(1 + f) = f - f^2/2 + f^3 p(f)
    return ((1 + f).ln() - f + f * f / 2) / f**3


def atanh_rest(z):  # 2 atanh s = 2 s + s z p(z), z = s^2
    return series(lambda k: D(2) / (2 * k + 3), z)


def atan_rest(z):  # atan t = t + t z p(z), z = t^2
    return (atan(z.sqrt()) / z.sqrt() - 1) / z


def harmonic(n):
    return sum((1 / D(k) for k in range(1, n + 1)), D(0))


EULER = D("0.57721566490153286060651209008240243104215933593992359880576723")


def bessel_i1(z):  # I1(x) = x p(z), z = x^2
    return series(lambda k: 1 / (2 * 4**k * factorial(k) * factorial(k + 1)), z)


def bessel_k1_rest(z):  # 1 - x K1(x) = x^2 (p(z) - log(x) I1(x)/x), z = x^2
    digamma = lambda k: harmonic(k) - EULER
    term = lambda k: (digamma(k) + digamma(k + 1)) / (4 * 4**k * factorial(k) * factorial(k + 1))
    return D(2).ln() * bessel_i1(z) + series(term, z)


GAUSS = [(D(k) / 16, (-((D(k) / 16) ** 2)).exp() / 8) for k in range(192)]


def bessel_k1_scaled(t):  # sqrt(x) exp(x) K1(x), t = 1/x: an integral by the trapezoidal rule
    f = lambda v: (1 + v * v * t) / (2 + v * v * t).sqrt()
    return sum(w * f(v) for v, w in GAUSS) - GAUSS[0][1] * f(D(0)) / 2


def solve(a, b):
    """Gaussian elimination with pivoting."""
    n = len(b)
    a = [row[:] + [x] for row, x in zip(a, b)]
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(a[r][i]))
        a[i], a[p] = a[p], a[i]
        for r in range(i + 1, n):
            factor = a[r][i] / a[i][i]
            for c in range(i, n + 1):
                a[r][c] -= factor * a[i][c]
    x = [D(0)] * n
    for i in reversed(range(n)):
        x[i] = (a[i][n] - sum(a[i][c] * x[c] for c in range(i + 1, n))) / a[i][i]
    return x


def evaluate(coefficients, x):
    y = D(0)
    for c in reversed(coefficients):
        y = y * x + c
    return y


def remez(fixed, free, samples):
    """Coefficients fixed + fitted that minimise max |weight (f - p)|."""
    n = len(fixed)
    pick = [round((i + D("0.5")) * (len(samples) - 1) / (free + 1)) for i in range(free + 1)]
    best = (D(10), None)
    for _ in range(12):
        rows, right = [], []
        for i, k in enumerate(pick):
            x, y, w = samples[k]
            rows.append([x ** (n + j) for j in range(free)] + [(-1) ** i / w])
            right.append(y - evaluate(fixed, x))
        c = fixed + solve(rows, right)[:-1]
        error = [w * (y - evaluate(c, x)) for x, y, w in samples]
        best = min(best, (max(abs(e) for e in error), c))
        extrema, start = [], 0
        for k in range(1, len(error) + 1):  # the largest error of each run of equal sign
            if k == len(error) or (error[k] > 0) != (error[start] > 0):
                extrema.append(max(range(start, k), key=lambda i: abs(error[i])))
                start = k
        while len(extrema) > free + 1:
            extrema.pop(0 if abs(error[extrema[0]]) < abs(error[extrema[-1]]) else -1)
        if len(extrema) < free + 1 or extrema == pick:
            break
        pick = extrema
    return best[1]


def rounded(x, kind):
    return D(struct.unpack(kind, struct.pack(kind, float(x)))[0])


def literal(x, kind):
    mantissa, exponent = float(x).hex().split("p")
    mantissa = mantissa.rstrip("0") if "." in mantissa else mantissa
    return mantissa.rstrip(".") + "p" + str(int(exponent)) + ("f" if kind == "f" else "")


def table(name, f, weight, low, high, count, kind):
    low, high, m = D(str(low)), D(str(high)), 400
    # Chebyshev points: dense at the ends, none at 0
    cosine = lambda k: 1 - 2 * series_sine_squared(k, m)
    samples = []
    for k in range(m):
        x = (low + high) / 2 - (high - low) / 2 * cosine(k)
        samples.append((x, f(x), abs(weight(x))))
    fixed = []
    for i in range(count):
        c = remez(fixed, count - i, samples)
        fixed.append(rounded(c[i], kind))
    error = max(w * abs(y - evaluate(fixed, x)) for x, y, w in samples)
    print(f"{name}: error 2^{float(error.ln() / D(2).ln()):.1f}")
    for c in fixed:
        print("   ", literal(c, kind) + ",")


def quotient_table(name, f, low, high, degree, kind):
    """f as a quotient of two polynomials of this degree; the denominator begins with 1."""
    low, high, m = D(str(low)), D(str(high)), 2 * degree + 1
    point = lambda k, m: low + (high - low) * series_sine_squared(k, m)
    rows, right = [], []
    for k in range(m):
        x = point(k, m)
        y = f(x)
        rows.append([x**j for j in range(degree + 1)] + [-y * x**j for j in range(1, degree + 1)])
        right.append(y)
    c = [rounded(value, kind) for value in solve(rows, right)]
    above, below = c[: degree + 1], [D(1)] + c[degree + 1 :]
    samples = [point(k, 300) for k in range(300)]
    error = max(abs(evaluate(above, x) / evaluate(below, x) / f(x) - 1) for x in samples)
    print(f"{name}: error 2^{float(error.ln() / D(2).ln()):.1f}")
    for c in (above, below):
        print("   ", ", ".join(literal(x, kind) for x in c))


def series_sine_squared(k, m):
    """sin^2 of (k + 1/2) pi / (2 m)."""
    x = (k + D("0.5")) * 4 * atan(D(1)) / (2 * m)
    return (x * (1 + x * x * sin_rest(x * x))) ** 2


def tables():
    root = lambda z: z.sqrt()
    sine = lambda z: 1 + z * sin_rest(z)
    for kind, n in (("f", 3), ("d", 6)):
        table(f"sin {kind}", sin_rest, lambda z: z / sine(z), 0, 0.64, n, kind)
    for kind, n in (("f", 3), ("d", 6)):
        table(f"cos {kind}", cos_rest, lambda z: z * z / (1 - z / 2 + z * z * cos_rest(z)), 0, 0.64,
              n, kind)
    for kind, n in (("f", 5), ("d", 10)):
        table(f"exp {kind}", exp_rest, lambda r: r * r / r.exp(), -0.347, 0.347, n, kind)
    table("log f", log_rest, lambda f: f**3 / (1 + f).ln(), -0.2929, 0.4143, 8, "f")
    table("log d", atanh_rest, lambda z: z / 2, 0, 0.02944, 7, "d")
    for kind, n in (("f", 9), ("d", 20)):
        table(f"atan {kind}", atan_rest, lambda z: z * root(z) / atan(root(z)), 0, 1, n, kind)
    for kind, n in (("f", 4), ("d", 8)):
        table(f"i1 {kind}", bessel_i1, lambda z: 1 / bessel_i1(z), 0, 1, n, kind)
        table(f"k1 rest {kind}", bessel_k1_rest, lambda z: 1 / bessel_k1_rest(z), 0, 1, n, kind)
    for kind, n in (("f", 4), ("d", 10)):
        quotient_table(f"k1 {kind}", bessel_k1_scaled, 0, 1, n, kind)


if __name__ == "__main__":
    tables()
