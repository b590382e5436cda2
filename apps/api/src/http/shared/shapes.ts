import {
  type DeliveryAttempt,
  type EventPosition,
  type ExpireRequest,
  type ExpireResult,
  eventNames,
  givenUpReason,
  type Payout,
  type Receiver,
  type ReceiverDelivery,
  type Replay,
  type ReplayPreview,
  type TestControl,
} from "@tillgate/contract";
import type { AttemptModel, OrderModel, PayoutModel } from "@tillgate/database";
import { type Currency, toWireNumber } from "@tillgate/money";
import { z } from "zod";
import type { ListedDelivery } from "../../events/deliveries/list.js";
import type { EndpointView } from "../../events/endpoints/read.js";
import { findLikelyCause } from "../../events/outbox/likely-cause.js";
import type { PreviewedReplay } from "../../events/replays/change.js";
import type { ReplayView } from "../../events/replays/read.js";
import { parseMetadata } from "../../pagination/metadata.js";
import type { StoredControl } from "../../sandbox/test-controls.js";

/** Formats a time as ISO 8601 in whole seconds with the offset `+00:00`. */
export const wireTime = (time: Date): string => time.toISOString().replace(/\.\d{3}Z$/, "+00:00");

export const toTime = (moment: Date | null): string | null => moment && wireTime(moment);
/** Event names are the same in the database and in the contract. */
export const eventName = z.enum(eventNames);

/** Returns the opaque cursor of a position in a merchant's event list. */
export const toPosition = ({ turn, number }: EventPosition): string => `${turn}.${number}`;

export const toReceiver = (endpoint: EndpointView): Receiver => ({
  receiver_id: endpoint.id,
  mode: endpoint.mode,
  address: endpoint.address,
  events: endpoint.events,
  state: endpoint.state,
  disabled_reason: endpoint.disabledReason,
  disabled_at: toTime(endpoint.disabledAt),
  verified_at: toTime(endpoint.verifiedAt),
  last_success_at: toTime(endpoint.lastSuccessAt),
  last_failure_at: toTime(endpoint.lastFailureAt),
  likely_cause: endpoint.likelyCause,
  failures_in_row: endpoint.failuresInRow,
  failing_since: toTime(endpoint.failingSince),
  previous_secret_expires_at: toTime(endpoint.previousSecretExpiresAt),
  created_at: wireTime(endpoint.createdAt),
});

export const toDelivery = (delivery: ListedDelivery): ReceiverDelivery => ({
  delivery_id: delivery.id,
  event_id: delivery.eventId,
  event: eventName.parse(delivery.event.name),
  receiver_id: delivery.receiverId,
  address: delivery.address,
  status: delivery.status,
  given_up_because: givenUpReason.nullable().parse(delivery.givenUpBecause),
  attempts: delivery.attemptCount,
  next_attempt_at: delivery.status === "pending" ? wireTime(delivery.nextAttemptAt) : null,
  created_at: wireTime(delivery.createdAt),
  settled_at: toTime(delivery.settledAt),
});

export const toAttempt = (attempt: AttemptModel): DeliveryAttempt => ({
  number: attempt.number,
  started_at: wireTime(attempt.startedAt),
  latency_ms: attempt.latencyMs,
  http_status: attempt.httpStatus,
  error: attempt.errorKind,
  likely_cause: findLikelyCause(attempt),
  answer_start: attempt.answerStart,
});

export const toReplay = (replay: ReplayView): Replay => ({
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
  cursor: replay.position && toPosition(replay.position),
  event_id: replay.eventId,
  delivery_id: replay.deliveryId,
  created_at: wireTime(replay.createdAt),
  ended_at: toTime(replay.endedAt),
});

export const toPreview = ({
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
  first_at: toTime(firstAt),
  last_at: toTime(lastAt),
  first: first.map(({ id, name, orderId, createdAt }) => ({
    id,
    event: eventName.parse(name),
    order_id: orderId,
    created_at: wireTime(createdAt),
  })),
});

export const toPayout = (payout: PayoutModel, sender: Currency, receiver: Currency): Payout => ({
  payout_id: payout.id,
  reference: payout.reference,
  amount: toWireNumber(payout.amount, sender.digits),
  currency: payout.senderCurrency,
  fee: toWireNumber(payout.fee, sender.digits),
  total_deducted: toWireNumber(payout.amount + payout.fee, sender.digits),
  exchange_rate: payout.rate.toNumber(),
  receiver_amount: toWireNumber(payout.receiverAmount, receiver.digits),
  receiver_currency: payout.receiverCurrency,
  status: payout.status,
  description: payout.description,
  metadata: parseMetadata(payout),
  trx_id: payout.trxId,
  created_at: wireTime(payout.createdAt),
  processed_at: payout.processedAt && wireTime(payout.processedAt),
});

export const toControl = ({
  id,
  control,
  remaining,
  seconds,
  createdAt,
  expiresAt,
}: StoredControl): TestControl => ({
  control_id: id,
  control,
  left: remaining,
  seconds,
  created_at: wireTime(createdAt),
  expires_at: wireTime(expiresAt),
});

export const toExpiry = ({ kind, id }: ExpireRequest, endsAt: Date): ExpireResult => ({
  kind,
  id,
  expires_at: wireTime(endsAt),
});

/** Returns the URL of an order's payment page. The QR code encodes the same URL, so that any phone camera opens it. */
export const paymentAddress = (payUrl: string, order: Pick<OrderModel, "token">): string =>
  `${payUrl}/pay/${order.token}`;

export const maskEmail = (email: string): string =>
  `${email.slice(0, 1)}•••${email.slice(email.indexOf("@"))}`;

export const maskPhone = (phone: string): string => `${phone.slice(0, 3)}•••${phone.slice(-2)}`;

export const maskName = (name: string): string => `${[...name][0] ?? ""}•••`;

export const maskAmount = (currency: string): string => `••• ${currency}`;

/** Returns the base URL of a merchant's console pages, to be followed by mode and page; null if no console is configured. */
export const consolePageUrl = (consoleUrl: string | undefined, merchantId: string): string | null =>
  consoleUrl === undefined ? null : `${consoleUrl}/m/${merchantId}`;
