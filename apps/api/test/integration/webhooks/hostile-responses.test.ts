import { monitorEventLoopDelay } from "node:perf_hooks";
import { testWebhookResponseSchema } from "@tillgate/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findLikelyCause } from "../../../src/events/outbox/likely-cause.js";
import {
  HOSTILE_RESPONSES,
  HOSTILE_SIZES,
  type HostileReceiver,
  startHostileReceiver,
} from "../../support/hostile-receiver.js";
import { payApi } from "../../support/requests.js";
import { openSandbox, type Sandbox } from "../../support/sandbox.js";
import { type OutboxHarness, openOutboxHarness } from "../outbox/support/harness.js";

/** Maximum time that a response may block the event loop, generous for a busy machine. */
const MAX_LOOP_DELAY_MS = 1_000;
const ENVIRONMENT = {
  TILLGATE_WEBHOOK_PRIVATE_ADDRESSES: "allow",
  TILLGATE_DELIVERY_TIMEOUT_MS: "5000",
};

let receiver: HostileReceiver;
beforeAll(async () => {
  receiver = await startHostileReceiver();
});
afterAll(() => receiver.close());

/** Measures the longest time in milliseconds that `work` blocks the event loop, which the API shares. */
async function maxLoopDelay(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await work();
  // The monitor records a block with its next sample.
  await new Promise((resolve) => setTimeout(resolve, 20));
  delay.disable();
  return delay.max / 1e6;
}

/**
 * Returns whether `work` blocks the event loop in each of three runs. A busy machine blocks it only
 * sometimes, whereas a hostile response always does.
 */
async function blocksEventLoop(work: () => Promise<unknown>): Promise<boolean> {
  for (let tries = 0; tries < 3; tries += 1)
    if ((await maxLoopDelay(work)) <= MAX_LOOP_DELAY_MS) return false;
  return true;
}

it("the event loop measurement detects a blocked loop", async () => {
  const block = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const end = performance.now() + MAX_LOOP_DELAY_MS + 200; performance.now() < end; );
  };
  expect(await blocksEventLoop(block)).toBe(true);
});

describe("hostile response to a test event", () => {
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

  it.each(Object.keys(HOSTILE_RESPONSES))("does not block the API's event loop: %s", async (name) => {
    for (const size of HOSTILE_SIZES) {
      const keeps = await blocksEventLoop(() => send(receiver.urlOf(name, size)));
      expect({ size, keeps }).toEqual({ size, keeps: false });
    }
  });
});

describe("hostile responses to deliveries", () => {
  let engine: OutboxHarness;
  beforeAll(async () => {
    engine = await openOutboxHarness();
    await engine.start(ENVIRONMENT);
  });
  afterAll(() => engine.close());

  it("do not block the worker or the search for their likely causes", async () => {
    for (const size of [22, 1_000]) {
      const keeps = await blocksEventLoop(async () => {
        const names = Object.keys(HOSTILE_RESPONSES);
        const orders = await Promise.all(
          names.map((name) => engine.createPaidOrder(receiver.urlOf(name, size))),
        );
        for (const order of orders)
          await engine.waitForDelivery(order, "the delivery is attempted", (item) => item.attempt_count > 0);
      });
      expect({ size, keeps }).toEqual({ size, keeps: false });
    }
    const { rows } = await engine.sandbox.database.pool.query<{
      error_kind: string;
      http_status: number;
      answer_start: string;
    }>("SELECT error_kind, http_status, answer_start FROM attempts WHERE answer_start IS NOT NULL");
    expect(rows.length).toBeGreaterThan(HOSTILE_SIZES.length);
    const keeps = await blocksEventLoop(async () => {
      for (const { error_kind: errorKind, http_status: httpStatus, answer_start: answerStart } of rows)
        findLikelyCause({ errorKind, httpStatus, answerStart });
    });
    expect(keeps).toBe(false);
  });
});
