import { type CheckoutLanding, checkoutLandingSchema } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import { rowsOf } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { hostOf } from "../../outbox/host-of.js";
import { shopStep } from "../../outbox/shop-step.js";

/** More than these an order's page does not show. */
const MAX_SHOWN = 5;

const landingSchema = z.object({
  id: z.string(),
  address: z.string(),
  state: checkoutLandingSchema.shape.state,
  http_status: z.int().nullable(),
  answerStart: z.string().nullable(),
});

/**
 * Where the newest event of a settled order of the sandbox went, whether it arrived, and what became of the shop's order: for a developer who tries a shop out.
 * @returns null for an order that can still be paid, and for every live order: its page is for shoppers.
 */
export async function readLandings(
  { database }: Context,
  { id, mode, state }: Pick<OrderModel, "id" | "mode" | "state">,
): Promise<CheckoutLanding[] | null> {
  if (mode !== "sandbox" || state === "PENDING") return null;
  const rows = await rowsOf(
    database.pool,
    landingSchema,
    `SELECT d.id, d.address, a.http_status, a.answer_start AS "answerStart",
       CASE d.status WHEN 'delivered' THEN 'delivered' WHEN 'failed' THEN 'failed' ELSE 'waiting' END AS state
     FROM (SELECT id FROM events WHERE order_id = $1 ORDER BY turn DESC, number DESC LIMIT 1) e
     JOIN deliveries d ON d.event_id = e.id
     LEFT JOIN LATERAL (SELECT http_status, answer_start FROM attempts WHERE delivery_id = d.id ORDER BY number DESC LIMIT 1) a ON true
     ORDER BY d.created_at, d.id LIMIT $2`,
    [id, MAX_SHOWN],
  );
  return rows.map(({ address, answerStart, ...rest }) => ({
    host: hostOf(address),
    order_status: shopStep(answerStart).orderStatus,
    ...rest,
  }));
}
