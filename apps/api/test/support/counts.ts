/** Tests that repeat something many times do it less often unless TILLGATE_TEST_COUNTS is "full". */
export const countOf = (counts: { full: number; reduced: number }): number =>
  process.env.TILLGATE_TEST_COUNTS === "full" ? counts.full : counts.reduced;
