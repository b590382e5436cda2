import type { Mode } from "@tillgate/contract";
import type { Prisma } from "@tillgate/database";
import { queryRows } from "@tillgate/service";
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
  reportsOnly: boolean;
  /** E-mail address of the console user who created the credential; null if not recorded. */
  createdBy: string | null;
  standing: "active" | "rotated out" | "expired" | "revoked";
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  lastUsedAddress: string | null;
  /**
   * Sites that were named in calls, and callback hosts of orders, in the last 7 days. More than one site suggests that a copy of the shop also
   * uses the key.
   */
  sites: string[];
};

/** Number of newest orders that are searched for callback hosts. */
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
  const rows = await queryRows(pool, siteSchema, { text: SITES, values: [merchantId, mode] });
  return new Map(rows.map(({ credentialId, sites }) => [credentialId, sites]));
}

const namedSitesSchema = z.record(z.string(), z.coerce.date());
const SITE_AGE_MS = 7 * 24 * 60 * 60_000;
/** Length of the part of a site's ID that distinguishes two sites with the same address. */
const ID_LENGTH = 8;

/** Labels each site with its address, followed by the start of its ID if several sites share the address. */
export function nameSites(sites: readonly string[]): Map<string, string> {
  const parts = sites.map((site) => [site, ...site.split("; id=")]);
  const isShared = (address: string) => parts.filter(([, other]) => other === address).length > 1;
  return new Map(
    parts.map(([site = "", address = "", id = ""]) => [
      site,
      isShared(address) ? `${address} (${id.slice(0, ID_LENGTH)})` : address,
    ]),
  );
}

function parseReportedSites(stored: unknown): string[] {
  const oldest = Date.now() - SITE_AGE_MS;
  const sites = Object.entries(namedSitesSchema.parse(stored))
    .filter(([, at]) => at.getTime() > oldest)
    .map(([site]) => site);
  return [...nameSites(sites).values()].sort();
}

/**
 * Lists a merchant's keys, including revoked and expired keys.
 * @throws OperationError SubjectNotFound; InvalidValue if several merchants have this name.
 */
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
  const callbackHosts = await readSites(context, merchantId, mode);
  return credentials.flatMap(({ kind, revokedAt, ...credential }) => {
    // The console's internal credentials have no usable secret.
    if (kind === "console") return [];
    const standing = getStanding({ revokedAt, expiresAt: credential.expiresAt });
    const {
      id,
      mode: itsMode,
      name,
      clientId,
      readOnly,
      orderOnly,
      reportsOnly,
      createdBy,
      createdAt,
      expiresAt,
      lastUsedAt,
      lastUsedAddress,
      sites,
    } = credential;
    return [
      {
        ...{ id, mode: itsMode, kind, name, clientId, readOnly, orderOnly, reportsOnly, standing },
        createdBy: createdBy?.email ?? null,
        ...{
          createdAt,
          expiresAt,
          lastUsedAt,
          lastUsedAddress,
          sites: listSites(parseReportedSites(sites), callbackHosts.get(id) ?? []),
        },
      },
    ];
  });
}

/**
 * Lists the reported sites and, if there are two or more, the callback hosts, because one of the hosts may belong to a client that does not report
 * its site. A single callback host may be the connector's, so it is listed only if no site was reported.
 */
function listSites(reported: readonly string[], callbackHosts: readonly string[]): string[] {
  if (reported.length > 0 && callbackHosts.length < 2) return [...reported];
  const isNamed = (host: string) =>
    reported.some((site) => site === host || site.startsWith(`${host}/`) || site.startsWith(`${host} `));
  return [...reported, ...callbackHosts.filter((host) => !isNamed(host))];
}

function getStanding({
  revokedAt,
  expiresAt,
}: Pick<Prisma.CredentialGetPayload<object>, "revokedAt" | "expiresAt">): ListedCredential["standing"] {
  if (revokedAt !== null) return "revoked";
  if (expiresAt === null) return "active";
  return expiresAt > new Date() ? "rotated out" : "expired";
}
