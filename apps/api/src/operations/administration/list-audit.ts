import type { AuditRecordModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { findMerchant } from "./find-merchant.js";

/** The most records that one list shows. */
export const MAX_AUDIT_LISTED = 1_000;

export type AuditFilter = {
  /** Only this merchant's chain. */
  merchant?: string | undefined;
  /** Only what was done to this id. */
  subject?: string | undefined;
  /** Only actions that begin so. */
  action?: string | undefined;
  /** Only what this e-mail address did, in any case. */
  by?: string | undefined;
  /** Only records older than this one. */
  before?: string | undefined;
  limit: number;
};

export type ListedAudit = AuditRecordModel & { merchant: { name: string } | null };

/** Audit records, newest first. @throws OperationError NotFound. */
export async function listAudit(
  context: Context,
  { merchant, subject, action, by, before, limit }: AuditFilter,
): Promise<ListedAudit[]> {
  const merchantId = merchant === undefined ? undefined : (await findMerchant(context, merchant)).id;
  return context.database.prisma.auditRecord.findMany({
    where: {
      ...(merchantId === undefined ? {} : { merchantId }),
      ...(subject === undefined ? {} : { subject }),
      ...(action === undefined ? {} : { action: { startsWith: action } }),
      ...(by === undefined ? {} : { administrator: by.trim().toLowerCase() }),
      ...(before === undefined ? {} : { id: { lt: BigInt(before) } }),
    },
    include: { merchant: { select: { name: true } } },
    orderBy: { id: "desc" },
    take: Math.min(limit, MAX_AUDIT_LISTED),
  });
}
