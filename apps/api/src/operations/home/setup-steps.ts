import { oneRowOf } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";

const stepsSchema = z.object({
  key: z.boolean(),
  client_id: z.string().nullable(),
  endpoint: z.boolean(),
  order: z.boolean(),
  order_id: z.string().nullable(),
  order_payable: z.boolean(),
  paid: z.boolean(),
  delivered: z.boolean(),
});
export type SetupSteps = z.output<typeof stepsSchema>;

/** So many of the newest paid orders are looked at for one that a shop was told of. */
const MAX_LOOKED_AT = 20;

/** Newest first with a limit: the index is entered, however many orders the merchant has. */
const NEWEST = "ORDER BY created_at DESC, id DESC LIMIT";

const STEPS = `
  SELECT
    own.client_id IS NOT NULL AS key, own.client_id,
    EXISTS (SELECT FROM receivers WHERE merchant_id = $1 AND mode = $2 AND removed_at IS NULL AND coalesce(verified_at, last_success_at) IS NOT NULL) AS endpoint,
    made.id IS NOT NULL AS order, made.id AS order_id,
    coalesce(made.state = 'PENDING' AND made.expires_at > now(), false) AS order_payable,
    EXISTS (SELECT FROM unnest('{PAID,REFUND_PENDING,REFUNDED}'::order_state[]) AS is_paid (state) CROSS JOIN LATERAL
      (SELECT FROM orders WHERE merchant_id = $1 AND mode = $2 AND state = is_paid.state ${NEWEST} 1) AS paid) AS paid,
    EXISTS (
      SELECT FROM (SELECT id FROM orders WHERE merchant_id = $1 AND mode = $2 AND state = 'PAID' ${NEWEST} $3) AS o
      CROSS JOIN LATERAL (SELECT id FROM events WHERE order_id = o.id AND name = 'pos.order.paid' LIMIT 1) AS e
      CROSS JOIN LATERAL (SELECT FROM deliveries WHERE event_id = e.id AND status = 'delivered' LIMIT 1) AS d) AS delivered
  FROM (SELECT 1) AS one LEFT JOIN LATERAL (
    SELECT client_id FROM credentials WHERE merchant_id = $1 AND mode = $2 AND kind = 'client' AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > now()) ORDER BY created_at DESC LIMIT 1) AS own ON true
  LEFT JOIN LATERAL (SELECT id, state, expires_at FROM orders WHERE merchant_id = $1 AND mode = $2 ${NEWEST} 1) AS made ON true`;

/** How far a merchant is on the way to its first sale in a mode. */
export const setupSteps = (
  { database: { pool } }: Context,
  { merchantId, mode }: MerchantScope,
): Promise<SetupSteps> => oneRowOf(pool, stepsSchema, STEPS, [merchantId, mode, MAX_LOOKED_AT]);
