import { ErrorCode, FieldRule, oneOfRule, wholeNumberRule } from "../errors/index.js";
import { MAX_TEST_CONTROLS } from "../limits.js";
import {
  EXPIRABLE_KINDS,
  EXPIRY_MOMENTS,
  MAX_CONTROL_COUNT,
  PAYOUT_OUTCOMES,
  TEST_CONTROLS,
} from "../public/test-controls.js";
import type { JsonObject } from "./describe-schema.js";
import { BASIC_ERRORS, wrongField } from "./errors.js";
import { type Path, pathParameter } from "./operation.js";
import { succeeded } from "./orders.js";
import { PAYOUT_ID, PENDING } from "./payouts.js";

const TAG = "Test controls";

const CONTROL: JsonObject = {
  control_id: "0d1c7a3e-58ab-4a6b-9a50-6c2f2b1f7f10",
  control: "call_answer_lost",
  left: 1,
  seconds: 30,
  created_at: "2026-11-24T09:30:00+00:00",
  expires_at: "2026-11-24T10:30:00+00:00",
};

/** `/test/…`: in the sandbox only. */
export const TEST_CONTROL_PATHS: Path[] = [
  {
    path: "/test/controls",
    api: "pay",
    sandboxOnly: true,
    operations: [
      {
        id: "createTestControl",
        method: "post",
        tag: TAG,
        summary: "Order faults",
        description: `The next calls of this account to the Pay and Partner APIs, its next webhooks, shoppers or payouts, meet what is ordered; calls under \`/test\` never do. The oldest control that fits is met first. A call that met one says so in \`Tillgate-Test-Control\`, where it is answered. A control is over after an hour. At most ${MAX_TEST_CONTROLS} at once.`,
        security: "clientCredentials",
        request: {
          schema: "CreateTestControlRequest",
          examples: {
            lost: {
              summary: "The next call is done, and its answer lost",
              value: { control: "call_answer_lost" },
            },
            waits: {
              summary: "The next payout waits until it is decided",
              value: { control: "payout_waits" },
            },
            twice: {
              summary: "The next two webhooks come twice",
              value: { control: "delivery_twice", count: 2 },
            },
          },
        },
        answer: {
          schema: "TestControlAnswer",
          description: "The control.",
          examples: { made: { summary: "Ordered", value: succeeded("Test control ordered", CONTROL) } },
        },
        errors: [
          ...BASIC_ERRORS,
          wrongField("control", FieldRule.Required),
          wrongField("control", oneOfRule(TEST_CONTROLS)),
          wrongField("count", wholeNumberRule(1, MAX_CONTROL_COUNT)),
          ErrorCode.TooManyTestControls,
        ],
      },
      {
        id: "listTestControls",
        method: "get",
        tag: TAG,
        summary: "List what is ordered",
        description: "The controls that still meet something, the oldest first.",
        security: "clientCredentials",
        answer: {
          schema: "TestControlListAnswer",
          description: "The controls.",
          examples: {
            list: { summary: "One", value: succeeded("Test controls retrieved", { controls: [CONTROL] }) },
          },
        },
        errors: BASIC_ERRORS,
      },
    ],
  },
  {
    path: "/test/controls/clear",
    api: "pay",
    sandboxOnly: true,
    operations: [
      {
        id: "clearTestControls",
        method: "post",
        tag: TAG,
        summary: "Clear what is ordered",
        description: "Ends all controls of this account. Webhooks that one holds up are sent at once.",
        security: "clientCredentials",
        answer: {
          schema: "TestControlsClearedAnswer",
          description: "How many were cleared; none is a success too.",
          examples: {
            cleared: { summary: "One", value: succeeded("Test controls cleared", { cleared: 1 }) },
          },
        },
        errors: BASIC_ERRORS,
      },
    ],
  },
  {
    path: "/test/time",
    api: "pay",
    sandboxOnly: true,
    operations: [
      {
        id: "bringToEnd",
        method: "post",
        tag: TAG,
        summary: "Bring something to its end",
        description:
          "Brings an order, a quote, a lookup token or the old secret of a rotation to just before its end, or past it. An end only comes sooner. An order that ends expires as it would by itself, with its event and webhook.",
        security: "clientCredentials",
        request: {
          schema: "BringToEndRequest",
          examples: {
            order: {
              summary: "An order expires",
              value: { kind: "order", id: "POS-20261121-7KQ2MX", moment: "after_end" },
            },
          },
        },
        answer: {
          schema: "BroughtToEndAnswer",
          description: "When it ends.",
          examples: {
            brought: {
              summary: "Over",
              value: succeeded("Brought to its end", {
                kind: "order",
                id: "POS-20261121-7KQ2MX",
                expires_at: "2026-11-21T09:31:00+00:00",
              }),
            },
          },
        },
        errors: [
          ...BASIC_ERRORS,
          wrongField("kind", FieldRule.Required),
          wrongField("kind", oneOfRule(EXPIRABLE_KINDS)),
          wrongField("moment", oneOfRule(EXPIRY_MOMENTS)),
          ErrorCode.NothingThatEnds,
        ],
      },
    ],
  },
  {
    path: "/test/payouts/{payout_id}",
    api: "pay",
    sandboxOnly: true,
    operations: [
      {
        id: "decideTestPayout",
        method: "post",
        tag: TAG,
        summary: "Decide a payout that waits",
        description:
          "Completes or fails a payout of this account's sandbox that waits, as an administrator does in live mode: its money, its event and its webhook follow. A payout waits above the account's review amount, or by the control `payout_waits`. Safe to repeat.",
        security: "clientCredentials",
        parameters: [pathParameter("payout_id", "The payout's id.", PAYOUT_ID)],
        request: {
          schema: "DecideTestPayoutRequest",
          examples: { failed: { summary: "It fails", value: { outcome: "failed" } } },
        },
        answer: {
          schema: "PayoutAnswer",
          description: "The payout as it is then.",
          examples: {
            failed: {
              summary: "Failed",
              value: succeeded("Payout decided", {
                payout: { ...PENDING, status: "failed", processed_at: "2026-11-21T10:02:00+00:00" },
              }),
            },
          },
        },
        errors: [
          ...BASIC_ERRORS,
          wrongField("outcome", FieldRule.Required),
          wrongField("outcome", oneOfRule(PAYOUT_OUTCOMES)),
          ErrorCode.PayoutNotFound,
          ErrorCode.AlreadyDecided,
          ErrorCode.OnlyRejectionRemains,
        ],
      },
    ],
  },
];
