import type { Browser } from "playwright";
import { call, createOrder, cycle, getOrigin, readText } from "../calls.js";
import { payDirectly } from "../direct-calls.js";
import type { Figure, Result } from "../figure.js";
import { compare, overHttp } from "../load.js";
import {
  type Cookie,
  measurePaintOnSlowPhone,
  type Weight,
  weigh,
  weighFile,
  withBrowser,
} from "../page-load.js";
import { signInShopper } from "../parties.js";
import { pickSize } from "../sized.js";
import { roundToCents } from "../statistics.js";
import type { System } from "../system.js";

const PAGES = 20;
/** Sizes of the lightest checkout page among open-source peers, in gzipped kilobytes. */
const PEER = { script: 84, style: 44 };

const LANGUAGES = ["en", "fr", "de", "es", "pt", "ar"].slice(0, pickSize(6, 1));
const inLanguage = (url: string, language: string): string => `${url}?lang=${language}`;

type Kind = { what: string; urls: readonly string[]; cookie?: Cookie };

/** The hosted page as a shopper loads it: weight, time to largest paint on a slow phone, and pages per second. */
export const page: Figure = {
  name: "page",
  async measure(system) {
    const hosted = await createPaymentUrls(system);
    const next = cycle(hosted);
    const kinds = await createKinds(system, next());
    const rows: Result[] = [];
    for (const kind of kinds) rows.push(...(await measureWeight(kind)));
    rows.push(...(await measureFiles(system, next())));
    await withBrowser(async (browser) => {
      for (const kind of kinds) rows.push(...(await measurePaint(browser, kind)));
    });
    const { origin } = new URL(next());
    const load = await compare({
      page: overHttp({ origin, next: () => ({ method: "GET", path: new URL(next()).pathname }) }),
      // A malformed token: rendered by the same route of the same build, without a call to the API.
      empty: overHttp({ origin, status: 404, next: () => ({ method: "GET", path: "/pay/none" }) }),
    });
    return [
      ...rows,
      {
        what: "hosted page, requests/s",
        measured: `${Math.round(load.page.perSecond)}/s`,
        reference: `${Math.round(load.empty.perSecond)}/s page without an order of the same build`,
        value: roundToCents(load.page.perSecond / load.empty.perSecond),
        target: { atLeast: 0.6 },
      },
    ];
  },
};

async function createKinds(system: System, hosted: string): Promise<Kind[]> {
  const { receipt, movement, cookie } = await createPaidOrder(system);
  const wallet = new URL("/wallet", receipt).href;
  const at = (...names: string[]) => names.map((name) => `${wallet}/${name}`);
  return [
    { what: "hosted page", urls: [hosted] },
    { what: "receipt", urls: [receipt], cookie },
    { what: "frame in the shop's page", urls: [hosted.replace("/pay/", "/embed/")] },
    { what: "wallet's ways in", urls: at("sign-in", "new", "forgot-pin") },
    {
      what: "wallet",
      urls: [wallet, ...at("activity", `activity/${movement}`, "security", "top-up", "convert")],
      cookie,
    },
  ];
}

async function measureWeight({ what, urls, cookie }: Kind): Promise<Result[]> {
  const all: Weight[] = [];
  for (const language of LANGUAGES)
    for (const url of urls) all.push(await weigh(inLanguage(url, language), cookie));
  return (["script", "style"] as const).map((part) => {
    const heaviest = Math.max(...all.map((weight) => weight[part]));
    return {
      what: `${what}, the heaviest in any language: ${part}, KB gzip`,
      measured: `${heaviest.toFixed(1)} KB`,
      reference: `${PEER[part]} KB best peer's checkout`,
      value: roundToCents(heaviest),
      target: { below: 10 },
    };
  });
}

async function measureFiles({ sandbox }: System, paymentUrl: string): Promise<Result[]> {
  const shopScript = await weighFile(new URL("/tillgate.js", paymentUrl).href);
  const docs = `${sandbox.api}/docs`;
  const { script, style } = await weigh(docs);
  const reference = (await weighFile(docs)) + script + style;
  return [
    {
      what: "tillgate.js, KB gzip",
      measured: `${shopScript.toFixed(1)} KB`,
      reference: "budget on a shop's page",
      value: roundToCents(shopScript),
      target: { below: 3.5 },
    },
    {
      what: "/docs with all that it loads, KB gzip",
      measured: `${reference.toFixed(1)} KB`,
      reference: "budget for a slow connection",
      value: roundToCents(reference),
      target: { below: 100 },
    },
  ];
}

async function measurePaint(browser: Browser, { what, urls, cookie }: Kind): Promise<Result[]> {
  const page = cycle(urls);
  const visits = LANGUAGES.map((language) => inLanguage(page(), language));
  const paint = await measurePaintOnSlowPhone(browser, cycle(visits), cookie);
  return [
    {
      what: `${what}: LCP on a slow phone, in seconds`,
      measured: `${(paint.largestMs / 1_000).toFixed(2)} s`,
      reference: "2.5 s is good",
      value: roundToCents(paint.largestMs / 1_000),
      target: { below: 1 },
    },
    {
      what: `${what}: layout shift`,
      measured: String(paint.shift),
      reference: "0.1 is good",
      value: paint.shift,
      target: { atMost: 0 },
    },
  ];
}

/** Creates and pays an order. @returns the URL of its receipt, the ID of the wallet movement, and the payer's session cookie. */
async function createPaidOrder(
  system: System,
): Promise<{ receipt: string; movement: string; cookie: Cookie }> {
  const [merchant] = system.merchants;
  const [shopper] = system.shoppers;
  if (!merchant || !shopper) throw new Error("The benchmark has no merchant or no shopper.");
  const order = await call(getOrigin(system), createOrder(merchant, { description: "Order 1042" }));
  const orderId = readText(order, "order_id");
  await payDirectly(system.pool, orderId, shopper);
  const paid = await system.pool.query("SELECT transfer_id FROM orders WHERE id = $1", [orderId]);
  return {
    receipt: readText(order, "payment_url"),
    movement: readText(paid.rows[0], "transfer_id"),
    cookie: {
      name: "tillgate_pay_session",
      value: await signInShopper(system.pool, shopper, orderId),
    },
  };
}

/** Creates pending orders. @returns the URLs of their payment pages. */
export async function createPaymentUrls(system: System): Promise<string[]> {
  const merchant = cycle(system.merchants);
  const urls: string[] = [];
  for (let number = 0; number < PAGES; number += 1) {
    const order = await call(
      getOrigin(system),
      createOrder(merchant(), { description: "Order 1042", expires_in: 3_600 }),
    );
    urls.push(readText(order, "payment_url"));
  }
  return urls;
}
