import {
  addDays,
  type ComparisonRequest,
  FieldRule,
  MAX_COMPARED_SHOPS,
  MAX_MERCHANT_DIFFERENCES,
  MAX_SHOP_DIFFERENCES,
  toLocalDay,
  UTC,
} from "@tillgate/contract";
import { inTransaction, type Queryable, queryFirstRow } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { invalidField } from "../../errors.js";
import type { Client } from "../../identity/credentials/authenticate.js";
import { readClock } from "../../platform/database-clock.js";
import type { Difference } from "./compare-order.js";

type Shop = Client & { site: string };
const keyOf = ({ merchantId, mode, site }: Shop) => [merchantId, mode, site];

/** `accepted`: someone marked the difference as correct in the shop. */
export type FoundDifference = Difference & { accepted: boolean };

export type OrderDifferences = {
  orderId: string;
  orderNumber: string;
  orderUrl: string | undefined;
  differences: readonly FoundDifference[];
};

/** The found differences replace the earlier differences of the call's orders. Accepted differences are not saved. */
export type ComparedCall = Pick<ComparisonRequest, "day" | "progress" | "skipped_orders"> & {
  orderIds: readonly string[];
  found: readonly OrderDifferences[];
};

const runRow = z.object({ startedAt: z.date(), isNew: z.boolean() });
type Run = z.output<typeof runRow>;

/** A stored run of the same day continues, unless this is a run's first call ($9). Repeating a call changes no total. */
const CONTINUE_OR_START = `
  INSERT INTO shop_comparisons AS run (merchant_id, mode, site, credential_id, day, compared, skipped, completed_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, CASE WHEN $8 THEN clock_timestamp() END)
  ON CONFLICT (merchant_id, mode, site) DO UPDATE SET
    credential_id = excluded.credential_id, day = excluded.day, last_sent_at = excluded.last_sent_at,
    completed_at = coalesce(excluded.completed_at, run.completed_at),
    (compared, skipped, started_at) = (SELECT
      CASE WHEN starts THEN excluded.compared ELSE greatest(run.compared, excluded.compared) END,
      CASE WHEN starts THEN excluded.skipped ELSE greatest(run.skipped, excluded.skipped) END,
      CASE WHEN starts THEN excluded.started_at ELSE run.started_at END
      FROM (SELECT $9 OR excluded.day > run.day AS starts) AS decision)
  WHERE excluded.day >= run.day
  RETURNING started_at AS "startedAt", xmax = 0 AS "isNew"`;

const LOCK_RUN = `
  SELECT started_at AS "startedAt", false AS "isNew" FROM shop_comparisons
  WHERE (merchant_id, mode, site) = ($1, $2, $3) FOR NO KEY UPDATE`;

/** Deletes the shops above the limit that have been silent the longest. SKIP LOCKED prevents a deadlock of calls that delete each other's shop. */
const FORGET_SHOPS = `
  DELETE FROM shop_comparisons WHERE (merchant_id, mode) = ($1, $2) AND site IN (
    SELECT site FROM shop_comparisons WHERE (merchant_id, mode) = ($1, $2)
    ORDER BY last_sent_at DESC OFFSET ${MAX_COMPARED_SHOPS} FOR UPDATE SKIP LOCKED)`;

/** Deletes the old addresses of a shop that moved: same ID, but silent for two days. A copy of the shop with the same ID is not silent. */
const FORGET_OLD_ADDRESSES = `
  DELETE FROM shop_comparisons WHERE (merchant_id, mode) = ($1, $2) AND site <> $3 AND split_part($3, '; id=', 2) <> ''
    AND split_part(site, '; id=', 2) = split_part($3, '; id=', 2) AND last_sent_at < clock_timestamp() - interval '2 days'`;

const FOUND = `jsonb_to_recordset($4::jsonb)
    AS found (order_id text, order_number text, order_url text, subject text, subject_id text, field text, kind text, repair text, text_values jsonb)`;

/** NOT IN uses a hash. For a join of 10,000 rows with 10,000 rows, the planner could choose a nested loop, because it expects only about 100. */
const REMOVE_OTHERS = `
  DELETE FROM shop_differences WHERE (merchant_id, mode, site) = ($1, $2, $3) AND order_id = ANY ($5::text[])
    AND (order_id, subject, subject_id, field) NOT IN (SELECT order_id, subject, subject_id, field FROM ${FOUND})`;

/** $5: start of the run. A clock that was set back must not make a difference look older than its run. */
const SAVE_FOUND = `
  WITH found AS (
    SELECT *, row_number() OVER (PARTITION BY known) AS number FROM (
      SELECT found.*, EXISTS (SELECT FROM shop_differences
        WHERE (merchant_id, mode, site, order_id, subject, subject_id, field)
          = ($1, $2, $3, found.order_id, found.subject, found.subject_id, found.field)) AS known
      FROM ${FOUND}) AS looked_up)
  INSERT INTO shop_differences AS stored
    (merchant_id, mode, site, order_id, order_number, order_url, subject, subject_id, field, kind, repair, text_values, last_sent_at)
  SELECT $1, $2, $3, order_id, order_number, order_url, subject, subject_id, field, kind, repair, text_values, greatest(clock_timestamp(), $5)
  FROM found
  WHERE known OR number <= least(
    ${MAX_SHOP_DIFFERENCES} - (SELECT count(*) FROM shop_differences WHERE (merchant_id, mode, site) = ($1, $2, $3)),
    ${MAX_MERCHANT_DIFFERENCES} - (SELECT count(*) FROM shop_differences WHERE (merchant_id, mode) = ($1, $2)))
  ON CONFLICT (merchant_id, mode, site, order_id, subject, subject_id, field) DO UPDATE SET
    order_number = excluded.order_number, order_url = excluded.order_url, kind = excluded.kind, repair = excluded.repair,
    text_values = excluded.text_values, last_sent_at = excluded.last_sent_at,
    found_at = CASE WHEN stored.kind = excluded.kind THEN stored.found_at ELSE excluded.found_at END`;

const KEEP_SKIPPED = `
  UPDATE shop_differences SET last_sent_at = greatest(clock_timestamp(), $5)
  WHERE (merchant_id, mode, site) = ($1, $2, $3) AND order_id = ANY ($4::text[])`;

const REMOVE_NOT_FOUND = `
  DELETE FROM shop_differences WHERE (merchant_id, mode, site) = ($1, $2, $3) AND last_sent_at < $4`;

/**
 * Saves the differences that a call found, up to the limits of the shop and the merchant. A call that does not start a run is saved only if the shop
 * has a run. Locks the run's row, so that the calls of a shop are saved one after another.
 * @throws OperationError InvalidFields if a run's `day` is before that of the stored run, or after tomorrow (UTC).
 */
export const saveDifferences = (
  { database: { pool } }: Context,
  shop: Shop,
  { orderIds, found, skipped_orders: skipped = [], ...call }: ComparedCall,
): Promise<void> =>
  inTransaction(pool, async (connection) => {
    const run = await lockRun(connection, shop, {
      ...call,
      orders: orderIds.length,
      skipped: skipped.length,
    });
    if (run === undefined) return;
    const key = keyOf(shop);
    const rows = JSON.stringify(found.flatMap(toRows));
    await connection.query(REMOVE_OTHERS, [...key, rows, orderIds]);
    if (found.length > 0) await connection.query(SAVE_FOUND, [...key, rows, run.startedAt]);
    if (skipped.length > 0) await connection.query(KEEP_SKIPPED, [...key, skipped, run.startedAt]);
    if (call.progress?.completed !== true) return;
    await connection.query(REMOVE_NOT_FOUND, [...key, run.startedAt]);
    await connection.query(FORGET_OLD_ADDRESSES, key);
  });

/** Starts or continues the shop's run, and locks its row. @returns undefined if the shop has no run and the call does not start one. */
async function lockRun(
  connection: Queryable,
  shop: Shop,
  call: Pick<ComparedCall, "day" | "progress"> & { orders: number; skipped: number },
): Promise<Run | undefined> {
  const { day, progress } = call;
  const lockStored = () => queryFirstRow(connection, runRow, LOCK_RUN, keyOf(shop));
  if (progress === undefined) return lockStored();
  const { compared, skipped, completed } = progress;
  if (day > addDays(toLocalDay(await readClock(connection), UTC)))
    throw invalidField("day", FieldRule.NotAfterTomorrow.text);
  const isFirst = compared === call.orders && skipped === call.skipped;
  // If the shop was removed during the run, the differences found so far were also removed, so the run must not complete.
  if (!isFirst && (await lockStored()) === undefined) return undefined;
  const run = await queryFirstRow(connection, runRow, CONTINUE_OR_START, [
    ...keyOf(shop),
    ...[shop.credentialId, day, compared, skipped, completed, isFirst],
  ]);
  if (run === undefined) throw invalidField("day", FieldRule.NotOlderRun.text);
  if (run.isNew) await connection.query(FORGET_SHOPS, [shop.merchantId, shop.mode]);
  return run;
}

const toRows = ({ orderId, orderNumber, orderUrl, differences }: OrderDifferences) =>
  differences
    .filter(({ accepted }) => !accepted)
    .map(({ values, ...difference }) => ({
      order_id: orderId,
      order_number: orderNumber,
      order_url: orderUrl ?? null,
      ...difference,
      text_values: values,
    }));
