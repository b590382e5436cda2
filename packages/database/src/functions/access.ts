import { z } from "zod";
import { ledgerFunction, row, value } from "./ledger-function.js";
import { toRowSchema } from "./rows.js";

/** Counts a PIN as wrong before it is verified. */
export const countPin = ledgerFunction({
  name: "count_pin",
  parameters: {
    subject: "pin_counter",
    address: "pin_counter?",
    hurried: "boolean",
    longestWaitSeconds: "int",
  },
  /** Seconds for which the subject is locked or the address is busy, if nothing was counted; otherwise, milliseconds to wait before verifying. */
  returns: row(toRowSchema(z.object({ locked_seconds: z.int(), busy_seconds: z.int(), wait_ms: z.int() }))),
});

/** Formats a counter as PostgreSQL's text for a row of the type `pin_counter`. */
export const pinCounter = (counter: {
  key: Buffer;
  /** Number of the first wrong PIN that locks the subject, or that delays the next PINs of the address. */
  free: number;
  forgetSeconds: number;
  /** Durations of the lock or delay after that wrong PIN and each further wrong PIN; the last duration repeats. */
  lockSeconds: readonly number[];
}): string =>
  `("\\\\x${counter.key.toString("hex")}",${counter.free},${counter.forgetSeconds},"{${counter.lockSeconds.join(",")}}")`;

/** Undoes {@link countPin} after a correct PIN and resets the subject; returns the subject's failures before this PIN. */
export const forgivePin = ledgerFunction({
  name: "forgive_pin",
  parameters: { subject: "bytea", address: "bytea?" },
  returns: value(z.int()),
});

export const pinCounterKey = ledgerFunction({
  name: "pin_counter_key",
  parameters: { kind: "text", subject: "text" },
  returns: value(z.instanceof(Buffer)),
});
