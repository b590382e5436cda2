/** `--short`: every figure is measured, but so briefly that its value says little. Shows that the bench works. */
export const isShort = process.argv.includes("--short");

/** How much of something a run takes: the full amount, or what is enough to show that the figure can be measured. */
export const sized = (full: number, short: number): number => (isShort ? short : full);
