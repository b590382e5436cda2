import { randomBytes } from "node:crypto";
import { CHECKOUT_PATH, checkoutViewSchema, successEnvelope } from "@tillgate/contract";
import { z } from "zod";

const viewSchema = successEnvelope(checkoutViewSchema);
const refusalSchema = z.object({ message: z.object({ code: z.int(), error: z.array(z.string()) }) });

export type Surroundings = {
  api: string;
  internalKey: string;
};

/** A shopper on the hosted page, simulated by the page's own API calls. */
export class Shopper {
  readonly #surroundings: Surroundings;
  readonly #visitor = randomBytes(16).toString("hex");

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** Approves the payment in the sandbox. @returns whether this paid the order; false if the API rejected it, as for a closed order */
  pay(paymentUrl: string): Promise<boolean> {
    return this.#act(paymentUrl, "sandbox-approve");
  }

  /** Cancels the payment on the hosted page. @returns whether this cancelled the payment; false if the API rejected it */
  cancel(paymentUrl: string): Promise<boolean> {
    return this.#act(paymentUrl, "cancel");
  }

  async #act(paymentUrl: string, action: string): Promise<boolean> {
    const token = new URL(paymentUrl).pathname.split("/").at(-1) ?? "";
    const address = `${this.#surroundings.api}${CHECKOUT_PATH}/orders/${token}`;
    const headers = {
      "content-type": "application/json",
      "x-tillgate-internal-key": this.#surroundings.internalKey,
      "x-tillgate-client-address": "203.0.113.7",
      "x-tillgate-visitor": this.#visitor,
    };
    const view = await fetch(address, { headers });
    if (view.status !== 200)
      throw new Error(`The checkout API responded with ${view.status}: ${await view.text()}`);
    const { form_token } = viewSchema.parse(await view.json()).data;
    const response = await fetch(`${address}/${action}`, {
      method: "POST",
      headers,
      body: JSON.stringify({ form_token }),
    });
    const body: unknown = await response.json();
    if (response.status === 200) return true;
    if (response.status >= 500)
      throw new Error(`POST ${action} responded with ${response.status}: ${JSON.stringify(body)}`);
    refusalSchema.parse(body);
    return false;
  }
}
