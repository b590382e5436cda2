import { afterAll, beforeAll, expect, it } from "vitest";
import type { ApiProcess } from "../../support/api-process.js";
import { openPage } from "../../support/checkout.js";
import { createOrder, tokenOf } from "../../support/orders.js";
import { addShopper, type TestShopper } from "../../support/parties.js";
import { payApi, told } from "../../support/requests.js";
import { openSandbox, type Sandbox } from "../../support/sandbox.js";

const SIGN_INS_A_MINUTE = 4;
const TOO_MANY = { status: 429, texts: ["Too many attempts"], reason: "too_many_attempts" };

let sandbox: Sandbox;
let server: ApiProcess;
let shopper: TestShopper;
let token: string;

beforeAll(async () => {
  sandbox = await openSandbox();
  server = await sandbox.startApi({
    environment: { TILLGATE_SIGN_INS_A_MINUTE: String(SIGN_INS_A_MINUTE) },
  });
  shopper = await addShopper(sandbox, "sandbox", 0n);
  token = tokenOf(await createOrder(payApi(server, sandbox.access.merchant)));
});
afterAll(() => sandbox.close());

const signInFrom = (clientAddress: string) =>
  openPage(server, token, { clientAddress }).signInAnswer(shopper.email, shopper.pin);

it("addresses of one IPv6 /64 share one count of sign-ins, another /64 has its own", async () => {
  const network = "2001:db8:a:b";
  for (let host = 1; host <= SIGN_INS_A_MINUTE; host += 1)
    expect((await signInFrom(`${network}::${host}`)).status).toBe(200);
  for (const address of [`${network}:ffff:ffff:ffff:ffff`, `${network}::1`, "2001:0DB8:000A:000B::99"])
    expect(told(await signInFrom(address))).toEqual(TOO_MANY);
  for (const address of ["2001:db8:a:c::1", "2001:db8:a:a:ffff:ffff:ffff:ffff"])
    expect((await signInFrom(address)).status).toBe(200);
});

it("an IPv4 address is counted as itself, also where it arrives inside IPv6, and its neighbour is another", async () => {
  for (let i = 0; i < SIGN_INS_A_MINUTE; i += 1)
    expect((await signInFrom(i % 2 ? "203.0.113.7" : "::ffff:203.0.113.7")).status).toBe(200);
  for (const address of ["203.0.113.7", "::ffff:203.0.113.7"])
    expect(told(await signInFrom(address))).toEqual(TOO_MANY);
  expect((await signInFrom("203.0.113.8")).status).toBe(200);
});
