import { type Mode, Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import { createCredential } from "../../credentials/create-credential.js";
import type { CredentialKind, IssuedCredential } from "../../credentials/issued-credential.js";
import { revokeCredential } from "../../credentials/revoke-credential.js";
import { type RotatedCredential, rotateCredential } from "../../credentials/rotate-credential.js";
import { isIssuedId } from "../../ids/issued-id.js";
import { invalidValue, notFound, OperationError, refusedWith } from "../../operation-error.js";
import type { Change } from "./administrator.js";
import { changeOnConnection, recordOnConnection } from "./change.js";
import { findMerchant } from "./find-merchant.js";

/** Makes one more credential of a merchant. The secret is shown only here. @throws OperationError NotFound. */
export async function issueCredential(
  context: Context,
  input: Change & { merchant: string; mode: Mode; kind: CredentialKind; readOnly?: boolean | undefined },
): Promise<IssuedCredential> {
  const { mode, kind, administrator, readOnly = false } = input;
  const { id: merchantId } = await findMerchant(context, input.merchant);
  return changeOnConnection(context, input, async (connection) => {
    const issued = await createCredential(
      { database: { pool: connection }, keyring: context.keyring },
      { merchantId, mode, kind, readOnly },
    );
    await recordOnConnection(connection, {
      administrator,
      merchantId,
      action: "credential.create",
      subject: issued.id,
      details: { mode, kind, client_id: issued.clientId, ...(readOnly ? { read_only: true } : {}) },
    });
    return issued;
  });
}

/** Which credential; of one merchant and mode only, where it says which. */
type OfCredential = Change & { credential: string; of?: MerchantScope | undefined };

/**
 * Gives a credential a new secret, shown only here. The old one works for `overlapSeconds` more (default: a day).
 * @throws OperationError NotFound; InvalidValue when it is revoked, or a rotation is under way.
 */
export async function renewCredential(
  context: Context,
  input: OfCredential & { overlapSeconds?: number | undefined },
): Promise<RotatedCredential> {
  const { merchantId } = await requireCredential(context, input);
  return changeOnConnection(context, input, async (connection) => {
    const rotated = await rotateCredential(
      { database: { pool: connection }, keyring: context.keyring },
      {
        credentialId: input.credential,
        ...(input.overlapSeconds === undefined ? {} : { overlapSeconds: input.overlapSeconds }),
      },
    ).catch(refuse);
    await recordOnConnection(connection, {
      administrator: input.administrator,
      merchantId,
      action: "credential.rotate",
      subject: input.credential,
      details: {
        mode: rotated.mode,
        kind: rotated.kind,
        new_credential: rotated.id,
        old_secret_expires_at: rotated.oldSecretExpiresAt.toISOString(),
      },
    });
    return rotated;
  });
}

/** Ends a credential for good. @returns whether it still worked until now. @throws OperationError NotFound. */
export async function endCredential(context: Context, input: OfCredential): Promise<{ revoked: boolean }> {
  const { merchantId } = await requireCredential(context, input);
  return changeOnConnection(context, input, async (connection) => {
    const result = await revokeCredential(
      { database: { pool: connection } },
      { credentialId: input.credential },
    );
    if (result.revoked)
      await recordOnConnection(connection, {
        administrator: input.administrator,
        merchantId,
        action: "credential.revoke",
        subject: input.credential,
      });
    return result;
  });
}

async function requireCredential(
  { database: { prisma } }: Context,
  { credential: id, of }: OfCredential,
): Promise<{ merchantId: string }> {
  const owner = of && { merchantId: of.merchantId, mode: of.mode };
  const found = isIssuedId(id)
    ? await prisma.credential.findFirst({
        where: { id, kind: { not: "console" }, ...owner },
        select: { merchantId: true },
      })
    : null;
  if (!found) throw notFound(`credential ${id}`);
  return found;
}

function refuse(error: unknown): never {
  if (error instanceof OperationError && error.refusal === Refusal.CredentialRevoked)
    throw invalidValue("The credential is revoked: create a new one.");
  if (error instanceof OperationError && error.refusal === Refusal.RotationUnderWay)
    throw refusedWith(
      Refusal.AlreadyExists,
      "A rotation of this credential is under way: its old secret still works.",
    );
  throw error;
}
