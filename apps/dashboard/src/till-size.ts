/** Amounts up to so many letters fit a till on a small phone in its usual size, and in the next. */
const USUAL = 11;
const LONG = 15;

/** How large an amount is written, so that it fits: a till shows up to ten trillion minor units. */
export const amountSize = (text: string): "usual" | "long" | "longest" =>
  text.length <= USUAL ? "usual" : text.length <= LONG ? "long" : "longest";
