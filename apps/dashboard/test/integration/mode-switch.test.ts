import { expect, it } from "vitest";
import { sharedConsole, Visitor } from "./support/console.js";
import { MERCHANT, me, REFUND, success } from "./support/fake-api.js";

const started = await sharedConsole();
const { api } = started;

it.each([
  ["/developers", "/developers"],
  ["/webhooks/deliveries?status=failed&before=4", "/webhooks/deliveries?status=failed"],
  ["/refunds/RF-1", "/refunds"],
  ["/test-controls", ""],
])("the mode switch links from %j in the sandbox to %j in live mode", async (from, to) => {
  const edge = `GET /merchants/${MERCHANT}/sandbox`;
  api.responses = {
    "GET /me": me(),
    [`${edge}/credentials`]: success({ credentials: [] }),
    [`${edge}/deliveries`]: success({ deliveries: [], next: null }),
    [`${edge}/refunds/RF-1`]: success(REFUND),
    [`${edge}/refunds/RF-1/timeline`]: success({ entries: [], more: false }),
    [`${edge}/test/controls`]: success({ controls: [] }),
  };
  const { body } = await new Visitor(started.origin).signedIn().get(`/m/${MERCHANT}/sandbox${from}`);
  expect(body).toContain(`href="/m/${MERCHANT}/live${to}"`);
});
