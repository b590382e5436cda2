/** `--short`: measures every figure too briefly to judge its value, to show that the bench works. */
export const isShort = process.argv.includes("--short");

/** The size of a step: the full amount, or in a short run just enough to show that the figure can be measured. */
export const pickSize = (full: number, short: number): number => (isShort ? short : full);
