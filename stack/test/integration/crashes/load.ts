import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { createPartnerClient, createPayClient, TillgateApiError, TillgateError } from "@tillgate/client";
import { INTERNAL_KEY, type System } from "./system.js";

const CALLERS = 8;
const PAUSE_MS = 30;
const RETRY_FOR_MS = 60_000;

/** Totals of the acknowledged operations, in cents. */
export type Acknowledged = { paid: bigint; refunded: bigint; paidOut: bigint };
export type Load = {
  acknowledged: Acknowledged;
  references: { orders: string[]; refunds: string[]; payouts: string[] };
  /** Waits for each caller to finish its current sale. */
  finish(): Promise<void>;
};

/** Starts callers that order, pay, refund and pay out in a loop, each call through a random api process. */
export function startLoad(system: System, callbackUrl: string): Load {
  const acknowledged: Acknowledged = { paid: 0n, refunded: 0n, paidOut: 0n };
  const references: Load["references"] = { orders: [], refunds: [], payouts: [] };
  let isRunning = true;
  const caller = async (): Promise<void> => {
    while (isRunning) await oneSale(system, callbackUrl, acknowledged, references);
  };
  const callers = Array.from({ length: CALLERS }, caller);
  // A failure surfaces in `finish`; without this it would be an unhandled rejection.
  for (const one of callers) one.catch(() => undefined);
  return {
    acknowledged,
    references,
    async finish() {
      isRunning = false;
      await Promise.all(callers);
    },
  };
}

async function oneSale(
  system: System,
  callbackUrl: string,
  acknowledged: Acknowledged,
  references: Load["references"],
): Promise<void> {
  const { client_id: clientId, client_secret: clientSecret, api_token: apiToken } = system.access.merchant;
  const pay = () => createPayClient({ baseUrl: anyApi(system), mode: "sandbox", clientId, clientSecret });
  const partner = () => createPartnerClient({ baseUrl: anyApi(system), apiToken });
  const [recipient] = system.access.shoppers;
  if (!recipient) throw new Error("The sandbox has no shopper.");
  const cents = randomInt(2, 5_000);
  const reference = randomUUID();

  const order = await retry(() =>
    pay().orders.create({
      amount: inEuros(cents),
      currency: "EUR",
      reference,
      callback_url: callbackUrl,
      expires_in: 3_600,
      idempotency_key: reference,
    }),
  );
  references.orders.push(reference);
  await retry(() => approve(system, order.payment_url ?? ""));
  acknowledged.paid += BigInt(cents);
  const { trx_id } = await retry(() => pay().orders.get(order.order_id));

  const part = randomInt(1, cents);
  const refund = randomUUID();
  await retry(() =>
    pay().refunds.create({
      transaction_id: trx_id ?? "",
      amount: inEuros(part),
      reference: refund,
      idempotency_key: refund,
    }),
  );
  references.refunds.push(refund);
  acknowledged.refunded += BigInt(part);

  const { lookup_token } = await retry(() => partner().lookup({ email: recipient.email }));
  const payout = randomUUID();
  const { payout: created } = await retry(() =>
    partner().payout({
      lookup_token,
      amount: "0.01",
      sender_currency: "EUR",
      receiver_currency: "EUR",
      reference: payout,
      idempotency_key: payout,
    }),
  );
  references.payouts.push(payout);
  acknowledged.paidOut += BigInt(Math.round(created.total_deducted * 100));
}

/** Approves a payment as the page's Approve button does. Accepts `already_paid`, the response to a retry. */
async function approve(system: System, paymentUrl: string): Promise<void> {
  const path = `${anyApi(system)}/checkout/v1/orders/${paymentUrl.split("/").at(-1)}`;
  const headers = {
    "x-tillgate-internal-key": INTERNAL_KEY,
    "x-tillgate-visitor": randomBytes(16).toString("hex"),
    "x-tillgate-client-address": "192.0.2.1",
    "content-type": "application/json",
  };
  const view: { data: { form_token: string } } = JSON.parse(await (await fetch(path, { headers })).text());
  const response = await fetch(`${path}/sandbox-approve`, {
    method: "POST",
    headers,
    body: JSON.stringify({ form_token: view.data.form_token }),
  });
  const text = await response.text();
  if (!response.ok && !text.includes("already_paid"))
    throw new Error(`Approve responded with ${response.status}: ${text}`);
}

/** Retries a call for up to 60 s while an api process or the database is down. Throws 4xx errors immediately. */
async function retry<Result>(call: () => Promise<Result>): Promise<Result> {
  const deadline = Date.now() + RETRY_FOR_MS;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const isRejected = error instanceof TillgateApiError && error.status < 500;
      if (isRejected || Date.now() > deadline) throw error;
      if (!(error instanceof TillgateError || error instanceof Error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

const anyApi = ({ apis }: System): string => apis[randomInt(apis.length)] ?? "";
const inEuros = (cents: number): string => (cents / 100).toFixed(2);
