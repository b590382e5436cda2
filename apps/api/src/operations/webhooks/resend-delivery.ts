import { type Mode, Refusal } from "@tillgate/contract";
import { firstRowOf, inTransaction } from "@tillgate/service";
import type pg from "pg";
import { z } from "zod";
import type { Context } from "../../context.js";
import { OperationError } from "../../operation-error.js";

export type ResendDelivery = { merchantId: string; mode: Mode; deliveryId: string };

/** `alreadyWaiting`: it is about to be sent, or held for its paused receiver, and this call changed nothing. */
export type ResentDelivery = { deliveryId: string; alreadyWaiting: boolean };

// The update decides: of two calls at once one makes it due and the other finds it waiting. A retry that is hours away
// comes earlier. The schedule starts again; made attempts stay and numbers go on.
const RESEND = `
  UPDATE deliveries SET status = 'queued', attempts_before = attempt_count, next_attempt_at = clock_timestamp(),
    in_backlog = false, settled_at = NULL, given_up_because = NULL
  WHERE id = $1 AND (status IN ('failed', 'delivered') OR status = 'pending' AND next_attempt_at > clock_timestamp())
    AND NOT EXISTS (SELECT FROM receivers r WHERE r.id = receiver_id AND (r.disabled_at IS NOT NULL OR r.removed_at IS NOT NULL))`;

const READ = `
  SELECT e.id AS "eventId", (r.disabled_at IS NOT NULL OR r.removed_at IS NOT NULL) IS TRUE AS inactive
  FROM deliveries d JOIN events e ON e.id = d.event_id LEFT JOIN receivers r ON r.id = d.receiver_id
  WHERE d.id = $1 AND e.merchant_id = $2 AND e.mode = $3::mode`;

const foundSchema = z.object({ eventId: z.string(), inactive: z.boolean() });

/** Writes in the transaction of a change who asked for it, and how many deliveries it changed. */
export type RecordResent = (connection: pg.ClientBase, deliveries: number) => Promise<void>;

/**
 * Sends one delivery again: one that was given up, one that was delivered (the receiver may have lost it), or one whose
 * next retry is still to come. Calling it twice sends once.
 * @param record called when it is made due, in the same transaction.
 * @throws OperationError DeliveryNotFound; ReceiverInactive when its receiver is disabled or removed.
 */
export async function resendDelivery(
  { database: { pool }, hints }: Pick<Context, "database" | "hints">,
  { merchantId, mode, deliveryId }: ResendDelivery,
  record: RecordResent = async () => {},
): Promise<ResentDelivery> {
  if (!z.uuid().safeParse(deliveryId).success) throw new OperationError(Refusal.DeliveryNotFound);
  const { eventId, isDue } = await inTransaction(pool, async (connection) => {
    const found = await firstRowOf(connection, foundSchema, READ, [deliveryId, merchantId, mode]);
    if (!found) throw new OperationError(Refusal.DeliveryNotFound);
    if (found.inactive) throw new OperationError(Refusal.ReceiverInactive);
    const { rowCount } = await connection.query(RESEND, [deliveryId]);
    if (rowCount === 1) await record(connection, 1);
    return { eventId: found.eventId, isDue: rowCount === 1 };
  });
  if (isDue) hints.changed(eventId);
  return { deliveryId, alreadyWaiting: !isDue };
}
