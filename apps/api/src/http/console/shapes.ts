import type { EventModel, TimelineEntryModel } from "@tillgate/database";
import { z } from "zod";
import type { MissedCount } from "../../operations/webhooks/send-missed.js";
import { likelyCause } from "../../outbox/likely-cause.js";
import { eventName, shapeTime } from "../shared/webhook-shapes.js";
import { wireTime } from "../shared/wire-time.js";

export const shapeMissed = ({ neverSent, givenUp, first, last, more }: MissedCount) => ({
  never_sent: neverSent,
  given_up: givenUp,
  first: shapeTime(first),
  last: shapeTime(last),
  more,
});

export const shapeEvent = ({ id, name, orderId, createdAt, body }: EventModel) => ({
  id,
  event: eventName.parse(name),
  order_id: orderId,
  created_at: wireTime(createdAt),
  body,
});

/** What every entry of the timeline may say of the last attempt. */
const failureSchema = z.object({
  error_kind: z.string().nullable().default(null),
  http_status: z.int().nullable().default(null),
});
const detailsSchema = z.record(z.string(), z.unknown());

export function shapeEntry({ id, kind, receiverId, details, createdAt }: TimelineEntryModel) {
  const { error_kind: errorKind, http_status: httpStatus } = failureSchema.parse(details);
  return {
    entry_id: String(id),
    kind,
    receiver_id: receiverId,
    details: detailsSchema.parse(details),
    likely_cause: likelyCause({ errorKind, httpStatus }),
    created_at: wireTime(createdAt),
  };
}
