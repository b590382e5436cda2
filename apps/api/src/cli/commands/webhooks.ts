import { createReceiverRequestSchema, eventNames, isEventName } from "@tillgate/contract";
import type { Command } from "commander";
import { z } from "zod";
import {
  changeEndpoint,
  createEndpoint,
  type EndpointStep,
  rotateEndpointSecret,
  setEndpointState,
} from "../../events/endpoints/change.js";
import { type EndpointView, findEndpointScope, listEndpoints } from "../../events/endpoints/read.js";
import { testEndpoint } from "../../events/test-event.js";
import { findMerchant } from "../../identity/merchants.js";
import {
  addCommand,
  argument,
  changeFields,
  merchant,
  mode,
  option,
  resolveActor,
  type Session,
} from "../command.js";
import { formatTime, type Row } from "../output.js";
import { addDeliveryCommands } from "./webhook-deliveries.js";

const endpoint = argument("<endpoint>", "endpoint ID, as shown by `webhooks list`", z.string());
const address = createReceiverRequestSchema.shape.address;
const events = z
  .string()
  .transform((text) => [...new Set(text.split(",").map((name) => name.trim()))])
  .refine((names) => names.every(isEventName), { error: `must be from this list: ${eventNames.join(", ")}` })
  .transform((names) => names.filter(isEventName));
const EVENTS = "--events <a,b>";
const ID = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";
const BY = "--by administrator@example.com";
const COPY_NOTE = " Copy the secret now; it will not be shown again.";

const toRow = (view: EndpointView): Row => ({
  endpoint: view.id,
  mode: view.mode,
  address: view.address,
  events: view.events.join(","),
  state: view.state,
  disabled_because: view.disabledReason,
  last_success: view.lastSuccessAt && formatTime(view.lastSuccessAt),
  last_failure: view.lastFailureAt && formatTime(view.lastFailureAt),
  failing_since: view.failingSince && formatTime(view.failingSince),
  likely_cause: view.likelyCause,
});

const STEPS: Record<EndpointStep, { summary: string; done: string }> = {
  pause: {
    summary: "Pause an endpoint; deliveries are stored until it is resumed",
    done: "Endpoint paused.",
  },
  resume: { summary: "Resume a paused endpoint", done: "Endpoint resumed." },
  enable: {
    summary: "Enable a disabled endpoint; `webhooks resend-failed` resends what failed",
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
      const receivers = await listEndpoints(context, { merchantId, mode: input.mode });
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
      events: option(
        EVENTS,
        `comma-separated events to send: ${eventNames.join(", ")} (required)`,
        events.clone(),
      ),
      ...changeFields,
    }),
    examples: [
      `"Harbour Books" --mode live --url https://shop.example/tillgate --events pos.order.paid,refund.completed ${BY}`,
    ],
    async run(context, input) {
      const { administrator: by, dryRun } = await resolveActor(context, input);
      const { id: merchantId } = await findMerchant(context, input.merchant);
      const { endpoint: receiver, secret } = await createEndpoint(context, {
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
      events: option(
        EVENTS,
        "comma-separated events that replace the current ones",
        events.clone().optional(),
      ),
      ...changeFields,
    }),
    examples: [`${ID} --events pos.order.paid ${BY}`],
    async run(context, input) {
      const { administrator: by, dryRun } = await resolveActor(context, input);
      const scope = await findEndpointScope(context, input.endpoint);
      const { endpoint: receiver, changed } = await changeEndpoint(context, {
        ...scope,
        address: input.url,
        events: input.events,
        by,
        dryRun,
      });
      return {
        message: changed ? "Endpoint updated." : "Nothing changed; the endpoint is already set this way.",
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
        const { administrator: by, dryRun } = await resolveActor(context, input);
        const scope = await findEndpointScope(context, input.endpoint);
        const { endpoint: receiver, changed } = await setEndpointState(context, {
          ...scope,
          step,
          by,
          dryRun,
        });
        return {
          message: changed ? STEPS[step].done : "Nothing changed; the endpoint is already set this way.",
          row: { ...toRow(receiver), changed },
        };
      },
    });
  }
  addCommand(group, session, {
    name: "rotate-secret",
    summary: "Rotate an endpoint's signing secret; events are signed with both secrets for a day",
    input: z.object({ endpoint, ...changeFields }),
    examples: [`${ID} ${BY}`],
    async run(context, input) {
      const { administrator: by, dryRun } = await resolveActor(context, input);
      const scope = await findEndpointScope(context, input.endpoint);
      const { endpoint, secret } = await rotateEndpointSecret(context, { ...scope, by, dryRun });
      const { previousSecretExpiresAt: until } = endpoint;
      return {
        message: `Signing secret rotated.${dryRun ? "" : COPY_NOTE}`,
        row: {
          endpoint: endpoint.id,
          ...(dryRun ? {} : { secret }),
          old_secret_signs_until: until && formatTime(until),
        },
      };
    },
  });
  addCommand(group, session, {
    name: "test",
    summary: "Send a tillgate.test event to an endpoint; the event isn't stored",
    input: z.object({ endpoint }),
    examples: [ID],
    async run(context, input) {
      const { receiverId, ...scope } = await findEndpointScope(context, input.endpoint);
      const result = await testEndpoint(context, scope, receiverId);
      return {
        message: result.delivered ? "The endpoint responded with 2xx." : "The test failed.",
        row: result,
      };
    },
  });
  addDeliveryCommands(group, session);
}
