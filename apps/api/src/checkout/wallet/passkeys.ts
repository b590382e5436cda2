import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { ErrorCode, type Mode } from "@tillgate/contract";
import type { WalletPasskeyModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import {
  createRegistrationOptions,
  requireFreePasskeySlot,
  SHOPPER_VERIFICATION,
  storeChallenge,
  takeChallenge,
  toRelyingParty,
  verifyNewPasskey,
} from "../../identity/passkeys.js";
import { isIssuedId } from "../../platform/ids.js";

/** Callers must verify the PIN before they add a passkey. */
export type PasskeyOwner = { sessionId: string; shopper: { id: string; name: string; mode: Mode } };

const challengedSession = ({ sessionId: id }: PasskeyOwner) => ({ table: "wallet_sessions" as const, id });

export const listActivePasskeys = (
  { database: { prisma } }: Context,
  walletUserId: string,
): Promise<WalletPasskeyModel[]> =>
  prisma.walletPasskey.findMany({ where: { walletUserId, revokedAt: null }, orderBy: { createdAt: "desc" } });

/** @throws OperationError TooManyPasskeys. */
export async function startShopperPasskey(
  context: Context,
  owner: PasskeyOwner,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const options = await createRegistrationOptions({
    party: toRelyingParty(context.config.payUrl),
    owner: owner.shopper,
    known: await listActivePasskeys(context, owner.shopper.id),
    verification: SHOPPER_VERIFICATION,
  });
  await storeChallenge(context, challengedSession(owner), options.challenge);
  return options;
}

/** @throws OperationError PasskeyRefused, TooManyPasskeys. */
export async function addShopperPasskey(
  context: Context,
  owner: PasskeyOwner,
  credential: RegistrationResponseJSON,
): Promise<void> {
  const party = toRelyingParty(context.config.payUrl);
  const { id: walletUserId, mode } = owner.shopper;
  await context.database.prisma.$transaction(async (tx) => {
    // Serializes the shopper's calls, so that concurrent calls cannot exceed the passkey limit.
    await tx.$queryRaw`SELECT 1 FROM wallet_users WHERE id = ${walletUserId}::uuid FOR NO KEY UPDATE`;
    const challenge = await takeChallenge(tx, challengedSession(owner));
    const verified = await verifyNewPasskey(context, credential, {
      party,
      challenge,
      verification: SHOPPER_VERIFICATION,
    });
    requireFreePasskeySlot(await tx.walletPasskey.count({ where: { walletUserId, revokedAt: null } }));
    const { count } = await tx.walletPasskey.createMany({
      data: { mode, walletUserId, ...verified },
      skipDuplicates: true,
    });
    if (count === 0) throw new OperationError(ErrorCode.PasskeyRefused);
  });
}

/** Revokes a passkey, unless it is already revoked. @throws OperationError PasskeyNotFound, including for another shopper's passkey. */
export async function revokeShopperPasskey(
  { database: { prisma } }: Context,
  walletUserId: string,
  id: string,
): Promise<void> {
  const passkey = isIssuedId(id)
    ? await prisma.walletPasskey.findFirst({ where: { id, walletUserId } })
    : null;
  if (!passkey) throw new OperationError(ErrorCode.PasskeyNotFound);
  await prisma.$executeRaw`UPDATE wallet_passkeys SET revoked_at = clock_timestamp() WHERE id = ${id}::uuid AND revoked_at IS NULL`;
}
