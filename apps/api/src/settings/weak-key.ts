import { ZxcvbnFactory } from "@zxcvbn-ts/core";

/** Fewer guesses than this (as a power of ten) find the key; 16 random bytes need about 10^31. */
const LEAST_GUESSES_LOG10 = 20;

/** Whether a key looks typed, repeated or counted up instead of drawn at random. The length alone does not show it. */
export const isWeakKey = (key: string): boolean =>
  new ZxcvbnFactory().check(key).guessesLog10 < LEAST_GUESSES_LOG10;
