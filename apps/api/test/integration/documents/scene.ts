import { randomUUID } from "node:crypto";
import { openApiDocument } from "@tillgate/contract/openapi";
import { z } from "zod";
import type { ApiProcess } from "../../support/api-process.js";
import { openPage, type Page } from "../../support/checkout.js";
import { type Access, addCredential, addLiveSide, merchantIdOf } from "../../support/parties.js";
import { addApiToken } from "../../support/partner.js";
import type { Answer } from "../../support/requests.js";
import { openSandbox, type Sandbox } from "../../support/sandbox.js";
import { type Authorization, authorizationOf, type Call, type Caller, createCaller } from "./callers.js";
import { checkAnswers, describedOperations } from "./described-answers.js";

const document = openApiDocument();
export const operations = describedOperations(document);
export const checks = checkAnswers(document);

/** Somebody who proves nothing. */
export const NOBODY: Authorization = { clientCredentials: null, accessToken: null, apiToken: null };

/** Limits that no test reaches by chance, and no memory of credentials. */
export const PLENTY = {
  TILLGATE_PAY_REQUESTS_A_MINUTE: "100000",
  TILLGATE_PARTNER_REQUESTS_A_MINUTE: "100000",
  TILLGATE_TOKENS_A_MINUTE: "100000",
  TILLGATE_WRONG_SECRETS_A_CLIENT: "100000",
  TILLGATE_WRONG_SECRETS_AN_ADDRESS: "100000",
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

/** A reference and an idempotency key that nobody has used. */
export const once = () => ({ reference: randomUUID(), idempotency_key: randomUUID() });

/** One string of an answer, by its path. */
export function part({ body, text }: Answer, ...path: string[]): string {
  let at: unknown = body;
  for (const name of path) at = z.record(z.string(), z.unknown()).parse(at)[name];
  const found = z.string().safeParse(at);
  if (!found.success) throw new Error(`no ${path.join(".")} in ${text}`);
  return found.data;
}

/** A merchant who calls every operation, each answer held against the document. */
export type Scene = {
  sandbox: Sandbox;
  server: ApiProcess;
  call: Caller;
  statusOf(id: string, request: Call): Promise<number>;
  /** A request of an operation that nothing is wrong with. */
  right(id: string): Promise<Call>;
  /** The merchant's right proofs, but of the live mode. */
  live: Authorization;
  /** Keys of the merchant that only read, and one that only creates orders. */
  reading: Authorization;
  ordering: Authorization;
  liveAccess: Access;
  createOrder(fields?: Record<string, unknown>): Promise<Answer>;
  pageOf(order: Answer): Page;
  /** An order that the test shopper paid: its id and transaction. */
  paidOrder(): Promise<{ order_id: string; trx_id: string }>;
  /** The fields of an endpoint that nothing is sent to, and its id once it is added. */
  endpoint(fields?: Record<string, unknown>): Record<string, unknown>;
  /** The id of a replay that is under way, to an endpoint that nothing is sent to. */
  aReplay(): Promise<{ replay_id: string }>;
  /** Where the newest of them goes. */
  replayed(): { endpoint_id: string };
  addEndpoint(fields?: Record<string, unknown>): Promise<string>;
  /** The terms of a payout to a fresh lookup token. */
  terms(amount?: unknown, sender?: string, receiver?: string): Promise<Record<string, unknown>>;
  execute(sql: string, values?: unknown[]): Promise<unknown>;
  /** Changes rows while something is asked, and takes the change back. */
  meanwhile(change: string, back: string, values: unknown[], work: () => Promise<unknown>): Promise<void>;
};

async function accessTokenOf(call: Caller, access: Access, server: number): Promise<string> {
  const body = { client_id: access.client_id, secret_id: access.client_secret };
  return part(await call("createAccessToken", { body, server }), "data", "access_token");
}

export async function openScene(): Promise<Scene> {
  const sandbox = await openSandbox();
  const server = await sandbox.startApi({ environment: PLENTY });
  const { merchant } = sandbox.access;
  const nobody = createCaller(operations, checks, { url: server.url, authorization: NOBODY });
  const known = authorizationOf({ ...merchant, access_token: await accessTokenOf(nobody, merchant, 0) });
  const call = createCaller(operations, checks, { url: server.url, authorization: known });
  const liveAccess = await addLiveSide(sandbox, merchant.client_id);
  const live = authorizationOf({ ...liveAccess, access_token: await accessTokenOf(nobody, liveAccess, 1) });

  const merchantId = await merchantIdOf(sandbox, merchant.client_id);
  const readOnly = { readOnly: true };
  const reader = await addCredential(sandbox, merchantId, "sandbox", readOnly);
  const reading = authorizationOf({
    ...reader,
    api_token: await addApiToken(sandbox, merchantId, "sandbox", readOnly),
    access_token: await accessTokenOf(nobody, reader, 0),
  });

  const orderer = await addCredential(sandbox, merchantId, "sandbox", { orderOnly: true });
  const ordering = authorizationOf({ ...orderer, access_token: await accessTokenOf(nobody, orderer, 0) });

  const createOrder = async (fields: Record<string, unknown> = {}): Promise<Answer> =>
    call("createOrder", { body: { ...ORDER, ...fields } });

  const pageOf = (order: Answer) =>
    openPage(server, part(order, "data", "payment_url").split("/pay/")[1] ?? "");

  async function paidOrder(): Promise<{ order_id: string; trx_id: string }> {
    const parameters = { order_id: part(await createOrder(), "data", "order_id") };
    const paid = await call("simulateOrder", { parameters, body: { outcome: "paid" } });
    return { ...parameters, trx_id: part(paid, "data", "trx_id") };
  }

  const lookup = async (phone = "+237 671 23 45 67"): Promise<string> =>
    part(await call("lookupRecipient", { body: { phone } }), "data", "lookup_token");

  const terms = async (amount: unknown = 10, sender_currency = "EUR", receiver_currency = "XAF") => ({
    lookup_token: await lookup(),
    amount,
    sender_currency,
    receiver_currency,
  });

  const execute = (sql: string, values: unknown[] = []) => sandbox.database.pool.query(sql, values);

  async function meanwhile(
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

  /** An endpoint that nothing is sent to; earlier ones make room. */
  const endpoint = (fields: Record<string, unknown> = {}) => ({
    address: `http://93.184.216.34/${randomUUID()}`,
    events: ["payout.failed"],
    ...fields,
  });
  async function addEndpoint(fields: Record<string, unknown> = {}): Promise<string> {
    await execute("UPDATE receivers SET removed_at = now() WHERE removed_at IS NULL");
    return part(await call("createWebhookEndpoint", { body: endpoint(fields) }), "data", "endpoint_id");
  }
  const ofEndpoint = (body?: Record<string, unknown>) => async (): Promise<Call> => ({
    parameters: { endpoint_id: await addEndpoint() },
    ...(body === undefined ? {} : { body }),
  });
  const ofEndpointInBody = () => async (): Promise<Call> => ({
    body: { endpoint_id: await addEndpoint({ events: ["pos.order.cancelled"] }) },
  });
  /** A replay that is under way: nothing is sent here. */
  let replayedTo = "";
  async function aReplay(): Promise<{ replay_id: string }> {
    await aDelivery();
    const begun = await call("createReplay", await ofEndpointInBody()());
    replayedTo = part(begun, "data", "endpoint_id");
    return { replay_id: part(begun, "data", "replay_id") };
  }
  /** The delivery of a cancelled order to its own address. */
  async function aDelivery(): Promise<{ delivery_id: string }> {
    const order = await createOrder({ callback_url: "http://93.184.216.34/own" });
    const parameters = { order_id: part(order, "data", "order_id") };
    await call("cancelOrder", { parameters });
    const { deliveries } = z
      .object({ deliveries: z.array(z.object({ delivery_id: z.string() })) })
      .parse(z.object({ data: z.unknown() }).parse((await call("listWebhookDeliveries")).body).data);
    const [newest] = deliveries;
    if (!newest) throw new Error("the order has no delivery");
    return newest;
  }

  const rightRequests: Record<string, () => Promise<Call>> = {
    createAccessToken: async () => ({
      body: {
        client_id: sandbox.access.merchant.client_id,
        secret_id: sandbox.access.merchant.client_secret,
      },
    }),
    createPayment: async () => ({ body: PAYMENT }),
    getPayment: async () => ({
      parameters: { token: part(await call("createPayment", { body: PAYMENT }), "data", "token") },
    }),
    createOrder: async () => ({ body: ORDER }),
    listOrders: async () => ({ query: "?per_page=100" }),
    getOrder: async () => ({ parameters: { order_id: part(await createOrder(), "data", "order_id") } }),
    cancelOrder: async () => ({ parameters: { order_id: part(await createOrder(), "data", "order_id") } }),
    simulateOrder: async () => ({
      parameters: { order_id: part(await createOrder(), "data", "order_id") },
      body: { outcome: "paid" },
    }),
    createRefund: async () => ({ body: { transaction_id: (await paidOrder()).trx_id } }),
    listRefunds: async () => ({}),
    getRefund: async () => {
      const body = { transaction_id: (await paidOrder()).trx_id };
      return { parameters: { refund_id: part(await call("createRefund", { body }), "data", "refund_id") } };
    },
    // A literal of loopback is refused before anything is sent: the answer is a failed test.
    testWebhook: async () => ({ body: { callback_url: "http://127.0.0.1:1024/tillgate" } }),
    createWebhookEndpoint: async () => ({ body: endpoint() }),
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
    getWebhookDelivery: async () => ({ parameters: await aDelivery() }),
    resendWebhookDelivery: async () => ({ parameters: await aDelivery(), body: {} }),
    previewReplay: ofEndpointInBody(),
    createReplay: ofEndpointInBody(),
    listReplays: async () => ({ query: "?per_page=5" }),
    getReplay: async () => ({ parameters: await aReplay() }),
    cancelReplay: async () => ({ parameters: await aReplay(), body: {} }),
    resumeReplay: async () => ({ parameters: await aReplay(), body: {} }),
    listEvents: async () => ({ query: "?types=pos.order.paid,refund.completed&per_page=5" }),
    getAccount: async () => ({}),
    listBalances: async () => ({}),
    listBalanceEntries: async () => ({ parameters: { currency: "EUR" }, query: "?per_page=5" }),
    createTestControl: async () => {
      await call("clearTestControls");
      return { body: { control: "delivery_never" } };
    },
    listTestControls: async () => ({}),
    clearTestControls: async () => ({}),
    decideTestPayout: async () => {
      await call("createTestControl", { body: { control: "payout_waits" } });
      const made = await call("executePayout", { body: { ...(await terms()), ...once() } });
      return {
        parameters: { payout_id: part(made, "data", "payout", "payout_id") },
        body: { outcome: "failed" },
      };
    },
    bringToEnd: async () => ({
      body: { kind: "order", id: part(await createOrder(), "data", "order_id"), moment: "after_end" },
    }),
    lookupRecipient: async () => ({ body: { email: "SAMUEL@example.com" } }),
    quotePayout: async () => ({ body: await terms() }),
    executePayout: async () => ({ body: { ...(await terms()), ...once() } }),
    getPayout: async () => {
      const made = await call("executePayout", { body: { ...(await terms()), ...once() } });
      return { parameters: { payout_id: part(made, "data", "payout", "payout_id") } };
    },
    listPayouts: async () => ({}),
    getBalances: async () => ({}),
  };

  return {
    sandbox,
    server,
    call,
    live,
    reading,
    ordering,
    liveAccess,
    createOrder,
    pageOf,
    paidOrder,
    endpoint,
    aReplay,
    replayed: () => ({ endpoint_id: replayedTo }),
    addEndpoint,
    terms,
    execute,
    meanwhile,
    statusOf: async (id, request) => (await call(id, request)).status,
    async right(id) {
      const make = rightRequests[id];
      if (!make) throw new Error(`no request of ${id} is known here`);
      return make();
    },
  };
}
