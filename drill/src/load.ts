import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { TillgateApiError } from "@tillgate/client";
import { CHECKOUT_PATH, checkoutViewSchema, successEnvelope } from "@tillgate/contract";
import { createApiClients, LOOKUP_LIFE_MS, PAUSE_AFTER_NONE_MS, TIMEOUT_MS } from "./api-clients.js";
import type { Journal, Kind, Operation } from "./journal.js";
import type { System } from "./system.js";

/** Pause before the next operation after a response. */
const PAUSE_MS = 60;
const CLIENTS = 4;

const viewSchema = successEnvelope(checkoutViewSchema);

export type Load = { end(): Promise<void> };

export function startLoad(system: System, journal: Journal, callbackUrl: string): Load {
  const { access, origins, internalKey } = system;
  let ending = false;
  const nextApi = createApiClients(origins, access.merchant);
  const shopper = access.shoppers.find(({ active, currencies }) => active && currencies.includes("EUR"));
  if (!shopper) throw new Error("The sandbox has no active shopper with a EUR wallet.");
  let lookup = { token: "", until: 0 };
  const getLookupToken = async (): Promise<string> => {
    if (performance.now() > lookup.until) {
      const { lookup_token: token } = await nextApi().partner.lookup({ email: shopper.email });
      lookup = { token, until: performance.now() + LOOKUP_LIFE_MS };
    }
    return lookup.token;
  };

  /**
   * Pays a sandbox order through the checkout API, as the payment page does. The order's state ensures that it is paid only once.
   * @returns the transaction ID.
   */
  const approve = async (orderId: string, paymentUrl: string): Promise<string> => {
    const { baseUrl, pay } = nextApi();
    const token = new URL(paymentUrl).pathname.split("/").at(-1) ?? "";
    const address = `${baseUrl}${CHECKOUT_PATH}/orders/${token}`;
    const headers = {
      "content-type": "application/json",
      "x-tillgate-internal-key": internalKey,
      "x-tillgate-client-address": "drill",
      "x-tillgate-visitor": orderId.padEnd(32, "0"),
    };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const seen = await fetch(address, { headers, signal });
    const view = viewSchema.safeParse(await seen.json());
    if (!view.success)
      throw new Error(`the checkout API's response with status ${seen.status} is not an order`);
    if (view.data.data.order.status === "PENDING") {
      const body = JSON.stringify({ form_token: view.data.data.form_token });
      const response = await fetch(`${address}/sandbox-approve`, { method: "POST", headers, body, signal });
      if (!response.ok)
        throw new Error(`sandbox-approve responded with ${response.status}: ${await response.text()}`);
    }
    const { trx_id: trxId, status } = await pay.orders.get(orderId);
    if (status !== "PAID" || !trxId) throw new Error(`order ${orderId} is ${status} after its approval`);
    return trxId;
  };

  const operation = (kind: Kind, send: (key: string) => Promise<string>): Operation => {
    const key = `${kind}-${randomUUID()}`;
    return { kind, key, send: () => send(key) };
  };
  /** Sends an operation, and pauses. @returns the ID in the response; undefined if the operation is not acknowledged. */
  const perform = async (operation: Operation): Promise<string | undefined> => {
    const done = await journal.send(operation);
    await delay(done ? PAUSE_MS : PAUSE_AFTER_NONE_MS);
    return operation.acknowledged;
  };

  const runRound = async (round: number): Promise<void> => {
    let paymentUrl = "";
    const orderId = await perform(
      operation("order", async (key) => {
        const order = await nextApi().pay.orders.create({
          amount: "12.50",
          currency: "EUR",
          callback_url: callbackUrl,
          reference: key,
          idempotency_key: key,
          // The longest lifetime, because the payment may be retried after many faults.
          expires_in: 3_600,
        });
        paymentUrl = order.payment_url ?? "";
        return order.order_id;
      }),
    );
    if (orderId === undefined) return;
    const trxId = await perform({ kind: "payment", key: orderId, send: () => approve(orderId, paymentUrl) });
    if (trxId !== undefined && round % 2 === 0)
      await perform(
        operation("refund", async (key) => {
          const { refund_id: id } = await nextApi().pay.refunds.create({
            transaction_id: trxId,
            amount: "2.50",
            reference: key,
            idempotency_key: key,
          });
          return id;
        }),
      );
    if (round % 2 === 1) {
      let token = await getLookupToken().catch(() => undefined);
      if (token === undefined) return;
      const paid = await perform(
        operation("payout", async (key) => {
          const send = () => payOut(key, token ?? "");
          try {
            return await send();
          } catch (error) {
            // The lookup token has expired, so the payout was never executed: otherwise the retry would return the payout of its key.
            if (!(error instanceof TillgateApiError) || error.errorCode !== "invalid_lookup_token")
              throw error;
            token = await getLookupToken();
            return await send();
          }
        }),
      );
      // The cause is unknown: the next payout looks its recipient up again.
      if (paid === undefined) lookup = { token: "", until: 0 };
    }
  };
  const payOut = async (key: string, lookupToken: string): Promise<string> => {
    const { payout } = await nextApi().partner.payout({
      lookup_token: lookupToken,
      amount: "0.10",
      sender_currency: "EUR",
      receiver_currency: "EUR",
      reference: key,
      idempotency_key: key,
    });
    return payout.payout_id;
  };
  const runClient = async (): Promise<void> => {
    for (let round = 0; !ending; round += 1) await runRound(round);
  };
  const clients = Array.from({ length: CLIENTS }, runClient);
  return {
    async end() {
      ending = true;
      await Promise.all(clients);
    },
  };
}
