import { randomUUID } from "node:crypto";
import { ErrorCode, FieldRule, fieldError, MAX_TILLS, type Mode } from "@tillgate/contract";
import type { Prisma } from "@tillgate/database";
import { changeWithAudit, isDuplicate, recordChange } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { ConsoleAccess } from "../../identity/console/access.js";
import type { MerchantScope } from "../../identity/credentials/authenticate.js";
import { createPaymentToken, isIssuedId } from "../../platform/ids.js";
import { getCurrency } from "../currencies.js";

export type TillModel = Prisma.TillGetPayload<object>;

export type TillView = Pick<TillModel, "id" | "name" | "terminalId" | "token" | "createdAt"> & {
  mode: Mode;
  currency: { code: string; digits: number };
  paused: boolean;
};

/** @throws OperationError TillNotFound. */
export async function requireTill(
  { database: { prisma } }: Context,
  { merchantId, mode }: MerchantScope,
  id: string,
): Promise<TillModel> {
  const till = isIssuedId(id) ? await prisma.till.findFirst({ where: { id, merchantId, mode } }) : null;
  if (!till) throw new OperationError(ErrorCode.TillNotFound);
  return till;
}

/** Finds a till by the token in its printed code. `merchantName` is the name that the payment page displays. @throws OperationError TillNotFound. */
export async function findTillByCode(
  { database: { prisma } }: Context,
  token: string,
): Promise<{ till: TillModel; merchantName: string }> {
  const till = await prisma.till.findUnique({
    where: { token },
    include: { merchant: { select: { name: true, branding: { select: { name: true } } } } },
  });
  if (!till) throw new OperationError(ErrorCode.TillNotFound);
  const { merchant, ...rest } = till;
  return { till: rest, merchantName: merchant.branding?.name ?? merchant.name };
}

export async function viewTill(context: Context, till: TillModel): Promise<TillView> {
  const { code, digits } = await getCurrency(context, till.currency);
  const { id, name, mode, terminalId, token, createdAt, pausedAt } = till;
  return {
    id,
    name,
    mode,
    terminalId,
    token,
    createdAt,
    currency: { code, digits },
    paused: pausedAt !== null,
  };
}

/**
 * Renames, pauses or resumes a till. While a till is paused, its printed code does not link to its open order, but the order's own URL still works.
 * @throws OperationError TillNotFound.
 */
export async function changeTill(
  context: Context,
  { merchantId, mode, by, tillId }: MerchantScope & Pick<ConsoleAccess, "by"> & { tillId: string },
  { name, paused }: { name?: string | undefined; paused?: boolean | undefined },
): Promise<TillModel> {
  const before = await requireTill(context, { merchantId, mode }, tillId);
  return changeWithAudit(context, {}, async (tx) => {
    const renamed =
      name === undefined
        ? 0
        : (await tx.till.updateMany({ where: { id: before.id, name: { not: name } }, data: { name } })).count;
    const updatedCount =
      paused === undefined
        ? 0
        : (
            await tx.till.updateMany({
              where: { id: before.id, pausedAt: paused ? null : { not: null } },
              data: { pausedAt: paused ? new Date() : null },
            })
          ).count;
    if (renamed + updatedCount > 0)
      await recordChange(tx, {
        administrator: by,
        merchantId,
        action: "till.change",
        subject: before.id,
        details: {
          mode,
          ...(name !== undefined && renamed > 0 && { name }),
          ...(paused !== undefined && updatedCount > 0 && { paused }),
        },
      });
    return tx.till.findUniqueOrThrow({ where: { id: before.id } });
  });
}

export type NewTill = { name: string; terminal_id: string; currency: string };

/** @throws OperationError InvalidFields (currency), TerminalTaken, TooManyTills. */
export async function createTill(
  context: Context,
  { merchantId, mode, by }: MerchantScope & Pick<ConsoleAccess, "by">,
  { name, terminal_id: terminalId, currency }: NewTill,
): Promise<TillModel> {
  const id = randomUUID();
  try {
    return await changeWithAudit(context, {}, async (tx) => {
      // Serializes the merchant's calls, so that concurrent calls cannot exceed the till limit.
      await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`tills of ${mode} ${merchantId}`}, 0))::text`;
      if ((await tx.till.count({ where: { merchantId, mode } })) >= MAX_TILLS)
        throw new OperationError(ErrorCode.TooManyTills);
      const wallet = { merchantId, mode, currency, kind: "merchant", closedAt: null } as const;
      if ((await tx.account.count({ where: wallet })) === 0)
        throw new OperationError(ErrorCode.InvalidFields, {
          fields: { currency: [fieldError("currency", FieldRule.OwnCurrency.text)] },
        });
      const till = await tx.till.create({
        data: {
          id,
          merchantId,
          mode,
          name,
          terminalId,
          currency,
          token: createPaymentToken(),
          createdById: by.id,
        },
      });
      await recordChange(tx, {
        administrator: by,
        merchantId,
        action: "till.create",
        subject: id,
        details: { mode, name, terminal_id: terminalId, currency },
      });
      return till;
    });
  } catch (error) {
    // Only the terminal ID can be a duplicate, because `id` and `token` are random.
    if (isDuplicate(error)) throw new OperationError(ErrorCode.TerminalTaken);
    throw error;
  }
}

export const listTills = (
  { database: { prisma } }: Context,
  { merchantId, mode }: MerchantScope,
): Promise<TillModel[]> =>
  prisma.till.findMany({
    where: { merchantId, mode },
    orderBy: [{ name: "asc" }, { id: "asc" }],
    take: MAX_TILLS,
  });
