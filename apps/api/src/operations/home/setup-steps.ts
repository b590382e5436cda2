import { oneRowOf } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";

const stepsSchema = z.object({
  key: z.boolean(),
  endpoint: z.boolean(),
  order: z.boolean(),
  paid: z.boolean(),
  delivered: z.boolean(),
});
export type SetupSteps = z.output<typeof stepsSchema>;

/** So many of the newest paid orders are looked at for one that a shop was told of. */
const MAX_LOOKED_AT = 20;

const STEPS = `
  SELECT
    EXISTS (SELECT FROM credentials WHERE merchant_id = $1 AND mode = $2 AND kind = 'client' AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > now())) AS key,
    EXISTS (SELECT FROM receivers WHERE merchant_id = $1 AND mode = $2 AND removed_at IS NULL AND last_success_at IS NOT NULL) AS endpoint,
    EXISTS (SELECT FROM orders WHERE merchant_id = $1 AND mode = $2) AS order,
    EXISTS (SELECT FROM orders WHERE merchant_id = $1 AND mode = $2 AND state IN ('PAID', 'REFUND_PENDING', 'REFUNDED')) AS paid,
    EXISTS (
      SELECT FROM (SELECT id FROM orders WHERE merchant_id = $1 AND mode = $2 AND state = 'PAID' ORDER BY created_at DESC, id DESC LIMIT $3) AS o
      JOIN events e ON e.order_id = o.id AND e.name = 'pos.order.paid' JOIN deliveries d ON d.event_id = e.id AND d.status = 'delivered') AS delivered`;

/** How far a merchant is on the way to its first sale in a mode. */
export const setupSteps = (
  { database: { pool } }: Context,
  { merchantId, mode }: MerchantScope,
): Promise<SetupSteps> => oneRowOf(pool, stepsSchema, STEPS, [merchantId, mode, MAX_LOOKED_AT]);
