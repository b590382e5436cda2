import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { callOne } from "../../../src/functions/ledger-function.js";
import * as ledger from "../../../src/ledger.js";
import { proveLedger } from "../../../src/prove-ledger.js";
import {
  codeOf,
  createOrder,
  depositLive,
  paidOrder,
  payByQuote,
  paymentItem,
  payOrder,
  quoteOrder,
  refundPayment,
  settleRefund,
} from "../../ledger-calls.js";
import { balanceOf, openSandboxDatabase, record, type SandboxDatabase } from "../../sandbox-database.js";
import { createQuote, executePayout, payoutItem, settlePayout } from "../payouts/payout-calls.js";

let database: SandboxDatabase;
let amelie: string;
let samuel: string;
let francs: string;
/** Samuel's user ID. */
let shopper: string;
let liveWallet: string;
let administrators: string[];

const textOf = async (sql: string, ...values: unknown[]): Promise<string> => {
  const { rows } = await database.pool.query<{ text: string }>(`SELECT (${sql})::text AS text`, values);
  return rows[0]?.text ?? "";
};
const run = (sql: string, ...values: unknown[]) => database.pool.query(sql, values);

beforeAll(async () => {
  database = await openSandboxDatabase(6);
  amelie = record(record(database.shoppers, "Amélie"), "EUR");
  samuel = record(record(database.shoppers, "Samuel"), "EUR");
  francs = record(record(database.shoppers, "Samuel"), "XAF");
  shopper = await textOf("SELECT wallet_user_id FROM accounts WHERE id = $1", samuel);
  const { rows } = await database.pool.query<{ id: string }>(
    "INSERT INTO accounts (id, mode, currency, kind, merchant_id, balance) VALUES (gen_random_uuid(), 'live', 'KWD', 'merchant', $1, 0) RETURNING id",
    [database.merchant.id],
  );
  liveWallet = rows[0]?.id ?? "";
  await depositLive(database, liveWallet, 1n);
  const { rows: users } = await database.pool.query<{ id: string }>(
    "SELECT id FROM console_users WHERE role = 'administrator' ORDER BY created_at LIMIT 2",
  );
  administrators = users.map(({ id }) => id);
});
afterAll(async () => {
  const { rules } = await proveLedger(database.url);
  await database.drop();
  expect(rules.filter(({ violations }) => violations.length > 0)).toEqual([]);
});

/** Returns the database, with all calls in the transaction of one connection. */
const within = (connection: pg.PoolClient): SandboxDatabase =>
  ({ ...database, pool: connection }) as unknown as SandboxDatabase;

/** Returns true as soon as a statement waits for a lock, or false after about a second. */
async function waitForLock(): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { rowCount } = await run(
      "SELECT FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database()",
    );
    if (rowCount) return true;
    await delay(10);
  }
  return false;
}

/** Begins a transaction with the first call, starts the second call, and commits once the second call waits or has ended. */
async function inTurn(
  first: (of: SandboxDatabase) => Promise<unknown>,
  second: () => Promise<unknown>,
  { heldMs = 0 } = {},
): Promise<{ waited: boolean; outcome: string }> {
  const connection = await database.pool.connect();
  try {
    await connection.query("BEGIN");
    await first(within(connection));
    const outcome = codeOf(second());
    const waited = await Promise.race([waitForLock(), outcome.then(() => false)]);
    await delay(heldMs);
    await connection.query("COMMIT");
    return { waited, outcome: await outcome };
  } finally {
    await connection.query("ROLLBACK");
    connection.release();
  }
}

async function quoteConversion(cents: bigint): Promise<string> {
  const id = randomUUID();
  const { rows } = await run(
    `SELECT rate * (100 - spread_percent) / 100 AS rate FROM exchange_rates WHERE mode = 'sandbox' AND base = 'EUR' AND quote = 'USD'
       AND effective_from <= now() ORDER BY effective_from DESC, created_at DESC LIMIT 1`,
  );
  await run(
    `INSERT INTO conversions (id, mode, wallet_user_id, from_currency, from_amount, to_currency, to_amount, rate, created_at, expires_at)
     VALUES ($1, 'sandbox', $2, 'EUR', $3::bigint, 'USD', floor($3::bigint * $4::numeric), $4, clock_timestamp(), clock_timestamp() + interval '5 minutes')`,
    id,
    shopper,
    cents,
    rows[0]?.rate,
  );
  return id;
}
const convert = ({ pool }: SandboxDatabase, conversionId: string, transferId: string) =>
  callOne(pool, ledger.convertMoney, { conversionId, walletUserId: shopper, transferId });

const setLimit = ({ pool }: SandboxDatabase, limit: bigint) =>
  callOne(pool, ledger.setSingleLimit, {
    currency: "KWD",
    limit,
    requestId: randomUUID(),
    administratorId: administrators[0] ?? "",
  });
const depositAlone = ({ pool }: SandboxDatabase, amount: bigint) =>
  callOne(pool, ledger.moveFunds, {
    kind: "deposit",
    accountId: liveWallet,
    house: "funding",
    amount,
    externalReference: `alone ${randomUUID()}`,
    transferId: randomUUID(),
    requestId: randomUUID(),
    administratorId: administrators[0] ?? "",
  });
const decide = ({ pool }: SandboxDatabase, requestId: string, approve: boolean) =>
  callOne(pool, ledger.decideRequest, {
    requestId,
    approve,
    transferId: randomUUID(),
    administratorId: administrators[1] ?? "",
  });
/** Raises the limit up to which one administrator moves funds alone. */
async function raiseLimit(limit: bigint): Promise<void> {
  const { id } = await setLimit(database, limit);
  await decide(database, id ?? "", true);
}

/** Creates a payment link with one use. @returns its ID. */
async function createLink(): Promise<string> {
  const id = randomUUID();
  await run(
    `INSERT INTO payment_links (id, merchant_id, mode, token, description, currency, amount, max_uses, created_by_id)
     SELECT $1::uuid, $2, 'sandbox', $1::text, 'a link', 'EUR', 1250, 1, id FROM console_users LIMIT 1`,
    id,
    database.merchant.id,
  );
  return id;
}
const useLink = (link: string, order: string) =>
  run(
    "INSERT INTO payment_link_orders (order_id, link_id, merchant_id, mode, visitor_hash) VALUES ($1, $2, $3, 'sandbox', '')",
    order,
    link,
    database.merchant.id,
  );

describe("a call that waits for another call's commit", () => {
  it("returns the transfer of the conversion that the other call made", async () => {
    const id = await quoteConversion(500n);
    const transfer = randomUUID();
    let second = "";
    const result = await inTurn(
      (of) => convert(of, id, transfer),
      async () => {
        second = await convert(database, id, randomUUID());
      },
    );
    expect(result).toEqual({ waited: true, outcome: "done" });
    expect(second).toBe(transfer);
  });

  it("does not decide an approval request or a payout that the other call decided", async () => {
    const request = await depositAlone(database, 10n);
    expect(request.outcome).toBe("requested");
    const payout = await executePayout(database, { waits: true });
    const decisions: ((of: SandboxDatabase, approve: boolean) => Promise<unknown>)[] = [
      (of, approve) => decide(of, request.id, approve),
      (of, approve) => settlePayout(of, payout.id, approve),
    ];
    for (const settle of decisions)
      expect(
        await inTurn(
          (of) => settle(of, true),
          () => settle(database, false),
        ),
      ).toEqual({ waited: true, outcome: "TG044" });
  });

  it("cannot use a payment link whose last use the other call consumed", async () => {
    const orders = [await createOrder(database), await createOrder(database)] as const;
    const link = await createLink();
    for (const { id } of orders) await useLink(link, id);
    const result = await inTurn(
      (of) => payOrder(of, orders[0], amelie),
      () => payOrder(database, orders[1], samuel),
    );
    expect(result).toEqual({ waited: true, outcome: "TG014" });
  });

  it("reports an insufficient balance if the other call spent the money, even after a wait of more than 250 ms", async () => {
    const dana = record(record(database.shoppers, "Dana"), "USD");
    const amount = await balanceOf(database, dana);
    const [one, two] = [
      await createOrder(database, { currency: "USD", amount }),
      await createOrder(database, { currency: "USD", amount }),
    ];
    const result = await inTurn(
      (of) => payOrder(of, one, dana),
      () => payOrder(database, two, dana),
      { heldMs: 300 },
    );
    expect(result).toEqual({ waited: true, outcome: "TG020" });
  });

  it("needs a second administrator to raise a limit that the other call lowered", async () => {
    await raiseLimit(1_000n);
    let second: { outcome: string } | undefined;
    const result = await inTurn(
      (of) => setLimit(of, 100n),
      async () => {
        second = await setLimit(database, 500n);
      },
    );
    expect(result).toEqual({ waited: true, outcome: "done" });
    expect(second?.outcome).toBe("requested");
  });

  it("computes the payer's share of a refund after the other call's refund", async () => {
    const order = await createOrder(database, { amount: 1_000n });
    // 0.334 francs per cent: a refund of 100 cents returns 33 francs, but 34 after a refund of 2 cents.
    const quote = await quoteOrder(database, order, { wallet: francs, rate: "0.02995" });
    expect(quote.payer_amount).toBe(334n);
    const paid = await payByQuote(database, order, quote.id);
    const approval = (needed: boolean) =>
      run("UPDATE merchants SET refunds_need_approval = $2 WHERE id = $1", database.merchant.id, needed);
    await approval(true);
    const pending = await refundPayment(database, paid, { amount: 100n });
    await approval(false);
    const result = await inTurn(
      (of) => refundPayment(of, paid, { amount: 2n }),
      () => settleRefund(database, pending.id, true),
    );
    expect(result).toEqual({ waited: true, outcome: "done" });
    expect(await textOf("SELECT payer_amount FROM refunds WHERE id = $1", pending.id)).toBe("34");
  });
});

it("no payment, refund or payout waits for another merchant, order, quote, shopper or link, or for a house account", async () => {
  const [order, other] = [await createOrder(database), await createOrder(database)];
  const { id } = await quoteOrder(database, order, { wallet: francs, rate: "0.0015" });
  await quoteOrder(database, other, { wallet: francs, rate: "0.0015" });
  const quoteId = await createQuote(database);
  await createQuote(database);
  const link = await createLink();
  await useLink(link, order.id);
  await useLink(await createLink(), other.id);
  const paid = await paidOrder(database);
  const own = [database.merchant.id, order.id, paid.id, id, quoteId, link, shopper];
  const lockOthers = async (of: SandboxDatabase) => {
    await of.pool.query("SELECT FROM accounts WHERE balance IS NULL FOR NO KEY UPDATE");
    for (const table of ["merchants", "orders", "shopper_quotes", "quotes", "payment_links", "wallet_users"])
      await of.pool.query(`SELECT FROM ${table} WHERE id::text <> ALL ($1) FOR NO KEY UPDATE`, [own]);
  };
  const calls = [
    () => payByQuote(database, order, id),
    () => refundPayment(database, paid),
    () => executePayout(database, { quoteId }),
  ];
  for (const call of calls)
    expect(await inTurn(lockOthers, call)).toEqual({ waited: false, outcome: "done" });
});

describe("an administrator's change", () => {
  const suspend = () => run("UPDATE merchants SET suspended_at = now() WHERE id = $1", database.merchant.id);
  const deactivate = () => run("UPDATE wallet_users SET active = false WHERE id = $1", shopper);
  const lowerTerms = () =>
    run(
      "UPDATE payout_terms SET authorized = false WHERE merchant_id = $1 AND mode = 'sandbox' AND currency = 'EUR'",
      database.merchant.id,
    );

  afterEach(async () => {
    await run("UPDATE merchants SET suspended_at = NULL WHERE id = $1", database.merchant.id);
    await run("UPDATE wallet_users SET active = true WHERE id = $1", shopper);
    await run("UPDATE payout_terms SET authorized = true WHERE merchant_id = $1", database.merchant.id);
  });

  const payout = (of: SandboxDatabase) => executePayout(of);
  const changes: [what: string, call: (of: SandboxDatabase) => Promise<unknown>, change: () => unknown][] = [
    ["of the payout terms waits for a payout", payout, lowerTerms],
    ["that suspends a merchant waits for a payout by the merchant", payout, suspend],
    ["that deactivates a shopper waits for a payout to them", payout, deactivate],
  ];

  it.each(changes)("%s", async (_what, call, change) => {
    const result = await inTurn(call, async () => change());
    expect(result).toEqual({ waited: true, outcome: "done" });
  });

  it("that suspends a merchant waits for a refund by the merchant", async () => {
    const order = await paidOrder(database);
    expect(await inTurn((of) => refundPayment(of, order), suspend)).toEqual({
      waited: true,
      outcome: "done",
    });
  });

  it("that deactivates a shopper waits for the approval of a payout to them", async () => {
    const { id } = await executePayout(database, { waits: true });
    expect(await inTurn((of) => settlePayout(of, id, true), deactivate)).toEqual({
      waited: true,
      outcome: "done",
    });
  });

  it("that deactivates a shopper waits for their converted payment", async () => {
    const order = await createOrder(database);
    const { id } = await quoteOrder(database, order, { wallet: francs, rate: "0.0015" });
    expect(await inTurn((of) => payByQuote(of, order, id), deactivate)).toEqual({
      waited: true,
      outcome: "done",
    });
  });

  it("that deactivates a shopper waits for their conversion", async () => {
    const id = await quoteConversion(100n);
    expect(await inTurn((of) => convert(of, id, randomUUID()), deactivate)).toEqual({
      waited: true,
      outcome: "done",
    });
  });

  it("that lowers the single-administrator limit waits for a deposit within the limit", async () => {
    await raiseLimit(1_000n).catch(() => undefined);
    const result = await inTurn(
      async (of) => expect((await depositAlone(of, 50n)).outcome).toBe("booked"),
      () => setLimit(database, 1n),
    );
    expect(result).toEqual({ waited: true, outcome: "done" });
  });
});

describe("a group", () => {
  /** Locks the row with the lower ID, then starts a group that lists the higher ID first. @returns whether the other row stays unlocked. */
  async function leavesUnlocked(
    table: string,
    ids: readonly [string, string],
    group: (low: string, high: string) => Promise<unknown>,
  ): Promise<boolean> {
    const [low = "", high = ""] = [...ids].sort();
    const connection = await database.pool.connect();
    const lock = (id: string, how: string) =>
      connection.query(`SELECT FROM ${table} WHERE id = $1 FOR NO KEY UPDATE ${how}`, [id]);
    try {
      await connection.query("BEGIN");
      await lock(low, "");
      const outcome = codeOf(group(low, high));
      expect(await waitForLock()).toBe(true);
      const code = await codeOf(lock(high, "NOWAIT"));
      await connection.query("ROLLBACK");
      await outcome;
      return code === "done";
    } finally {
      await connection.query("ROLLBACK");
      connection.release();
    }
  }

  /** Copies a row 500 times, because the planner reads a small table in the order of its IDs anyway. */
  async function fill(table: string): Promise<void> {
    await run(
      `INSERT INTO ${table} SELECT copy.* FROM ${table} t, generate_series(1, 500) AS number, LATERAL jsonb_populate_record(t,
         jsonb_build_object('number', number, 'id', gen_random_uuid(), 'created_at', now(), 'expires_at', now(), 'used_at', NULL)) AS copy
       WHERE t.id = (SELECT id FROM ${table} LIMIT 1)`,
    );
    await database.ownerPool.query(`ANALYZE ${table}`);
  }

  it("locks the quotes of its payouts in the order of their IDs", async () => {
    const quotes = [await createQuote(database), await createQuote(database)] as const;
    await fill("quotes");
    const { sql, valuesOfGroup } = ledger.executePayouts;
    const payout = (quoteId: string, reference: string) => payoutItem(database, { quoteId, reference });
    expect(
      await leavesUnlocked("quotes", quotes, async (low, high) => {
        const items = [await payout(high, "1 high"), await payout(low, "2 low")];
        return database.pool.query(sql, valuesOfGroup(items));
      }),
    ).toBe(true);
  });

  const { sql, valuesOfGroup } = ledger.payOrders;

  it("locks the quotes of its payments in the order of their IDs", async () => {
    const orders: Record<string, ReturnType<typeof paymentItem>> = {};
    for (let made = 0; made < 2; made += 1) {
      const order = await createOrder(database);
      const { id } = await quoteOrder(database, order, { wallet: francs, rate: "0.0015" });
      orders[id] = paymentItem(order, { quoteId: id, walletUserId: shopper });
    }
    await fill("shopper_quotes");
    const [one = "", two = ""] = Object.keys(orders);
    const pay = (quoteId: string) => record(orders, quoteId);
    expect(
      await leavesUnlocked("shopper_quotes", [one, two], (low, high) =>
        database.pool.query(sql, valuesOfGroup([pay(high), pay(low)])),
      ),
    ).toBe(true);
  });

  it("locks the passkeys of its payments in the order of their IDs", async () => {
    const passkeys: [string, string] = [randomUUID(), randomUUID()];
    for (const id of passkeys)
      await run(
        `INSERT INTO wallet_passkeys (id, mode, wallet_user_id, credential_id, public_key, counter) VALUES ($1::uuid, 'sandbox', $2, $1::text, '\\x00', 7)`,
        id,
        shopper,
      );
    const confirmed = async (passkey: string) => {
      const order = await createOrder(database);
      const challenge = randomUUID();
      await run(
        `INSERT INTO payment_challenges (id, mode, order_id, wallet_user_id, account_id, text, challenge, expires_at)
         VALUES ($1::uuid, 'sandbox', $2, $3, $4, 'what was shown', $1::text, clock_timestamp() + interval '5 minutes')`,
        challenge,
        order.id,
        shopper,
        samuel,
      );
      const confirmation = JSON.stringify({
        ...{ challenge_id: challenge, passkey_id: passkey, counter: 7, new_counter: 8 },
        ...{ origin: "https://pay.example.com", client_data: "", authenticator_data: "", signature: "" },
      });
      return paymentItem(order, { payerAccountId: samuel, confirmation });
    };
    const items = {
      [passkeys[0]]: await confirmed(passkeys[0]),
      [passkeys[1]]: await confirmed(passkeys[1]),
    };
    const item = (id: string) => record(items, id);
    expect(
      await leavesUnlocked("wallet_passkeys", passkeys, (low, high) =>
        database.pool.query(sql, valuesOfGroup([item(high), item(low)])),
      ),
    ).toBe(true);
  });
});
