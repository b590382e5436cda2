import { PARTNER_API_PATHS, PAY_API_PATH } from "@tillgate/contract";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { ApiProcess } from "../../support/api-process.js";
import { type ApiResponse, basic, errorOf, send } from "../../support/requests.js";
import { createTestSandbox } from "../../support/test-api.js";

const DAY_MS = 86_400_000;
const [PARTNER] = PARTNER_API_PATHS;

let first: ApiProcess;
let second: ApiProcess;

const sandbox = await createTestSandbox();
beforeAll(async () => {
  const environment = {
    TILLGATE_TOKENS_PER_MINUTE: "",
    TILLGATE_WRONG_SECRETS_PER_CLIENT: "",
    TILLGATE_WRONG_SECRETS_PER_IP_ADDRESS: "",
    TILLGATE_TRUSTED_PROXIES: "loopback",
  };
  first = await sandbox.startApi({ environment });
  second = await sandbox.startApi({ environment });
});

let now = Date.now();
beforeEach(() => {
  // Every test starts after all counters have expired.
  now += DAY_MS;
  vi.useFakeTimers({ toFake: ["Date"], now });
});
afterEach(() => vi.useRealTimers());

const ADDRESS = "198.51.100.20";
type Guess = { id?: string; secret?: string; from?: string };

const requestToken = ({ url }: ApiProcess, { id, secret, from = ADDRESS }: Guess): Promise<ApiResponse> =>
  send(`${url}${PAY_API_PATH.sandbox}/authentication/token`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": from },
    body: JSON.stringify({
      client_id: id ?? sandbox.access.merchant.client_id,
      secret_id: secret ?? "tgs_test_wrong",
    }),
  });

const requestValidToken = (api: ApiProcess, from = ADDRESS): Promise<ApiResponse> =>
  requestToken(api, { secret: sandbox.access.merchant.client_secret, from });

/**
 * Sends wrong secrets until one is throttled.
 * @returns the number of wrong secrets before it, and its Retry-After in seconds
 */
async function waitAfter(
  guess: () => Promise<ApiResponse>,
  most = 60,
): Promise<{ wrong: number; wait: number }> {
  for (let wrong = 0; wrong < most; wrong++) {
    const { status, headers } = await guess();
    if (status === 429) return { wrong, wait: Number(headers.get("retry-after")) };
  }
  throw new Error(`none of ${most} wrong secrets was throttled`);
}

it("wrong secrets for a client ID are throttled progressively, across processes, while the correct secret is accepted immediately", async () => {
  const wrong = await requestToken(first, {});
  expect(errorOf(wrong)).toEqual({ status: 400, texts: ["Invalid secret ID"] });
  const waits: number[] = [];
  let at = now;
  for (let i = 0; i < 9; i++) {
    const api = i % 2 ? first : second;
    const { wait } = await waitAfter(() => requestToken(api, {}));
    waits.push(wait);
    const rejected = await requestToken(api === first ? second : first, {});
    expect(errorOf(rejected)).toEqual({ status: 429, texts: ["Too many requests"] });
    expect(rejected.headers.get("retry-after")).toBe(String(wait));
    expect((await requestValidToken(first)).status).toBe(200);
    at += wait * 1_000 + 10;
    vi.setSystemTime(at);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
});

it("throttled guesses do not count against the address, from which correct secrets are still accepted", async () => {
  await waitAfter(() => requestToken(first, {}));
  const guesses = await Promise.all(Array.from({ length: 100 }, () => requestToken(second, {})));
  expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([429]));
  for (const api of [first, second]) expect((await requestValidToken(api)).status).toBe(200);
  const other = { id: sandbox.access.other_merchant.client_id };
  expect((await requestToken(first, other)).status).toBe(400);
});

it("wrong secrets for a client ID do not throttle other client IDs or addresses", async () => {
  await waitAfter(() => requestToken(first, {}));
  const other = { id: sandbox.access.other_merchant.client_id };
  expect((await requestToken(first, other)).status).toBe(400);
  expect((await requestToken(first, { from: "198.51.100.21" })).status).toBe(400);
});

it("guesses across many client IDs are throttled by address, even for a known ID, whose correct secret is still accepted", async () => {
  let n = 0;
  const from = "2001:db8:1:1::1";
  const { wrong, wait } = await waitAfter(() => {
    n += 1;
    return requestToken(n % 2 ? first : second, { id: `tg_test_unknown${n}`, from: `2001:db8:1:1::${n}` });
  });
  expect([wrong, wait]).toEqual([21, 1]);
  expect((await requestToken(first, { from })).status).toBe(429);
  expect((await requestValidToken(first, from)).status).toBe(200);
});

it("wrong Basic credentials and API tokens are throttled while correct credentials and tokens are accepted", async () => {
  const { client_id, client_secret, api_token } = sandbox.access.merchant;
  const list = (secret: string) =>
    send(`${first.url}${PAY_API_PATH.sandbox}/orders`, {
      headers: { authorization: basic({ client_id, client_secret: secret }), "x-forwarded-for": ADDRESS },
    });
  expect(errorOf(await list("wrong"))).toEqual({ status: 401, texts: ["Invalid API credentials."] });
  expect((await waitAfter(() => list("wrong"))).wrong).toBe(5);
  expect((await list(client_secret)).status).toBe(200);

  const from = "198.51.100.30";
  const balance = (token: string) =>
    send(`${first.url}${PARTNER}/balance`, {
      headers: { authorization: `Bearer ${token}`, "x-forwarded-for": from },
    });
  expect(errorOf(await balance("tgt_test_x"))).toEqual({ status: 401, texts: ["Invalid API credentials."] });
  expect((await waitAfter(() => balance("tgt_test_x"))).wrong).toBe(20);
  expect((await balance(api_token)).status).toBe(200);
});
