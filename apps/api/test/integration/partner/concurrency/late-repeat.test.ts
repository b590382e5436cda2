import { randomUUID } from "node:crypto";
import { callOne, ledger } from "@tillgate/database";
import { beforeAll, describe, expect, it } from "vitest";
import {
  accountBalance,
  addPartner,
  addRecipient,
  lookUpRecipient,
  partnerApi,
  REPEATED,
  readPayout,
  readQuote,
} from "../../../support/partner.js";
import { createTestSandbox } from "../../../support/test-api.js";
import { waitUntil } from "../../../support/wait-until.js";

let server: { url: string };

const sandbox = await createTestSandbox();
const { pool } = sandbox.database;
beforeAll(async () => {
  server = await sandbox.startApi();
});

const isWaitingForKey = async (): Promise<boolean> => {
  const { rows } = await pool.query("SELECT FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted");
  return rows.length > 0;
};

describe("a retry of a payout whose transaction is still running", () => {
  it.each(["lookup token", "quote"])(
    "returns that payout, even if its %s has expired in the meantime",
    async (expired) => {
      const partner = await addPartner(sandbox);
      const api = partnerApi(server, partner.token);
      const recipient = await addRecipient(sandbox);
      const terms = {
        lookup_token: await lookUpRecipient(api, recipient),
        amount: 1,
        sender_currency: "EUR",
        receiver_currency: "EUR",
      };
      const quote_id = expired === "quote" ? readQuote(await api.post("/quote", terms)).quote_id : null;
      const request = { ...(quote_id ? { quote_id } : terms), reference: "one", idempotency_key: "one" };
      const first = await pool.connect();
      try {
        await first.query("BEGIN");
        await callOne(first, ledger.executePayouts, {
          payoutId: quote_id ? "POAAAAAAA2" : "POAAAAAAA3",
          merchantId: partner.merchantId,
          mode: "sandbox",
          idempotencyKey: "one",
          reference: "one",
          quoteId: null,
          walletUserId: recipient.id,
          recipientAccountId: recipient.wallets.EUR ?? "",
          amount: 100n,
          senderCurrency: "EUR",
          fee: 26n,
          rate: "1",
          receiverAmount: 100n,
          receiverCurrency: "EUR",
          description: null,
          trxId: quote_id ? "PP0000000002" : "PP0000000003",
          transferId: randomUUID(),
          needsApproval: false,
          metadata: null,
          traceparent: null,
        });
        const expire = quote_id ? "quotes" : "lookup_tokens";
        await pool.query(`UPDATE ${expire} SET expires_at = clock_timestamp() WHERE id = $1`, [
          quote_id ?? terms.lookup_token,
        ]);
        const repeat = api.post("/payout", request);
        await waitUntil("the retry waits for the transaction with its key", isWaitingForKey);
        await first.query("COMMIT");
        expect(readPayout(await repeat, REPEATED)).toMatchObject({ reference: "one", amount: 1 });
      } finally {
        first.release(true);
      }
      expect(await accountBalance(sandbox, recipient.wallets.EUR)).toBe(100n);
    },
  );
});

it("a payout with an expired lookup token is rejected and does not store its idempotency key", async () => {
  const partner = await addPartner(sandbox);
  const api = partnerApi(server, partner.token);
  const lookup_token = await lookUpRecipient(api, await addRecipient(sandbox));
  await pool.query("UPDATE lookup_tokens SET expires_at = clock_timestamp() WHERE id = $1", [lookup_token]);
  const rejected = await api.post("/payout", {
    ...{ lookup_token, amount: 1, sender_currency: "EUR", receiver_currency: "EUR" },
    ...{ reference: "two", idempotency_key: "two" },
  });
  expect(rejected.body).toMatchObject({ error_code: "invalid_lookup_token" });
  const { rows } = await pool.query("SELECT FROM idempotency_keys WHERE key = 'two'");
  expect(rows).toEqual([]);
});
