import type { WalletActivityQuery } from "@tillgate/contract";
import { firstRowOf, rowsOf } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { wrongField } from "../../operation-error.js";
import { ACTIVITY_COLUMNS, ACTIVITY_JOINS, type Activity, activitySchema } from "./activity.js";
import type { Shopper } from "./read-shopper.js";

/** Movements on a page. */
export const ACTIVITY_A_PAGE = 20;

export type ActivityPage = { activity: Activity[]; next: string | null; previous: string | null };

/**
 * A conversion moves two wallets. Among all wallets what left one stands for it, with what the other got beside it; in the list of
 * one wallet its own line does.
 */
const SHOWN = `NOT ($2::text IS NULL AND e.amount > 0 AND EXISTS (
        SELECT FROM transfers t WHERE t.id = e.transfer_id AND t.kind = 'conversion'))`;

/** Every wallet gives its newest entries by its index, then the newest of all are taken: a page costs the same however far away. */
const pageSql = (newer: boolean): string => `
  SELECT ${ACTIVITY_COLUMNS} FROM (
    SELECT e.* FROM accounts a CROSS JOIN LATERAL (
      SELECT * FROM entries e WHERE account_id = a.id AND ($3::bigint IS NULL OR id ${newer ? ">" : "<"} $3) AND ${SHOWN}
        AND ($5::timestamptz IS NULL OR EXISTS (SELECT FROM transfers t WHERE t.id = e.transfer_id AND t.created_at > $5))
      ORDER BY id ${newer ? "" : "DESC"} LIMIT $4) AS e
    WHERE a.wallet_user_id = $1 AND a.kind = 'shopper' AND ($2::text IS NULL OR a.currency = $2)
    ORDER BY e.id ${newer ? "" : "DESC"} LIMIT $4) AS n
  ${ACTIVITY_JOINS} ORDER BY n.id DESC`;

const PLACE = `
  SELECT n.id FROM entries n JOIN accounts a ON a.id = n.account_id
  WHERE n.transfer_id = $2 AND a.wallet_user_id = $1 AND a.kind = 'shopper' AND ($3::text IS NULL OR a.currency = $3)
  ORDER BY n.amount LIMIT 1`;
const placeSchema = z.object({ id: z.bigint() });

/**
 * A page of the movements of a shopper's wallets, newest first.
 * @throws OperationError InvalidFields for a place that is none of this shopper's movements.
 */
export async function listActivity(
  { database: { pool } }: Context,
  { id, pinResetAt }: Pick<Shopper, "id" | "pinResetAt">,
  { currency, before, after }: WalletActivityQuery,
): Promise<ActivityPage> {
  const newer = after !== undefined;
  const named = after ?? before;
  const place =
    named === undefined ? null : await firstRowOf(pool, placeSchema, PLACE, [id, named, currency ?? null]);
  if (place === undefined)
    throw wrongField(newer ? "after" : "before", "must be a movement of an earlier answer");
  const asked = [id, currency ?? null, place?.id ?? null, ACTIVITY_A_PAGE + 1, pinResetAt];
  const found = await rowsOf(pool, activitySchema, pageSql(newer), asked);
  const more = found.length > ACTIVITY_A_PAGE;
  // The one more that was read is the farthest from the place.
  const activity = newer ? found.slice(-ACTIVITY_A_PAGE) : found.slice(0, ACTIVITY_A_PAGE);
  const [first, last] = [activity[0]?.transferId ?? null, activity.at(-1)?.transferId ?? null];
  return newer
    ? { activity, next: last ?? after ?? null, previous: more ? first : null }
    : { activity, next: more ? last : null, previous: before === undefined ? null : (first ?? before) };
}
