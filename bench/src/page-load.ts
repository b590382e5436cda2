import { gzipSync } from "node:zlib";
import { type Browser, chromium } from "playwright";
import { chromiumLaunchOptions } from "../../scripts/testing/chromium.mjs";
import { pickSize } from "./sized.js";
import { median } from "./statistics.js";

const LOADS = pickSize(6, 1);
/** Time after the load in which late content (live stream, countdown) must not shift the layout. */
const WATCHED_MS = pickSize(2_000, 200);

export type Cookie = { name: string; value: string };

/** Lighthouse's slow phone: 1.6 Mbit/s, 150 ms to the server, a processor four times slower. */
const SLOW_PHONE = {
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
  latency: 150,
  slowdown: 4,
};

/** Gzipped sizes in kilobytes. */
export type Weight = { script: number; style: number };

/** Returns the gzipped size of a file in kilobytes. @throws Error if the file cannot be loaded. */
export async function weighFile(address: string): Promise<number> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} responded with ${response.status}`);
  return gzipSync(Buffer.from(await response.arrayBuffer())).length / 1024;
}

/** Returns the gzipped sizes of a page's scripts and stylesheets. @throws Error if the page or a file cannot be loaded, or the page redirects. */
export async function weigh(url: string, cookie?: Cookie): Promise<Weight> {
  const response = await fetch(url, {
    headers: { ...(cookie && { cookie: `${cookie.name}=${cookie.value}` }) },
    redirect: "error",
  });
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
  const html = await response.text();
  const of = async (pattern: RegExp): Promise<number> => {
    const addresses = [...html.matchAll(pattern)].map(([, address]) => new URL(address ?? "", url).href);
    const sizes = await Promise.all(addresses.map((address) => weighFile(address)));
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  return {
    script: await of(/<script[^>]+src="([^"]+)"/g),
    style: await of(
      /<link[^>]+rel="stylesheet"[^>]+href="([^"]+)"|<link[^>]+href="([^"]+)"[^>]+rel="stylesheet"/g,
    ),
  };
}

export async function withBrowser<Value>(visit: (browser: Browser) => Promise<Value>): Promise<Value> {
  const browser = await chromium.launch(chromiumLaunchOptions());
  try {
    return await visit(browser);
  } finally {
    await browser.close();
  }
}

/** Returns the median of the visits' largest contentful paints, and their worst layout shift. */
export async function measurePaintOnSlowPhone(
  browser: Browser,
  next: () => string,
  cookie?: Cookie,
): Promise<{ largestMs: number; shift: number }> {
  const largest: number[] = [];
  let shift = 0;
  for (let load = 0; load < LOADS; load += 1) {
    const paint = await measurePaint(browser, next(), cookie);
    largest.push(paint.largestMs);
    shift = Math.max(shift, paint.shift);
  }
  return { largestMs: median(largest), shift };
}

async function measurePaint(
  browser: Browser,
  url: string,
  cookie?: Cookie,
): Promise<{ largestMs: number; shift: number }> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    deviceScaleFactor: 2,
  });
  try {
    if (cookie) await context.addCookies([{ ...cookie, url }]);
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

/** Observes the largest contentful paint and the layout shift. Runs in the page. */
const OBSERVE = `new Promise((resolve) => {
  const seen = { largestMs: 0, shift: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.largestMs = entry.startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(seen), ${WATCHED_MS});
})`;
