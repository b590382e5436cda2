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
  limit: number;
};

export type ListedAudit = AuditRecordModel & { merchant: { name: string } | null };

/** Audit records, newest first. @throws OperationError NotFound. */
export async function listAudit(
  context: Context,
  { merchant, subject, limit }: AuditFilter,
): Promise<ListedAudit[]> {
  const merchantId = merchant === undefined ? undefined : (await findMerchant(context, merchant)).id;
  return context.database.prisma.auditRecord.findMany({
    where: {
      ...(merchantId === undefined ? {} : { merchantId }),
      ...(subject === undefined ? {} : { subject }),
    },
    include: { merchant: { select: { name: true } } },
    orderBy: { id: "desc" },
    take: Math.min(limit, MAX_AUDIT_LISTED),
  });
}
