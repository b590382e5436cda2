import { z } from "zod";
import { ledgerFunction, row, value } from "./ledger-function.js";
import { columnsOf } from "./rows.js";

/** Counts a PIN as wrong before it is checked, under its subject and its client address. */
export const countPin = ledgerFunction({
  name: "count_pin",
  takes: {
    subject: "pin_counter",
    address: "pin_counter?",
    hurried: "boolean",
    longestWaitSeconds: "int",
  },
  /** For how long the subject is locked or the address has no place, and nothing is counted; else how long to wait. */
  answers: row(columnsOf(z.object({ locked_seconds: z.int(), busy_seconds: z.int(), wait_ms: z.int() }))),
});

/** The subject that wrong PINs are counted under, as PostgreSQL writes a row of the type `pin_counter`. */
export const pinCounter = (counter: {
  /** Of {@link pinCounterKey}. */
  key: Buffer;
  /** How many wrong PINs cost nothing. */
  free: number;
  /** After how long one is forgotten. */
  forgetSeconds: number;
  /** What each further one costs; the last holds for all after it. */
  lockSeconds: readonly number[];
}): string =>
  `("\\\\x${counter.key.toString("hex")}",${counter.free},${counter.forgetSeconds},"{${counter.lockSeconds.join(",")}}")`;

/** Takes back what {@link countPin} counted for a right PIN; answers the failures of its subject before it. */
export const forgivePin = ledgerFunction({
  name: "forgive_pin",
  takes: { subject: "bytea", address: "bytea?" },
  answers: value(z.int()),
});

/** The key under which wrong PINs are counted. */
export const pinCounterKey = ledgerFunction({
  name: "pin_counter_key",
  takes: { kind: "text", subject: "text" },
  answers: value(z.instanceof(Buffer)),
});
