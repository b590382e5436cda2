import { randomBytes, randomUUID } from "node:crypto";
import { Refusal } from "@tillgate/contract";
import { type AdministratorRequestModel, hashSlowly, seal, unseal } from "@tillgate/database";
import type { Context } from "../../context.js";
import { isIssuedId } from "../../ids/issued-id.js";
import { refusedWith } from "../../operation-error.js";
import { endSessionsOf } from "../console/console-session.js";
import type { Administrator, Change } from "./administrator.js";
import { change, lockAdministrators, recordChange, type Transaction } from "./change.js";

/** 128 random bits: one half says nothing about the other. */
const newHalf = (): string => randomBytes(16).toString("base64url");

type Asked = { kind: "add" | "enable"; email: string; administrator: Administrator };

/**
 * Asks for an administrator. The password comes in two halves. The asker sees one and the approver the other, so neither
 * alone can act as the new administrator. The password is this half followed by {@link AdministratorDecision.passwordHalf}.
 */
export async function askForAdministrator(
  { keyring }: Context,
  tx: Transaction,
  { kind, email, administrator }: Asked,
): Promise<{ outcome: "requested"; request: string; email: string; passwordHalf: string }> {
  const id = randomUUID();
  const passwordHalf = newHalf();
  const { ciphertext, keyId } = seal(keyring, id, passwordHalf);
  await tx.administratorRequest.create({
    data: {
      id,
      kind,
      email,
      halfCiphertext: ciphertext,
      encryptionKeyId: keyId,
      requestedById: administrator.id,
    },
  });
  await recordChange(tx, {
    administrator,
    merchantId: null,
    action: `administrator.${kind}.request`,
    subject: id,
    details: { email },
  });
  return { outcome: "requested", request: id, email, passwordHalf };
}

export type AdministratorDecision = {
  id: string;
  kind: "add" | "enable";
  status: "approved" | "rejected";
  email: string;
  /** The second half of the password; null when it was rejected. */
  passwordHalf: string | null;
};

/**
 * Approves or rejects a request for an administrator. The asker may reject it, which takes it back, but not approve it.
 * @returns null when no request for an administrator has this id.
 * @throws OperationError NeedsSecondAdministrator, NotAnAdministrator when the asker is disabled, AlreadyDecided.
 */
export async function decideAdministratorRequest(
  context: Context,
  input: Change & { request: string; approve: boolean },
): Promise<AdministratorDecision | null> {
  const { approve, administrator } = input;
  if (!isIssuedId(input.request)) return null;
  const asked = await context.database.prisma.administratorRequest.findUnique({
    where: { id: input.request },
    include: { requestedBy: { select: { disabledAt: true } } },
  });
  if (!asked) return null;
  if (approve && asked.requestedById === administrator.id)
    throw refusedWith(Refusal.NeedsSecondAdministrator, Refusal.NeedsSecondAdministrator.text);
  if (approve && asked.requestedBy.disabledAt !== null)
    throw refusedWith(Refusal.NotAnAdministrator, Refusal.NotAnAdministrator.text);
  const second = newHalf();
  const first = unseal(context.keyring, asked.id, {
    ciphertext: asked.halfCiphertext,
    keyId: asked.encryptionKeyId,
  });
  const passwordHash = await hashSlowly(first + second);
  const status = approve ? "approved" : "rejected";
  return change(context, input, async (tx) => {
    await lockAdministrators(tx);
    // The guard of administrators knows the approval by its time, which is this transaction's.
    const decided = await tx.$executeRaw`
      UPDATE administrator_requests SET status = ${status}::approval_status, decided_by_id = ${administrator.id}::uuid, decided_at = now()
      WHERE id = ${asked.id}::uuid AND status = 'pending'`;
    if (decided === 0) throw refusedWith(Refusal.AlreadyDecided, "This is decided already.");
    if (approve) await admit(tx, asked, passwordHash);
    await recordChange(tx, {
      administrator,
      merchantId: null,
      action: `administrator.${asked.kind}.${approve ? "approve" : "reject"}`,
      subject: asked.id,
      details: { email: asked.email },
    });
    return {
      id: asked.id,
      kind: asked.kind,
      status,
      email: asked.email,
      passwordHalf: approve ? second : null,
    };
  });
}

async function admit(
  tx: Transaction,
  { kind, email }: AdministratorRequestModel,
  passwordHash: string,
): Promise<void> {
  if (kind === "add") {
    await tx.consoleUser.create({ data: { email, role: "administrator", passwordHash } });
    return;
  }
  const { id } = await tx.consoleUser.update({ where: { email }, data: { disabledAt: null, passwordHash } });
  await endSessionsOf(tx, id);
}
