import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { freePort } from "../../scripts/testing/free-port.js";
import { eventually, findRunning, type Running } from "./bench.js";
import { FaultyProxy } from "./faulty-proxy.js";
import { type Service, startService } from "./service.js";

const program = path.resolve(import.meta.dirname, "../../scripts/connect.mjs");

let running: Running;
let folder: string;
let port: number;
let service: Service | undefined;

beforeAll(async () => {
  running = await findRunning();
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-connect-"));
  port = await freePort();
});
afterAll(async () => {
  await service?.stop();
  for (const { id, delivery_url } of await running.shop.webhooks()) {
    if (delivery_url.includes(`:${port}/`)) await running.shop.deleteWebhook(id);
  }
  await rm(folder, { recursive: true, force: true });
});

type Outcome = {
  code: number | null;
  report: string;
  printed: string;
};

/** Runs the command as a user does, with the secrets in the environment. */
async function connect(
  words: string[],
  environment: Record<string, string> = {},
  started: (child: ChildProcess) => void = () => undefined,
): Promise<Outcome> {
  const { shop, merchant, api } = running;
  const child = spawn(process.execPath, [program, ...words], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      WOO_CONSUMER_KEY: shop.keys.consumerKey,
      WOO_CONSUMER_SECRET: shop.keys.consumerSecret,
      TILLGATE_API_URL: api,
      TILLGATE_CLIENT_ID: merchant.clientId,
      TILLGATE_CLIENT_SECRET: merchant.clientSecret,
      CONNECTOR_URL: `http://127.0.0.1:${port}`,
      ...environment,
    },
  });
  started(child);
  const [printed, report] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code: child.exitCode, report, printed };
}

const ownWebhooks = async () =>
  (await running.shop.webhooks()).filter(({ delivery_url }) => delivery_url.includes(`:${port}/`));
const entrySchema = z.looseObject({ id: z.string(), webhook_secret: z.string(), client_secret: z.string() });

describe("tillgate-connect", () => {
  it("prints a new store's entry, reports that the connector isn't running, and connects the store once it is running", async () => {
    const first = await connect([running.shop.keys.url, "--id", "kiln"]);
    expect(first.code).toBe(1);
    expect(first.report).toContain("✓ The store's keys can read and write");
    expect(first.report).toContain("✓ Tillgate accepts the sandbox API key");
    expect(first.report).toContain("✓ The merchant accepts EUR");
    expect(first.report).toContain("✗ The connector cannot be reached");
    expect(first.report).not.toContain(running.merchant.clientSecret);
    const entry = entrySchema.parse(JSON.parse(first.printed));
    expect(entry.id).toBe("kiln");

    service = await startService({
      running,
      recordsFile: path.join(folder, "records.db"),
      stores: [entry],
      port,
    });
    const second = await connect([running.shop.keys.url, "--id", "kiln"]);
    expect(second.report).toContain("✓ The store's webhook order.updated was created.");
    expect(second.report).toContain("All checks passed.");
    expect(second.code).toBe(0);
    expect(await ownWebhooks()).toMatchObject([{ status: "active" }, { status: "active" }]);
  });

  it("re-enables a webhook disabled in the store, or only reports it with --check, and prints the same store entry on every run", async () => {
    const [hook] = await ownWebhooks();
    await running.shop.changeWebhook(hook?.id ?? 0, { status: "disabled" });
    const looked = await connect([running.shop.keys.url, "--id", "kiln", "--check"]);
    expect(looked.report).toMatch(/✗ The store's webhook order\.\w+ is disabled/);
    expect(looked).toMatchObject({ code: 1, printed: "" });
    const again = await connect([running.shop.keys.url, "--id", "kiln"]);
    const once_more = await connect([running.shop.keys.url, "--id", "kiln"]);
    expect(again.report).toContain("was disabled and is active again");
    expect(once_more.printed).toBe(again.printed);
    expect(await ownWebhooks()).toMatchObject([{ status: "active" }, { status: "active" }]);
  });

  it("changes nothing with --check", async () => {
    // Other test files use the same merchant, but only this command creates orders with this reference.
    const trials = async () =>
      (await running.tillgate.orders.list({ reference: "set-up check" })).pagination.total;
    const before = await trials();
    expect(before).toBeGreaterThan(0);
    const { code, report, printed } = await connect([running.shop.keys.url, "--id", "other", "--check"]);
    expect({ code, printed }).toEqual({ code: 1, printed: "" });
    expect(report).toContain("isn't configured for this store yet");
    expect(report).toContain("! The store's webhook order.updated is missing.");
    expect(await ownWebhooks()).toHaveLength(2);
    expect(await trials()).toBe(before);
  });

  it("if killed before it cancels its trial order, leaves an order that expires within a minute", async () => {
    const pending = async () =>
      (await running.tillgate.orders.list({ reference: "set-up check", status: "PENDING" })).orders;
    // Other test files run the command too; their trial orders are cancelled immediately.
    await eventually(async () => expect(await pending()).toEqual([]));
    const proxy = await FaultyProxy.open(running.api);
    let child: ChildProcess | undefined;
    proxy.decide = ({ path: called }) => {
      if (!called.endsWith("/cancel")) return "pass";
      child?.kill("SIGKILL");
      return "down";
    };
    try {
      const killed = await connect(
        [running.shop.keys.url, "--id", "kiln"],
        { TILLGATE_API_URL: proxy.url },
        (spawned) => {
          child = spawned;
        },
      );
      expect(killed.code).toBeNull();
    } finally {
      await proxy.close();
    }
    const left = await eventually(async () => {
      const orders = await pending();
      expect(orders).toHaveLength(1);
      return orders;
    });
    for (const { order_id, created_at, expires_at } of left) {
      expect(Date.parse(expires_at) - Date.parse(created_at)).toBeLessThanOrEqual(60_000);
      await running.books.expireOrder(order_id);
      await eventually(async () =>
        expect((await running.tillgate.orders.get(order_id)).status).toBe("EXPIRED"),
      );
    }
  });

  it("stores the entry in a file that only its owner can read, keeps the entries of other stores, and rejects a file that is not JSON", async () => {
    const file = path.join(folder, "stores.json");
    await writeFile(file, JSON.stringify([{ id: "elsewhere" }, { id: "kiln", expires_in: 300 }]));
    const { code, printed } = await connect([running.shop.keys.url, "--id", "kiln", "--out", file]);
    expect({ code, printed }).toEqual({ code: 0, printed: "" });
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject([
      { id: "elsewhere" },
      { id: "kiln", expires_in: 300, url: running.shop.keys.url },
    ]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await writeFile(file, "CONNECTOR_STORES=[]");
    expect(await connect([running.shop.keys.url, "--id", "kiln", "--out", file])).toMatchObject({ code: 2 });
    expect(await readFile(file, "utf8")).toBe("CONNECTOR_STORES=[]");
  });

  it.each([
    ["wrong store keys", { WOO_CONSUMER_KEY: "ck_wrong" }, "✗ The store's keys cannot read orders"],
    ["a wrong store secret", { WOO_CONSUMER_SECRET: "cs_wrong" }, "✗ The store's keys cannot read orders"],
    [
      "a wrong client secret",
      { TILLGATE_CLIENT_SECRET: "wrong" },
      "✗ Tillgate rejected the client ID and secret",
    ],
    ["a wrong Tillgate URL", { TILLGATE_API_URL: "http://127.0.0.1:9999" }, "✗ Tillgate cannot be reached"],
  ] as const)("reports %s", async (_name, environment, line) => {
    const { code, report } = await connect([running.shop.keys.url, "--check"], environment);
    expect(report).toContain(line);
    expect(report).toContain("→");
    expect(code).toBe(1);
  });

  it("reports missing settings, and exits with status 2 on invalid usage", async () => {
    const missing = await connect([running.shop.keys.url], {
      WOO_CONSUMER_SECRET: "",
      TILLGATE_CLIENT_ID: "",
    });
    expect(missing.code).toBe(2);
    expect(missing.report).toContain(
      "--consumer-secret or WOO_CONSUMER_SECRET, --client-id or TILLGATE_CLIENT_ID",
    );
    for (const words of [[], ["not an address"], [running.shop.keys.url, "--mode", "test"]]) {
      expect((await connect(words)).code).toBe(2);
    }
    expect(await connect(["--help"])).toMatchObject({ code: 0 });
  });
});

describe("tillgate-connect for a misconfigured store", () => {
  let server: Server;
  let url: string;
  let reply: (path: string) => {
    status: number;
    body: unknown;
    type?: string;
    headers?: Record<string, string>;
  };
  beforeAll(async () => {
    server = createServer((request, response) => {
      const { status, body, type = "application/json", headers = {} } = reply(request.url ?? "");
      response.writeHead(status, { "content-type": type, ...headers });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    url = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "";
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const index = { status: 200, body: { namespaces: ["wc/v3"] } };
  const page = { status: 404, body: "<h1>Not found</h1>", type: "text/html" };
  const shop =
    (settings: object, version = "10.0.2") =>
    (requested: string) => {
      if (requested.startsWith("/wp-json/wc/v3/orders/0"))
        return {
          status: 400,
          body: { code: "woocommerce_rest_shop_order_invalid_id", message: "Invalid ID." },
        };
      if (requested.startsWith("/wp-json/wc/v3/orders")) return { status: 200, body: [] };
      if (requested.startsWith("/wp-json/wc/v3/webhooks"))
        return { status: 400, body: { code: "woocommerce_rest_shop_webhook_invalid_topic", message: "No" } };
      if (requested.includes("system_status"))
        return { status: 200, body: { environment: { version }, settings } };
      return index;
    };

  it.each([
    [
      "plain permalinks",
      (requested: string) => (requested.startsWith("/?rest_route=") ? index : page),
      "WordPress uses plain permalinks",
    ],
    ["a missing WordPress", () => page, "No WordPress REST API"],
    [
      "a missing WooCommerce",
      () => ({ status: 200, body: { namespaces: ["wp/v2"] } }),
      "but not WooCommerce",
    ],
    [
      "a redirect",
      () => ({ status: 301, body: "", headers: { location: "https://www.shop.example/" } }),
      "redirects to https://www.shop.example/",
    ],
    [
      "a maintenance page",
      () => ({ status: 200, body: "<h1>Soon</h1>", type: "text/html" }),
      "HTML instead of JSON",
    ],
    [
      "XAF with two decimals",
      shop({ currency: "XAF", number_of_decimals: 2 }),
      "uses 2 decimals for XAF, which has 0",
    ],
    [
      "an unknown currency",
      shop({ currency: "XXX", number_of_decimals: "2" }),
      "currency XXX isn't supported",
    ],
    [
      "a currency without a merchant wallet",
      shop({ currency: "ISK", number_of_decimals: 0 }),
      "has no ISK wallet",
    ],
    [
      "an old WooCommerce",
      shop({ currency: "EUR", number_of_decimals: 2 }, "5.7.1"),
      "WooCommerce 5.7.1 is too old",
    ],
  ])("reports %s", async (_name, responses, line) => {
    reply = responses;
    const { code, report } = await connect([url]);
    expect(report).toContain(line);
    expect(code).toBe(1);
  });

  it("warns about a store clock that is ahead or behind", async () => {
    const line = await FaultyProxy.open(running.shop.keys.url);
    try {
      line.clockOffSeconds = 600;
      expect((await connect([line.url, "--check"])).report).toContain(
        "! The store's clock is 10 minutes ahead of this machine's",
      );
      line.clockOffSeconds = -60;
      expect((await connect([line.url, "--check"])).report).toMatch(
        /! The store's clock is \d+ seconds behind/,
      );
    } finally {
      await line.close();
    }
  });
});
