import { BEFORE_END_SECONDS, type BringToEndRequest, type EndingKind, Refusal } from "@tillgate/contract";
import { firstRowOf } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { forgetClient } from "../../credentials/resolve-credential.js";
import { isIssuedId } from "../../ids/issued-id.js";
import { OperationError } from "../../operation-error.js";
import { expireOrder } from "../orders/expire-order.js";

/** `$1` the merchant, `$2` the id, `$3` how many seconds are left at the most. An end only comes sooner. */
const bring = (table: string, which: string): string => `
  UPDATE ${table} SET expires_at = least(expires_at, clock_timestamp() + $3 * interval '1 second')
  WHERE merchant_id = $1 AND mode = 'sandbox' AND ${which} AND expires_at > clock_timestamp() RETURNING expires_at AS "expiresAt"`;

const BRING: Record<EndingKind, string> = {
  order: bring("orders", "id = $2 AND status = 'PENDING'"),
  quote: bring("quotes", "id = $2::uuid AND used_at IS NULL"),
  lookup_token: bring("lookup_tokens", "id = $2::uuid"),
  credential: bring("credentials", "client_id = $2 AND kind = 'client' AND revoked_at IS NULL"),
};

const endSchema = z.object({ expiresAt: z.date() });

/**
 * Brings something of a merchant's sandbox to just before its end, or past it. An order past it expires at once, as it would by
 * itself.
 * @returns when it ends.
 * @throws OperationError NothingThatEnds: unknown, another merchant's, settled, used, or ended already.
 */
export async function bringToEnd(
  context: Context,
  merchantId: string,
  { kind, id, moment }: BringToEndRequest,
): Promise<Date> {
  const named = kind === "order" || kind === "credential" || isIssuedId(id);
  const seconds = moment === "after_end" ? 0 : BEFORE_END_SECONDS;
  const ended = named
    ? await firstRowOf(context.database.pool, endSchema, BRING[kind], [merchantId, id, seconds])
    : undefined;
  if (!ended) throw new OperationError(Refusal.NothingThatEnds);
  if (kind === "order") {
    if (moment === "after_end") await expireOrder(context, { id, mode: "sandbox" });
    else context.hints.changed(id);
  }
  if (kind === "credential") forgetClient(context, id);
  return ended.expiresAt;
}
