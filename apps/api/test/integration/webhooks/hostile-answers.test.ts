import { monitorEventLoopDelay } from "node:perf_hooks";
import { testWebhookResponseSchema } from "@tillgate/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { likelyCause } from "../../../src/events/outbox/likely-cause.js";
import {
  HOSTILE_ANSWERS,
  HOSTILE_SIZES,
  type HostileReceiver,
  startHostileReceiver,
} from "../../support/hostile-receiver.js";
import { payApi } from "../../support/requests.js";
import { openSandbox, type Sandbox } from "../../support/sandbox.js";
import { type Engine, openEngine } from "../outbox/support/engine.js";

/** The longest that an answer may keep the process from everything else; a busy machine takes its share of it. */
const LONGEST_DELAY_MS = 1_000;
const ENVIRONMENT = {
  TILLGATE_WEBHOOK_PRIVATE_ADDRESSES: "allow",
  TILLGATE_DELIVERY_TIMEOUT_MS: "5000",
};

let receiver: HostileReceiver;
beforeAll(async () => {
  receiver = await startHostileReceiver();
});
afterAll(() => receiver.close());

/** How long this process, which the api runs in, could do nothing else while it worked, in milliseconds. */
async function longestDelay(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await work();
  // What kept the loop is noticed by the next look of the monitor.
  await new Promise((resolve) => setTimeout(resolve, 20));
  delay.disable();
  return delay.max / 1e6;
}

/** Whether work keeps the loop every time: a busy machine does so now and then, an answer that can does it always. */
async function keepsTheLoop(work: () => Promise<unknown>): Promise<boolean> {
  for (let tries = 0; tries < 3; tries += 1) if ((await longestDelay(work)) <= LONGEST_DELAY_MS) return false;
  return true;
}

it("the event loop measurement detects a blocked loop", async () => {
  const block = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const end = performance.now() + LONGEST_DELAY_MS + 200; performance.now() < end; );
  };
  expect(await keepsTheLoop(block)).toBe(true);
});

describe("a hostile response to a test event does not block the api:", () => {
  let sandbox: Sandbox;
  let send: (address: string) => Promise<void>;
  beforeAll(async () => {
    sandbox = await openSandbox();
    const api = payApi(await sandbox.startApi({ environment: ENVIRONMENT }), sandbox.access.merchant);
    send = async (callback_url) => {
      await sandbox.database.pool.query("DELETE FROM rate_limits");
      const { status, body } = await api.post("/webhooks/test", { callback_url });
      expect(status).toBe(200);
      testWebhookResponseSchema.parse(body);
    };
  });
  afterAll(() => sandbox.close());

  it.each(Object.keys(HOSTILE_ANSWERS))("%s", async (name) => {
    for (const size of HOSTILE_SIZES) {
      const keeps = await keepsTheLoop(() => send(receiver.address(name, size)));
      expect({ size, keeps }).toEqual({ size, keeps: false });
    }
  });
});

describe("hostile responses to deliveries do not block the worker", () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await openEngine();
    await engine.start(ENVIRONMENT);
  });
  afterAll(() => engine.close());

  it("or the display of their attempts", async () => {
    for (const size of [22, 1_000]) {
      const keeps = await keepsTheLoop(async () => {
        const names = Object.keys(HOSTILE_ANSWERS);
        const orders = await Promise.all(names.map((name) => engine.pay(receiver.address(name, size))));
        for (const order of orders)
          await engine.delivery(order, "it was tried", (one) => one.attempt_count > 0);
      });
      expect({ size, keeps }).toEqual({ size, keeps: false });
    }
    const { rows } = await engine.sandbox.database.pool.query<{
      error_kind: string;
      http_status: number;
      answer_start: string;
    }>("SELECT error_kind, http_status, answer_start FROM attempts WHERE answer_start IS NOT NULL");
    expect(rows.length).toBeGreaterThan(HOSTILE_SIZES.length);
    const keeps = await keepsTheLoop(async () => {
      for (const { error_kind: errorKind, http_status: httpStatus, answer_start: answerStart } of rows)
        likelyCause({ errorKind, httpStatus, answerStart });
    });
    expect(keeps).toBe(false);
  });
});
