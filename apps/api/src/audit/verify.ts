import { parseRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";

/** If `lastHash` is stored elsewhere, a later check can prove that no record up to the one with this hash was changed or deleted. */
export type AuditChain = z.output<typeof chainSchema>;
const chainSchema = z.object({
  merchantId: z.string().nullable(),
  merchant: z.string().nullable(),
  records: z.int(),
  lastHash: z.string(),
});
const violationSchema = z.object({ violation: z.string() });

export type AuditProof = {
  sound: boolean;
  violations: string[];
  chains: AuditChain[];
  foundNoted: boolean | null;
};

const MAX_VIOLATIONS = 50;

const GUARDS = ["audit_records_are_chained", "audit_records_are_final"];

/**
 * Verifies that no audit chain has gaps or changed records, and that the triggers that protect the records are enabled.
 * @param notedHash a chain's latest hash from an earlier check. Only this hash reveals that a chain's last records were deleted.
 */
export async function verifyAudit(
  { database: { prisma } }: Context,
  { notedHash }: { notedHash?: string | undefined } = {},
): Promise<AuditProof> {
  const broken = await prisma.$queryRaw<unknown[]>`
    SELECT format('record %s of %s (%s) %s', number, coalesce('merchant ' || merchant_id, 'the platform'), action, fault) AS violation
    FROM (SELECT number, merchant_id, action, id, CASE
          WHEN hash <> computed THEN 'was changed'
          WHEN previous_hash <> lag(hash, 1, sha256('')) OVER chain THEN 'is not linked to the record before it'
          WHEN number <> row_number() OVER chain THEN 'comes after a gap' END AS fault
        FROM (SELECT r.*, audit_hash(r) AS computed FROM audit_records r) AS hashed
        WINDOW chain AS (PARTITION BY merchant_id ORDER BY number)) AS judged
    WHERE fault IS NOT NULL ORDER BY id LIMIT ${MAX_VIOLATIONS}`;
  const missing = await prisma.$queryRaw<unknown[]>`
    SELECT format('trigger %s is missing or disabled', wanted) AS violation FROM unnest(${GUARDS}::text[]) AS wanted
    WHERE NOT EXISTS (SELECT FROM pg_trigger WHERE tgname = wanted AND tgrelid = 'audit_records'::regclass AND tgenabled IN ('O', 'A'))`;
  const ends = await prisma.$queryRaw<unknown[]>`
    SELECT DISTINCT ON (r.merchant_id) r.merchant_id AS "merchantId", m.name AS merchant, r.number AS records,
      encode(r.hash, 'hex') AS "lastHash"
    FROM audit_records r LEFT JOIN merchants m ON m.id = r.merchant_id ORDER BY r.merchant_id NULLS FIRST, r.number DESC`;
  const chains = parseRows(chainSchema, ends);
  const violations = parseRows(violationSchema, [...broken, ...missing]).map(({ violation }) => violation);
  const foundNoted = notedHash === undefined ? null : await hasRecordWithHash(prisma, notedHash);
  if (foundNoted === false)
    violations.push(
      `no chain contains the noted hash ${notedHash}; records were deleted, or the hash is mistyped`,
    );
  return { sound: violations.length === 0, violations, chains, foundNoted };
}

const SHA256_HEX = /^[0-9a-f]{64}$/i;

async function hasRecordWithHash(prisma: Context["database"]["prisma"], hash: string): Promise<boolean> {
  if (!SHA256_HEX.test(hash)) return false;
  return (await prisma.auditRecord.count({ where: { hash: Buffer.from(hash, "hex") } })) > 0;
}
