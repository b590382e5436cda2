import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

export type Append = {
  wallet: string;
  element: string;
  /** Signed, in minor units; undefined if the client does not know it, as with a payout's fee. */
  amount?: number | undefined;
};

/** Amounts are in minor units. Shoppers' statements have no running balance. */
export type Entry = { element: string; amount: number; balance?: number | undefined };

/** Entries are newest first. */
export type StatementRead = {
  wallet: string;
  entries: readonly Entry[];
  /** Whether the page has the wallet's newest entry first, and its oldest one last. */
  newest: boolean;
  oldest: boolean;
};
export type BalanceRead = { wallet: string; balance: number };
export type Read = StatementRead | BalanceRead;

/** A client has one call at a time. */
export type Operation = {
  client: number;
  call: string;
  /** By the clock of the recording process, in milliseconds. An unknown outcome ends when the client stops waiting. */
  start: number;
  end: number;
  outcome: Outcome;
  appends?: readonly Append[];
  reads?: readonly Read[];
};

/** `rejected`: the response means that nothing was done. `unknown`: no response, or one that leaves it open. */
export const OUTCOMES = ["done", "rejected", "unknown"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export async function* readHistory(file: string): AsyncGenerator<Operation> {
  for await (const line of createInterface({ input: createReadStream(file) })) yield JSON.parse(line);
}
