import type { Command } from "commander";
import { z } from "zod";
import type { Context } from "../../context.js";
import { invalidValue } from "../../errors.js";
import {
  type BackfillCount,
  backfill,
  countBackfill,
  previewBackfill,
} from "../../events/deliveries/backfill.js";
import { getDelivery, listDeliveries, listTimeline } from "../../events/deliveries/list.js";
import { countFailed, resendDeliveriesAs, resendDeliveryAs } from "../../events/deliveries/resend.js";
import { type EndpointScope, findDeliveryScope, findEndpointScope } from "../../events/endpoints/read.js";
import { findLikelyCause } from "../../events/outbox/likely-cause.js";
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
import { formatTime } from "../output.js";

const MAX_LISTED = 100;
const DEFAULT_LISTED = 50;
const ID = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";
const BY = "--by administrator@example.com";

const endpoint = argument("<endpoint>", "endpoint ID, as shown by `webhooks list`", z.string());
const delivery = argument("<delivery>", "delivery ID, as shown by `webhooks deliveries`", z.string());
const limit = option(
  "--limit <n>",
  `maximum number of rows, up to ${MAX_LISTED}; default ${DEFAULT_LISTED}`,
  z
    .string()
    .regex(/^([1-9]\d?|100)$/, { error: `must be a whole number from 1 to ${MAX_LISTED}` })
    .transform(Number)
    .optional(),
);
const moment = z
  .string()
  .refine((text) => z.iso.datetime({ offset: true }).safeParse(text).success, {
    error: "must be a time such as 2026-11-21T09:00:00Z",
  })
  .transform((text) => new Date(text));

/** Failure details of a timeline entry. Details that were not recorded are null. */
const failureSchema = z.object({
  host: z.string().nullable().default(null),
  error_kind: z.string().nullable().default(null),
  http_status: z.int().nullable().default(null),
});

function toTimeRange({
  from = new Date(0),
  to = new Date(),
}: {
  from?: Date | undefined;
  to?: Date | undefined;
}) {
  if (from >= to) throw invalidValue("--to must be later than --from.");
  return { from, to };
}

const describeBackfill = ({ neverSent, givenUp, more }: BackfillCount): string =>
  `Missed events: ${more ? "at least " : ""}${neverSent + givenUp} (${neverSent} never sent, ${givenUp} failed).`;

const toBackfillRow = ({ neverSent, givenUp, first, last, more }: BackfillCount) => ({
  never_sent: neverSent,
  given_up: givenUp,
  first: first && formatTime(first),
  last: last && formatTime(last),
  more,
});

const describeSkipped = ({ skipped }: { skipped: number }): string =>
  skipped === 0 ? "" : ` Skipped because their endpoint is disabled or removed: ${skipped}.`;

async function toResendRange(
  context: Context,
  input: {
    merchant: string;
    mode: EndpointScope["mode"];
    endpoint?: string | undefined;
    from: Date;
    to: Date;
  },
) {
  const { id: merchantId } = await findMerchant(context, input.merchant);
  return { merchantId, mode: input.mode, receiverId: input.endpoint, ...toTimeRange(input) };
}

export function addDeliveryCommands(group: Command, session: Session): void {
  addCommand(group, session, {
    name: "deliveries",
    summary: "List an endpoint's deliveries, newest first",
    input: z.object({
      endpoint,
      failed: option("--failed", "only failed deliveries", z.boolean().optional()),
      limit,
    }),
    examples: [ID, `${ID} --failed --limit 100`],
    async run(context, input) {
      const { receiverId, ...scope } = await findEndpointScope(context, input.endpoint);
      const { items } = await listDeliveries(context, scope, {
        receiverId,
        per_page: input.limit ?? DEFAULT_LISTED,
        status: input.failed ? "failed" : undefined,
      });
      return {
        whenEmpty: "No deliveries.",
        rows: items.map((row) => ({
          delivery: row.id,
          event: row.event.name,
          event_id: row.eventId,
          status: row.status,
          because: row.givenUpBecause,
          attempts: row.attemptCount,
          created: formatTime(row.createdAt),
          next_attempt: row.status === "pending" ? formatTime(row.nextAttemptAt) : null,
        })),
      };
    },
  });
  addCommand(group, session, {
    name: "attempts",
    summary: "List a delivery's attempts, newest first, with the likely cause of each failure",
    input: z.object({ delivery }),
    examples: [ID],
    async run(context, input) {
      const { deliveryId, ...scope } = await findDeliveryScope(context, input.delivery);
      const { attempts } = await getDelivery(context, scope, deliveryId);
      return {
        whenEmpty: "No attempts yet, or they are no longer stored.",
        rows: attempts.map((attempt) => ({
          number: attempt.number,
          started: formatTime(attempt.startedAt),
          latency_ms: attempt.latencyMs,
          http_status: attempt.httpStatus,
          error: attempt.errorKind,
          likely_cause: findLikelyCause(attempt),
        })),
      };
    },
  });
  addCommand(group, session, {
    name: "timeline",
    summary: "List a merchant's webhook timeline, newest first",
    input: z.object({ merchant, mode, limit }),
    examples: ['"Harbour Books" --mode live'],
    async run(context, input) {
      const { id: merchantId } = await findMerchant(context, input.merchant);
      const { items } = await listTimeline(
        context,
        { merchantId, mode: input.mode },
        { per_page: input.limit ?? DEFAULT_LISTED },
      );
      return {
        whenEmpty: "Nothing yet.",
        rows: items.map((entry) => {
          const { host, error_kind: errorKind, http_status: httpStatus } = failureSchema.parse(entry.details);
          return {
            at: formatTime(entry.createdAt),
            what: entry.kind,
            endpoint: entry.receiverId,
            host,
            likely_cause: findLikelyCause({ errorKind, httpStatus }),
          };
        }),
      };
    },
  });
  addCommand(group, session, {
    name: "resend",
    summary: "Resend a delivery, even if it succeeded",
    input: z.object({ delivery, ...changeFields }),
    examples: [`${ID} ${BY}`],
    async run(context, input) {
      const { administrator: by, dryRun } = await resolveActor(context, input);
      const scope = await findDeliveryScope(context, input.delivery);
      const { alreadyScheduled } = await resendDeliveryAs(context, { ...scope, by, dryRun });
      return {
        message: alreadyScheduled
          ? "The delivery is already queued. Nothing was changed."
          : "Resending the delivery.",
        row: { delivery: scope.deliveryId, changed: !alreadyScheduled },
      };
    },
  });
  addCommand(group, session, {
    name: "missed",
    summary: "Count the events an endpoint missed",
    input: z.object({
      endpoint,
      from: option(
        "--from <time>",
        "start time; default: the oldest stored event",
        moment.clone().optional(),
      ),
      to: option("--to <time>", "end time; default: now", moment.clone().optional()),
    }),
    examples: [ID, `${ID} --from 2026-11-21T00:00:00Z`],
    async run(context, input) {
      const scope = await findEndpointScope(context, input.endpoint);
      const counts = await countBackfill(context, { ...scope, ...toTimeRange(input) });
      return { message: describeBackfill(counts), row: toBackfillRow(counts) };
    },
  });
  addCommand(group, session, {
    name: "send-missed",
    summary: "Send missed events of a time range to an endpoint; safe to repeat",
    input: z.object({
      endpoint,
      from: option("--from <time>", "start time (required)", moment.clone()),
      to: option("--to <time>", "end time (required)", moment.clone()),
      ...changeFields,
    }),
    examples: [`${ID} --from 2026-11-21T00:00:00Z --to 2026-11-22T00:00:00Z ${BY} --dry-run`],
    async run(context, input) {
      const { administrator: by, dryRun } = await resolveActor(context, input);
      const scope = await findEndpointScope(context, input.endpoint);
      const range = { ...scope, ...toTimeRange(input) };
      if (dryRun) {
        const counts = await previewBackfill(context, range);
        return { message: describeBackfill(counts), row: toBackfillRow(counts) };
      }
      const result = await backfill(context, { ...range, by });
      return {
        message: `Events being sent: ${result.sent}.${result.more ? " There may be more: run the command again." : ""}`,
        row: result,
      };
    },
  });
  addCommand(group, session, {
    name: "resend-failed",
    summary: "Resend failed deliveries of a time range, to one or all endpoints",
    input: z.object({
      merchant,
      mode,
      from: option("--from <time>", "start time (required)", moment.clone()),
      to: option("--to <time>", "end time (required)", moment.clone()),
      endpoint: option("--endpoint <endpoint>", "only to this endpoint", z.string().optional()),
      ...changeFields,
    }),
    examples: [
      `"Harbour Books" --mode live --from 2026-11-21T00:00:00Z --to 2026-11-22T00:00:00Z ${BY} --dry-run`,
    ],
    async run(context, input) {
      const { administrator: by, dryRun } = await resolveActor(context, input);
      const range = await toResendRange(context, input);
      if (dryRun) {
        const counts = await countFailed(context, range);
        return {
          message: `Failed deliveries in this range: ${counts.failed}.${describeSkipped(counts)}`,
          row: counts,
        };
      }
      const result = await resendDeliveriesAs(context, { ...range, by });
      return {
        message: `Deliveries being resent: ${result.resent}.${describeSkipped(result)}${result.more ? " There may be more: run the command again." : ""}`,
        row: result,
      };
    },
  });
}
