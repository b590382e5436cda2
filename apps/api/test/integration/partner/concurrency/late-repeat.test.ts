import { randomUUID } from "node:crypto";
import { callOne, ledger } from "@tillgate/database";
import { beforeAll, describe, expect, it } from "vitest";
import {
  addPartner,
  addRecipient,
  balanceOfAccount,
  lookUp,
  partnerApi,
  REPEATED,
  readPayout,
  readQuote,
} from "../../../support/partner.js";
import { sandboxOfFile } from "../../../support/scene.js";
import { until } from "../../../support/until.js";

let server: { url: string };

const sandbox = await sandboxOfFile();
beforeAll(async () => {
  server = await sandbox.startApi();
});

const waiters = async (): Promise<boolean> => {
  const { rows } = await sandbox.database.pool.query(
    "SELECT FROM pg_locks WHERE relation = 'payouts'::regclass AND NOT granted",
  );
  return rows.length > 0;
};

describe("a request that comes between a payout with its key and that payout's commit", () => {
  it.each(["directly", "by a quote"])(
    "is answered with it, not told that its own reference is taken (%s)",
    async (how) => {
      const partner = await addPartner(sandbox);
      const api = partnerApi(server, partner.token);
      const recipient = await addRecipient(sandbox);
      const terms = {
        lookup_token: await lookUp(api, recipient),
        amount: 1,
        sender_currency: "EUR",
        receiver_currency: "EUR",
      };
      const quote_id = how === "directly" ? null : readQuote(await api.post("/quote", terms)).quote_id;
      const once = { reference: "one", idempotency_key: "one" };
      const first = await sandbox.database.pool.connect();
      try {
        await first.query("BEGIN");
        await first.query("LOCK TABLE payouts IN ACCESS EXCLUSIVE MODE");
        const late = api.post("/payout", { ...(quote_id ? { quote_id } : terms), ...once });
        await until("the late request has found no payout of its key and looks for its reference", waiters);
        await callOne(first, ledger.executePayouts, {
          payoutId: quote_id ? "POAAAAAAA2" : "POAAAAAAA3",
          merchantId: partner.merchantId,
          mode: "sandbox",
          idempotencyKey: "one",
          reference: "one",
          quoteId: quote_id,
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
        await first.query("COMMIT");
        expect(readPayout(await late, REPEATED)).toMatchObject({ reference: "one", amount: 1 });
      } finally {
        first.release(true);
      }
      expect(await balanceOfAccount(sandbox, recipient.wallets.EUR)).toBe(100n);
    },
  );
});
