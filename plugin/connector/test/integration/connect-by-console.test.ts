import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectByConsole } from "../../src/connect/by-console.js";
import { connect, exitCodes } from "../../src/connect/connect.js";
import { listCredentials, stores } from "../../src/store-config.js";
import { listenLocally } from "./fakes/listen-locally.js";

const CODE = "tgo_code_of_the_owner";
const folder = mkdtempSync(path.join(tmpdir(), "connect-by-console-"));
/** Bodies of `POST /connect/token`. */
let exchanged: Record<string, string>[] = [];
/** The response to an exchange; null closes the connection without a response. */
let exchange: () => { status: number; body: object } | null;
let challenge = "";
let base: Awaited<ReturnType<typeof listenLocally>>;

const issuedKeys = (mode: string, number = exchanged.length) => ({
  client_id: `tg_${mode}_${number}`,
  client_secret: `tgs_${mode}_secret_${number}`,
});
const good = (live = true) => ({
  status: 200,
  body: {
    message: { success: ["Shop connected"] },
    data: {
      merchant_name: "Kiln & Clover",
      sandbox: issuedKeys("test"),
      live: live ? issuedKeys("live") : null,
    },
  },
});

/** Fakes Tillgate, and a WooCommerce store with full permissions. */
async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = "";
  for await (const chunk of incoming) text += chunk;
  const url = new URL(incoming.url ?? "", "http://fake");
  const json = (status: number, body: object) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  const has = (part: string) => url.pathname.includes(part);
  if (url.pathname === "/connect/token") {
    exchanged.push(JSON.parse(text));
    const given = createHash("sha256").update(exchanged.at(-1)?.code_verifier ?? "");
    if (given.digest("base64url") !== challenge) return void json(400, {});
    const reply = exchange();
    return void (reply === null ? response.destroy() : json(reply.status, reply.body));
  }
  if (has("/wp-json/wc/v3/orders/0"))
    return void json(400, { code: "woocommerce_rest_shop_order_invalid_id", message: "No" });
  if (has("/wp-json/wc/v3/orders")) return void json(200, []);
  if (has("/wp-json/wc/v3/webhooks"))
    return void json(400, { code: "woocommerce_rest_shop_webhook_invalid_topic", message: "No" });
  if (url.pathname === "/wp-json/") return void json(200, { namespaces: ["wc/v3"] });
  if (has("/orders"))
    return void json(200, {
      message: { success: ["Orders retrieved"] },
      data: {
        orders: [],
        pagination: { current_page: 1, per_page: 1, total: 0, last_page: 1 },
        next_cursor: null,
      },
    });
  json(404, {});
}

beforeAll(async () => {
  base = await listenLocally(createServer((incoming, response) => void respond(incoming, response)));
});
beforeEach(() => {
  exchanged = [];
  exchange = good;
});
afterAll(async () => {
  await base.close();
  rmSync(folder, { recursive: true });
});

/** Reads the parameters of the console URL, and stores the code challenge for the fake token endpoint. */
function parseRequest(address: string) {
  const url = new URL(address);
  const value = (name: string) => url.searchParams.get(name) ?? "";
  challenge = value("code_challenge");
  return { url, back: value("return_url"), state: value("state"), value };
}
/** Simulates the browser's redirect. */
const sendRedirect = async (returnUrl: string, query: Record<string, string>, init: RequestInit = {}) => {
  const reply = await fetch(`${returnUrl}?${new URLSearchParams(query)}`, init);
  return { status: reply.status, text: await reply.text() };
};

/** Starts a connection. @returns the shown URL, and the result */
async function start(changes: { tillgateUrl?: string; shopUrl?: string; waitMs?: number } = {}) {
  let show: (address: string) => void = () => undefined;
  const shown = new Promise<string>((resolve) => {
    show = resolve;
  });
  const result = connectByConsole({
    tillgateUrl: base.url,
    shopName: "shop.example",
    shopUrl: "https://shop.example",
    show,
    ...changes,
  });
  return { ended: result, shown: Promise.race([shown, result.then(() => "")]) };
}

describe("connecting through the console", () => {
  it("redirects the owner with a PKCE challenge, and exchanges the returned code once", async () => {
    const { ended: result, shown } = await start();
    const { url, back: returnUrl, state, value } = parseRequest(await shown);
    expect(`${url.origin}${url.pathname}`).toBe(`${base.url}/connect`);
    expect(value("platform")).toBe("connector");
    expect(returnUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/connected$/);
    expect(value("code_challenge_method")).toBe("S256");
    const [first, second] = await Promise.all([
      sendRedirect(returnUrl, { code: CODE, state }),
      sendRedirect(returnUrl, { code: CODE, state }),
    ]);
    expect([first.status, second.status].sort()).toEqual([200, 410]);
    expect(`${first.text}${second.text}`).toContain("Your shop is connected.");
    expect(await result).toMatchObject({ keys: { sandbox: { client_id: "tg_test_1" } } });
    expect(exchanged).toEqual([
      {
        grant_type: "authorization_code",
        code: CODE,
        code_verifier: expect.stringMatching(/^[\w-]{43}$/),
        redirect_uri: returnUrl,
      },
    ]);
    expect(url.href).not.toContain(exchanged[0]?.code_verifier ?? "");
    // The server no longer listens.
    await expect(sendRedirect(returnUrl, { code: CODE, state })).rejects.toThrow();
  });

  it("ignores forged redirects, and accepts the genuine one afterwards", async () => {
    const { ended: result, shown } = await start();
    const { back: returnUrl, state } = parseRequest(await shown);
    const other = await start();
    const foreign = new URL(await other.shown).searchParams.get("state") ?? "";
    for (const query of [
      { code: CODE },
      { code: CODE, state: "" },
      { code: CODE, state: `${state}x` },
      { code: CODE, state: state.slice(1) },
      { code: CODE, state: foreign },
      { error: "access_denied", state: foreign },
      { code: "", state },
      { state },
    ])
      expect((await sendRedirect(returnUrl, query)).status).toBe(400);
    expect((await sendRedirect(returnUrl, { code: CODE, state }, { method: "POST" })).status).toBe(404);
    expect((await sendRedirect(`${returnUrl}/x`, { code: CODE, state })).status).toBe(404);
    expect(await fetchByOtherHost(`${returnUrl}?${new URLSearchParams({ code: CODE, state })}`)).toBe(404);
    expect(exchanged).toEqual([]);
    expect((await sendRedirect(returnUrl, { code: CODE, state })).status).toBe(200);
    expect(await result).toHaveProperty("keys");
    expect(exchanged).toHaveLength(1);
    const otherRequest = parseRequest(await other.shown);
    await sendRedirect(otherRequest.back, { error: "access_denied", state: otherRequest.state });
    expect(await other.ended).toMatchObject({
      finding: { text: "The connection was declined." },
    });
    expect(exchanged).toHaveLength(1);
  });

  it("ends without keys if nobody approves in time, or if Tillgate issues none", async () => {
    const late = await start({ waitMs: 20 });
    expect(await late.ended).toMatchObject({
      finding: { text: "The connection wasn't approved in time." },
    });
    for (const rejection of [() => ({ status: 400, body: {} }), () => ({ status: 302, body: good().body })]) {
      exchange = rejection;
      const { ended: result, shown } = await start();
      const { back: returnUrl, state } = parseRequest(await shown);
      expect((await sendRedirect(returnUrl, { code: CODE, state })).text).toContain(
        "Your shop wasn't connected.",
      );
      expect(await result).toMatchObject({
        finding: { text: expect.stringContaining("Tillgate didn't issue API keys") },
      });
    }
  });

  it("reports an unknown outcome, and how to continue, if the response is lost or unreadable", async () => {
    for (const lost of [
      () => null,
      () => ({ status: 504, body: {} }),
      () => ({ status: 200, body: { data: {} } }),
    ]) {
      exchange = lost;
      const { ended: result, shown } = await start();
      const { back: returnUrl, state } = parseRequest(await shown);
      await sendRedirect(returnUrl, { code: CODE, state });
      expect(await result).toMatchObject({
        finding: {
          text: expect.stringContaining("It's unknown whether Tillgate issued API keys"),
          remedy: expect.stringContaining("Run this command again"),
        },
      });
    }
  });

  it("isn't started if keys would be sent unencrypted or if the console would reject the store", async () => {
    for (const [changes, words] of [
      [{ tillgateUrl: "http://api.example" }, "plain HTTP"],
      [{ shopUrl: "http://shop.example" }, "shop_url must be an https URL"],
    ] as const) {
      const { ended: result, shown } = await start(changes);
      expect(await shown).toBe("");
      expect(await result).toMatchObject({ finding: { text: expect.stringContaining(words) } });
    }
  });
});

/** Sends a request with a foreign Host header, as in a DNS rebinding attack. @returns the status */
const fetchByOtherHost = (address: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const clientRequest = request(address, { headers: { host: "evil.example" } }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    });
    clientRequest.on("error", reject);
    clientRequest.end();
  });

describe("tillgate-connect without keys", () => {
  const file = path.join(folder, "stores.json");
  const environment = ["TILLGATE_CLIENT_ID", "TILLGATE_CLIENT_SECRET"] as const;

  /** Runs the command, and approves in the console. */
  async function run(...words: string[]) {
    let [output, redirects] = ["", 0];
    const pending: Promise<unknown>[] = [];
    const code = await connect(
      [
        base.url,
        ...["--id", "kiln", "--out", file, "--consumer-key", "ck_1", "--consumer-secret", "cs_1"],
        ...["--tillgate-url", base.url, "--connector-url", "http://127.0.0.1:9", ...words],
      ],
      {
        report: (text) => {
          output += text;
        },
        print: () => undefined,
        prompt: async () => null,
        openBrowser: (address) => {
          redirects += 1;
          const { back: returnUrl, state } = parseRequest(address);
          pending.push(sendRedirect(returnUrl, { code: CODE, state }));
        },
      },
    );
    await Promise.all(pending);
    return { code, output, redirects };
  }
  const entry = () => JSON.parse(readFileSync(file, "utf8")).find(({ id }: { id: string }) => id === "kiln");
  const credentials = () =>
    stores.schema
      .parse(readFileSync(file, "utf8"))
      .flatMap((store) =>
        listCredentials(store, "https://api.example").map(({ mode, clientId }) => `${mode} ${clientId}`),
      );

  beforeEach(() => {
    for (const name of environment) expect(process.env[name]).toBeUndefined();
    rmSync(file, { force: true });
  });

  it("stores the keys of both modes, and reconnects only with --again", async () => {
    const first = await run();
    expect(first.redirects).toBe(1);
    expect(first.output).toContain("✓ Connected to Kiln & Clover: received sandbox and live keys.");
    expect(first.output).not.toContain("secret_1");
    expect(entry()).toMatchObject({ mode: "sandbox", sandbox: issuedKeys("test"), live: issuedKeys("live") });
    expect(credentials()).toEqual(["sandbox tg_test_1", "live tg_live_1"]);

    const second = await run();
    expect(second).toMatchObject({
      redirects: 0,
      output: expect.stringContaining("✓ Using the API keys in"),
    });
    expect(entry().sandbox.client_id).toBe("tg_test_1");
    expect((await run("--check")).redirects).toBe(0);

    const again = await run("--again");
    expect(again.redirects).toBe(1);
    // Open payments still need the previous keys.
    expect(credentials()).toEqual(["sandbox tg_test_2", "sandbox tg_test_1", "live tg_live_2"]);
  });

  it("saves a sandbox entry if the console issues no live keys", async () => {
    exchange = () => good(false);
    await run();
    expect(entry()).toMatchObject({ mode: "sandbox", sandbox: issuedKeys("test") });
    expect(entry()).not.toHaveProperty("live");
    const live = await run("--mode", "sandbox");
    expect(live.redirects).toBe(0);
  });

  it("replaces manually entered keys, keeps the old keys for open payments, and doesn't overwrite an invalid file", async () => {
    const pasted = await run("--client-id", "tg_test_pasted", "--client-secret", "tgs_test_pasted");
    expect(pasted.redirects).toBe(0);
    expect(entry()).toMatchObject({ client_id: "tg_test_pasted", mode: "sandbox" });
    expect((await run()).redirects).toBe(0);
    await run("--again");
    expect(entry()).not.toHaveProperty("client_id");
    expect(credentials()).toEqual(["sandbox tg_test_1", "sandbox tg_test_pasted", "live tg_live_1"]);
    writeFileSync(file, "CONNECTOR_STORES=[]");
    expect(await run("--again")).toMatchObject({ code: exitCodes.usage, redirects: 0 });
    expect(readFileSync(file, "utf8")).toBe("CONNECTOR_STORES=[]");
  });

  it("rejects --check, which doesn't create API keys", async () => {
    expect(await run("--check")).toMatchObject({
      code: exitCodes.usage,
      redirects: 0,
      output: expect.stringContaining("--check doesn't create API keys"),
    });
  });
});
