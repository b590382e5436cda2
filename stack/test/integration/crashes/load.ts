import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { createPartnerClient, createPayClient, TillgateApiError, TillgateError } from "@tillgate/client";
import { INTERNAL_KEY, type System } from "./system.js";

const CALLERS = 8;
const PAUSE_MS = 30;
const RETRY_FOR_MS = 60_000;

/** What the merchant knows to be done, in cents: every answer it got, and nothing else. */
export type Ledger = { paid: bigint; refunded: bigint; paidOut: bigint };
export type Load = {
  known: Ledger;
  references: { orders: string[]; refunds: string[]; payouts: string[] };
  /** Lets each caller finish what it began. */
  finish(): Promise<void>;
};

/** Callers that order, pay, refund and pay out over and over, through whichever api process answers. */
export function startLoad(system: System, callbackUrl: string): Load {
  const known: Ledger = { paid: 0n, refunded: 0n, paidOut: 0n };
  const references: Load["references"] = { orders: [], refunds: [], payouts: [] };
  let going = true;
  const caller = async (): Promise<void> => {
    while (going) await oneSale(system, callbackUrl, known, references);
  };
  const callers = Array.from({ length: CALLERS }, caller);
  // A caller that fails ends the test at `finish`, not the process before it.
  for (const one of callers) one.catch(() => undefined);
  return {
    known,
    references,
    async finish() {
      going = false;
      await Promise.all(callers);
    },
  };
}

async function oneSale(
  system: System,
  callbackUrl: string,
  known: Ledger,
  references: Load["references"],
): Promise<void> {
  const { client_id: clientId, client_secret: clientSecret, api_token: apiToken } = system.access.merchant;
  const pay = () => createPayClient({ baseUrl: anyApi(system), mode: "sandbox", clientId, clientSecret });
  const partner = () => createPartnerClient({ baseUrl: anyApi(system), apiToken });
  const [recipient] = system.access.shoppers;
  if (!recipient) throw new Error("The sandbox has no shopper.");
  const cents = randomInt(2, 5_000);
  const reference = randomUUID();

  const order = await insist(() =>
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
  await insist(() => approve(system, order.payment_url ?? ""));
  known.paid += BigInt(cents);
  const { trx_id } = await insist(() => pay().orders.get(order.order_id));

  const part = randomInt(1, cents);
  const refund = randomUUID();
  await insist(() =>
    pay().refunds.create({
      transaction_id: trx_id ?? "",
      amount: inEuros(part),
      reference: refund,
      idempotency_key: refund,
    }),
  );
  references.refunds.push(refund);
  known.refunded += BigInt(part);

  const { lookup_token } = await insist(() => partner().lookup({ email: recipient.email }));
  const payout = randomUUID();
  const { payout: made } = await insist(() =>
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
  known.paidOut += BigInt(Math.round(made.total_deducted * 100));
}

/** Pays as the page's Approve button does. That it is paid already is the answer a repeat gets. */
async function approve(system: System, paymentUrl: string): Promise<void> {
  const path = `${anyApi(system)}/checkout/v1/orders/${paymentUrl.split("/").at(-1)}`;
  const headers = {
    "x-tillgate-internal-key": INTERNAL_KEY,
    "x-tillgate-visitor": randomBytes(16).toString("hex"),
    "x-tillgate-client-address": "192.0.2.1",
    "content-type": "application/json",
  };
  const view: { data: { form_token: string } } = JSON.parse(await (await fetch(path, { headers })).text());
  const answer = await fetch(`${path}/sandbox-approve`, {
    method: "POST",
    headers,
    body: JSON.stringify({ form_token: view.data.form_token }),
  });
  const text = await answer.text();
  if (!answer.ok && !text.includes("already_paid"))
    throw new Error(`Approve answered ${answer.status}: ${text}`);
}

/** Repeats a call with its own key until it is answered: an api or the database may be away just now. */
async function insist<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  const deadline = Date.now() + RETRY_FOR_MS;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const refused = error instanceof TillgateApiError && error.status < 500;
      if (refused || Date.now() > deadline) throw error;
      if (!(error instanceof TillgateError || error instanceof Error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

const anyApi = ({ apis }: System): string => apis[randomInt(apis.length)] ?? "";
const inEuros = (cents: number): string => (cents / 100).toFixed(2);
