import { type DeliveryAttempt, eventNames, type Receiver, type ReceiverDelivery } from "@tillgate/contract";
import type { AttemptModel, EventModel, TimelineEntryModel } from "@tillgate/database";
import { z } from "zod";
import type { ListedDelivery } from "../../operations/webhooks/list-deliveries.js";
import type { ReceiverView } from "../../operations/webhooks/receiver.js";
import type { MissedCount } from "../../operations/webhooks/send-missed.js";
import { likelyCause } from "../../outbox/likely-cause.js";
import { wireTime } from "../shared/wire-time.js";

const time = (moment: Date | null): string | null => moment && wireTime(moment);
/** The database's names are the contract's names. */
const eventName = z.enum(eventNames);

export const shapeReceiver = (receiver: ReceiverView): Receiver => ({
  receiver_id: receiver.id,
  mode: receiver.mode,
  address: receiver.address,
  events: receiver.events,
  state: receiver.state,
  disabled_reason: receiver.disabledReason,
  disabled_at: time(receiver.disabledAt),
  verified_at: time(receiver.verifiedAt),
  last_success_at: time(receiver.lastSuccessAt),
  last_failure_at: time(receiver.lastFailureAt),
  likely_cause: receiver.likelyCause,
  failures_in_row: receiver.failuresInRow,
  failing_since: time(receiver.failingSince),
  previous_secret_expires_at: time(receiver.previousSecretExpiresAt),
  created_at: wireTime(receiver.createdAt),
});

export const shapeDelivery = (delivery: ListedDelivery): ReceiverDelivery => ({
  delivery_id: delivery.id,
  event_id: delivery.eventId,
  event: eventName.parse(delivery.event.name),
  receiver_id: delivery.receiverId,
  address: delivery.address,
  status: delivery.status,
  given_up_because: delivery.givenUpBecause,
  attempts: delivery.attemptCount,
  next_attempt_at: delivery.status === "pending" ? wireTime(delivery.nextAttemptAt) : null,
  created_at: wireTime(delivery.createdAt),
  settled_at: time(delivery.settledAt),
});

export const shapeAttempt = (attempt: AttemptModel): DeliveryAttempt => ({
  number: attempt.number,
  started_at: wireTime(attempt.startedAt),
  latency_ms: attempt.latencyMs,
  http_status: attempt.httpStatus,
  error: attempt.errorKind,
  likely_cause: likelyCause(attempt),
  answer_start: attempt.answerStart,
});

export const shapeMissed = ({ neverSent, givenUp, first, last, more }: MissedCount) => ({
  never_sent: neverSent,
  given_up: givenUp,
  first: time(first),
  last: time(last),
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
