/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Probabilities from the regularized incomplete beta function I(x; a, b), which has both
 * distributions as special cases. It is evaluated by its continued fraction (Abramowitz and Stegun,
 * 26.5.8) with the method of Lentz. Callers are the tests of diff_test.c.
 */
#include "odds.h"

#include <math.h>

enum { STEPS = 400 };
#define TINY 1e-300
#define EXACT 1e-14

/* Never 0, by which the next step divides. */
static double not_zero(double v)
{
	return fabs(v) < TINY ? TINY : v;
}

/* The continued fraction, which is quick below the mean of the distribution. */
static double fraction(double x, double a, double b)
{
	double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1)), value = d;

	for (int m = 1; m < STEPS; m++) {
		const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 / not_zero(1 + even * d);
		c = not_zero(1 + even / c);
		value *= d * c;
		d = 1 / not_zero(1 + odd * d);
		c = not_zero(1 + odd / c);
		step = d * c;
		value *= step;
		if (fabs(step - 1) < EXACT)
			break;
	}
	return value;
}

/* lgamma() of the C library writes to a global; positive arguments do not need its sign. */
static double log_gamma(double v)
{
	int sign;

	return lgamma_r(v, &sign);
}

static double beta(double x, double a, double b)
{
	double front;

	if (x <= 0 || x >= 1)
		return x >= 1;
	front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x));
	return x < (a + 1) / (a + b + 2) ? front * fraction(x, a, b) / a
					 : 1 - front * fraction(1 - x, b, a) / b;
}

double odds_t(double t, double df)
{
	return beta(df / (df + t * t), df / 2, 0.5);
}

double odds_binomial(double k, double n, double p)
{
	const double least = k > 0 ? beta(p, k, n - k + 1) : 1;
	const double most = k < n ? beta(1 - p, n - k, k + 1) : 1;
	const double both = 2 * fmin(least, most);

	return both < 1 ? both : 1;
}
