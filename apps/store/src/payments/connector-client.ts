import { parseWebAddress } from "@tillgate/contract";
import { z } from "zod";
import { type Config, limits } from "../config.js";

const webAddress = z.string().refine((value) => parseWebAddress(value) !== undefined);

const paymentResponse = z.object({
  payment_url: webAddress,
  qr_data: z.string().min(1).max(2000).nullish(),
  expires_in: z.int().nonnegative().nullish(),
  status: z.string(),
  mode: z.string().nullish(),
});

const statusAnswer = z.object({ status: z.string() });

/** State of a payment. `checking`: the connector does not know the outcome yet, or reports an unknown state. */
export type PaymentStatus = "payable" | "paid" | "expired" | "cancelled" | "checking";

export type Payment = {
  paymentUrl: string;
  qrData: string;
  /** Seconds until the payment expires; undefined if the connector does not report them. */
  secondsLeft: number | undefined;
  status: PaymentStatus;
  isTest: boolean;
};

/** The connector did not respond, or its response was invalid or a temporary error: 429 or 5xx. */
export class ConnectorUnavailable extends Error {
  override readonly name = "ConnectorUnavailable";
}

/** The connector rejected a request about an order's payment, with a 4xx status other than 429. */
export class PaymentRejected extends Error {
  override readonly name = "PaymentRejected";
  constructor(readonly httpStatus: number) {
    super(`The connector rejected the request with status ${httpStatus}.`);
  }
}

const knownStatuses: Record<string, PaymentStatus> = {
  payable: "payable",
  pending: "payable",
  paid: "paid",
  refunded: "paid",
  partially_refunded: "paid",
  expired: "expired",
  cancelled: "cancelled",
};

const toStatus = (text: string): PaymentStatus => knownStatuses[text.toLowerCase()] ?? "checking";

const SHOP_LANGUAGE = "en";

type OrderReference = { id: bigint; order_key: string };

export class ConnectorClient {
  readonly #payments: string;

  constructor({ connectorUrl, storeId }: Pick<Config, "connectorUrl" | "storeId">) {
    this.#payments = `${connectorUrl}/v1/stores/${encodeURIComponent(storeId)}/payments`;
  }

  /**
   * Returns the order's payment, or creates one. An existing payment may already be paid, cancelled or expired.
   * @throws PaymentRejected, ConnectorUnavailable
   */
  async requestPayment(order: OrderReference): Promise<Payment> {
    const response = await this.#call(this.#payments, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ order_id: Number(order.id), order_key: order.order_key, locale: SHOP_LANGUAGE }),
    });
    const parsed = paymentResponse.safeParse(response);
    if (!parsed.success) throw new ConnectorUnavailable("The connector returned an invalid payment.");
    const { payment_url, qr_data, expires_in, status, mode } = parsed.data;
    return {
      paymentUrl: payment_url,
      qrData: qr_data ?? payment_url,
      secondsLeft: expires_in ?? undefined,
      status: toStatus(status),
      isTest: mode === "sandbox",
    };
  }

  /** Reads the status of an order's payment. @throws PaymentRejected, ConnectorUnavailable */
  async readPaymentStatus(order: OrderReference): Promise<PaymentStatus> {
    const key = encodeURIComponent(order.order_key);
    const response = await this.#call(`${this.#payments}/${order.id}?order_key=${key}`, {
      headers: { Accept: "application/json" },
    });
    const parsed = statusAnswer.safeParse(response);
    if (!parsed.success) throw new ConnectorUnavailable("The connector returned an invalid payment status.");
    return toStatus(parsed.data.status);
  }

  async #call(address: string, options: RequestInit): Promise<unknown> {
    let response: Response;
    let text: string;
    try {
      response = await fetch(address, {
        ...options,
        redirect: "error",
        signal: AbortSignal.timeout(limits.connectorTimeoutMs),
      });
      text = await response.text();
    } catch (cause) {
      throw new ConnectorUnavailable("The connector did not respond.", { cause });
    }
    if (response.status >= 400 && response.status < 500 && response.status !== 429) {
      throw new PaymentRejected(response.status);
    }
    if (!response.ok) throw new ConnectorUnavailable(`The connector returned status ${response.status}.`);
    if (text.length > limits.connectorAnswerBytes) {
      throw new ConnectorUnavailable("The connector's response is too large.");
    }
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new ConnectorUnavailable("The connector's response is not JSON.", { cause });
    }
  }
}
