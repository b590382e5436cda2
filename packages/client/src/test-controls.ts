import {
  type ExpireInput,
  type ExpireResult,
  expireResponseSchema,
  type Mode,
  type Payout,
  type PayoutOutcome,
  payoutResponseSchema,
  type TestControl,
  type TestControlKind,
  testControlListResponseSchema,
  testControlResponseSchema,
  testControlsClearedResponseSchema,
} from "@tillgate/contract";
import type { CallOptions } from "./call-options.js";
import { send, type Transport } from "./send.js";

/** `POST /test/controls`. */
export type CreateTestControl = {
  control: TestControlKind;
  /** Number of calls, webhooks, payments or payouts that the control affects, 1 to 100. Default 1. */
  count?: number;
  /** Delay in seconds, 1 to 600. Default 30. */
  seconds?: number;
};

/** Fault injection and early expiry in the sandbox. In live mode, every call rejects with a TypeError and sends no request. */
export type TestControls = {
  /** Applies a fault to the next calls, webhooks, payments or payouts: `{ control: "delivery_twice", count: 2 }`. */
  create(input: CreateTestControl, options?: CallOptions): Promise<TestControl>;
  /** Lists active controls, oldest first. */
  list(options?: CallOptions): Promise<TestControl[]>;
  /** Removes all controls. @returns how many controls were removed. */
  clear(options?: CallOptions): Promise<number>;
  /** Makes an order, quote, lookup token or rotated-out secret expire now, or in a few seconds. */
  expire(input: ExpireInput, options?: CallOptions): Promise<ExpireResult>;
  /** Completes or fails a payout that is pending because it is above the review amount or is held by the control `payout_waits`. */
  decidePayout(payoutId: string, outcome: PayoutOutcome, options?: CallOptions): Promise<Payout>;
};

export function testControlsResource(transport: Transport, mode: Mode): TestControls {
  const requireSandbox = (): void => {
    if (mode === "live") throw new TypeError("Test controls are not available in live mode.");
  };
  return {
    async create(body, options = {}) {
      requireSandbox();
      const schema = testControlResponseSchema;
      // A retry could create the control twice.
      const once = { ...transport, maxRetries: 0 };
      return send(once, { method: "POST", path: "/test/controls", body, schema, ...options });
    },
    async list(options = {}) {
      requireSandbox();
      const schema = testControlListResponseSchema;
      return (await send(transport, { method: "GET", path: "/test/controls", schema, ...options })).controls;
    },
    async clear(options = {}) {
      requireSandbox();
      const call = { path: "/test/controls/clear", schema: testControlsClearedResponseSchema };
      return (await send(transport, { method: "POST", body: {}, ...call, ...options })).cleared;
    },
    async expire(body, options = {}) {
      requireSandbox();
      const schema = expireResponseSchema;
      return send(transport, { method: "POST", path: "/test/time", body, schema, ...options });
    },
    async decidePayout(payoutId, outcome, options = {}) {
      requireSandbox();
      const call = { path: `/test/payouts/${encodeURIComponent(payoutId)}`, schema: payoutResponseSchema };
      return (await send(transport, { method: "POST", body: { outcome }, ...call, ...options })).payout;
    },
  };
}
