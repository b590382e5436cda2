import { gzipSync } from "node:zlib";
import { type Browser, chromium } from "playwright";
import { call, createOrder, originOf, textOf, turns } from "../calls.js";
import type { Figure } from "../figure.js";
import { compare, overHttp } from "../load.js";
import { sized } from "../sized.js";
import { median, rounded } from "../statistics.js";
import type { System } from "../system.js";

const LOADS = sized(5, 1);
const PAGES = 20;
/** The best open peer's checkout page, in KB of gzip. */
const PEER = { script: 84, style: 44 };

/** A phone on a slow network, as Lighthouse has it: 1.6 Mbit/s, 150 ms to the server, a processor four times slower. */
const SLOW_PHONE = {
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
  latency: 150,
  slowdown: 4,
};

/** The hosted page: its weight, how soon it is there on a slow phone, and how many of it a second. */
export const page: Figure = {
  name: "page",
  async measure(system) {
    const urls = await paymentUrls(system);
    const next = turns(urls);
    const weight = await weigh(next());
    const paint = await paintOnSlowPhone(next);
    const { origin } = new URL(next());
    const load = await compare({
      page: overHttp({ origin, next: () => ({ method: "GET", path: new URL(next()).pathname }) }),
      // A token that can be none: drawn by the same route of the same build, without asking the api.
      empty: overHttp({ origin, status: 404, next: () => ({ method: "GET", path: "/pay/none" }) }),
    });
    return [
      {
        what: "hosted page: script, KB gzip",
        measured: `${weight.script.toFixed(1)} KB`,
        reference: `${PEER.script} KB best peer`,
        value: rounded(weight.script),
        target: { below: 10 },
      },
      {
        what: "hosted page: style, KB gzip",
        measured: `${weight.style.toFixed(1)} KB`,
        reference: `${PEER.style} KB best peer`,
        value: rounded(weight.style),
        target: { below: 10 },
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

/** Kilobytes of gzip of all that the page loads as script or style. */
async function weigh(url: string): Promise<{ script: number; style: number }> {
  const html = await (await fetch(url)).text();
  const of = async (pattern: RegExp): Promise<number> => {
    const addresses = [...html.matchAll(pattern)].map(([, address]) => new URL(address ?? "", url).href);
    const sizes = await Promise.all(
      addresses.map(
        async (address) => gzipSync(Buffer.from(await (await fetch(address)).arrayBuffer())).length,
      ),
    );
    return sizes.reduce((sum, size) => sum + size, 0) / 1024;
  };
  return {
    script: await of(/<script[^>]+src="([^"]+)"/g),
    style: await of(
      /<link[^>]+rel="stylesheet"[^>]+href="([^"]+)"|<link[^>]+href="([^"]+)"[^>]+rel="stylesheet"/g,
    ),
  };
}

async function paintOnSlowPhone(next: () => string): Promise<{ largestMs: number; shift: number }> {
  const executablePath = process.env.PLAYWRIGHT_CHROMIUM_PATH;
  const browser = await chromium.launch({ ...(executablePath && { executablePath }) });
  try {
    const largest: number[] = [];
    let shift = 0;
    for (let load = 0; load < LOADS; load += 1) {
      const seen = await paintOnce(browser, next());
      largest.push(seen.largestMs);
      shift = Math.max(shift, seen.shift);
    }
    return { largestMs: median(largest), shift };
  } finally {
    await browser.close();
  }
}

/** A first visit: nothing is cached. */
async function paintOnce(browser: Browser, url: string): Promise<{ largestMs: number; shift: number }> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    deviceScaleFactor: 2,
  });
  try {
    const tab = await context.newPage();
    const session = await context.newCDPSession(tab);
    const { slowdown, ...network } = SLOW_PHONE;
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", { offline: false, ...network });
    await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    await tab.goto(url, { waitUntil: "load" });
    return await tab.evaluate<{ largestMs: number; shift: number }>(OBSERVE);
  } finally {
    await context.close();
  }
}

/** Runs on the page. Waits a little: what comes late (live stream, countdown) must not move anything either. */
const OBSERVE = `new Promise((resolve) => {
  const seen = { largestMs: 0, shift: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.largestMs = entry.startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(seen), 2000);
})`;
