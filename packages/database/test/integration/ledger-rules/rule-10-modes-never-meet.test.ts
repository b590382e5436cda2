import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callOne } from "../../../src/functions/ledger-function.js";
import * as ledger from "../../../src/ledger.js";
import {
  codeOf,
  createOrder,
  depositLive,
  newRefundId,
  type OrderRow,
  outcomeOf,
  paidOrder,
  payOrder,
} from "../../ledger-calls.js";
import { openSandboxDatabase, record, type SandboxDatabase } from "../../sandbox-database.js";
import { executeItem, type NewPayout, payoutItem } from "../payouts/payout-calls.js";
import { book, type Line } from "./direct-booking.js";

describe("rule 10 (sandbox and live never share a transfer)", () => {
  let database: SandboxDatabase;
  let liveWallet: string;
  let liveUser: string;
  let liveShopper: string;
  let liveCredential: string;
  let sandboxOrder: OrderRow;

  beforeAll(async () => {
    database = await openSandboxDatabase();
    const id = async (sql: string, values: unknown[] = []) => {
      const { rows } = await database.pool.query<{ id: string }>(`${sql} RETURNING id`, values);
      return record({ ...rows[0] }, "id");
    };
    liveWallet = await id(
      "INSERT INTO accounts (id, mode, currency, kind, merchant_id, balance) VALUES ($1, 'live', 'EUR', 'merchant', $2, 0)",
      [randomUUID(), database.merchant.id],
    );
    liveUser = await id(
      "INSERT INTO wallet_users (id, mode, name, email) VALUES ($1, 'live', 'Live', 'live@example.com')",
      [randomUUID()],
    );
    liveShopper = await id(
      "INSERT INTO accounts (id, mode, currency, kind, wallet_user_id, balance) VALUES ($1, 'live', 'EUR', 'shopper', $2, 0)",
      [randomUUID(), liveUser],
    );
    liveCredential = await id(
      `INSERT INTO credentials (id, merchant_id, mode, kind, client_id, secret_hash, secret_ciphertext, encryption_key_id)
       VALUES ($1, $2, 'live', 'client', 'tg_live', 'hash', 'x', 'test')`,
      [randomUUID(), database.merchant.id],
    );
    await database.pool.query(
      "INSERT INTO payout_terms (merchant_id, mode, currency, authorized) VALUES ($1, 'live', 'EUR', true)",
      [database.merchant.id],
    );
    await depositLive(database, liveShopper, 50_000n);
    sandboxOrder = await paidOrder(database);
  });
  afterAll(() => database.drop());

  const liveOrder = async () => {
    const order = { mode: "live", merchant: { ...database.merchant, credentialId: liveCredential } } as const;
    return payOrder(database, await createOrder(database, order), liveShopper);
  };
  const livePayout = async (payout: NewPayout = {}) => ({
    ...(await payoutItem(database, { amount: 1n, ...payout })),
    ...{ mode: "live" as const, walletUserId: liveUser, recipientAccountId: liveShopper },
  });
  const query = (sql: string, values: unknown[] = []) => outcomeOf(database.pool.query(sql, values));
  const brokenKey = (constraint: string) => ({ code: "23503", constraint });

  it("posts a live payment to live accounts only", async () => {
    const paid = await liveOrder();
    expect(paid).toMatchObject({ mode: "live", status: "PAID" });
    const { rows } = await database.pool.query<{ mode: string }>(
      "SELECT a.mode FROM entries e JOIN accounts a ON a.id = e.account_id WHERE e.transfer_id = $1",
      [paid.transfer_id],
    );
    expect(rows).toEqual([{ mode: "live" }, { mode: "live" }]);
  });

  it.each(["sandbox", "live"] as const)(
    "rejects a %s transfer between accounts of both modes",
    async (mode) => {
      const entries: Line[] = [
        { currency: "EUR", account: liveShopper, amount: -1n, mode },
        { currency: "EUR", account: record(database.merchant.wallets, "EUR"), amount: 1n, mode },
      ];
      expect(await codeOf(book(database, [entries], { mode }))).toBe("23503");
    },
  );

  it("rejects live entries in a sandbox transfer", async () => {
    const entries: Line[] = [
      { currency: "EUR", account: liveShopper, amount: -1n, mode: "live" },
      { currency: "EUR", account: liveWallet, amount: 1n, mode: "live" },
    ];
    expect(await codeOf(book(database, [entries], { mode: "sandbox" }))).toBe("23503");
  });

  it("rejects a correction of a transfer in the other mode", async () => {
    const crossing = query(
      "INSERT INTO transfers (id, mode, kind, corrects) VALUES ($1, 'live', 'deposit', $2)",
      [randomUUID(), sandboxOrder.transfer_id],
    );
    expect(await crossing).toEqual(brokenKey("transfers_corrects_mode_fkey"));
  });

  it("rejects an order created with another mode's or another merchant's credential", async () => {
    expect(await outcomeOf(createOrder(database, { mode: "live" }))).toEqual(
      brokenKey("orders_credential_id_merchant_id_mode_fkey"),
    );
    const foreign = { ...database.merchant, credentialId: database.otherMerchant.credentialId };
    expect(await outcomeOf(createOrder(database, { merchant: foreign }))).toEqual(
      brokenKey("orders_credential_id_merchant_id_mode_fkey"),
    );
  });

  it("rejects a sandbox order in a currency in which the merchant has only a live wallet", async () => {
    await database.pool.query(
      "INSERT INTO accounts (id, mode, currency, kind, merchant_id, balance) VALUES ($1, 'live', 'KWD', 'merchant', $2, 0)",
      [randomUUID(), database.merchant.id],
    );
    expect(await codeOf(createOrder(database, { currency: "KWD" }))).toBe("TG023");
  });

  it("rejects a live wallet as payer of a sandbox order, and vice versa", async () => {
    expect(await codeOf(payOrder(database, await createOrder(database), liveShopper))).toBe("TG024");
    const order = await createOrder(database, {
      mode: "live",
      merchant: { ...database.merchant, credentialId: liveCredential },
    });
    expect(await codeOf(payOrder(database, order, record(database.testShopper, "EUR")))).toBe("TG024");
  });

  const forgePayment = (id: string, transfer: unknown, payer: unknown) =>
    query(
      `UPDATE orders SET status = 'PAID', state = 'PAID', paid_at = clock_timestamp(), trx_id = 'TRX-000000000009', transfer_id = $2,
         payer_account_id = $3, payer_currency = currency, payer_amount = amount, version = version + 1 WHERE id = $1`,
      [id, transfer, payer],
    );

  it("does not hold a live payout for review because of the sandbox's limit", async () => {
    await liveOrder();
    const setLimit = (limit: bigint | null) =>
      database.pool.query(
        "UPDATE payout_terms SET review_above = $2 WHERE merchant_id = $1 AND mode = 'sandbox' AND currency = 'EUR'",
        [database.merchant.id, limit],
      );
    await setLimit(1n);
    const { status } = await executeItem(database, await livePayout({ amount: 2n }));
    await setLimit(null);
    expect(status).toBe("completed");
  });

  it("rejects a merchant's decision on a live payout or on another merchant's payout", async () => {
    const { merchant, otherMerchant } = database;
    await liveOrder();
    const sandbox = await payoutItem(database, { waits: true });
    const other = await payoutItem({ ...database, merchant: otherMerchant }, { waits: true });
    const live = await livePayout({ waits: true });
    for (const item of [sandbox, other, live]) await callOne(database.pool, ledger.executePayouts, item);
    for (const { payoutId } of [live, other]) {
      const decided = callOne(database.pool, ledger.decideTestPayout, {
        ...{ payoutId, merchantId: merchant.id, credentialId: merchant.credentialId },
        ...{ approve: false, trxId: "", transferId: randomUUID(), requestId: "" },
      });
      expect(await codeOf(decided)).toBe("TG003");
    }
  });

  it("rejects an order that references a transfer or a payer in the other mode", async () => {
    const order = await createOrder(database);
    const live = await liveOrder();
    const transferOf = async (mode: string) =>
      String(
        (
          await database.pool.query("SELECT id FROM transfers WHERE mode = $1 AND kind = 'deposit' LIMIT 1", [
            mode,
          ])
        ).rows[0].id,
      );
    const free = await transferOf("live");
    expect(await forgePayment(order.id, free, record(database.testShopper, "EUR"))).toMatchObject({
      code: "TG096",
    });
    const sandboxPayment = await transferOf("sandbox");
    expect(await forgePayment(order.id, sandboxPayment, live.payer_account_id)).toEqual(
      brokenKey("orders_payer_account_id_mode_payer_currency_fkey"),
    );
  });

  it("rejects a refund, event or delivery whose mode differs from its payment's, and a delivery with a credential of the other mode", async () => {
    const refund = query(
      `INSERT INTO refunds (id, mode, merchant_id, order_id, amount, currency, status, hold_transfer_id)
       VALUES ($1, 'live', $2, $3, 1, 'EUR', 'pending', gen_random_uuid())`,
      [newRefundId(), database.merchant.id, sandboxOrder.id],
    );
    // The booking trigger finds no live order before the key is checked.
    expect(await refund).toMatchObject({ code: expect.stringMatching(/^(TG095|23503)$/) });
    const event = query(
      "INSERT INTO events (id, mode, merchant_id, name, order_id, body) VALUES ('evt_x', 'live', $1, 'refund.failed', $2, '{}')",
      [database.merchant.id, sandboxOrder.id],
    );
    expect(await event).toMatchObject({ code: "TG096" });
    const { rows } = await database.pool.query("SELECT id FROM events WHERE order_id = $1", [
      sandboxOrder.id,
    ]);
    const delivery = (mode: string, credential: string) =>
      query(
        "INSERT INTO deliveries (mode, event_id, credential_id, address) VALUES ($1, $2, $3, 'https://x.example.com')",
        [mode, rows[0].id, credential],
      );
    expect(await delivery("live", liveCredential)).toEqual(
      brokenKey("deliveries_event_id_merchant_id_mode_fkey"),
    );
    expect(await delivery("sandbox", liveCredential)).toEqual(
      brokenKey("deliveries_credential_id_merchant_id_mode_fkey"),
    );
  });

  it("rejects a delivery to a webhook endpoint in the other mode", async () => {
    const receiver = randomUUID();
    await database.pool.query(
      `INSERT INTO receivers (id, mode, merchant_id, address, events, secret_ciphertext, encryption_key_id)
       VALUES ($1, 'live', $2, 'https://live.example.com', '{}', 'x', 'test')`,
      [receiver, database.merchant.id],
    );
    const crossing = query(
      `INSERT INTO deliveries (mode, event_id, receiver_id, address)
       SELECT 'sandbox', id, $1, 'https://live.example.com' FROM events WHERE order_id = $2`,
      [receiver, sandboxOrder.id],
    );
    expect(await crossing).toEqual(brokenKey("deliveries_receiver_id_merchant_id_mode_fkey"));
  });

  it("rejects a refund whose transfer is in the other mode", async () => {
    const live = await liveOrder();
    const crossing = query(
      `INSERT INTO refunds (id, mode, merchant_id, order_id, amount, currency, status, transfer_id, settled_at, payer_amount)
       VALUES ($1, 'sandbox', $2, $3, 1, 'EUR', 'completed', $4, now(), 1)`,
      [newRefundId(), database.merchant.id, sandboxOrder.id, live.transfer_id],
    );
    expect(await crossing).toEqual(brokenKey("refunds_transfer_id_mode_fkey"));
  });

  it("rejects a wallet or session whose mode differs from its user's", async () => {
    const user = "SELECT id FROM wallet_users WHERE mode = 'sandbox' LIMIT 1";
    expect(
      await query(
        `INSERT INTO accounts (id, mode, currency, kind, wallet_user_id, balance)
         SELECT $1, 'live', 'JPY', 'shopper', id, 0 FROM (${user}) AS u`,
        [randomUUID()],
      ),
    ).toEqual(brokenKey("accounts_wallet_user_id_mode_fkey"));
    expect(
      await query(
        `INSERT INTO wallet_sessions (id, mode, wallet_user_id, token_hash, expires_at)
         SELECT $1, 'live', id, 'hash', now() FROM (${user}) AS u`,
        [randomUUID()],
      ),
    ).toEqual(brokenKey("wallet_sessions_wallet_user_id_mode_fkey"));
  });

  it("rejects changing the mode of accounts, orders, transfers, entries, events, credentials and shoppers", async () => {
    const other = "mode = CASE mode WHEN 'live' THEN 'sandbox' ELSE 'live' END::mode";
    const rows = {
      accounts: "true",
      orders: "true",
      transfers: "true",
      entries: "true",
      events: "true",
      credentials: "kind = 'client'",
      wallet_users: "test_of_merchant_id IS NULL AND open_in IS NULL",
    };
    for (const [table, which] of Object.entries(rows))
      expect(await query(`UPDATE ${table} SET ${other} WHERE ${which}`), table).toMatchObject({
        code: expect.stringMatching(/^(TG09[0-4]|23503)$/),
      });
  });

  it("rejects live issuing accounts and live test shoppers", async () => {
    expect(
      await query("INSERT INTO accounts (id, mode, currency, kind) VALUES ($1, 'live', 'EUR', 'issuing')", [
        randomUUID(),
      ]),
    ).toEqual({ code: "23514", constraint: "accounts_issuing_is_sandbox" });
    const merchant = randomUUID();
    await database.pool.query("INSERT INTO merchants (id, name) VALUES ($1, 'Without a test shopper')", [
      merchant,
    ]);
    expect(
      await query(
        "INSERT INTO wallet_users (id, mode, name, test_of_merchant_id) VALUES ($1, 'live', 'x', $2)",
        [randomUUID(), merchant],
      ),
    ).toEqual({ code: "23514", constraint: "wallet_users_test_in_sandbox" });
  });

  it.each([
    ["live", "live"],
    ["live", "sandbox"],
    ["sandbox", "live"],
  ])("rejects a %s shopper with PIN-less sign-in in %s", async (mode, openIn) => {
    expect(
      await query("INSERT INTO wallet_users (id, mode, name, email, open_in) VALUES ($1, $2, 'x', $3, $4)", [
        randomUUID(),
        mode,
        `${randomUUID()}@example.com`,
        openIn,
      ]),
    ).toEqual({ code: "23514", constraint: "wallet_users_open_in_sandbox" });
  });

  it("rejects a second shopper with PIN-less sign-in in the same mode", async () => {
    const values = [randomUUID(), `${randomUUID()}@example.com`];
    const second =
      "INSERT INTO wallet_users (id, mode, name, email, open_in) VALUES ($1, 'sandbox', 'x', $2, 'sandbox')";
    expect(await query(second, values)).toEqual({ code: "23505", constraint: "wallet_users_open_in_key" });
  });
});
