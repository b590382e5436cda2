import { beforeAll, expect, it } from "vitest";
import { openPage } from "../../support/checkout.js";
import { createOrder, paymentTokenOf } from "../../support/orders.js";
import { addShopper, type TestShopper } from "../../support/parties.js";
import { errorOf, payApi } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";

const SIGN_INS_PER_MINUTE = 4;
const TOO_MANY = { status: 429, texts: ["Too many attempts"], reason: "too_many_attempts" };

let shopper: TestShopper;
let token: string;

const { sandbox, server } = await createTestApi({
  environment: { TILLGATE_SIGN_INS_PER_MINUTE: String(SIGN_INS_PER_MINUTE) },
});
beforeAll(async () => {
  shopper = await addShopper(sandbox, "sandbox", 0n);
  token = paymentTokenOf(await createOrder(payApi(server, sandbox.access.merchant)));
});

const signInFrom = (clientAddress: string) =>
  openPage(server, token, { clientAddress }).signInResponse(shopper.email, shopper.pin);
const CONCURRENT_SIGN_INS = 24;
/**
 * Signs in concurrently, each time to a different unknown account, so that no account is locked.
 * @returns the rate-limited responses
 */
const findRejected = async (addressOf: (i: number) => string) => {
  const responses = Array.from({ length: CONCURRENT_SIGN_INS }, (_, i) =>
    openPage(server, token, { clientAddress: addressOf(i) }).signInResponse(
      `${i}-${addressOf(i)}@example.com`.replaceAll(":", "-"),
      "918273",
    ),
  );
  return (await Promise.all(responses)).filter(({ status }) => status === 429);
};

it("IPv6 addresses in a /64 share a sign-in limit, and another /64 has a separate limit", async () => {
  const network = "2001:db8:a:b";
  for (let host = 1; host <= SIGN_INS_PER_MINUTE; host += 1)
    expect((await signInFrom(`${network}::${host}`)).status).toBe(200);
  const rejections = await findRejected((i) =>
    i % 2 ? `${network}:ffff::${i}` : `2001:0DB8:000A:000B::${i}`,
  );
  expect(rejections.length).toBeGreaterThan(0);
  for (const response of rejections) expect(errorOf(response)).toEqual(TOO_MANY);
  for (const address of ["2001:db8:a:c::1", "2001:db8:a:a:ffff:ffff:ffff:ffff"])
    expect((await signInFrom(address)).status).toBe(200);
});

it("each IPv4 address has a separate sign-in limit, which its IPv6-mapped form shares", async () => {
  for (let i = 0; i < SIGN_INS_PER_MINUTE; i += 1)
    expect((await signInFrom(i % 2 ? "203.0.113.7" : "::ffff:203.0.113.7")).status).toBe(200);
  const rejections = await findRejected((i) => (i % 2 ? "203.0.113.7" : "::ffff:203.0.113.7"));
  expect(rejections.length).toBeGreaterThan(0);
  for (const response of rejections) expect(errorOf(response)).toEqual(TOO_MANY);
  expect((await signInFrom("203.0.113.8")).status).toBe(200);
});
