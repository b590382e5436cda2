import { createHash, timingSafeEqual } from "node:crypto";

const digest = (value: string): Buffer => createHash("sha256").update(value).digest();

/** Compares two secrets in constant time, without revealing their lengths. */
export const isSameSecret = (first: string, second: string): boolean =>
  timingSafeEqual(digest(first), digest(second));
