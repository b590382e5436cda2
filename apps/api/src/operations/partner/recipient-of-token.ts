import type { WalletUserModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { OperationError, Refusal } from "../errors.js";
import type { Partner } from "./authenticate-partner.js";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text can be an id that was issued; PostgreSQL refuses to compare anything else with one. */
export const isIssuedId = (text: string): boolean => UUID.test(text);

/**
 * The recipient of a lookup token of this merchant and mode, unexpired by the database's clock.
 * @throws OperationError InvalidLookupToken, RecipientInactive.
 */
export async function recipientOfToken(
  { database: { prisma } }: Context,
  { merchantId, mode }: Partner,
  token: string,
): Promise<WalletUserModel> {
  const [valid] = isIssuedId(token)
    ? await prisma.$queryRaw<{ id: string }[]>`
        SELECT wallet_user_id AS id FROM lookup_tokens
        WHERE id = ${token}::uuid AND merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode AND expires_at > clock_timestamp()`
    : [];
  if (!valid) throw new OperationError(Refusal.InvalidLookupToken);
  const user = await prisma.walletUser.findUniqueOrThrow({ where: { id: valid.id } });
  if (!user.active) throw new OperationError(Refusal.RecipientInactive);
  return user;
}
