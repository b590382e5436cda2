import { Refusal } from "@tillgate/contract";
import { z } from "zod";
import type { Context } from "../../context.js";
import type { Partner } from "../../credentials/authenticate-partner.js";
import { isIssuedId } from "../../ids/issued-id.js";
import { OperationError } from "../../operation-error.js";

/** $1 token, $2 merchant, $3 mode; unexpired by the database's clock. */
const RECIPIENT_OF_TOKEN = `
  SELECT u.id, u.active FROM lookup_tokens t JOIN wallet_users u ON u.id = t.wallet_user_id
  WHERE t.id = $1 AND t.merchant_id = $2 AND t.mode = $3::mode AND t.expires_at > clock_timestamp()`;

const rowsSchema = z.array(z.object({ id: z.uuid(), active: z.boolean() }));

/**
 * The recipient of a lookup token of this merchant and mode.
 * @throws OperationError InvalidLookupToken, RecipientInactive.
 */
export async function recipientOfToken(
  { database: { pool } }: Context,
  { merchantId, mode }: Partner,
  token: string,
): Promise<{ id: string }> {
  if (!isIssuedId(token)) throw new OperationError(Refusal.InvalidLookupToken);
  const { rows } = await pool.query({
    name: "recipient of token",
    text: RECIPIENT_OF_TOKEN,
    values: [token, merchantId, mode],
  });
  const [recipient] = rowsSchema.parse(rows);
  if (!recipient) throw new OperationError(Refusal.InvalidLookupToken);
  if (!recipient.active) throw new OperationError(Refusal.RecipientInactive);
  return { id: recipient.id };
}
