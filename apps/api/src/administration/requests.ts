import { randomBytes, randomUUID } from "node:crypto";
import { ErrorCode } from "@tillgate/contract";
import { type AdministratorRequestModel, hashPassword, ledger, seal, unseal } from "@tillgate/database";
import type { Administrator, Change } from "../audit/administrator.js";
import {
  callForAdministrator,
  changeWithAudit,
  lockAdministrators,
  recordChange,
  rejectDuplicate,
  type Transaction,
} from "../audit/change.js";
import type { Context } from "../context.js";
import { errorWith, notFound } from "../errors.js";
import { endUserSessions } from "../identity/console/session.js";
import { getCurrency, type Money } from "../money/currencies.js";
import { isIssuedId } from "../platform/ids.js";

/** Returns 128 random bits in base64url. The two halves of a password are independent, so neither reveals anything about the other. */
const createPasswordHalf = (): string => randomBytes(16).toString("base64url");

type RequestedAdministrator = { kind: "add" | "enable"; email: string; administrator: Administrator };

/**
 * Requests that an administrator be added or enabled. The requester gets the first half of the password, and the approver gets the second half,
 * so neither of them alone can sign in as that administrator.
 */
export async function requestAdministrator(
  { keyring }: Context,
  tx: Transaction,
  { kind, email, administrator }: RequestedAdministrator,
): Promise<{ outcome: "requested"; request: string; email: string; passwordHalf: string }> {
  const id = randomUUID();
  const passwordHalf = createPasswordHalf();
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
  /** The second half of the password; null if the request was rejected. */
  passwordHalf: string | null;
};

/**
 * Approves or rejects a request to add or enable an administrator. The requester may reject (withdraw) it, but not approve it.
 * @returns null if there is no administrator request with this ID.
 * @throws OperationError AlreadyDecided; on approval also NeedsSecondAdministrator, NotAnAdministrator if the requester is disabled,
 * AlreadyExists if the address is taken.
 */
export async function decideAdministratorRequest(
  context: Context,
  input: Change & { request: string; approve: boolean },
): Promise<AdministratorDecision | null> {
  const { approve, administrator } = input;
  if (!isIssuedId(input.request)) return null;
  const request = await context.database.prisma.administratorRequest.findUnique({
    where: { id: input.request },
    include: { requestedBy: { select: { disabledAt: true } } },
  });
  if (!request) return null;
  if (approve && request.requestedById === administrator.id)
    throw errorWith(ErrorCode.NeedsSecondAdministrator, ErrorCode.NeedsSecondAdministrator.text);
  if (approve && request.requestedBy.disabledAt !== null)
    throw errorWith(ErrorCode.NotAnAdministrator, ErrorCode.NotAnAdministrator.text);
  const second = createPasswordHalf();
  const first = unseal(context.keyring, request.id, {
    ciphertext: request.halfCiphertext,
    keyId: request.encryptionKeyId,
  });
  const passwordHash = await hashPassword(first + second);
  const status = approve ? "approved" : "rejected";
  return changeWithAudit(context, input, async (tx) => {
    await lockAdministrators(tx);
    // The database's check recognizes the approval by its timestamp, which equals the transaction's start time.
    const updatedCount = await tx.$executeRaw`
      UPDATE administrator_requests SET status = ${status}::approval_status, decided_by_id = ${administrator.id}::uuid, decided_at = now()
      WHERE id = ${request.id}::uuid AND status = 'pending'`;
    if (updatedCount === 0) throw errorWith(ErrorCode.AlreadyDecided, "This has already been decided.");
    if (approve) await admit(tx, request, passwordHash);
    await recordChange(tx, {
      administrator,
      merchantId: null,
      action: `administrator.${request.kind}.${approve ? "approve" : "reject"}`,
      subject: request.id,
      details: { email: request.email },
    });
    return {
      id: request.id,
      kind: request.kind,
      status,
      email: request.email,
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
    await rejectDuplicate(`A console user ${email} already exists. Reject the request.`, () =>
      tx.consoleUser.create({ data: { email, role: "administrator", passwordHash } }),
    );
    return;
  }
  const { id } = await tx.consoleUser.update({ where: { email }, data: { disabledAt: null, passwordHash } });
  await endUserSessions(tx, id);
}

export type DecidedRequest = {
  id: string;
  kind: "deposit" | "withdrawal" | "single_limit";
  status: "approved" | "rejected";
  amount: Money;
  transferId: string | null;
};

/**
 * Approves or rejects a request about money or limits. The requester may reject (withdraw) it, but not approve it.
 * @throws OperationError SubjectNotFound for a malformed ID, RequestNotFound, AlreadyDecided, NotAnAdministrator if the deciding administrator is
 * disabled; on approval also NeedsSecondAdministrator, NotAnAdministrator if the requester is disabled, InsufficientBalance, WalletClosed.
 */
export async function decideRequest(
  context: Context,
  input: Change & { request: string; approve: boolean },
): Promise<DecidedRequest> {
  if (!isIssuedId(input.request)) throw notFound(`request ${input.request}`);
  const row = await callForAdministrator(context, input, ledger.decideRequest, () => ({
    requestId: input.request,
    approve: input.approve,
    transferId: randomUUID(),
    administratorId: input.administrator.id,
  }));
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    amount: { minor: row.amount, currency: await getCurrency(context, row.currency) },
    transferId: row.transfer_id,
  };
}

const MAX_LISTED = 200;

export type PendingRequest = {
  id: string;
  kind: string;
  /** Null for a request to add or enable an administrator. */
  mode: string | null;
  amount: Money | null;
  /** Owner of the wallet, or the future administrator; null for a limit. */
  owner: string | null;
  reference: string | null;
  requestedBy: string;
  requestedAt: Date;
};

/** Lists pending requests, oldest first: up to 200 about money and limits, and up to 200 about administrators. */
export async function listRequests(context: Context): Promise<PendingRequest[]> {
  const waiting = [...(await listMovements(context)), ...(await listAdmissions(context))];
  return waiting.toSorted((a, b) => a.requestedAt.getTime() - b.requestedAt.getTime());
}

const waitingFirst = {
  where: { status: "pending" },
  orderBy: [{ requestedAt: "asc" }, { id: "asc" }],
  take: MAX_LISTED,
} as const;

async function listMovements(context: Context): Promise<PendingRequest[]> {
  const requests = await context.database.prisma.approvalRequest.findMany({
    ...waitingFirst,
    orderBy: [...waitingFirst.orderBy],
    include: {
      requestedBy: { select: { email: true } },
      account: {
        select: { merchant: { select: { name: true } }, walletUser: { select: { name: true } } },
      },
    },
  });
  return Promise.all(
    requests.map(async (request) => ({
      id: request.id,
      kind: request.kind,
      mode: request.mode,
      amount: { minor: request.amount, currency: await getCurrency(context, request.currency) },
      owner: request.account?.merchant?.name ?? request.account?.walletUser?.name ?? null,
      reference: request.externalReference,
      requestedBy: request.requestedBy.email,
      requestedAt: request.requestedAt,
    })),
  );
}

async function listAdmissions({ database: { prisma } }: Context): Promise<PendingRequest[]> {
  const requests = await prisma.administratorRequest.findMany({
    ...waitingFirst,
    orderBy: [...waitingFirst.orderBy],
    include: { requestedBy: { select: { email: true } } },
  });
  return requests.map(({ id, kind, email, requestedBy, requestedAt }) => ({
    id,
    kind: `administrator_${kind}`,
    mode: null,
    amount: null,
    owner: email,
    reference: null,
    requestedBy: requestedBy.email,
    requestedAt,
  }));
}
