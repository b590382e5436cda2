import { rawKey, signWebhook } from "@tillgate/webhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { readVectors } from "../unit/vectors/read-vectors.js";
import { CLIENT_SECRET } from "./fakes/fake-tillgate.js";
import { type Bench, setUp } from "./fakes/set-up.js";

const { cases } = readVectors(
  "bodies",
  z.object({
    cases: z.array(
      z.object({
        name: z.string(),
        body: z.string(),
        expect: z.object({ kind: z.enum(["order", "refund", "ignored", "unreadable"]) }),
      }),
    ),
  }),
);

/** None of these events belongs to an order in this store. */
const statuses = { order: 404, refund: 404, ignored: 200, unreadable: 500 };

let bench: Bench;
beforeAll(async () => {
  bench = await setUp();
});
afterAll(() => bench.close());

it("every webhook body in bodies.json gets its expected response: 404, 2xx without an effect, or 5xx", async () => {
  for (const [index, { name, body, expect: expected }] of cases.entries()) {
    const headers = signWebhook({
      id: `evt_vector${index}`,
      event: "vector",
      timestampSeconds: Math.floor(Date.now() / 1000),
      body,
      keys: [rawKey(CLIENT_SECRET)],
    });
    const { status } = await bench.deliver({ body, headers });
    expect({ name, status }).toEqual({ name, status: statuses[expected.kind] });
  }
  expect(bench.store.writes).toEqual([]);
});
