import { createReceiverRequestSchema, eventNames, isEventName } from "@tillgate/contract";
import type { Command } from "commander";
import { z } from "zod";
import {
  changeReceiver,
  createReceiver,
  type ReceiverStep,
  rotateReceiverSecret,
  setReceiverState,
} from "../../events/endpoints/change.js";
import { listReceivers, type ReceiverView, scopeOfReceiver } from "../../events/endpoints/read.js";
import { testEndpoint } from "../../events/test-event.js";
import { findMerchant } from "../../identity/merchants.js";
import {
  actor,
  addCommand,
  argument,
  changeFields,
  merchant,
  mode,
  option,
  type Session,
} from "../command.js";
import { type Row, time } from "../output.js";
import { addDeliveryCommands } from "./webhook-deliveries.js";

const endpoint = argument("<endpoint>", "endpoint ID, from webhooks list", z.string());
const address = createReceiverRequestSchema.shape.address;
const events = z
  .string()
  .transform((text) => [...new Set(text.split(",").map((name) => name.trim()))])
  .refine((names) => names.every(isEventName), { error: `must be of ${eventNames.join(", ")}` })
  .transform((names) => names.filter(isEventName));
const EVENTS = "--events <a,b>";
const ID = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";
const BY = "--by administrator@example.com";
const COPY_NOTE = " Copy the secret now; it will not be shown again.";

const toRow = (receiver: ReceiverView): Row => ({
  endpoint: receiver.id,
  mode: receiver.mode,
  address: receiver.address,
  events: receiver.events.join(","),
  state: receiver.state,
  disabled_because: receiver.disabledReason,
  last_success: receiver.lastSuccessAt && time(receiver.lastSuccessAt),
  last_failure: receiver.lastFailureAt && time(receiver.lastFailureAt),
  failing_since: receiver.failingSince && time(receiver.failingSince),
  likely_cause: receiver.likelyCause,
});

const STEPS: Record<ReceiverStep, { summary: string; done: string }> = {
  pause: {
    summary: "Pause an endpoint; deliveries are stored until it is resumed",
    done: "Endpoint paused.",
  },
  resume: { summary: "Resume a paused endpoint", done: "Endpoint resumed." },
  enable: {
    summary: "Enable a disabled endpoint; resend-failed sends failed deliveries",
    done: "Endpoint enabled.",
  },
  remove: { summary: "Remove an endpoint permanently", done: "Endpoint removed." },
};

export function addWebhookCommands(group: Command, session: Session): void {
  addCommand(group, session, {
    name: "list",
    summary: "List a merchant's webhook endpoints and their health",
    input: z.object({ merchant, mode }),
    examples: ['"Harbour Books" --mode live'],
    async run(context, input) {
      const { id: merchantId } = await findMerchant(context, input.merchant);
      const receivers = await listReceivers(context, { merchantId, mode: input.mode });
      return { whenEmpty: "No endpoints.", rows: receivers.map(toRow) };
    },
  });
  addCommand(group, session, {
    name: "add",
    summary: "Add a webhook endpoint; its signing secret is shown once",
    input: z.object({
      merchant,
      mode,
      url: option("--url <address>", "endpoint URL; https in live mode (required)", address.clone()),
      events: option(EVENTS, `which events, of ${eventNames.join(", ")} (required)`, events.clone()),
      ...changeFields,
    }),
    examples: [
      `"Harbour Books" --mode live --url https://shop.example/tillgate --events pos.order.paid,refund.completed ${BY}`,
    ],
    async run(context, input) {
      const { administrator: by, dryRun } = await actor(context, input);
      const { id: merchantId } = await findMerchant(context, input.merchant);
      const { receiver, secret } = await createReceiver(context, {
        merchantId,
        mode: input.mode,
        address: input.url,
        events: input.events,
        by,
        dryRun,
      });
      // A dry run's secret signs nothing, so it is not shown.
      return {
        message: `Endpoint added.${dryRun ? "" : COPY_NOTE}`,
        row: { ...toRow(receiver), ...(dryRun ? {} : { secret }) },
      };
    },
  });
  addCommand(group, session, {
    name: "change",
    summary: "Update an endpoint's URL, events, or both",
    input: z.object({
      endpoint,
      url: option("--url <address>", "endpoint URL", address.clone().optional()),
      events: option(EVENTS, "events, replacing the current ones", events.clone().optional()),
      ...changeFields,
    }),
    examples: [`${ID} --events pos.order.paid ${BY}`],
    async run(context, input) {
      const { administrator: by, dryRun } = await actor(context, input);
      const scope = await scopeOfReceiver(context, input.endpoint);
      const { receiver, changed } = await changeReceiver(context, {
        ...scope,
        address: input.url,
        events: input.events,
        by,
        dryRun,
      });
      return {
        message: changed ? "Endpoint updated." : "Nothing changed: it was already set.",
        row: toRow(receiver),
      };
    },
  });
  for (const step of ["pause", "resume", "enable", "remove"] as const) {
    addCommand(group, session, {
      name: step,
      summary: STEPS[step].summary,
      input: z.object({ endpoint, ...changeFields }),
      examples: [`${ID} ${BY}`, `${ID} ${BY} --dry-run`],
      async run(context, input) {
        const { administrator: by, dryRun } = await actor(context, input);
        const scope = await scopeOfReceiver(context, input.endpoint);
        const { receiver, changed } = await setReceiverState(context, { ...scope, step, by, dryRun });
        return {
          message: changed ? STEPS[step].done : "Nothing changed: it was already set.",
          row: { ...toRow(receiver), changed },
        };
      },
    });
  }
  addCommand(group, session, {
    name: "rotate-secret",
    summary: "Rotate an endpoint's signing secret; the old one also signs for a day",
    input: z.object({ endpoint, ...changeFields }),
    examples: [`${ID} ${BY}`],
    async run(context, input) {
      const { administrator: by, dryRun } = await actor(context, input);
      const scope = await scopeOfReceiver(context, input.endpoint);
      const { receiver, secret } = await rotateReceiverSecret(context, { ...scope, by, dryRun });
      const { previousSecretExpiresAt: until } = receiver;
      return {
        message: `Signing secret rotated.${dryRun ? "" : COPY_NOTE}`,
        row: {
          endpoint: receiver.id,
          ...(dryRun ? {} : { secret }),
          old_secret_signs_until: until && time(until),
        },
      };
    },
  });
  addCommand(group, session, {
    name: "test",
    summary: "Send a tillgate.test event to an endpoint; nothing is stored",
    input: z.object({ endpoint }),
    examples: [ID],
    async run(context, input) {
      const { receiverId, ...scope } = await scopeOfReceiver(context, input.endpoint);
      const result = await testEndpoint(context, scope, receiverId);
      return {
        message: result.delivered ? "The endpoint responded with 2xx." : "The test failed.",
        row: result,
      };
    },
  });
  addDeliveryCommands(group, session);
}
