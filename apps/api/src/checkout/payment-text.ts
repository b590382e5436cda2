import type { Mode } from "@tillgate/contract";

/** What a shopper sees and confirms, as text. Amounts are formatted, `41.50 EUR`; times are ISO 8601. */
export type PaymentFacts = {
  orderId: string;
  mode: Mode;
  payeeId: string;
  payeeName: string;
  /** What the payee gets. */
  amount: string;
  /** What leaves the wallet: the same, or what a quote says in the wallet's currency. */
  debit: string;
  accountId: string;
  shopperId: string;
  expiresAt: string;
  /** Makes every text another one. */
  nonce: string;
};

const FIRST_LINE = "Tillgate payment, version 1";
/** The lines of the text, in their order. */
const LINES = {
  orderId: "order",
  mode: "mode",
  payeeId: "payee",
  payeeName: "payee name",
  amount: "amount",
  debit: "debit",
  accountId: "wallet",
  shopperId: "shopper",
  expiresAt: "expires",
  nonce: "nonce",
} as const satisfies Record<keyof PaymentFacts, string>;
const NAMES = Object.keys(LINES) as (keyof PaymentFacts)[];

/**
 * The one text of what a passkey confirms: its SHA-256 is the challenge. Values are written as JSON strings, so that none can
 * make a line of its own.
 */
export const paymentText = (facts: PaymentFacts): string =>
  [FIRST_LINE, ...NAMES.map((name) => `${LINES[name]}: ${JSON.stringify(facts[name])}`)].join("\n");

/** The value of one line of a text; undefined where it has none. */
export function factOf(text: string, name: keyof PaymentFacts): string | undefined {
  const start = `${LINES[name]}: `;
  const line = text.split("\n").find((one) => one.startsWith(start));
  if (line === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(line.slice(start.length));
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
