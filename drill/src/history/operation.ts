import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

export type Append = {
  wallet: string;
  element: string;
  /** Signed, in minor units; undefined if the client does not know it, as with a payout's fee. */
  amount?: number | undefined;
};

/** An entry of a statement, with amounts in minor units. Shoppers' statements have no running balance. */
export type Entry = { element: string; amount: number; balance?: number | undefined };

/** A page of a statement, newest entries first. */
export type StatementRead = {
  wallet: string;
  entries: readonly Entry[];
  /** Whether the page contains the wallet's newest entry, and whether it contains the oldest entry. */
  newest: boolean;
  oldest: boolean;
};
export type BalanceRead = { wallet: string; balance: number };
export type Read = StatementRead | BalanceRead;

/** A recorded call. A client has one call at a time. */
export type Operation = {
  client: number;
  call: string;
  /** Start and end, in milliseconds of the recording process's clock. An unknown outcome ends when the client stops waiting. */
  start: number;
  end: number;
  outcome: Outcome;
  appends?: readonly Append[];
  reads?: readonly Read[];
};

/** `rejected`: the response means that nothing was done. `unknown`: there is no response, or it does not say whether anything was done. */
export const OUTCOMES = ["done", "rejected", "unknown"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export async function* readHistory(file: string): AsyncGenerator<Operation> {
  for await (const line of createInterface({ input: createReadStream(file) })) yield JSON.parse(line);
}
