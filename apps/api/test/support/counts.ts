/** Repetitions of an expensive test: reduced unless TILLGATE_TEST_COUNTS is "full". */
export const countOf = (counts: { full: number; reduced: number }): number =>
  process.env.TILLGATE_TEST_COUNTS === "full" ? counts.full : counts.reduced;
