import { randomUUID } from "node:crypto";
import { openApiDocument } from "@tillgate/contract/openapi";
import { z } from "zod";
import type { ApiProcess } from "../../support/api-process.js";
import { type CheckoutPage, openPage } from "../../support/checkout.js";
import {
  addCredential,
  addLiveCredential,
  type ClientCredentials,
  merchantIdOf,
} from "../../support/parties.js";
import { addApiToken } from "../../support/partner.js";
import type { ApiResponse } from "../../support/requests.js";
import { openSandbox, type Sandbox } from "../../support/sandbox.js";
import { type Authorization, authorizationOf, type Call, type Caller, createCaller } from "./callers.js";
import { createResponseCheck, describedOperations } from "./documented-responses.js";

const document = openApiDocument();
export const operations = describedOperations(document);
export const checks = createResponseCheck(document);

/** No authentication. */
export const NO_CREDENTIALS: Authorization = { clientCredentials: null, accessToken: null, apiToken: null };

/** Limits that no test reaches, and no credential cache. */
export const NO_RATE_LIMITS = {
  TILLGATE_PAY_REQUESTS_PER_MINUTE: "100000",
  TILLGATE_PARTNER_REQUESTS_PER_MINUTE: "100000",
  TILLGATE_TOKENS_PER_MINUTE: "100000",
  TILLGATE_WRONG_SECRETS_PER_CLIENT: "100000",
  TILLGATE_WRONG_SECRETS_PER_IP_ADDRESS: "100000",
  TILLGATE_CREDENTIAL_CACHE_MS: "0",
};

export const ORDER = { amount: 41.5, currency: "EUR" };
export const PAYMENT = {
  amount: 10,
  currency: "EUR",
  return_url: "https://shop.example/thanks",
  product_name: "Tea",
  order_number: "1",
};

export const uniqueKeys = () => ({ reference: randomUUID(), idempotency_key: randomUUID() });

export function stringAt({ body, text }: ApiResponse, ...path: string[]): string {
  let at: unknown = body;
  for (const name of path) at = z.record(z.string(), z.unknown()).parse(at)[name];
  const found = z.string().safeParse(at);
  if (!found.success) throw new Error(`no ${path.join(".")} in ${text}`);
  return found.data;
}

/** A merchant's client for every operation; it checks the responses against the document. */
export type Fixture = {
  sandbox: Sandbox;
  server: ApiProcess;
  call: Caller;
  statusOf(id: string, request: Call): Promise<number>;
  validRequest(id: string): Promise<Call>;
  live: Authorization;
  readOnly: Authorization;
  orderOnly: Authorization;
  reportsOnly: Authorization;
  liveAccess: ClientCredentials;
  createOrder(fields?: Record<string, unknown>): Promise<ApiResponse>;
  pageOf(order: ApiResponse): CheckoutPage;
  createPaidOrder(): Promise<{ order_id: string; trx_id: string }>;
  endpointFields(fields?: Record<string, unknown>): Record<string, unknown>;
  /** Starts a replay to an endpoint that receives nothing. */
  createReplay(): Promise<{ replay_id: string }>;
  replayTarget(): { endpoint_id: string };
  addEndpoint(fields?: Record<string, unknown>): Promise<string>;
  /** Payout fields with a new lookup token. */
  payoutTerms(amount?: unknown, sender?: string, receiver?: string): Promise<Record<string, unknown>>;
  execute(sql: string, values?: unknown[]): Promise<unknown>;
  withChange(change: string, back: string, values: unknown[], work: () => Promise<unknown>): Promise<void>;
};

async function accessTokenOf(call: Caller, access: ClientCredentials, server: number): Promise<string> {
  const body = { client_id: access.client_id, secret_id: access.client_secret };
  return stringAt(await call("createAccessToken", { body, server }), "data", "access_token");
}

export async function openFixture(): Promise<Fixture> {
  const sandbox = await openSandbox();
  const server = await sandbox.startApi({ environment: NO_RATE_LIMITS });
  const { merchant } = sandbox.access;
  const anonymous = createCaller(operations, checks, { url: server.url, authorization: NO_CREDENTIALS });
  const authorization = authorizationOf({
    ...merchant,
    access_token: await accessTokenOf(anonymous, merchant, 0),
  });
  const call = createCaller(operations, checks, { url: server.url, authorization });
  const liveAccess = await addLiveCredential(sandbox, merchant.client_id);
  const live = authorizationOf({
    ...liveAccess,
    access_token: await accessTokenOf(anonymous, liveAccess, 1),
  });

  const merchantId = await merchantIdOf(sandbox, merchant.client_id);
  const permissions = { readOnly: true };
  const reader = await addCredential(sandbox, merchantId, "sandbox", permissions);
  const readOnly = authorizationOf({
    ...reader,
    api_token: await addApiToken(sandbox, merchantId, "sandbox", permissions),
    access_token: await accessTokenOf(anonymous, reader, 0),
  });

  const orderer = await addCredential(sandbox, merchantId, "sandbox", { orderOnly: true });
  const orderOnly = authorizationOf({ ...orderer, access_token: await accessTokenOf(anonymous, orderer, 0) });

  const accountant = await addCredential(sandbox, merchantId, "sandbox", { reportsOnly: true });
  const reportsOnly = authorizationOf({
    ...accountant,
    access_token: await accessTokenOf(anonymous, accountant, 0),
  });

  const createOrder = async (fields: Record<string, unknown> = {}): Promise<ApiResponse> =>
    call("createOrder", { body: { ...ORDER, ...fields } });

  const pageOf = (order: ApiResponse) =>
    openPage(server, stringAt(order, "data", "payment_url").split("/pay/")[1] ?? "");

  async function createPaidOrder(): Promise<{ order_id: string; trx_id: string }> {
    const parameters = { order_id: stringAt(await createOrder(), "data", "order_id") };
    const paid = await call("simulateOrder", { parameters, body: { outcome: "paid" } });
    return { ...parameters, trx_id: stringAt(paid, "data", "trx_id") };
  }

  const lookup = async (phone = "+237 671 23 45 67"): Promise<string> =>
    stringAt(await call("lookupRecipient", { body: { phone } }), "data", "lookup_token");

  const payoutTerms = async (amount: unknown = 10, sender_currency = "EUR", receiver_currency = "XAF") => ({
    lookup_token: await lookup(),
    amount,
    sender_currency,
    receiver_currency,
  });

  const execute = (sql: string, values: unknown[] = []) => sandbox.database.pool.query(sql, values);

  async function withChange(
    change: string,
    back: string,
    values: unknown[],
    work: () => Promise<unknown>,
  ): Promise<void> {
    await execute(change, values);
    try {
      await work();
    } finally {
      await execute(back, values);
    }
  }

  const endpointFields = (fields: Record<string, unknown> = {}) => ({
    address: `http://93.184.216.34/${randomUUID()}`,
    events: ["payout.failed"],
    ...fields,
  });
  /** Creates a webhook endpoint, after removing all others to stay below the limit. @returns the endpoint's ID */
  async function addEndpoint(fields: Record<string, unknown> = {}): Promise<string> {
    await execute("UPDATE receivers SET removed_at = now() WHERE removed_at IS NULL");
    return stringAt(
      await call("createWebhookEndpoint", { body: endpointFields(fields) }),
      "data",
      "endpoint_id",
    );
  }
  const ofEndpoint = (body?: Record<string, unknown>) => async (): Promise<Call> => ({
    parameters: { endpoint_id: await addEndpoint() },
    ...(body === undefined ? {} : { body }),
  });
  const ofEndpointInBody = () => async (): Promise<Call> => ({
    body: { endpoint_id: await addEndpoint({ events: ["pos.order.cancelled"] }) },
  });
  let replayTargetId = "";
  /** Starts a replay, which stays running because no outbox runs. */
  async function createReplay(): Promise<{ replay_id: string }> {
    await createDelivery();
    const started = await call("createReplay", await ofEndpointInBody()());
    replayTargetId = stringAt(started, "data", "endpoint_id");
    return { replay_id: stringAt(started, "data", "replay_id") };
  }
  async function createDelivery(): Promise<{ delivery_id: string }> {
    const order = await createOrder({ callback_url: "http://93.184.216.34/own" });
    const parameters = { order_id: stringAt(order, "data", "order_id") };
    await call("cancelOrder", { parameters });
    const { deliveries } = z
      .object({ deliveries: z.array(z.object({ delivery_id: z.string() })) })
      .parse(z.object({ data: z.unknown() }).parse((await call("listWebhookDeliveries")).body).data);
    const [newest] = deliveries;
    if (!newest) throw new Error("the order has no delivery");
    return newest;
  }

  const validRequests: Record<string, () => Promise<Call>> = {
    createAccessToken: async () => ({
      body: {
        client_id: sandbox.access.merchant.client_id,
        secret_id: sandbox.access.merchant.client_secret,
      },
    }),
    createPayment: async () => ({ body: PAYMENT }),
    getPayment: async () => ({
      parameters: { token: stringAt(await call("createPayment", { body: PAYMENT }), "data", "token") },
    }),
    createOrder: async () => ({ body: ORDER }),
    listOrders: async () => ({ query: "?per_page=100" }),
    getOrder: async () => ({ parameters: { order_id: stringAt(await createOrder(), "data", "order_id") } }),
    cancelOrder: async () => ({
      parameters: { order_id: stringAt(await createOrder(), "data", "order_id") },
    }),
    simulateOrder: async () => ({
      parameters: { order_id: stringAt(await createOrder(), "data", "order_id") },
      body: { outcome: "paid" },
    }),
    createRefund: async () => ({ body: { transaction_id: (await createPaidOrder()).trx_id } }),
    listRefunds: async () => ({}),
    getRefund: async () => {
      const body = { transaction_id: (await createPaidOrder()).trx_id };
      return {
        parameters: { refund_id: stringAt(await call("createRefund", { body }), "data", "refund_id") },
      };
    },
    // Loopback is rejected before sending, so the response reports a failed test.
    testWebhook: async () => ({ body: { callback_url: "http://127.0.0.1:1024/tillgate" } }),
    createWebhookEndpoint: async () => ({ body: endpointFields() }),
    listWebhookEndpoints: async () => ({}),
    getWebhookEndpoint: ofEndpoint(),
    changeWebhookEndpoint: ofEndpoint({ events: ["payout.failed"] }),
    pauseWebhookEndpoint: ofEndpoint({}),
    resumeWebhookEndpoint: ofEndpoint({}),
    enableWebhookEndpoint: ofEndpoint({}),
    removeWebhookEndpoint: ofEndpoint({}),
    rotateWebhookEndpointSecret: ofEndpoint({}),
    testWebhookEndpoint: ofEndpoint({}),
    listWebhookDeliveries: async () => ({ query: "?per_page=100" }),
    getWebhookDelivery: async () => ({ parameters: await createDelivery() }),
    resendWebhookDelivery: async () => ({ parameters: await createDelivery(), body: {} }),
    previewReplay: ofEndpointInBody(),
    createReplay: ofEndpointInBody(),
    listReplays: async () => ({ query: "?per_page=5" }),
    getReplay: async () => ({ parameters: await createReplay() }),
    cancelReplay: async () => ({ parameters: await createReplay(), body: {} }),
    resumeReplay: async () => ({ parameters: await createReplay(), body: {} }),
    listEvents: async () => ({ query: "?types=pos.order.paid,refund.completed&per_page=5" }),
    getAccount: async () => ({}),
    listBalances: async () => ({}),
    listBalanceEntries: async () => ({ parameters: { currency: "EUR" }, query: "?per_page=5" }),
    listReportWallets: async () => ({}),
    listReportFeed: async () => ({ parameters: { wallet: "EUR" }, query: "?per_page=5" }),
    getFeeStatement: async () => ({ query: "?month=2026-01" }),
    getStatementCsv: async () => ({ parameters: { wallet: "EUR" }, query: "?dialect=semicolon" }),
    getStatementXml: async () => ({ parameters: { wallet: "EUR" }, query: "?to_date=2026-01-01" }),
    getReportDay: async () => ({ parameters: { wallet: "EUR", date: "2026-01-01" } }),
    compareOrders: async () => ({
      parameters: { day: new Date().toISOString().slice(0, 10) },
      body: { orders: [], progress: { compared: 0, skipped: 0, completed: true } },
    }),
    createTestControl: async () => {
      await call("clearTestControls");
      return { body: { control: "delivery_never" } };
    },
    listTestControls: async () => ({}),
    clearTestControls: async () => ({}),
    decideTestPayout: async () => {
      await call("createTestControl", { body: { control: "payout_waits" } });
      const created = await call("executePayout", { body: { ...(await payoutTerms()), ...uniqueKeys() } });
      return {
        parameters: { payout_id: stringAt(created, "data", "payout", "payout_id") },
        body: { outcome: "failed" },
      };
    },
    expireResource: async () => ({
      body: { kind: "order", id: stringAt(await createOrder(), "data", "order_id"), moment: "after_end" },
    }),
    lookupRecipient: async () => ({ body: { email: "SAMUEL@example.com" } }),
    quotePayout: async () => ({ body: await payoutTerms() }),
    executePayout: async () => ({ body: { ...(await payoutTerms()), ...uniqueKeys() } }),
    getPayout: async () => {
      const created = await call("executePayout", { body: { ...(await payoutTerms()), ...uniqueKeys() } });
      return { parameters: { payout_id: stringAt(created, "data", "payout", "payout_id") } };
    },
    listPayouts: async () => ({}),
    getBalances: async () => ({}),
  };

  return {
    sandbox,
    server,
    call,
    live,
    readOnly,
    orderOnly,
    reportsOnly,
    liveAccess,
    createOrder,
    pageOf,
    createPaidOrder,
    endpointFields,
    createReplay,
    replayTarget: () => ({ endpoint_id: replayTargetId }),
    addEndpoint,
    payoutTerms,
    execute,
    withChange,
    statusOf: async (id, request) => (await call(id, request)).status,
    async validRequest(id) {
      const make = validRequests[id];
      if (!make) throw new Error(`validRequests contains no request of ${id}`);
      return make();
    },
  };
}
