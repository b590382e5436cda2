import { Prisma } from "@tillgate/database";
import { oneRowOf } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { type ExportSink, inExport, readAll } from "../exports/export-list.js";
import {
  AUDIT_COLUMNS,
  type AuditFilter,
  auditMatching,
  type ListedAudit,
  listedAuditSchema,
} from "./list-audit.js";

/** One at a time of all administrators. */
const PLACE = "audit records";
const totalSchema = z.object({ total: z.int() });
const asQuery = ({ text, values }: Prisma.Sql) => ({ text, values: [...values] });

/**
 * Reads all audit records of a filter from one snapshot, oldest first, as the chains grow.
 * @throws OperationError NotFound, TooManyExports before anything is written to the sink.
 */
export async function exportAudit(
  context: Context,
  filter: AuditFilter,
  sink: ExportSink<ListedAudit>,
): Promise<void> {
  const matching = await auditMatching(context, filter);
  await inExport(context, PLACE, async (connection) => {
    const count = asQuery(Prisma.sql`SELECT count(*)::int AS total FROM ${matching}`);
    sink.begin((await oneRowOf(connection, totalSchema, count.text, count.values)).total);
    const records = asQuery(Prisma.sql`SELECT ${AUDIT_COLUMNS} FROM ${matching} ORDER BY r.id`);
    await readAll(connection, records, listedAuditSchema, sink.write);
  });
}
