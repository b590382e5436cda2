import { PARTNER_API_PATHS, PAY_API_PATH } from "@tillgate/contract";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { createCredential } from "../../../src/identity/credentials/manage.js";
import type { ApiProcess } from "../../support/api-process.js";
import { addLiveCredential, type ClientCredentials, merchantIdOf } from "../../support/parties.js";
import { type ApiResponse, errorOf, payApi, send } from "../../support/requests.js";
import { createTestSandbox } from "../../support/test-api.js";

const MINUTE_MS = 60_000;
const [PARTNER] = PARTNER_API_PATHS;

let first: ApiProcess;
let second: ApiProcess;
let merchantId: string;
let otherId: string;

const sandbox = await createTestSandbox();
beforeAll(async () => {
  const environment = {
    TILLGATE_PAY_REQUESTS_PER_MINUTE: "",
    TILLGATE_PARTNER_REQUESTS_PER_MINUTE: "",
    TILLGATE_TOKENS_PER_MINUTE: "",
    TILLGATE_TRUSTED_PROXIES: "loopback",
  };
  first = await sandbox.startApi({ environment });
  second = await sandbox.startApi({ environment });
  merchantId = await merchantIdOf(sandbox, sandbox.access.merchant.client_id);
  otherId = await merchantIdOf(sandbox, sandbox.access.other_merchant.client_id);
});
vi.setConfig({ testTimeout: 120_000 });

let now = Date.now();
beforeEach(() => {
  // Every test starts in a new window.
  now += 2 * MINUTE_MS;
  vi.useFakeTimers({ toFake: ["Date"], now });
});
afterEach(async () => {
  vi.useRealTimers();
  await limit({ pay: null, partner: null });
});

const limit = ({ pay, partner }: { pay?: number | null; partner?: number | null }) =>
  sandbox.database.prisma.merchant.update({
    where: { id: merchantId },
    data: {
      ...(pay === undefined ? {} : { payRequestsPerMinute: pay }),
      ...(partner === undefined ? {} : { partnerRequestsPerMinute: partner }),
    },
  });

const balance = ({ url }: ApiProcess, token: string): Promise<ApiResponse> =>
  send(`${url}${PARTNER}/balance`, { headers: { authorization: `Bearer ${token}` } });

const orders = (api: ApiProcess, access: ClientCredentials): Promise<ApiResponse> =>
  payApi(api, access).get("/orders");

const token = (
  { url }: ApiProcess,
  { client_id, client_secret }: ClientCredentials,
  from: string,
): Promise<ApiResponse> =>
  send(`${url}${PAY_API_PATH.sandbox}/authentication/token`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": from },
    body: JSON.stringify({ client_id, secret_id: client_secret }),
  });

/** Sends concurrent requests, alternating between the processes. */
const callInTurn = (count: number, call: (api: ApiProcess) => Promise<ApiResponse>): Promise<ApiResponse[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => call(i % 2 ? first : second)));

/**
 * Counts the successful responses. Expects all other responses to be rate limited, with Retry-After within
 * the minute.
 */
function countPassed(responses: ApiResponse[]): number {
  const rejections = responses.filter(({ status }) => status !== 200);
  for (const response of rejections) {
    expect(errorOf(response)).toEqual({ status: 429, texts: ["Too many requests"] });
    const seconds = Number(response.headers.get("retry-after"));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(response.headers.get("ratelimit-remaining")).toBe("0");
  }
  return responses.length - rejections.length;
}

it("exactly 120 of 200 concurrent Partner API requests to two processes pass, and another 120 after a minute", async () => {
  const { api_token } = sandbox.access.merchant;
  expect(countPassed(await callInTurn(200, (api) => balance(api, api_token)))).toBe(120);
  expect(countPassed(await callInTurn(20, (api) => balance(api, api_token)))).toBe(0);
  vi.setSystemTime(now + MINUTE_MS - 1_000);
  expect(countPassed(await callInTurn(20, (api) => balance(api, api_token)))).toBe(0);
  vi.setSystemTime(now + MINUTE_MS + 1_000);
  expect(countPassed(await callInTurn(200, (api) => balance(api, api_token)))).toBe(120);
});

it("the Pay API allows 600 requests a minute per merchant, with access tokens and client credentials together", async () => {
  const { merchant } = sandbox.access;
  const { body } = await token(first, merchant, "192.0.2.77");
  const bearer = `Bearer ${String(Reflect.get(Object(Reflect.get(Object(body), "data")), "access_token"))}`;
  const status = ({ url }: ApiProcess) =>
    send(`${url}${PAY_API_PATH.sandbox}/payment/none`, { headers: { authorization: bearer } });
  expect((await callInTurn(20, status)).map((response) => response.status)).toEqual(Array(20).fill(404));
  expect(countPassed(await callInTurn(640, (api) => orders(api, merchant)))).toBe(580);
  expect(errorOf(await status(first)).status).toBe(429);
});

it("headers of successes and errors report the limit, the remaining requests and the reset time", async () => {
  const { merchant } = sandbox.access;
  const headersOf = ({ headers }: ApiResponse) =>
    ["policy", "limit", "remaining", "reset"].map((name) =>
      headers.get(name === "policy" ? "ratelimit-policy" : `ratelimit-${name}`),
    );
  expect(headersOf(await orders(first, merchant))).toEqual(["600;w=60", "600", "599", "60"]);
  vi.setSystemTime(now + 20_000);
  expect(headersOf(await orders(second, merchant))).toEqual(["600;w=60", "600", "598", "40"]);
  expect(headersOf(await balance(second, merchant.api_token))).toEqual(["120;w=60", "120", "119", "60"]);
  const rejected = await payApi(first, merchant).get("/orders/POS-20261121-AAAAAA");
  expect(rejected.status).toBe(404);
  expect(headersOf(rejected)).toEqual(["600;w=60", "600", "597", "40"]);
});

it("a merchant's custom limit replaces the default, and a change takes effect within seconds", async () => {
  const { merchant } = sandbox.access;
  await limit({ pay: 7, partner: 3 });
  await vi.waitFor(async () => {
    expect((await orders(first, merchant)).headers.get("ratelimit-limit")).toBe("7");
    expect((await orders(second, merchant)).headers.get("ratelimit-limit")).toBe("7");
    expect((await balance(first, merchant.api_token)).headers.get("ratelimit-limit")).toBe("3");
    expect((await balance(second, merchant.api_token)).headers.get("ratelimit-limit")).toBe("3");
  }, 5_000);
  vi.setSystemTime(now + 2 * MINUTE_MS);
  expect(countPassed(await callInTurn(40, (api) => orders(api, merchant)))).toBe(7);
  expect(countPassed(await callInTurn(40, (api) => balance(api, merchant.api_token)))).toBe(3);
  await limit({ partner: 5 });
  await vi.waitFor(async () => {
    for (const api of [first, second])
      expect((await balance(api, merchant.api_token)).headers.get("ratelimit-limit")).toBe("5");
  }, 5_000);
  vi.setSystemTime(now + 4 * MINUTE_MS);
  expect(countPassed(await callInTurn(40, (api) => balance(api, merchant.api_token)))).toBe(5);
  now += 4 * MINUTE_MS;
});

it("a merchant at the limit of one mode and API does not affect other merchants or the merchant's other mode and API", async () => {
  const { merchant, other_merchant: other } = sandbox.access;
  const live = await addLiveCredential(sandbox, merchant.client_id);
  await limit({ pay: 2 });
  await vi.waitFor(async () => expect((await orders(first, merchant)).status).toBe(429), 5_000);
  expect((await orders(first, other)).status).toBe(200);
  expect((await balance(first, merchant.api_token)).status).toBe(200);
  const { status, headers } = await payApi(first, live, "live").get("/orders");
  expect([status, headers.get("ratelimit-remaining")]).toEqual([200, "1"]);
});

it("another credential of the same merchant shares the merchant's limit", async () => {
  const added = await createCredential(first.context, {
    merchantId: otherId,
    mode: "sandbox",
    kind: "api_token",
  });
  const { api_token } = sandbox.access.other_merchant;
  const responses = await callInTurn(150, (api) => balance(api, api_token));
  expect(countPassed(responses)).toBe(120);
  expect(countPassed(await callInTurn(10, (api) => balance(api, added.secret)))).toBe(0);
});

it("the token endpoint allows 30 requests a minute per address, and counts IPv6 addresses by /64", async () => {
  const { merchant } = sandbox.access;
  expect(countPassed(await callInTurn(50, (api) => token(api, merchant, "198.51.100.7")))).toBe(30);
  expect(countPassed([await token(first, merchant, "198.51.100.8")])).toBe(1);
  expect(countPassed([await token(first, merchant, "::ffff:198.51.100.7")])).toBe(0);
  let host = 0;
  const neighbours = await callInTurn(40, (api) =>
    token(api, merchant, `2001:db8:0:7::${(host++).toString(16)}`),
  );
  expect(countPassed(neighbours)).toBe(30);
  expect(countPassed([await token(first, merchant, "2001:db8:0:8::1")])).toBe(1);
});

it("the client address cannot be spoofed without a configured proxy", async () => {
  const api = await sandbox.startApi({ environment: { TILLGATE_TOKENS_PER_MINUTE: "5" } });
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, i) => token(api, sandbox.access.merchant, `203.0.113.${i}`)),
  );
  expect(countPassed(responses)).toBe(5);
});
