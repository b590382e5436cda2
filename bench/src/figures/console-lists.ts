import { randomBytes } from "node:crypto";
import { call, createOrder, getOrigin, readText } from "../calls.js";
import { payDirectly, refundDirectly } from "../direct-calls.js";
import type { Figure, Result } from "../figure.js";
import { addOrders, settleTables, signInToConsole } from "../long-lists.js";
import { type Cookie, measurePaintOnSlowPhone, weigh, withBrowser } from "../page-load.js";
import type { BenchMerchant } from "../parties.js";
import { startSecondApi } from "../second-api.js";
import { pickSize } from "../sized.js";
import { percentile, roundToCents } from "../statistics.js";
import type { System } from "../system.js";

const MANY = pickSize(1_000_000, 10_000);
const FEW = 1_000;
const READS = pickSize(60, 3);
const CONSOLE_KEY = randomBytes(32).toString("base64url");

type Query = Record<string, string>;
const forBoth = (query: Query) => ({ big: query, small: query });

/** Each search text matches about a thousand orders of its merchant. */
const ASKED: Record<string, Record<"big" | "small", Query>> = {
  "first page": forBoth({}),
  "cancelled ones": forBoth({ status: "CANCELLED" }),
  "of one month": forBoth({ from: monthAgo(2), to: monthAgo(1) }),
  "by words of a reference": { big: { q: "order 700" }, small: { q: "order" } },
};

/** Compares the console's order list of a merchant with a million orders with that of a merchant with a thousand, and measures the rendered pages. */
export const consoleLists: Figure = {
  name: "console-lists",
  async measure(system) {
    const [big, small] = system.merchants.slice(-4);
    if (!big || !small) throw new Error("The benchmark has too few merchants.");
    await addOrders(system, big, MANY);
    await addOrders(system, small, FEW);
    const session = await signInToConsole(system);
    const api = await startSecondApi(system, { TILLGATE_CONSOLE_KEY: CONSOLE_KEY });
    try {
      const measureLists = async (state: string, judged: Pick<Result, "target">): Promise<Result[]> => {
        const rows: Result[] = [];
        for (const [what, queries] of Object.entries(ASKED)) {
          const times = await readInTurns(api.origin, session, { big, small }, queries);
          rows.push({
            what: `console's list of ${MANY} orders, ${what}, ${state}, p95`,
            measured: `${times.big.toFixed(1)} ms`,
            reference: `${times.small.toFixed(1)} ms of ${FEW}`,
            value: roundToCents(times.big / times.small),
            ...judged,
          });
        }
        return rows;
      };
      const filled = await measureLists("just filled", {});
      await settleTables(system);
      return [
        ...filled,
        ...(await measureLists("after VACUUM ANALYZE", { target: { atMost: 1.5 } })),
        ...(await measurePages(system, big, session)),
      ];
    } finally {
      await api.stop();
    }
  },
};

async function measurePages(system: System, merchant: BenchMerchant, session: string): Promise<Result[]> {
  const cookie = { name: "tillgate_console", value: session };
  const home = `${system.sandbox.dashboard}/m/${merchant.id}/sandbox`;
  const rows: Result[] = [];
  for (const [what, url] of [
    ["home", home],
    ["orders", `${home}/orders`],
    ["a paid and refunded order", `${home}/orders/${await createRefundedOrder(system, merchant)}`],
    ["search by a reference", `${home}/search?q=order+700`],
    ["search by an amount", `${home}/search?q=12.34`],
    ["search by an amount that none has", `${home}/search?q=9999.99`],
    [
      "search by an e-mail address",
      `${home}/search?q=${encodeURIComponent(system.sandbox.shoppers[0]?.email ?? "")}`,
    ],
    ["search for what is not there", `${home}/search?q=nothing+has+this`],
    ["wallets", `${home}/wallets`],
  ] as const) {
    const times: number[] = [];
    for (let read = 0; read < READS; read += 1) times.push(await measureTime(url, cookie));
    const p95 = percentile(times, 0.95);
    rows.push({
      what: `console, ${what} of ${MANY} orders, server time p95, ms`,
      measured: `${p95.toFixed(1)} ms`,
      reference: "150 ms",
      value: roundToCents(p95),
      target: { below: 150 },
    });
  }
  const { script, style } = await weigh(`${home}/orders`, cookie);
  const paint = await withBrowser((browser) =>
    measurePaintOnSlowPhone(browser, () => `${home}/orders`, cookie),
  );
  return [
    ...rows,
    {
      what: "console, orders: script and style, KB gzip",
      measured: `${script.toFixed(1)} KB and ${style.toFixed(1)} KB`,
      reference: "180 KB of script",
      value: roundToCents(script + style),
      target: { atMost: 180 },
    },
    {
      what: "console, orders: LCP on a slow phone, in seconds",
      measured: `${(paint.largestMs / 1_000).toFixed(2)} s`,
      reference: "2.5 s is good",
      value: roundToCents(paint.largestMs / 1_000),
      target: { below: 1 },
    },
    {
      what: "console, orders: layout shift",
      measured: String(paint.shift),
      reference: "0.1 is good",
      value: paint.shift,
      target: { atMost: 0 },
    },
  ];
}

/** Creates an order, pays it and refunds one cent of it. @returns the order's ID. */
async function createRefundedOrder(system: System, merchant: BenchMerchant): Promise<string> {
  const orderId = readText(await call(getOrigin(system), createOrder(merchant)), "order_id");
  const [shopper] = system.shoppers;
  if (!shopper) throw new Error("The benchmark has no shopper.");
  const trxId = await payDirectly(system.pool, orderId, shopper);
  await refundDirectly(system.pool, merchant, trxId);
  return orderId;
}

async function measureTime(url: string, { name, value }: Cookie): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url, { headers: { cookie: `${name}=${value}` }, redirect: "error" });
  await response.text();
  if (response.status !== 200) throw new Error(`${url} responded with ${response.status}.`);
  return performance.now() - startedAt;
}

async function readInTurns(
  origin: string,
  session: string,
  merchants: Record<"big" | "small", BenchMerchant>,
  queries: Record<"big" | "small", Query>,
): Promise<Record<"big" | "small", number>> {
  const times: Record<"big" | "small", number[]> = { big: [], small: [] };
  for (let read = 0; read < READS; read += 1) {
    for (const size of ["big", "small"] as const) {
      const startedAt = performance.now();
      await call(origin, {
        method: "GET",
        path: `/console/v1/merchants/${merchants[size].id}/sandbox/orders?${new URLSearchParams(queries[size])}`,
        headers: { "x-tillgate-internal-key": CONSOLE_KEY, "x-tillgate-console-session": session },
      });
      times[size].push(performance.now() - startedAt);
    }
  }
  return { big: percentile(times.big, 0.95), small: percentile(times.small, 0.95) };
}

/** Returns the UTC day that is this many times 30 days ago. */
function monthAgo(months: number): string {
  return new Date(Date.now() - months * 30 * 86_400_000).toISOString().slice(0, 10);
}
