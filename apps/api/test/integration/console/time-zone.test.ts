import {
  consoleHomeResponseSchema,
  consoleOrderListResponseSchema,
  consolePeriodResponseSchema,
} from "@tillgate/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOrder, createPaidOrder } from "../../support/orders.js";
import { createTestApi } from "../../support/test-api.js";
import {
  type ConsoleClient,
  consoleClient,
  createConsoleParties,
  dataOf,
  sessionTokenOf,
} from "./console-client.js";

const { sandbox, server, api, merchantId } = await createTestApi();
let user: string;

function consoleIn(timeZone?: string): Pick<ConsoleClient, "get" | "post"> {
  const headers = timeZone === undefined ? {} : { "x-tillgate-time-zone": timeZone };
  const edge = consoleClient(server, sessionTokenOf(user), headers);
  const base = `/merchants/${merchantId}/sandbox`;
  return {
    get: (path, query) => edge.get(base + path, query),
    post: (path, fields) => edge.post(base + path, fields),
  };
}

/** Creation times of orders, which are also their references. */
const TIMES = [
  // A day in Tokyo.
  ...["2026-05-03T14:59:59Z", "2026-05-03T15:00:00Z", "2026-05-04T14:59:59Z", "2026-05-04T15:00:00Z"],
  // Days of 23 and 25 hours in Paris.
  ...["2026-03-28T22:59:59Z", "2026-03-28T23:00:00Z", "2026-03-29T21:59:59Z", "2026-03-29T22:00:00Z"],
  ...["2026-10-24T21:59:59Z", "2026-10-24T22:00:00Z", "2026-10-25T22:59:59Z", "2026-10-25T23:00:00Z"],
  // Santiago, where the clock change skips midnight.
  ...["2026-09-06T03:59:59Z", "2026-09-06T04:00:00Z", "2026-09-07T02:59:59Z", "2026-09-07T03:00:00Z"],
];
const DAYS: [zone: string, day: string, first: number][] = [
  ["Asia/Tokyo", "2026-05-04", 1],
  ["Europe/Paris", "2026-03-29", 5],
  ["Europe/Paris", "2026-10-25", 9],
  ["America/Santiago", "2026-09-06", 13],
];

beforeAll(async () => {
  ({ user } = await createConsoleParties(sandbox));
  const { order_id: id } = await createOrder(api);
  // Inserted without triggers, and deleted before the ledger is proved.
  await sandbox.executeAsSuperuser(`SET session_replication_role = replica;
    INSERT INTO orders (id, token, mode, merchant_id, credential_id, amount, currency, payment_method, status, state, reference, created_at, expires_at)
      SELECT 'POS-19990101-Z' || n, 'zone' || n, mode, merchant_id, credential_id, 100, 'EUR', 'both', 'CANCELLED', 'CANCELLED', at, at::timestamptz, at::timestamptz
      FROM orders, unnest(ARRAY[${TIMES.map((at) => `'${at}'`).join()}]) WITH ORDINALITY AS of (at, n) WHERE id = '${id}'`);
});
afterAll(() =>
  sandbox.executeAsSuperuser(
    "SET session_replication_role = replica; DELETE FROM orders WHERE id LIKE 'POS-19990101-Z%'",
  ),
);

describe.each(DAYS)("date filter of a user in %s for %s", (zone, day, first) => {
  const inside = [TIMES[first + 1], TIMES[first]];

  it("lists the orders created on that day in local time", async () => {
    const response = await consoleIn(zone).get("/orders", { from: day, to: day });
    const { items } = dataOf(consoleOrderListResponseSchema, response);
    expect(items.map(({ reference }) => reference)).toEqual(inside);
  });

  it("exports the orders created on that day in local time", async () => {
    const { text } = await consoleIn(zone).get("/orders.csv", { from: day, to: day, columns: "reference" });
    expect(text).toBe(`reference\r\n${inside.join("\r\n")}\r\n`);
  });
});

it("days are UTC days if no time zone is known", async () => {
  for (const zone of [undefined, "Mars/Base"]) {
    const response = await consoleIn(zone).get("/orders", { from: "2026-05-04", to: "2026-05-04" });
    const { items } = dataOf(consoleOrderListResponseSchema, response);
    expect(items.map(({ reference }) => reference)).toEqual([TIMES[3], TIMES[2]]);
  }
});

describe("times in an export", () => {
  it("are local times in CSV, in a format that spreadsheets recognize, with the UTC offset in a separate column", async () => {
    const fields = { from: "2026-03-29", to: "2026-03-29", columns: "created_at,amount" };
    const { text } = await consoleIn("Europe/Paris").get("/orders.csv", fields);
    expect(text).toBe(
      "created_at,created_at_offset,amount\r\n2026-03-29 23:59:59,UTC+02:00,1.00\r\n2026-03-29 00:00:00,UTC+01:00,1.00\r\n",
    );
  });

  it("include their UTC offset in JSON", async () => {
    const fields = { from: "2026-05-04", to: "2026-05-04", columns: "created_at", sort: "created_at" };
    const { body } = await consoleIn("Asia/Tokyo").get("/orders.json", fields);
    expect(body).toEqual([
      { created_at: "2026-05-04T00:00:00+09:00" },
      { created_at: "2026-05-04T23:59:59+09:00" },
    ]);
  });

  it("leave a reference that looks like a time unchanged", async () => {
    await createOrder(api, { reference: "2026-05-04T00:00:00+00:00" });
    const { text } = await consoleIn("Asia/Tokyo").get("/orders.csv", {
      ...{ columns: "reference", q: "2026-05-04T00:00:00+00:00" },
    });
    expect(text).toBe("reference\r\n2026-05-04T00:00:00+00:00\r\n");
  });
});

const zoneWithOtherDay = () => {
  const today = (timeZone: string) => new Date().toLocaleDateString("sv-SE", { timeZone });
  const zone = ["Pacific/Kiritimati", "Pacific/Pago_Pago"].find((name) => today(name) !== today("UTC"));
  if (zone === undefined) throw new Error("every tested time zone has the same date as UTC");
  return { zone, today: today(zone), todayOfUtc: today("UTC") };
};

it("a statement's days are days in the user's time zone", async () => {
  await createPaidOrder(server, api, { reference: "today" });
  const { zone, today, todayOfUtc } = zoneWithOtherDay();
  const references = async (day: string) => {
    const response = await consoleIn(zone).get("/wallets/EUR/statement/period", { from: day, to: day });
    return dataOf(consolePeriodResponseSchema, response).items.map(({ reference }) => reference);
  };
  expect(await references(today)).toContain("today");
  expect(await references(todayOfUtc)).not.toContain("today");
  const { text } = await consoleIn(zone).get("/wallets/EUR/statement.csv", { from: today, to: today });
  expect(text.split("\r\n")[0]).toMatch(/^entry_id,at,at_offset,kind,/);
  expect(text).toContain(`,${today} `);
});

it("the home page shows days in the user's time zone, today last, before and after the counters are rolled up", async () => {
  const { zone, today } = zoneWithOtherDay();
  const before = new Date();
  before.setUTCDate(before.getUTCDate() - 2);
  const day = before.toISOString().slice(0, 10);
  const change = (sign: 1 | -1) =>
    sandbox.executeAsSuperuser(`INSERT INTO count_deltas (merchant_id, mode, kind, starts_at, status, currency, change, amount) VALUES
      ('${merchantId}', 'sandbox', 'order', '${day}T14:55:00Z', 'PAID', 'USD', ${sign}, ${sign} * 700),
      ('${merchantId}', 'sandbox', 'order', '${day}T15:00:00Z', 'PAID', 'USD', ${sign}, ${sign} * 500)`);
  const dollars = async (timeZone: string) => {
    const { sums } = dataOf(consoleHomeResponseSchema, await consoleIn(timeZone).get("/home"));
    const days = sums.find(({ currency }) => currency === "USD")?.days ?? [];
    return {
      days,
      paid: days.flatMap(({ day: of, payments }) => (payments === "0.00" ? [] : [[of, payments]])),
    };
  };
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  const inTokyo = [
    [day, "7.00"],
    [next.toISOString().slice(0, 10), "5.00"],
  ];
  await change(1);
  for (const fold of [false, true]) {
    if (fold) await sandbox.database.pool.query("SELECT roll_up_counters(10000)");
    expect((await dollars("Asia/Tokyo")).paid).toEqual(inTokyo);
    expect((await dollars("UTC")).paid).toEqual([[day, "12.00"]]);
    expect((await dollars(zone)).days.at(-1)?.day).toBe(today);
  }
  await change(-1);
});

it("a payment link closes at the end of its last day in the user's time zone", async () => {
  const response = await consoleIn("Europe/Paris").post("/links", {
    ...{ description: "Deposit", currency: "EUR", expires_on: "2099-07-01" },
  });
  expect(response.text).toContain('"expires_at":"2099-07-01T22:00:00+00:00"');
});
