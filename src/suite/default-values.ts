/** Values of a suite that names none, which stand in no single key of its schema. */

/** Margin of a gate: five points of a rate, a twentieth of another scale. */
export const defaultMargin = 0.05;

/** Targets of a matrix that run without a question. */
export const defaultTargetLimit = 20;

/** Share of runs without an answer that leaves a comparison valid. */
export const defaultErrorShare = 0.05;

/** One false alarm in so many nights. */
export const defaultNights = 365;
