/** With `--short`, every figure is measured too briefly to judge its value, as a test of the benchmark itself. */
export const isShort = process.argv.includes("--short");

export const pickSize = (full: number, short: number): number => (isShort ? short : full);
