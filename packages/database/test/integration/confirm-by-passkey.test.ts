import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { PasskeyConfirmation } from "../../src/functions/payments.js";
import * as ledger from "../../src/ledger.js";
import { proveLedger } from "../../src/prove-ledger.js";
import {
  callRow,
  codeOf,
  createOrder,
  type OrderRow,
  paymentItem,
  quoteOrder,
  readOrder,
} from "../ledger-calls.js";
import { openSandboxDatabase, record, type SandboxDatabase } from "../sandbox-database.js";

let database: SandboxDatabase;
/** Samuel's wallets and user ID. */
let euros: string;
let francs: string;
let samuel: string;
let amelie: string;
let order: OrderRow;
let passkey: string;

const ownerOf = async (wallet: string): Promise<string> => {
  const { rows } = await database.pool.query("SELECT wallet_user_id FROM accounts WHERE id = $1", [wallet]);
  return rows[0].wallet_user_id;
};
const one = async (sql: string, values: unknown[]): Promise<void> => {
  const { rowCount } = await database.pool.query(sql, values);
  expect(rowCount).toBe(1);
};

beforeAll(async () => {
  database = await openSandboxDatabase();
  euros = record(record(database.shoppers, "Samuel"), "EUR");
  francs = record(record(database.shoppers, "Samuel"), "XAF");
  samuel = await ownerOf(euros);
  amelie = await ownerOf(record(record(database.shoppers, "Amélie"), "EUR"));
});
afterAll(async () => {
  const { rules } = await proveLedger(database.url);
  await database.drop();
  expect(rules.filter(({ violations }) => violations.length > 0)).toEqual([]);
});
beforeEach(async () => {
  order = await createOrder(database);
  passkey = await addPasskey(samuel);
});

async function addPasskey(owner: string): Promise<string> {
  const id = randomUUID();
  await one(
    `INSERT INTO wallet_passkeys (id, mode, wallet_user_id, credential_id, public_key, counter) VALUES ($1, 'sandbox', $2, $3, '\\x00', 7)`,
    [id, owner, id],
  );
  return id;
}

type Drawn = { of?: string; wallet?: string; quote?: string | null; shopper?: string };
async function draw({
  of = order.id,
  wallet = euros,
  quote = null,
  shopper = samuel,
}: Drawn = {}): Promise<string> {
  const id = randomUUID();
  await one(
    `INSERT INTO payment_challenges (id, mode, order_id, wallet_user_id, account_id, quote_id, text, challenge, expires_at)
     VALUES ($1, 'sandbox', $2, $3, $4, $5, 'what was shown', $6, clock_timestamp() + interval '5 minutes')`,
    [id, of, shopper, wallet, quote, id],
  );
  return id;
}

const signed = (challenge_id: string, change: Partial<PasskeyConfirmation> = {}): PasskeyConfirmation => ({
  challenge_id,
  passkey_id: passkey,
  counter: 7,
  new_counter: 8,
  origin: "https://pay.example.com",
  client_data: Buffer.from("client data").toString("base64"),
  authenticator_data: Buffer.from("authenticator data").toString("base64"),
  signature: Buffer.from("signature").toString("base64"),
  ...change,
});

type From = { payerAccountId?: string | null; quoteId?: string | null; walletUserId?: string | null };
const pay = (confirmation: PasskeyConfirmation, from: From = {}): Promise<OrderRow> =>
  callRow(
    database.pool,
    ledger.payOrders,
    paymentItem(order, { payerAccountId: euros, confirmation: JSON.stringify(confirmation), ...from }),
  );

const stored = async () => {
  const { rows } = await database.pool.query(
    `SELECT c.text, c.signature, k.counter, h.used_at IS NOT NULL AS used FROM payment_confirmations c
     JOIN wallet_passkeys k ON k.id = c.passkey_id JOIN payment_challenges h ON h.order_id = c.order_id WHERE c.order_id = $1`,
    [order.id],
  );
  return rows;
};

describe("pay_orders with a passkey confirmation", () => {
  it("stores the confirmation, consumes the challenge and advances the counter with the payment", async () => {
    expect(await pay(signed(await draw()))).toMatchObject({ status: "PAID" });
    expect(await stored()).toEqual([
      { text: "what was shown", signature: Buffer.from("signature"), counter: 8n, used: true },
    ]);
  });

  it("accepts a confirmation of a converted payment only if the challenge is for the payment's quote", async () => {
    await quoteOrder(database, await createOrder(database), { wallet: francs, rate: "0.0015" });
    const quote = await quoteOrder(database, order, { wallet: francs, rate: "0.0015092451" });
    const from = { payerAccountId: null, quoteId: quote.id, walletUserId: samuel };
    const plain = await draw({ wallet: francs });
    expect(await codeOf(pay(signed(plain), from))).toBe("TG054");
    const bound = await draw({ wallet: francs, quote: quote.id });
    expect(await codeOf(pay(signed(bound)))).toBe("TG054");
    expect(await pay(signed(bound), from)).toMatchObject({ status: "PAID", payer_currency: "XAF" });
    expect(await stored()).toHaveLength(2);
  });

  const expire = "UPDATE payment_challenges SET expires_at = clock_timestamp() WHERE id = $1";
  it.each<[string, () => Promise<PasskeyConfirmation>]>([
    [
      "with a challenge for another order",
      async () => signed(await draw({ of: (await createOrder(database)).id })),
    ],
    ["with a challenge for another wallet", async () => signed(await draw({ wallet: francs }))],
    [
      "with another shopper's challenge for the wallet",
      async () => signed(await draw({ shopper: amelie }), { passkey_id: await addPasskey(amelie) }),
    ],
    [
      "with an unknown challenge",
      async () => {
        await draw();
        return signed(randomUUID());
      },
    ],
    [
      "with an expired challenge",
      async () => {
        const id = await draw();
        await one(expire, [id]);
        return signed(id);
      },
    ],
    [
      "with a used challenge",
      async () => {
        const id = await draw();
        await one("UPDATE payment_challenges SET used_at = clock_timestamp() WHERE id = $1", [id]);
        return signed(id);
      },
    ],
    [
      "with another shopper's passkey",
      async () => signed(await draw(), { passkey_id: await addPasskey(amelie) }),
    ],
    ["with a passkey whose counter has advanced", async () => signed(await draw(), { counter: 6 })],
    [
      "with a passkey revoked in the meantime",
      async () => {
        await one("UPDATE wallet_passkeys SET revoked_at = clock_timestamp() WHERE id = $1", [passkey]);
        return signed(await draw());
      },
    ],
  ])("is rejected %s, and nothing is written", async (_what, created) => {
    const confirmation = await created();
    expect(await codeOf(pay(confirmation))).toBe("TG054");
    expect(await stored()).toEqual([]);
    expect(await readOrder(database, order.id)).toMatchObject({ status: "PENDING" });
  });

  it("in a group, rejects only the order with an invalid confirmation, and stores a valid confirmation", async () => {
    const second = await createOrder(database);
    const item = (of: OrderRow, confirmation: PasskeyConfirmation | null) =>
      paymentItem(of, { payerAccountId: euros, confirmation: confirmation && JSON.stringify(confirmation) });
    const set = [item(order, signed(randomUUID())), item(second, null)];
    const { sql, valuesOfGroup } = ledger.payOrders;
    await expect(database.pool.query(sql, valuesOfGroup(set))).rejects.toMatchObject({
      ...{ code: "TG080", detail: order.id },
    });
    const good = [item(order, signed(await draw())), item(second, null)];
    expect((await database.pool.query(sql, valuesOfGroup(good))).rowCount).toBe(2);
    expect(await stored()).toHaveLength(1);
  });
});
