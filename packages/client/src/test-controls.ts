import {
  type BringToEndInput,
  type BroughtToEnd,
  broughtToEndAnswerSchema,
  type Mode,
  type Payout,
  type PayoutOutcome,
  payoutAnswerSchema,
  type TestControl,
  type TestControlKind,
  testControlAnswerSchema,
  testControlListAnswerSchema,
  testControlsClearedAnswerSchema,
} from "@tillgate/contract";
import type { CallOptions } from "./call-options.js";
import { type Line, send } from "./send.js";

/** `POST /test/controls`. */
export type CreateTestControl = {
  control: TestControlKind;
  /** Calls, webhooks, payments or payouts that it meets, 1 to 100. Default 1. */
  count?: number;
  /** How long it holds something up, 1 to 600. Default 30. */
  seconds?: number;
};

/** Faults and time on order, in the sandbox. In live mode every call throws a TypeError, and nothing is sent. */
export type TestControls = {
  /** Orders what the next calls, webhooks, payments or payouts meet: `{ control: "delivery_twice", count: 2 }`. */
  create(input: CreateTestControl, options?: CallOptions): Promise<TestControl>;
  /** What still meets something, the oldest first. */
  list(options?: CallOptions): Promise<TestControl[]>;
  /** Ends all of them. @returns how many. */
  clear(options?: CallOptions): Promise<number>;
  /** Brings an order, a quote, a lookup token or a rotated secret to just before its end, or past it. */
  bringToEnd(input: BringToEndInput, options?: CallOptions): Promise<BroughtToEnd>;
  /** Completes or fails a payout that waits: above the review amount, or by the control `payout_waits`. */
  decidePayout(payoutId: string, outcome: PayoutOutcome, options?: CallOptions): Promise<Payout>;
};

export function testControlsOf(line: Line, mode: Mode): TestControls {
  const inSandbox = (): void => {
    if (mode === "live") throw new TypeError("There are no test controls in live mode.");
  };
  return {
    async create(body, options = {}) {
      inSandbox();
      const answer = testControlAnswerSchema;
      // A repeat would order it twice.
      const once = { ...line, maxRetries: 0 };
      return (await send(once, { method: "POST", path: "/test/controls", body, answer, ...options })).data;
    },
    async list(options = {}) {
      inSandbox();
      const answer = testControlListAnswerSchema;
      return (await send(line, { method: "GET", path: "/test/controls", answer, ...options })).data.controls;
    },
    async clear(options = {}) {
      inSandbox();
      const call = { path: "/test/controls/clear", answer: testControlsClearedAnswerSchema };
      return (await send(line, { method: "POST", body: {}, ...call, ...options })).data.cleared;
    },
    async bringToEnd(body, options = {}) {
      inSandbox();
      const answer = broughtToEndAnswerSchema;
      return (await send(line, { method: "POST", path: "/test/time", body, answer, ...options })).data;
    },
    async decidePayout(payoutId, outcome, options = {}) {
      inSandbox();
      const call = { path: `/test/payouts/${encodeURIComponent(payoutId)}`, answer: payoutAnswerSchema };
      return (await send(line, { method: "POST", body: { outcome }, ...call, ...options })).data.payout;
    },
  };
}
