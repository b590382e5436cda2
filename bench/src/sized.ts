/** `--short`: measures every figure too briefly to judge its value, as a test of the benchmark itself. */
export const isShort = process.argv.includes("--short");

/** Returns the size of a step: the full number or, in a short run, just enough to show that the figure can be measured. */
export const pickSize = (full: number, short: number): number => (isShort ? short : full);
