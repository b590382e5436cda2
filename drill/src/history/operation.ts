import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

/** Appends an element to the list of a wallet. */
export type Append = {
  wallet: string;
  element: string;
  /** Signed, in minor units; undefined if the client does not know it, as with a payout's fee. */
  amount?: number | undefined;
};

/** One line of a statement: amounts in minor units. Shoppers' statements have no running balance. */
export type Entry = { element: string; amount: number; balance?: number | undefined };

/** A page of a statement, newest first. */
export type StatementRead = {
  wallet: string;
  entries: readonly Entry[];
  /** Whether its first entry was the wallet's newest, and its last entry the oldest. */
  newest: boolean;
  oldest: boolean;
};
export type BalanceRead = { wallet: string; balance: number };
export type Read = StatementRead | BalanceRead;

/** One call of a client. A client has one call at a time. */
export type Operation = {
  client: number;
  /** Its name in reports: `payment`, `statement`. */
  call: string;
  /** By the clock of the recording process, in milliseconds. An unknown outcome ends when the client stopped waiting. */
  start: number;
  end: number;
  outcome: Outcome;
  appends?: readonly Append[];
  reads?: readonly Read[];
};

/** `rejected`: the response means that nothing was done. `unknown`: no response, or one that leaves it open. */
export const OUTCOMES = ["done", "rejected", "unknown"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Reads a recorded history, which has one operation per line as a JSON object. */
export async function* readHistory(file: string): AsyncGenerator<Operation> {
  for await (const line of createInterface({ input: createReadStream(file) })) yield JSON.parse(line);
}
