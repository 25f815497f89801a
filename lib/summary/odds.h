/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Probabilities of two distributions: Student's t and the binomial, for real numbers of trials. */
#ifndef SUMMARY_ODDS_H
#define SUMMARY_ODDS_H

/* The probability that |t| of df degrees of freedom is at least as great as this one. */
double odds_t(double t, double df);

/*
 * Twice the lesser of the probabilities that of n trials, each with probability p, at least k
 * succeed, and that at most k do; 1 at most.
 */
double odds_binomial(double k, double n, double p);

#endif
