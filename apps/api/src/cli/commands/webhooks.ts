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
import { testReceiver } from "../../events/test-event.js";
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

const endpoint = argument("<endpoint>", "the endpoint's id, from webhooks list", z.string());
const address = createReceiverRequestSchema.shape.address;
const events = z
  .string()
  .transform((text) => [...new Set(text.split(",").map((name) => name.trim()))])
  .refine((names) => names.every(isEventName), { error: `must be of ${eventNames.join(", ")}` })
  .transform((names) => names.filter(isEventName));
const EVENTS = "--events <a,b>";
const ID = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";
const BY = "--by administrator@example.com";
const NOTE = " Note the secret: it is not shown again.";

const asRow = (receiver: ReceiverView): Row => ({
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
  pause: { summary: "Keep an endpoint's deliveries until it is resumed", done: "The endpoint is paused." },
  resume: { summary: "Send a paused endpoint what was kept for it", done: "The endpoint is resumed." },
  enable: {
    summary: "Let a disabled endpoint get events again; what was given up is sent by resend-failed",
    done: "The endpoint is enabled.",
  },
  remove: { summary: "Remove an endpoint for good", done: "The endpoint is removed." },
};

export function addWebhookCommands(group: Command, session: Session): void {
  addCommand(group, session, {
    name: "list",
    summary: "List a merchant's endpoints with their health",
    input: z.object({ merchant, mode }),
    examples: ['"Harbour Books" --mode live'],
    async run(context, input) {
      const { id: merchantId } = await findMerchant(context, input.merchant);
      const receivers = await listReceivers(context, { merchantId, mode: input.mode });
      return { none: "No endpoint.", rows: receivers.map(asRow) };
    },
  });
  addCommand(group, session, {
    name: "add",
    summary: "Add an endpoint; its secret is shown once",
    input: z.object({
      merchant,
      mode,
      url: option("--url <address>", "where events go; https in live mode (required)", address.clone()),
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
      // The secret of a dry run signs nothing, so it is not shown.
      return {
        said: `The endpoint is added.${dryRun ? "" : NOTE}`,
        row: { ...asRow(receiver), ...(dryRun ? {} : { secret }) },
      };
    },
  });
  addCommand(group, session, {
    name: "change",
    summary: "Give an endpoint another address, other events, or both",
    input: z.object({
      endpoint,
      url: option("--url <address>", "where events go", address.clone().optional()),
      events: option(EVENTS, "which events, instead of those it has", events.clone().optional()),
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
        said: changed ? "The endpoint is changed." : "It is so already; nothing was changed.",
        row: asRow(receiver),
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
          said: changed ? STEPS[step].done : "It is so already; nothing was changed.",
          row: { ...asRow(receiver), changed },
        };
      },
    });
  }
  addCommand(group, session, {
    name: "rotate-secret",
    summary: "Give an endpoint a new secret; for a day deliveries are signed with the old one too",
    input: z.object({ endpoint, ...changeFields }),
    examples: [`${ID} ${BY}`],
    async run(context, input) {
      const { administrator: by, dryRun } = await actor(context, input);
      const scope = await scopeOfReceiver(context, input.endpoint);
      const { receiver, secret } = await rotateReceiverSecret(context, { ...scope, by, dryRun });
      const { previousSecretExpiresAt: until } = receiver;
      return {
        said: `The endpoint has a new secret.${dryRun ? "" : NOTE}`,
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
    summary: "Send one tillgate.test event to an endpoint; nothing is stored",
    input: z.object({ endpoint }),
    examples: [ID],
    async run(context, input) {
      const { receiverId, ...scope } = await scopeOfReceiver(context, input.endpoint);
      const result = await testReceiver(context, scope, receiverId);
      return { said: result.delivered ? "The endpoint answered 2xx." : "The test failed.", row: result };
    },
  });
  addDeliveryCommands(group, session);
}
