import { type Mode, PAY_API_PATH } from "@tillgate/contract";
import { accessTokensOf } from "./access-tokens.js";
import { balancesOf, type WalletBalances } from "./balances.js";
import { type ConnectionOptions, openLine } from "./line.js";
import { type Orders, ordersOf } from "./orders.js";
import { type Payments, paymentsOf } from "./payments.js";
import { type Refunds, refundsOf } from "./refunds.js";
import { type TestControls, testControlsOf } from "./test-controls.js";
import { type Events, eventsOf, type Webhooks, webhooksOf } from "./webhooks.js";

export type PayClientOptions = ConnectionOptions & {
  /** Must be the mode the credential belongs to. */
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
  readonly webhooks: Webhooks;
  readonly events: Events;
  readonly testControls: TestControls;
};

/**
 * A client of the Pay API: orders, refunds, events and tests of webhooks with Basic credentials, payments with an access
 * token that is fetched when needed, kept, and renewed before it ends.
 *
 * @throws TypeError or RangeError where an option cannot be used; its text never repeats a secret
 */
export function createPayClient(options: PayClientOptions): PayClient {
  const { mode, clientId, clientSecret } = options;
  if (clientId === "" || clientId.includes(":")) throw new TypeError("clientId must be text without a colon");
  if (clientSecret === "") throw new TypeError("clientSecret must not be empty");
  const credentials = Buffer.from(`${clientId}:${clientSecret}`, "utf8").toString("base64");
  const line = openLine(options, {
    path: PAY_API_PATH[mode],
    live: mode === "live",
    authorize: async () => `Basic ${credentials}`,
    secrets: [credentials, clientSecret],
  });
  const tokens = accessTokensOf(line, { clientId, clientSecret });
  return {
    mode,
    orders: ordersOf(line),
    refunds: refundsOf(line),
    payments: paymentsOf({ ...line, authorize: tokens.authorize, forgetAuthorization: tokens.forget }),
    balances: balancesOf(line),
    webhooks: webhooksOf(line, clientSecret),
    events: eventsOf(line),
    testControls: testControlsOf(line, mode),
  };
}
