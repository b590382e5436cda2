import type { Mode } from "@tillgate/contract";

/** The payment details that a shopper sees and confirms. Amounts are formatted (`41.50 EUR`), times are ISO 8601. */
export type PaymentFacts = {
  orderId: string;
  mode: Mode;
  payeeId: string;
  payeeName: string;
  amount: string;
  /** Debited from the wallet: the order's amount, or the quoted amount in the wallet's currency. */
  debit: string;
  accountId: string;
  shopperId: string;
  expiresAt: string;
  /** Makes every text unique. */
  nonce: string;
};

const FIRST_LINE = "Tillgate payment, version 1";
/** The lines of the text, in order. */
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

/** Formats the text that a passkey signs. Values are JSON strings, so that none of them can inject a line. */
export const formatPaymentText = (facts: PaymentFacts): string =>
  [FIRST_LINE, ...NAMES.map((name) => `${LINES[name]}: ${JSON.stringify(facts[name])}`)].join("\n");

/** Returns undefined if the line is missing or its value is not a JSON string. */
export function readFact(text: string, name: keyof PaymentFacts): string | undefined {
  const start = `${LINES[name]}: `;
  const line = text.split("\n").find((candidate) => candidate.startsWith(start));
  if (line === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(line.slice(start.length));
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
