/** Maximum number of characters that fit on a small phone at the usual size, and at the next smaller size. */
const USUAL = 11;
const LONG = 15;

export const getAmountSize = (text: string): "usual" | "long" | "longest" =>
  text.length <= USUAL ? "usual" : text.length <= LONG ? "long" : "longest";
