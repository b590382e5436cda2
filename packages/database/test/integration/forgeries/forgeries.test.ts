import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callOne } from "../../../src/functions/ledger-function.js";
import * as ledger from "../../../src/ledger.js";
import { proveLedger } from "../../../src/prove-ledger.js";
import {
  codeOf,
  createOrder,
  paidOrder,
  payByQuote,
  payOrder,
  quoteOrder,
  refundPayment,
  settleRefund,
} from "../../ledger-calls.js";
import { executePayout, settlePayout } from "../payouts/payout-calls.js";
import { APPROVALS, HONEST_APPROVAL } from "./approvals.js";
import { HONEST_CONVERSIONS, SHOPPERS_CONVERSIONS } from "./conversions.js";
import { DATES } from "./dates.js";
import { EVIDENCES, HONEST_CONFIRMATION } from "./evidence.js";
import { CONVERSIONS, type Forgery, HONEST, PAYMENTS, PAYOUTS, REFUNDS } from "./money.js";
import { OWNERS } from "./owners.js";
import { Forger, openScene, type Scene } from "./scene.js";
import { EVENTS, FUNDS, HONEST_EVENT_TIMES, HOUSE, KEYS_AND_LIMITS, setLimit } from "./the-rest.js";

/** Minimum number of forgeries in these tests. */
const FORGERIES_AT_LEAST = 60;
const GROUPS: [group: string, forgeries: Forgery[]][] = [
  ["payments", PAYMENTS],
  ["converted payments", CONVERSIONS],
  ["shoppers' conversions", SHOPPERS_CONVERSIONS],
  ["refunds", REFUNDS],
  ["payouts", PAYOUTS],
  ["movements of funds and holds", FUNDS],
  ["approvals", APPROVALS],
  ["dates and numbers", DATES],
  ["events", EVENTS],
  ["keys, limits and stored rows", KEYS_AND_LIMITS],
  ["keys, deliveries and replays of another merchant", OWNERS],
  ["evidence, passkeys and immutable fields", EVIDENCES],
  ["the schema", HOUSE],
];

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
}, 60_000);
afterAll(() => scene.database.drop());

const violations = async () =>
  (await proveLedger(scene.database.url)).rules.flatMap(({ violations: found }) => found);

/** Runs `work` in one transaction with the API's privileges and commits. @returns the outcome in the database. */
async function commit(work: (forger: Forger) => Promise<unknown>): Promise<string> {
  const client = await scene.database.pool.connect();
  try {
    await client.query("BEGIN");
    return await codeOf(work(new Forger(client, scene)).then(() => client.query("COMMIT")));
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}

it("at least 60 forgeries exist, each with a unique name", () => {
  const names = GROUPS.flatMap(([, forgeries]) => forgeries.map(([name]) => name));
  expect(names.length).toBeGreaterThanOrEqual(FORGERIES_AT_LEAST);
  expect(new Set(names).size).toBe(names.length);
});

describe.each(GROUPS)("a forgery of %s", (_group, forgeries) => {
  it.each(forgeries)("is rejected: %s", async (_what, refused, work) => {
    expect(refused).toContain(await commit((forger) => work(forger, scene)));
  });
});

it("an event's body is built from its order and ignores the writer's body", async () => {
  const { paid } = scene;
  const { rows } = await scene.database.pool.query(
    "SELECT body::json -> 'data' ->> 'amount' AS amount FROM events WHERE order_id = $1",
    [paid.id],
  );
  expect(rows).toEqual([{ amount: "10.00" }]);
  const { pending } = scene;
  expect(
    await commit(async (forger) => {
      await forger.query(
        "UPDATE orders SET status = 'CANCELLED', state = 'CANCELLED', version = version + 1 WHERE id = $1",
        pending.id,
      );
      await forger.query(
        `INSERT INTO events (id, mode, merchant_id, name, order_id, body) VALUES ('evt_forged', 'sandbox', $1, 'pos.order.cancelled', $2, '{"data":{"amount":99}}')`,
        scene.merchant,
        pending.id,
      );
      const reported = await forger.query(
        "SELECT body::json -> 'data' ->> 'amount' AS amount FROM events WHERE id = 'evt_forged'",
      );
      expect(reported.rows).toEqual([{ amount: "0.40" }]);
      throw Object.assign(new Error("seen"), { seen: true });
    }).catch((error: { seen?: boolean }) => error.seen),
  ).toBe(true);
});

describe("the creation time of a rate", () => {
  const insertRate = (dated: string) =>
    `INSERT INTO exchange_rates (id, mode, base, quote, rate, effective_from, created_at)
     VALUES (gen_random_uuid(), 'sandbox', 'EUR', 'XAF', 650, '2100-01-01', ${dated}) RETURNING created_at >= now() AS now`;

  it("is set by the database", async () => {
    const client = await scene.database.pool.connect();
    try {
      await client.query("BEGIN");
      for (const dated of ["'2000-01-01'", "'2100-01-01'"])
        expect((await client.query(insertRate(dated))).rows).toEqual([{ now: true }]);
    } finally {
      await client.query("ROLLBACK");
      client.release();
    }
  });

  it("must be at most a minute before its commit", async () => {
    const owner = await scene.database.ownerPool.connect();
    try {
      await owner.query("BEGIN");
      await owner.query("ALTER TABLE exchange_rates DISABLE TRIGGER exchange_rates_are_dated");
      await owner.query(insertRate("clock_timestamp() - interval '61 seconds'"));
      expect(await codeOf(owner.query("SET CONSTRAINTS ALL IMMEDIATE"))).toBe("TG094");
    } finally {
      await owner.query("ROLLBACK");
      owner.release();
    }
  });
});

it.each([...HONEST, ...HONEST_CONVERSIONS, HONEST_APPROVAL, HONEST_CONFIRMATION, ...HONEST_EVENT_TIMES])(
  "%s is accepted if it is complete and correct, even if written manually",
  async (_what, work) => {
    expect(await commit((forger) => work(forger, scene))).toBe("done");
    expect(await violations()).toEqual([]);
  },
);

const requestSingleLimit = (limit: bigint, currency = "EUR") =>
  callOne(scene.database.pool, ledger.setSingleLimit, {
    currency,
    limit,
    requestId: randomUUID(),
    administratorId: scene.administrators[0] ?? "",
  });
const approveRequest = (requestId: string) =>
  callOne(scene.database.pool, ledger.decideRequest, {
    requestId,
    approve: true,
    transferId: randomUUID(),
    administratorId: scene.administrators[1] ?? "",
  });
/** Raises the limit up to which one administrator may move live funds, with a second administrator's approval. */
const raiseSingleLimit = async (limit: bigint) => approveRequest((await requestSingleLimit(limit)).id ?? "");

/** Deposits an amount into the live wallet as one administrator, or requests approval. */
const deposit = (amount: bigint, of: Partial<Parameters<typeof ledger.moveFunds.values>[0]> = {}) =>
  callOne(scene.database.pool, ledger.moveFunds, {
    kind: "deposit",
    accountId: scene.liveWallet,
    house: "funding",
    amount,
    externalReference: randomUUID(),
    transferId: randomUUID(),
    requestId: randomUUID(),
    administratorId: scene.administrators[0] ?? "",
    ...of,
  });

it("a live deposit by one administrator is rejected if its audit record states a different amount, action or wallet", async () => {
  await raiseSingleLimit(100n);
  const depositRecordedAs = ({ amount = 50, action = "wallet.deposit", wallet = scene.liveWallet }) =>
    commit(async (f) => {
      const { liveFunding, liveWallet, administrators } = scene;
      const reference = randomUUID();
      const id = await f.transfer(
        "deposit",
        [
          [liveFunding, -50],
          [liveWallet, 50],
        ],
        { mode: "live", reference },
      );
      await f.query(
        "SELECT record_funds($6, a, $2, $3, NULL, $4, $5) FROM accounts a WHERE id = $1",
        ...[wallet, amount, reference, id, administrators[0], action],
      );
    });
  for (const forged of [{ amount: 49 }, { action: "wallet.withdrawal" }, { wallet: scene.otherLiveWallet }])
    expect(await depositRecordedAs(forged)).toBe("TG097");
  expect(await depositRecordedAs({})).toBe("done");
  expect(await violations()).toEqual([]);
});

it("the ledger is sound after all forgeries are rejected, and legitimate calls still succeed", async () => {
  const { database, heldRefund, amelie } = scene;
  expect(await violations()).toEqual([]);
  await payOrder(database, await createOrder(database), amelie);
  const inFrancs = await createOrder(database, { amount: 4_000n });
  const quote = await quoteOrder(database, inFrancs, { wallet: scene.samuelFrancs, rate: "0.0015" });
  await payByQuote(database, inFrancs, quote.id);
  await refundPayment(database, await paidOrder(database));
  await settleRefund(database, heldRefund.id, true);
  await settlePayout(database, (await executePayout(database, { waits: true })).id, false);
  await executePayout(database, { quoteId: scene.quote });
  await executePayout(database, { francs: 6_493n, rate: "649.39743" });
  await settlePayout(database, (await executePayout(database, { waits: true })).id, true);
  await raiseSingleLimit(500n);
  expect(await deposit(500n)).toMatchObject({ outcome: "booked" });
  expect(await deposit(501n)).toMatchObject({ outcome: "requested" });
  expect(await codeOf(deposit(0n))).toBe("22023");
  for (const limit of [100n, 100n]) expect(await requestSingleLimit(limit)).toMatchObject({ outcome: "set" });
  expect(await violations()).toEqual([]);
});

it("a deposit needs a wallet, a positive amount, an unused reference and, only in live mode above the limit, a second administrator", async () => {
  await raiseSingleLimit(500n);
  const { merchant, otherLiveWallet, wallet, hold, testShopper, paid } = scene;
  const { rows } = await scene.database.pool.query(
    `INSERT INTO accounts (id, mode, currency, kind, merchant_id, balance, closed_at)
     VALUES (gen_random_uuid(), 'live', 'USD', 'merchant', $1, 0, now()) RETURNING id`,
    [merchant],
  );
  expect(await deposit(501n, { externalReference: "501" })).toMatchObject({ outcome: "requested" });
  const accepted = [
    {},
    { accountId: otherLiveWallet, externalReference: "elsewhere" },
    { amount: 501n, accountId: wallet, externalReference: "501" },
  ];
  for (const of of accepted) expect(await deposit(500n, of)).toMatchObject({ outcome: "booked" });
  for (const [code, of] of [
    ["22023", { amount: 0n }],
    ["22023", { kind: "payout" }],
    ["22023", { house: "fees" }],
    ["TG022", { accountId: rows[0].id }],
    ["TG060", { externalReference: "elsewhere" }],
    [
      "TG060",
      {
        amount: 1_000n,
        accountId: testShopper,
        house: "issuing",
        externalReference: `top-up for ${paid.id}`,
      },
    ],
    ["TG064", { accountId: randomUUID() }],
    ["TG064", { accountId: hold }],
  ] as const)
    expect(await codeOf(deposit(500n, of))).toBe(code);
});

it("a change to a single-administrator limit requires an existing currency and a new audit record, and an increase also requires a new approved request", async () => {
  expect(await codeOf(requestSingleLimit(5n, "ZZZ"))).toBe("TG065");
  expect(await codeOf(approveRequest(randomUUID()))).toBe("TG061");
  await raiseSingleLimit(700n);
  await requestSingleLimit(100n);
  await raiseSingleLimit(200n);
  expect(await commit((f) => setLimit(f, 100, null))).toBe("TG098");
  expect(await commit((f) => setLimit(f, 700, { action: "currency.single_limit.approve" }))).toBe("TG098");
});
