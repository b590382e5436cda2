import { Prisma } from "@tillgate/database";
import { queryOneRow, queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import { findMerchant } from "../identity/merchants.js";
import { type ExportSink, readAll, withExportSlot } from "./export.js";

export const MAX_AUDIT_LISTED = 1_000;

type AuditFilter = {
  merchant?: string | undefined;
  subject?: string | undefined;
  /** Only actions with this prefix. */
  action?: string | undefined;
  /** Only records by the user with this e-mail address (case-insensitive). */
  by?: string | undefined;
  /** Only records older than the record with this ID. */
  before?: string | undefined;
};

/** Hashes are hexadecimal, and `details` is the hashed text. */
const listedAuditSchema = z.object({
  id: z.bigint(),
  createdAt: z.date(),
  merchantId: z.string().nullable(),
  merchant: z.string().nullable(),
  number: z.int(),
  administrator: z.string(),
  action: z.string(),
  subject: z.string(),
  details: z.string(),
  previousHash: z.string(),
  hash: z.string(),
});
export type ListedAudit = z.output<typeof listedAuditSchema>;

const AUDIT_COLUMNS = Prisma.sql`
  r.id, r.created_at AS "createdAt", r.merchant_id AS "merchantId", m.name AS merchant, r.number, r.administrator, r.action, r.subject,
  r.details, encode(r.previous_hash, 'hex') AS "previousHash", encode(r.hash, 'hex') AS hash`;

/** @throws OperationError SubjectNotFound for an unknown merchant; InvalidValue if several merchants have this name. */
async function matchAuditRecords(
  context: Context,
  { merchant, subject, action, by, before }: AuditFilter,
): Promise<Prisma.Sql> {
  const merchantId = merchant === undefined ? undefined : (await findMerchant(context, merchant)).id;
  const conditions = [
    Prisma.sql`true`,
    ...(merchantId === undefined ? [] : [Prisma.sql`r.merchant_id = ${merchantId}::uuid`]),
    ...(subject === undefined ? [] : [Prisma.sql`r.subject = ${subject}`]),
    ...(action === undefined ? [] : [Prisma.sql`starts_with(r.action, ${action})`]),
    ...(by === undefined ? [] : [Prisma.sql`r.administrator = ${by.trim().toLowerCase()}`]),
    ...(before === undefined ? [] : [Prisma.sql`r.id < ${before}::bigint`]),
  ];
  return Prisma.sql`audit_records r LEFT JOIN merchants m ON m.id = r.merchant_id WHERE ${Prisma.join(conditions, " AND ")}`;
}

/** @throws the errors of {@link matchAuditRecords}. */
export async function listAudit(
  context: Context,
  { limit, ...filter }: AuditFilter & { limit: number },
): Promise<ListedAudit[]> {
  const matching = await matchAuditRecords(context, filter);
  const { text, values } = Prisma.sql`
    SELECT ${AUDIT_COLUMNS} FROM ${matching} ORDER BY r.id DESC LIMIT ${Math.min(limit, MAX_AUDIT_LISTED)}`;
  return queryRows(context.database.pool, listedAuditSchema, text, [...values]);
}

/** Only one audit export runs at a time, across all administrators. */
const EXPORT_SLOT = "audit records";
const totalSchema = z.object({ total: z.int() });
const asQuery = ({ text, values }: Prisma.Sql) => ({ text, values: [...values] });

/** @throws the errors of {@link matchAuditRecords}, and OperationError TooManyExports, before anything is written to the sink. */
export async function exportAudit(
  context: Context,
  filter: AuditFilter,
  sink: ExportSink<ListedAudit>,
): Promise<void> {
  const matching = await matchAuditRecords(context, filter);
  await withExportSlot(context, EXPORT_SLOT, async (connection) => {
    const count = asQuery(Prisma.sql`SELECT count(*)::int AS total FROM ${matching}`);
    sink.start((await queryOneRow(connection, totalSchema, count.text, count.values)).total);
    const records = asQuery(Prisma.sql`SELECT ${AUDIT_COLUMNS} FROM ${matching} ORDER BY r.id`);
    await readAll(connection, records, listedAuditSchema, sink.write);
  });
}
