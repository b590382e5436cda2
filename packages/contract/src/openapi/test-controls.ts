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
import { wrongField } from "./errors.js";
import { example, type Operation, pathParameter, successExample } from "./operation.js";
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

export const TEST_CONTROL_OPERATIONS: Operation[] = [
  {
    id: "createTestControl",
    method: "post",
    path: "/test/controls",
    sandboxOnly: true,
    tag: TAG,
    summary: "Create a test control",
    description: `Applies a fault or condition to the account's next Pay API or Partner API calls, webhooks, payments or payouts. Calls under \`/test\` are never affected. If several controls match, the oldest applies first. The response to an affected call, if any, has the header \`Tillgate-Test-Control\`. A control expires after an hour; up to ${MAX_TEST_CONTROLS} can be active.`,
    request: {
      schema: "CreateTestControlRequest",
      examples: {
        lost: {
          summary: "Process the next call, but drop its response",
          value: { control: "call_answer_lost" },
        },
        waits: {
          summary: "Keep the next payout pending until you complete or fail it",
          value: { control: "payout_waits" },
        },
        twice: {
          summary: "Send the next two webhooks twice",
          value: { control: "delivery_twice", count: 2 },
        },
      },
    },
    response: {
      schema: "TestControlResponse",
      description: "The control.",
      examples: successExample("made", "Created", "Test control created", CONTROL),
    },
    errors: [
      wrongField("control", FieldRule.Required),
      wrongField("control", oneOfRule(TEST_CONTROLS)),
      wrongField("count", wholeNumberRule(1, MAX_CONTROL_COUNT)),
      ErrorCode.TooManyTestControls,
    ],
  },
  {
    id: "listTestControls",
    method: "get",
    path: "/test/controls",
    sandboxOnly: true,
    tag: TAG,
    summary: "List test controls",
    description: "Returns the active controls, oldest first.",
    response: {
      schema: "TestControlListResponse",
      description: "The controls.",
      examples: successExample("list", "One", "Test controls retrieved", { controls: [CONTROL] }),
    },
  },
  {
    id: "clearTestControls",
    method: "post",
    path: "/test/controls/clear",
    sandboxOnly: true,
    tag: TAG,
    summary: "Clear test controls",
    description:
      "Removes all test controls of the account. Webhooks delayed by a control are sent immediately.",
    response: {
      schema: "TestControlsClearedResponse",
      description: "The number of cleared controls; zero is also a success.",
      examples: successExample("cleared", "One", "Test controls cleared", { cleared: 1 }),
    },
  },
  {
    id: "expireResource",
    method: "post",
    path: "/test/time",
    sandboxOnly: true,
    tag: TAG,
    summary: "Expire a resource early",
    description:
      "Moves the expiry of an order, a quote, a lookup token or a rotated client secret to now, or to ten seconds from now. An expiry is never moved later. An order expires with the usual event and webhook.",
    request: {
      schema: "ExpireRequest",
      examples: example("order", "Expire an order", {
        kind: "order",
        id: "POS-20261121-7KQ2MX",
        moment: "after_end",
      }),
    },
    response: {
      schema: "ExpireResponse",
      description: "The new expiry.",
      examples: successExample("expired", "Expired", "Expiry changed", {
        kind: "order",
        id: "POS-20261121-7KQ2MX",
        expires_at: "2026-11-21T09:31:00+00:00",
      }),
    },
    errors: [
      wrongField("kind", FieldRule.Required),
      wrongField("kind", oneOfRule(EXPIRABLE_KINDS)),
      wrongField("moment", oneOfRule(EXPIRY_MOMENTS)),
      ErrorCode.NotExpirable,
    ],
  },
  {
    id: "decideTestPayout",
    method: "post",
    path: "/test/payouts/{payout_id}",
    sandboxOnly: true,
    tag: TAG,
    summary: "Complete or fail a pending payout",
    description:
      "Completes or fails a pending sandbox payout, as an administrator does in live mode, with the same movement of funds, event and webhook. A payout is pending above the account's review amount, or through the control `payout_waits`. Safe to repeat.",
    parameters: [pathParameter("payout_id", "The payout's ID.", PAYOUT_ID)],
    request: {
      schema: "DecideTestPayoutRequest",
      examples: example("failed", "Fail the payout", { outcome: "failed" }),
    },
    response: {
      schema: "PayoutResponse",
      description: "The completed or failed payout.",
      examples: successExample("failed", "Failed", "Payout decided", {
        payout: { ...PENDING, status: "failed", processed_at: "2026-11-21T10:02:00+00:00" },
      }),
    },
    errors: [
      wrongField("outcome", FieldRule.Required),
      wrongField("outcome", oneOfRule(PAYOUT_OUTCOMES)),
      ErrorCode.PayoutNotFound,
      ErrorCode.AlreadyDecided,
      ErrorCode.OnlyRejectionRemains,
    ],
  },
];
