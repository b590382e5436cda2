import type { Mode } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { clientNetwork } from "../../platform/client-network.js";
import type { Allowance } from "../../platform/rate-limits.js";

/** The merchant and API whose requests are counted together, and the merchant's own limit, if an administrator set one. */
export type LimitedCaller = { merchantId: string; mode: Mode; requestsAMinute: number | null };

/** Counts a request of a merchant in one mode to one API (the wire contract's rate limits). */
export const consumeRequestLimit = (
  context: Context,
  api: "pay" | "partner",
  { merchantId, mode, requestsAMinute }: LimitedCaller,
): Promise<Allowance> => {
  const { payRequestsAMinute, partnerRequestsAMinute } = context.config;
  const standard = api === "pay" ? payRequestsAMinute : partnerRequestsAMinute;
  return context.memory.requests.consume(`${api}:${mode}:${merchantId}`, requestsAMinute ?? standard);
};

/** Test events a minute of one merchant and mode: each makes this service call an address of the caller's choice. */
const WEBHOOK_TESTS_A_MINUTE = 10;

/** Counts a test event of a merchant in one mode. */
export const spendWebhookTest = (
  context: Context,
  { merchantId, mode }: Pick<LimitedCaller, "merchantId" | "mode">,
): Promise<Allowance> =>
  context.memory.requests.consume(`webhook test:${mode}:${merchantId}`, WEBHOOK_TESTS_A_MINUTE);

/** Counts a request of a client address to the token endpoint. */
export const spendTokenRequest = (context: Context, clientAddress: string): Promise<Allowance> =>
  context.memory.requests.consume(`token:${clientNetwork(clientAddress)}`, context.config.tokensAMinute);

/** Webhooks a minute from one address to the test receiver of the sandbox: most come from this service itself. */
const TEST_WEBHOOKS_A_MINUTE = 600;

/** Counts a call of the test receiver. */
export const spendTestWebhook = (context: Context, clientAddress: string): Promise<Allowance> =>
  context.memory.requests.consume(`test receiver:${clientNetwork(clientAddress)}`, TEST_WEBHOOKS_A_MINUTE);

/** Lines a minute of one merchant and mode that a file of payouts looks up: it tells names, as a lookup does. */
const BATCH_LINES_A_MINUTE = 600;

/** Counts a line of a file of payouts. */
export const spendBatchLine = (
  context: Context,
  { merchantId, mode }: Pick<LimitedCaller, "merchantId" | "mode">,
): Promise<Allowance> =>
  context.memory.requests.consume(`payout lines:${mode}:${merchantId}`, BATCH_LINES_A_MINUTE);
