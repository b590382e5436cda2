export const countOf = (counts: { full: number; reduced: number }): number =>
  process.env.TILLGATE_TEST_COUNTS === "full" ? counts.full : counts.reduced;
