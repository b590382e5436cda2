import {
  type DeliveryAttempt,
  type EventPlace,
  eventNames,
  type Receiver,
  type ReceiverDelivery,
  type Replay,
  type ReplayPreview,
} from "@tillgate/contract";
import type { AttemptModel } from "@tillgate/database";
import { z } from "zod";
import type { ListedDelivery } from "../../operations/webhooks/list-deliveries.js";
import type { PreviewedReplay } from "../../operations/webhooks/preview-replay.js";
import type { ReceiverView } from "../../operations/webhooks/receiver.js";
import type { ReplayView } from "../../operations/webhooks/replay.js";
import { likelyCause } from "../../outbox/likely-cause.js";
import { wireTime } from "./wire-time.js";

export const shapeTime = (moment: Date | null): string | null => moment && wireTime(moment);
/** The database's names are the contract's names. */
export const eventName = z.enum(eventNames);

/** A place in the list of a merchant's events, as its reader gives it back. */
export const shapePlace = ({ turn, number }: EventPlace): string => `${turn}.${number}`;

export const shapeReceiver = (receiver: ReceiverView): Receiver => ({
  receiver_id: receiver.id,
  mode: receiver.mode,
  address: receiver.address,
  events: receiver.events,
  state: receiver.state,
  disabled_reason: receiver.disabledReason,
  disabled_at: shapeTime(receiver.disabledAt),
  verified_at: shapeTime(receiver.verifiedAt),
  last_success_at: shapeTime(receiver.lastSuccessAt),
  last_failure_at: shapeTime(receiver.lastFailureAt),
  likely_cause: receiver.likelyCause,
  failures_in_row: receiver.failuresInRow,
  failing_since: shapeTime(receiver.failingSince),
  previous_secret_expires_at: shapeTime(receiver.previousSecretExpiresAt),
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
  settled_at: shapeTime(delivery.settledAt),
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

export const shapeReplay = (replay: ReplayView): Replay => ({
  replay_id: replay.id,
  endpoint_id: replay.receiverId,
  callback_url: replay.address,
  from: wireTime(replay.from),
  to: wireTime(replay.to),
  events: replay.events,
  skip_failed: replay.skipFailed,
  state: replay.state,
  total: replay.total,
  sent: replay.sent,
  failed: replay.failed,
  cursor: replay.place && shapePlace(replay.place),
  event_id: replay.eventId,
  delivery_id: replay.deliveryId,
  created_at: wireTime(replay.createdAt),
  ended_at: shapeTime(replay.endedAt),
});

export const shapePreview = ({
  total,
  more,
  byEvent,
  firstAt,
  lastAt,
  first,
}: PreviewedReplay): ReplayPreview => ({
  total,
  more,
  by_event: byEvent,
  first_at: shapeTime(firstAt),
  last_at: shapeTime(lastAt),
  first: first.map(({ id, name, orderId, createdAt }) => ({
    id,
    event: eventName.parse(name),
    order_id: orderId,
    created_at: wireTime(createdAt),
  })),
});
