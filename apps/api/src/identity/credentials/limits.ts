import type { Mode } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { getClientNetwork } from "../../platform/client-network.js";
import type { Allowance } from "../../platform/rate-limits.js";

/** `requestsPerMinute` is the merchant's custom limit, if any. */
export type LimitedCaller = { merchantId: string; mode: Mode; requestsPerMinute: number | null };

/** Counts a request against the limit for its API, merchant and mode. The caller must reject the request if it is not allowed. */
export const consumeRequestLimit = (
  context: Context,
  api: "pay" | "partner",
  { merchantId, mode, requestsPerMinute }: LimitedCaller,
): Promise<Allowance> => {
  const { payRequestsPerMinute, partnerRequestsPerMinute } = context.config;
  const standard = api === "pay" ? payRequestsPerMinute : partnerRequestsPerMinute;
  return context.memory.requests.consume(`${api}:${mode}:${merchantId}`, requestsPerMinute ?? standard);
};

/** Each test event makes this service call a URL of the caller's choice. */
const WEBHOOK_TESTS_PER_MINUTE = 10;

export const consumeWebhookTestLimit = (
  context: Context,
  { merchantId, mode }: Pick<LimitedCaller, "merchantId" | "mode">,
): Promise<Allowance> =>
  context.memory.requests.consume(`webhook test:${mode}:${merchantId}`, WEBHOOK_TESTS_PER_MINUTE);

export const consumeTokenLimit = (context: Context, clientAddress: string): Promise<Allowance> =>
  context.memory.requests.consume(`token:${getClientNetwork(clientAddress)}`, context.config.tokensPerMinute);

/** Most of these webhooks come from this service itself. */
const TEST_WEBHOOKS_PER_MINUTE = 600;

export const consumeTestReceiverLimit = (context: Context, clientAddress: string): Promise<Allowance> =>
  context.memory.requests.consume(
    `test receiver:${getClientNetwork(clientAddress)}`,
    TEST_WEBHOOKS_PER_MINUTE,
  );

/** Each line looks up a recipient and reveals a name, like a lookup request. */
const BULK_LINES_PER_MINUTE = 600;

export const consumeBulkLineLimit = (
  context: Context,
  { merchantId, mode }: Pick<LimitedCaller, "merchantId" | "mode">,
): Promise<Allowance> =>
  context.memory.requests.consume(`payout lines:${mode}:${merchantId}`, BULK_LINES_PER_MINUTE);
