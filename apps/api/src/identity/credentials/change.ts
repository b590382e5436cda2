import { type ConsoleRole, ErrorCode, hasRight, type Mode } from "@tillgate/contract";
import type { Change } from "../../audit/administrator.js";
import {
  changeWithAudit,
  changeWithAuditOnConnection,
  recordChange,
  recordOnConnection,
} from "../../audit/change.js";
import type { Context } from "../../context.js";
import { invalidValue, notFound, OperationError } from "../../errors.js";
import { isIssuedId } from "../../platform/ids.js";
import { findMerchant } from "../merchants.js";
import type { MerchantScope } from "./authenticate.js";
import {
  type CredentialKind,
  createCredential,
  type IssuedCredential,
  type KeyPermissions,
  type RotatedCredential,
  revokeCredential,
  rotateCredential,
} from "./manage.js";

type ByRole = { role: ConsoleRole };

/** @throws OperationError RoleNotAllowed. */
function requireRightToKey({ role }: ByRole, { reportsOnly }: KeyPermissions): void {
  if (!hasRight(role, reportsOnly ? "credentials.reports" : "credentials.change"))
    throw new OperationError(ErrorCode.RoleNotAllowed);
}

/** Only owners and administrators get the secret of a key that may refund or pay out. @throws OperationError RoleNotAllowed. */
function requireRightToSecret(by: ByRole, permissions: KeyPermissions): void {
  requireRightToKey(by, permissions);
  const { readOnly, orderOnly, reportsOnly } = permissions;
  if (!readOnly && !orderOnly && !reportsOnly && !hasRight(by.role, "credentials.money"))
    throw new OperationError(ErrorCode.RoleNotAllowed);
}

/** Creates a credential. Its secret cannot be retrieved later. @throws OperationError SubjectNotFound, RoleNotAllowed, InvalidValue. */
export async function issueCredential(
  context: Context,
  input: Change &
    ByRole &
    KeyPermissions & { merchant: string; mode: Mode; kind: CredentialKind; name?: string | undefined },
): Promise<IssuedCredential> {
  const { mode, kind, name, administrator, readOnly = false, orderOnly = false, reportsOnly = false } = input;
  if (orderOnly && (kind !== "client" || readOnly))
    throw invalidValue("Only a client credential with write access can be limited to orders.");
  if (reportsOnly && (kind !== "client" || orderOnly))
    throw invalidValue(
      "Only a client credential can be limited to reports, and it cannot also be limited to orders.",
    );
  requireRightToSecret(input, { readOnly, orderOnly, reportsOnly });
  const { id: merchantId } = await findMerchant(context, input.merchant);
  return changeWithAuditOnConnection(context, input, async (connection) => {
    const credential = await createCredential(
      { database: { pool: connection }, keyring: context.keyring },
      { merchantId, mode, kind, name, readOnly, orderOnly, reportsOnly, createdById: administrator.id },
    );
    await recordOnConnection(connection, {
      administrator,
      merchantId,
      action: "credential.create",
      subject: credential.id,
      details: {
        ...{ mode, kind, client_id: credential.clientId },
        ...(name === undefined ? {} : { name }),
        ...(readOnly ? { read_only: true } : {}),
        ...(orderOnly ? { order_only: true } : {}),
        ...(reportsOnly ? { reports_only: true } : {}),
      },
    });
    return credential;
  });
}

/** `of` restricts the credential to one merchant and mode. */
type CredentialInput = Change & { credential: string; of?: MerchantScope | undefined };

/**
 * Rotates a credential's secret. The new secret cannot be retrieved later.
 * @throws OperationError SubjectNotFound, RoleNotAllowed; the errors of {@link rotateCredential}.
 */
export async function rotateCredentialAs(
  context: Context,
  input: CredentialInput & ByRole & { overlapSeconds?: number | undefined },
): Promise<RotatedCredential> {
  const { merchantId, ...permissions } = await requireCredential(context, input);
  requireRightToSecret(input, permissions);
  return changeWithAuditOnConnection(context, input, async (connection) => {
    const rotated = await rotateCredential(
      { database: { pool: connection }, keyring: context.keyring },
      {
        credentialId: input.credential,
        createdById: input.administrator.id,
        ...(input.overlapSeconds === undefined ? {} : { overlapSeconds: input.overlapSeconds }),
      },
    );
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

/** Renames a credential; removes its name if `name` is undefined. @throws OperationError SubjectNotFound, RoleNotAllowed. */
export async function renameCredential(
  context: Context,
  { name, ...input }: CredentialInput & ByRole & { name?: string | undefined },
): Promise<{ name: string | null }> {
  const { merchantId, ...permissions } = await requireCredential(context, input);
  requireRightToKey(input, permissions);
  return changeWithAudit(context, input, async (tx) => {
    await tx.credential.update({ where: { id: input.credential }, data: { name: name ?? null } });
    await recordChange(tx, {
      administrator: input.administrator,
      merchantId,
      action: "credential.rename",
      subject: input.credential,
      details: { name: name ?? null },
    });
    return { name: name ?? null };
  });
}

/** Revokes a credential, with an audit record unless it was already revoked. @throws OperationError SubjectNotFound, RoleNotAllowed. */
export async function revokeCredentialAs(
  context: Context,
  input: CredentialInput & ByRole,
): Promise<{ revoked: boolean }> {
  const { merchantId, ...permissions } = await requireCredential(context, input);
  requireRightToKey(input, permissions);
  return changeWithAuditOnConnection(context, input, async (connection) => {
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
  { credential: id, of }: CredentialInput,
): Promise<{ merchantId: string; readOnly: boolean; orderOnly: boolean; reportsOnly: boolean }> {
  const owner = of && { merchantId: of.merchantId, mode: of.mode };
  const credential = isIssuedId(id)
    ? await prisma.credential.findFirst({
        where: { id, kind: { not: "console" }, ...owner },
        select: { merchantId: true, readOnly: true, orderOnly: true, reportsOnly: true },
      })
    : null;
  if (!credential) throw notFound(`credential ${id}`);
  return credential;
}
