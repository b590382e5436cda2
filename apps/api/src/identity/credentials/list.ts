import type { Mode } from "@tillgate/contract";
import type { Prisma } from "@tillgate/database";
import { rowsOf } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { findMerchant } from "../merchants.js";

export type ListedCredential = {
  id: string;
  mode: Mode;
  kind: "client" | "api_token";
  name: string | null;
  clientId: string | null;
  readOnly: boolean;
  orderOnly: boolean;
  /** E-mail of the console user who created it; null where nobody is recorded. */
  createdBy: string | null;
  standing: "active" | "rotated out" | "expired" | "revoked";
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  lastUsedAddress: string | null;
  /** Callback hosts of its orders of the last 7 days. More than one means that a copy of the shop uses the key as well. */
  sites: string[];
};

/** Newest orders that are searched for callback hosts. */
const MAX_ORDERS = 1_000;
const siteSchema = z.object({ credentialId: z.string(), sites: z.array(z.string()) });

const SITES = `
  SELECT credential_id AS "credentialId", array_agg(DISTINCT site ORDER BY site) AS sites
  FROM (
    SELECT credential_id, substring(callback_url FROM '^https?://([^/?#]+)') AS site
    FROM orders
    WHERE merchant_id = $1 AND mode = $2::mode AND created_at > now() - interval '7 days'
    ORDER BY created_at DESC
    LIMIT ${MAX_ORDERS}
  ) newest
  WHERE site IS NOT NULL
  GROUP BY credential_id`;

async function readSites(
  { database: { pool } }: Context,
  merchantId: string,
  mode: Mode | undefined,
): Promise<Map<string, string[]>> {
  if (mode === undefined) return new Map();
  const rows = await rowsOf(pool, siteSchema, { text: SITES, values: [merchantId, mode] });
  return new Map(rows.map(({ credentialId, sites }) => [credentialId, sites]));
}

/** A merchant's credentials, of one mode or of both, newest first; secrets cannot be shown again. @throws OperationError NotFound. */
export async function listCredentials(
  context: Context,
  { merchant, mode }: { merchant: string; mode?: Mode | undefined },
): Promise<ListedCredential[]> {
  const { id: merchantId } = await findMerchant(context, merchant);
  const credentials = await context.database.prisma.credential.findMany({
    where: { merchantId, ...(mode === undefined ? {} : { mode }) },
    include: { createdBy: { select: { email: true } } },
    orderBy: [{ mode: "asc" }, { createdAt: "desc" }],
  });
  const sites = await readSites(context, merchantId, mode);
  return credentials.flatMap(({ kind, revokedAt, ...credential }) => {
    // The console's own credentials have no usable secret.
    if (kind === "console") return [];
    const standing = standingOf({ revokedAt, expiresAt: credential.expiresAt });
    const {
      id,
      mode: itsMode,
      name,
      clientId,
      readOnly,
      orderOnly,
      createdBy,
      createdAt,
      expiresAt,
      lastUsedAt,
      lastUsedAddress,
    } = credential;
    return [
      {
        ...{ id, mode: itsMode, kind, name, clientId, readOnly, orderOnly, standing },
        createdBy: createdBy?.email ?? null,
        ...{ createdAt, expiresAt, lastUsedAt, lastUsedAddress, sites: sites.get(id) ?? [] },
      },
    ];
  });
}

function standingOf({
  revokedAt,
  expiresAt,
}: Pick<Prisma.CredentialGetPayload<object>, "revokedAt" | "expiresAt">): ListedCredential["standing"] {
  if (revokedAt !== null) return "revoked";
  if (expiresAt === null) return "active";
  return expiresAt > new Date() ? "rotated out" : "expired";
}
