import type { Payout } from "@tillgate/contract";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { ApiProcess } from "./api-process.js";
import {
  addPartner,
  addRecipient,
  COMPLETED,
  lookUp,
  type NewPartner,
  type Partner,
  type PartnerApi,
  partnerApi,
  type Recipient,
  readPayout,
} from "./partner.js";
import { type Told, told } from "./requests.js";
import { expectEventsOfTheContract, writesNothing } from "./rows.js";
import { openSandbox, type Sandbox } from "./sandbox.js";

/** What the payout tests of a file work with: one api process for all, a new merchant and recipient for each. */
export type PayoutScene = {
  sandbox: Sandbox;
  server: ApiProcess;
  partner: Partner;
  api: PartnerApi;
  /** Has empty wallets in EUR and XAF. */
  recipient: Recipient;
  /** Of the recipient. */
  lookup_token: string;
};

/**
 * Prepares a file's payout tests, and ends them with the proof of the ledger.
 * @param merchant the wallets and terms of each test's merchant.
 */
export function preparePayouts(merchant: NewPartner) {
  let made: PayoutScene | undefined;
  const scene = (): PayoutScene => {
    if (!made) throw new Error("the scene is set before the first test");
    return made;
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
    made = { sandbox, server, partner, api, recipient, lookup_token: await lookUp(api, recipient) };
  });
  afterAll(async () => {
    await expectEventsOfTheContract(sandbox);
    await sandbox.close();
  });

  /** The fields of a direct payout of 10 EUR. */
  const direct = (changed: Record<string, unknown> = {}) => ({
    lookup_token: scene().lookup_token,
    amount: 10,
    sender_currency: "EUR",
    receiver_currency: "EUR",
    reference: "salary 7",
    idempotency_key: "key 7",
    ...changed,
  });
  return {
    scene,
    direct,
    /** A payout with these fields is refused, and nothing is written. */
    refused: (fields: unknown, by: PartnerApi = scene().api): Promise<Told> =>
      writesNothing(scene().sandbox, () => by.post("/payout", fields)).then(told),
    paid: async (fields: unknown, by: PartnerApi = scene().api): Promise<Payout> =>
      readPayout(await by.post("/payout", fields), COMPLETED),
    /** Runs SQL with the rights of the role that runs in real life. */
    run: (sql: string, ...values: unknown[]) => scene().sandbox.database.pool.query(sql, values),
  };
}
