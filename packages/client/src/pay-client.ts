import { type Mode, PAY_API_PATH, tokenResponseSchema } from "@tillgate/contract";
import { balancesResource, type WalletBalances } from "./balances.js";
import { type Comparisons, comparisonsResource } from "./comparisons.js";
import { type Orders, ordersResource } from "./orders.js";
import { type Payments, paymentsResource } from "./payments.js";
import { type Refunds, refundsResource } from "./refunds.js";
import { type Reports, reportsResource } from "./reports.js";
import { send, type Transport } from "./send.js";
import { type TestControls, testControlsResource } from "./test-controls.js";
import { type ConnectionOptions, createTransport } from "./transport.js";
import { type Events, eventsResource, type Webhooks, webhooksResource } from "./webhooks.js";

/** Tokens are renewed early, so that none expires in transit. */
const RENEW_BEFORE_EXPIRY_MS = 60_000;

type CachedToken = { token: string; renewAt: number };

export type AccessTokens = Required<Pick<Transport, "authorize">> & { forget(): boolean };

/** Fetches and caches access tokens. Concurrent calls share one request. */
function createAccessTokens(
  transport: Transport,
  client: { clientId: string; clientSecret: string },
): AccessTokens {
  let cached: CachedToken | undefined;
  let fetching: Promise<CachedToken> | undefined;

  const fetchToken = async (): Promise<CachedToken> => {
    const requestedAt = Date.now();
    const data = await send(transport, {
      method: "POST",
      path: "/authentication/token",
      body: { client_id: client.clientId, secret_id: client.clientSecret },
      schema: tokenResponseSchema,
    });
    return {
      token: data.access_token,
      renewAt: requestedAt + data.expire_time * 1000 - RENEW_BEFORE_EXPIRY_MS,
    };
  };

  return {
    async authorize() {
      if (cached === undefined || Date.now() >= cached.renewAt) {
        fetching ??= fetchToken().finally(() => {
          fetching = undefined;
        });
        cached = await fetching;
      }
      return `Bearer ${cached.token}`;
    },
    forget() {
      const had = cached !== undefined;
      cached = undefined;
      return had;
    },
  };
}

export type PayClientOptions = ConnectionOptions & {
  /** Must be the mode of the client ID and secret. */
  mode: Mode;
  clientId: string;
  clientSecret: string;
};

export type PayClient = {
  readonly mode: Mode;
  readonly orders: Orders;
  readonly refunds: Refunds;
  readonly payments: Payments;
  readonly balances: WalletBalances;
  readonly reports: Reports;
  readonly comparisons: Comparisons;
  readonly webhooks: Webhooks;
  readonly events: Events;
  readonly testControls: TestControls;
};

/**
 * Creates a client of the Pay API. The `payments` calls use an access token, which is fetched, cached and renewed automatically; all other
 * calls use Basic authentication.
 * @throws TypeError or RangeError for an invalid option; the message never contains a secret
 */
export function createPayClient(options: PayClientOptions): PayClient {
  const { mode, clientId, clientSecret } = options;
  if (clientId === "" || clientId.includes(":"))
    throw new TypeError("clientId must not be empty or contain a colon");
  if (clientSecret === "") throw new TypeError("clientSecret must not be empty");
  const credentials = Buffer.from(`${clientId}:${clientSecret}`, "utf8").toString("base64");
  const transport = createTransport(options, {
    path: PAY_API_PATH[mode],
    live: mode === "live",
    authorize: async () => `Basic ${credentials}`,
    secrets: [credentials, clientSecret],
  });
  const tokens = createAccessTokens(transport, { clientId, clientSecret });
  return {
    mode,
    orders: ordersResource(transport),
    refunds: refundsResource(transport),
    payments: paymentsResource({
      ...transport,
      authorize: tokens.authorize,
      forgetAuthorization: tokens.forget,
    }),
    balances: balancesResource(transport),
    reports: reportsResource(transport),
    comparisons: comparisonsResource(transport),
    webhooks: webhooksResource(transport, clientSecret),
    events: eventsResource(transport),
    testControls: testControlsResource(transport, mode),
  };
}
