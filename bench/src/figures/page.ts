import { call, createOrder, originOf, textOf, turns } from "../calls.js";
import type { Figure } from "../figure.js";
import { compare, overHttp } from "../load.js";
import { paintOnSlowPhone, type Weight, weigh, weighFile } from "../page-load.js";
import { rounded } from "../statistics.js";
import type { System } from "../system.js";

const PAGES = 20;
/** The best open peer's checkout page, in KB of gzip. */
const PEER = { script: 84, style: 44 };

/** The languages of the page. */
const LANGUAGES = ["en", "fr", "de", "es", "pt", "ar"];
const languagesOf = (url: string): string[] => LANGUAGES.map((language) => `${url}?lang=${language}`);

/** The most of each kind. */
async function heaviest(weights: Promise<Weight>[]): Promise<Weight> {
  const all = await Promise.all(weights);
  const most = (kind: keyof Weight) => Math.max(...all.map((weight) => weight[kind]));
  return { script: most("script"), style: most("style") };
}

/** The hosted page and its frame: their weight, how soon it is there on a slow phone, and how many of it a second. */
export const page: Figure = {
  name: "page",
  async measure(system) {
    const urls = await paymentUrls(system);
    const next = turns(urls);
    const weight = await heaviest(languagesOf(next()).map((url) => weigh(url)));
    const frame = await heaviest(languagesOf(next().replace("/pay/", "/embed/")).map((url) => weigh(url)));
    const shopScript = await weighFile(new URL("/tillgate.js", next()).href);
    const paint = await paintOnSlowPhone(next);
    const { origin } = new URL(next());
    const load = await compare({
      page: overHttp({ origin, next: () => ({ method: "GET", path: new URL(next()).pathname }) }),
      // A token that can be none: drawn by the same route of the same build, without asking the api.
      empty: overHttp({ origin, status: 404, next: () => ({ method: "GET", path: "/pay/none" }) }),
    });
    return [
      {
        what: "hosted page in its heaviest language: script, KB gzip",
        measured: `${weight.script.toFixed(1)} KB`,
        reference: `${PEER.script} KB best peer`,
        value: rounded(weight.script),
        target: { below: 10 },
      },
      {
        what: "hosted page in its heaviest language: style, KB gzip",
        measured: `${weight.style.toFixed(1)} KB`,
        reference: `${PEER.style} KB best peer`,
        value: rounded(weight.style),
        target: { below: 10 },
      },
      ...(["script", "style"] as const).map((kind) => ({
        what: `frame in the shop's page in its heaviest language: ${kind}, KB gzip`,
        measured: `${frame[kind].toFixed(1)} KB`,
        reference: "the hosted page's limit",
        value: rounded(frame[kind]),
        target: { below: 10 },
      })),
      {
        what: "tillgate.js, KB gzip",
        measured: `${shopScript.toFixed(1)} KB`,
        reference: "what a shop's page can carry",
        value: rounded(shopScript),
        target: { below: 3 },
      },
      {
        what: "hosted page: LCP on a slow phone, in seconds",
        measured: `${(paint.largestMs / 1_000).toFixed(2)} s`,
        reference: "2.5 s is good",
        value: rounded(paint.largestMs / 1_000),
        target: { below: 1 },
      },
      {
        what: "hosted page: layout shift",
        measured: String(paint.shift),
        reference: "0.1 is good",
        value: paint.shift,
        target: { atMost: 0 },
      },
      {
        what: "hosted page, requests/s",
        measured: `${Math.round(load.page.perSecond)}/s`,
        reference: `${Math.round(load.empty.perSecond)}/s page without an order of the same build`,
        value: rounded(load.page.perSecond / load.empty.perSecond),
        target: { atLeast: 0.6 },
      },
    ];
  },
};

async function paymentUrls(system: System): Promise<string[]> {
  const merchant = turns(system.merchants);
  const urls: string[] = [];
  for (let number = 0; number < PAGES; number += 1) {
    const made = await call(
      originOf(system),
      createOrder(merchant(), { description: "Order 1042", expires_in: 3_600 }),
    );
    urls.push(textOf(made, "payment_url"));
  }
  return urls;
}
