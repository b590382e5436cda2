import type { Payout } from "@tillgate/contract";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { ApiProcess } from "./api-process.js";
import {
  addPartner,
  addRecipient,
  COMPLETED,
  lookUpRecipient,
  type Partner,
  type PartnerApi,
  type PartnerOptions,
  partnerApi,
  type Recipient,
  readPayout,
} from "./partner.js";
import { type ErrorResponse, errorOf } from "./requests.js";
import { expectNoWrites, expectValidEvents } from "./rows.js";
import { openSandbox, type Sandbox } from "./sandbox.js";

/** One API for all payout tests of a file, and a new merchant and recipient for each test. */
export type PayoutFixture = {
  sandbox: Sandbox;
  server: ApiProcess;
  partner: Partner;
  api: PartnerApi;
  /** Recipient with empty EUR and XAF wallets. */
  recipient: Recipient;
  lookup_token: string;
};

/**
 * Registers a payout test file's hooks, which verify the events and the ledger after the last test.
 * @param merchant wallets and limits of each test's merchant
 */
export function setUpPayouts(merchant: PartnerOptions) {
  let fixture: PayoutFixture | undefined;
  const current = (): PayoutFixture => {
    if (!fixture) throw new Error("the fixture is not set before the first test");
    return fixture;
  };
  let sandbox: Sandbox;
  let server: ApiProcess;
  beforeAll(async () => {
    sandbox = await openSandbox();
    server = await sandbox.startApi();
  });
  beforeEach(async () => {
    const partner = await addPartner(sandbox, merchant);
    const api = partnerApi(server, partner.token);
    const recipient = await addRecipient(sandbox, { EUR: 0n, XAF: 0n });
    fixture = {
      sandbox,
      server,
      partner,
      api,
      recipient,
      lookup_token: await lookUpRecipient(api, recipient),
    };
  });
  afterAll(async () => {
    await expectValidEvents(sandbox);
    await sandbox.close();
  });

  const directPayout = (changed: Record<string, unknown> = {}) => ({
    lookup_token: current().lookup_token,
    amount: 10,
    sender_currency: "EUR",
    receiver_currency: "EUR",
    reference: "salary 7",
    idempotency_key: "key 7",
    ...changed,
  });
  return {
    scene: current,
    direct: directPayout,
    expectRejectedPayout: (fields: unknown, by: PartnerApi = current().api): Promise<ErrorResponse> =>
      expectNoWrites(current().sandbox, () => by.post("/payout", fields)).then(errorOf),
    paid: async (fields: unknown, by: PartnerApi = current().api): Promise<Payout> =>
      readPayout(await by.post("/payout", fields), COMPLETED),
    run: (sql: string, ...values: unknown[]) => current().sandbox.database.pool.query(sql, values),
  };
}
