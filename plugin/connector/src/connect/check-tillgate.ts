import { createPayClient, type PayClient, TillgateApiError, TillgateError } from "@tillgate/client";
import { type Mode, PAY_API_PATH } from "@tillgate/contract";
import { getDigits } from "@tillgate/money";
import { z } from "zod";
import { decimalText } from "../store/store-amount.js";
import { CHECK_TIMEOUT_MS, sendRequest } from "./check-request.js";
import { checkClock, type Finding, fail, ok, warn } from "./finding.js";

export type TillgateAccess = {
  url: string;
  mode: Mode;
  clientId: string;
  clientSecret: string;
};

/** Minimum validity of an order, in seconds; the trial order is cancelled immediately. */
const TRIAL_EXPIRES_IN = 60;

/** Checks the credential and Tillgate's clock, without changing anything. The first finding says whether Tillgate accepts the credential. */
export async function checkCredential(
  access: TillgateAccess,
  nowMs: () => number,
): Promise<[Finding, ...Finding[]]> {
  const health = await sendRequest(`${access.url}/healthz`);
  if (health.status === null) {
    return [
      fail(`Tillgate cannot be reached: ${health.reason}.`, `Check the URL ${access.url} from this machine.`),
    ];
  }
  const clock = checkClock("Tillgate", health.date, nowMs());
  try {
    await createClient(access).orders.list({ per_page: 1 });
    return [ok(`Tillgate accepts the ${access.mode} API key.`), clock];
  } catch (error) {
    if (!(error instanceof TillgateError)) throw error;
    return [explainRejection(error, access), clock];
  }
}

function explainRejection(error: TillgateError, { url, mode }: TillgateAccess): Finding {
  if (!(error instanceof TillgateApiError)) {
    return fail(
      `Didn't get a valid response from a Tillgate API at ${url}: ${error.message}.`,
      "Check the URL of the Tillgate API.",
    );
  }
  const message = error.messages.join(" ");
  if (error.status !== 401)
    return fail(`Tillgate rejected the request: ${message}`, "Send this message to your Tillgate operator.");
  return fail(
    `Tillgate rejected the client ID and secret: ${message}`,
    `Check both, and that they are ${mode} keys: each API key is for one mode.`,
  );
}

const TRIAL_REFERENCE = "set-up check";

/**
 * Checks that the merchant accepts the currency, by creating and cancelling an order of one minor unit. The merchant's own webhook
 * endpoints may receive the cancellation event.
 */
export async function checkCurrency(access: TillgateAccess, currency: string): Promise<Finding> {
  const { orders } = createClient(access);
  try {
    const trial = await orders.create({
      amount: decimalText(1n, currency),
      currency,
      reference: TRIAL_REFERENCE,
      description: "Set-up check, cancelled automatically",
      expires_in: TRIAL_EXPIRES_IN,
    });
    await orders.cancel(trial.order_id);
    return ok(`The merchant accepts ${currency} (${getDigits(currency)} decimals).`);
  } catch (error) {
    if (!(error instanceof TillgateError)) throw error;
    const isCurrency = error instanceof TillgateApiError && "currency" in error.fieldErrors;
    if (!isCurrency)
      return warn(
        `The test order couldn't be created or cancelled: ${error.message}`,
        "Run this command again.",
      );
    return fail(
      `The merchant has no ${currency} wallet in Tillgate.`,
      "Open one in the console (in live mode, ask an administrator), or sell in a currency the merchant has a wallet for.",
    );
  }
}

const testSchema = z.object({
  data: z.object({
    delivered: z.boolean(),
    http_status: z.int().nullable(),
    latency_ms: z.number().nullable(),
    error: z.string().nullable(),
    location: z.string().nullish(),
  }),
});

const deliveryErrors: Record<string, string> = {
  dns: "host name not found (DNS)",
  tls: "TLS error: invalid certificate or failed handshake",
  timeout: "no response in time",
  redirect: "it redirects, and webhooks don't follow redirects",
  html_answer: "it returned a page: something is in front of the connector",
  refused_address: "its address is private or not allowed",
  connection: "connection failed",
};

/** Asks Tillgate to send a signed test event to the connector. Makes no changes. */
export async function checkWebhook(access: TillgateAccess, callbackUrl: string): Promise<Finding> {
  const authorization = Buffer.from(`${access.clientId}:${access.clientSecret}`, "utf8").toString("base64");
  const response = await sendRequest(`${access.url}${PAY_API_PATH[access.mode]}/webhooks/test`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Basic ${authorization}` },
    body: JSON.stringify({ callback_url: callbackUrl }),
  });
  if (response.status === 404 || response.status === 405) {
    return warn(
      "This version of Tillgate doesn't support webhook tests (no POST /webhooks/test).",
      "Update Tillgate, or pay a test order and check that it changes to Processing in the store.",
    );
  }
  if (response.status === 429) return warn("Too many webhook tests.", "Run this command again in a minute.");
  const parsed = response.status === 200 ? testSchema.safeParse(response.body) : undefined;
  if (!parsed?.success) {
    const reason = response.status === null ? response.reason : `HTTP ${response.status}`;
    return warn(`The webhook test failed: ${reason}.`, "Run this command again.");
  }
  const { delivered, http_status: status, latency_ms: latency, error, location } = parsed.data.data;
  if (delivered) {
    return ok(
      `A signed webhook reaches the connector${latency === null ? "" : ` in ${Math.round(latency)} ms`}.`,
    );
  }
  if (error === "redirect" && typeof location === "string") {
    return fail(
      `${callbackUrl} redirects to ${location}, and Tillgate's webhooks don't follow redirects.`,
      "Set CONNECTOR_URL to the address it redirects to.",
    );
  }
  return explainFailedDelivery(callbackUrl, status, error);
}

function explainFailedDelivery(callbackUrl: string, status: number | null, error: string | null): Finding {
  if (status === 401) {
    return fail(
      "The connector rejects Tillgate's signature.",
      "Set the current client secret in CONNECTOR_STORES (after a rotation, the new one), check both clocks, then restart the connector.",
    );
  }
  if (status === 404) {
    return fail(
      `The connector at ${callbackUrl} isn't configured for this store yet.`,
      "Add the store's entry to CONNECTOR_STORES, restart the connector, then run this command again.",
    );
  }
  const reason =
    deliveryErrors[error ?? ""] ?? (status === null ? (error ?? "unknown reason") : `HTTP ${status}`);
  return fail(
    `Tillgate's webhooks don't reach ${callbackUrl}: ${reason}.`,
    "Set CONNECTOR_URL to the connector's public https URL, and allow POST requests from Tillgate. Until then, orders are updated up to 5 minutes late.",
  );
}

const createClient = ({ url, mode, clientId, clientSecret }: TillgateAccess): PayClient =>
  createPayClient({ baseUrl: url, mode, clientId, clientSecret, timeoutMs: CHECK_TIMEOUT_MS, maxRetries: 1 });
