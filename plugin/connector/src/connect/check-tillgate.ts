import { createPayClient, type PayClient, TillgateApiError, TillgateError } from "@tillgate/client";
import { type Mode, PAY_API_PATH } from "@tillgate/contract";
import { digitsOf } from "@tillgate/money";
import { z } from "zod";
import { decimalText } from "../store/store-amount.js";
import { ask, CHECK_TIMEOUT_MS } from "./answer.js";
import { checkClock, type Finding, fix, ok, warn } from "./finding.js";

export type TillgateAccess = {
  url: string;
  mode: Mode;
  clientId: string;
  clientSecret: string;
};

/** Seconds: the shortest life of an order; the trial order is cancelled at once anyway. */
const TRIAL_EXPIRES_IN = 60;

/** Whether Tillgate answers, takes the credential (the first finding) and has our time. Reads only. */
export async function checkCredential(
  access: TillgateAccess,
  nowMs: () => number,
): Promise<[Finding, ...Finding[]]> {
  const health = await ask(`${access.url}/healthz`);
  if (health.status === null) {
    return [
      fix(
        `Tillgate cannot be reached: ${health.reason}.`,
        `Check the address ${access.url} from this machine.`,
      ),
    ];
  }
  const clock = checkClock("Tillgate", health.date, nowMs());
  try {
    await clientOf(access).orders.list({ per_page: 1 });
    return [ok(`Tillgate takes the credential for ${access.mode}.`), clock];
  } catch (error) {
    if (!(error instanceof TillgateError)) throw error;
    return [rejectedBecause(error, access), clock];
  }
}

function rejectedBecause(error: TillgateError, { url, mode }: TillgateAccess): Finding {
  if (!(error instanceof TillgateApiError)) {
    return fix(`There is no Tillgate at ${url}: ${error.message}.`, "Check the address of the Tillgate API.");
  }
  const said = error.messages.join(" ");
  if (error.status !== 401) return fix(`Tillgate refuses: ${said}`, "Ask its operator with the text above.");
  return fix(
    `Tillgate rejected the client ID and secret: ${said}`,
    `Check both, and that they are of the mode ${mode}: each credential is for one mode.`,
  );
}

/** By it an owner finds the trial orders in the list. */
const TRIAL_REFERENCE = "set-up check";

/**
 * Whether the merchant can be paid in the store's currency: by an order over its smallest amount, which is cancelled at
 * once and tells no webhook.
 */
export async function checkCurrency(access: TillgateAccess, currency: string): Promise<Finding> {
  const { orders } = clientOf(access);
  try {
    const trial = await orders.create({
      amount: decimalText(1n, currency),
      currency,
      reference: TRIAL_REFERENCE,
      description: "Set-up check, cancelled at once",
      expires_in: TRIAL_EXPIRES_IN,
    });
    await orders.cancel(trial.order_id);
    return ok(`The merchant can be paid in ${currency} (${digitsOf(currency)} decimals).`);
  } catch (error) {
    if (!(error instanceof TillgateError)) throw error;
    const isCurrency = error instanceof TillgateApiError && "currency" in error.fieldErrors;
    if (!isCurrency)
      return warn(`The test order could not be created or cancelled: ${error.message}`, "Run this again.");
    return fix(
      `The merchant has no ${currency} wallet at Tillgate.`,
      `Have one opened (npm run admin), or sell in a currency that the merchant holds.`,
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

const failures: Record<string, string> = {
  dns: "its name is not known on the internet",
  tls: "its certificate is not valid",
  timeout: "it did not answer in time",
  redirect: "it redirects, and webhooks follow no redirect",
  html_answer: "it answered a page: something stands in front of the connector",
  refused_address: "its address is private or not allowed",
  connection: "nothing answers there",
};

/** Has Tillgate send a signed test event to the connector (wire contract, section 4). Changes nothing. */
export async function checkWebhook(access: TillgateAccess, callbackUrl: string): Promise<Finding> {
  const authorization = Buffer.from(`${access.clientId}:${access.clientSecret}`, "utf8").toString("base64");
  const answer = await ask(`${access.url}${PAY_API_PATH[access.mode]}/webhooks/test`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Basic ${authorization}` },
    body: JSON.stringify({ callback_url: callbackUrl }),
  });
  if (answer.status === 404 || answer.status === 405) {
    return warn(
      "This version of Tillgate does not support webhook tests (no POST /webhooks/test).",
      "Update Tillgate, or pay a trial order and look whether the store turns Processing by itself.",
    );
  }
  if (answer.status === 429)
    return warn("Tillgate has sent enough tests for now.", "Run this again in a minute.");
  const parsed = answer.status === 200 ? testSchema.safeParse(answer.body) : undefined;
  if (!parsed?.success) {
    const what = answer.status === null ? answer.reason : `HTTP ${answer.status}`;
    return warn(`The test of the webhook did not work: ${what}.`, "Run this again.");
  }
  const { delivered, http_status: status, latency_ms: latency, error, location } = parsed.data.data;
  if (delivered) {
    return ok(
      `A signed webhook reaches the connector${latency === null ? "" : ` in ${Math.round(latency)} ms`}.`,
    );
  }
  if (error === "redirect" && typeof location === "string") {
    return fix(
      `Tillgate's webhooks to ${callbackUrl} are redirected to ${location}, and follow no redirect.`,
      "Make CONNECTOR_URL the address that it redirects to.",
    );
  }
  return notDelivered(callbackUrl, status, error);
}

function notDelivered(callbackUrl: string, status: number | null, error: string | null): Finding {
  if (status === 401) {
    return fix(
      "The connector refuses Tillgate's signature.",
      "Use the client secret that signs (after a rotation the new one) in CONNECTOR_STORES, compare the clocks, restart the connector.",
    );
  }
  if (status === 404) {
    return fix(
      `The connector at ${callbackUrl} does not know this store yet.`,
      "Add the store's entry to CONNECTOR_STORES, restart the connector, run this again.",
    );
  }
  const why =
    status === null ? (failures[error ?? ""] ?? `Tillgate says ${error ?? "nothing"}`) : `HTTP ${status}`;
  return fix(
    `Tillgate's webhooks do not reach ${callbackUrl}: ${why}.`,
    "Make CONNECTOR_URL the connector's public https address, and let POST requests from Tillgate through to it. Until then the sweep brings payments in, up to 5 minutes late.",
  );
}

const clientOf = ({ url, mode, clientId, clientSecret }: TillgateAccess): PayClient =>
  createPayClient({ baseUrl: url, mode, clientId, clientSecret, timeoutMs: CHECK_TIMEOUT_MS, maxRetries: 1 });
