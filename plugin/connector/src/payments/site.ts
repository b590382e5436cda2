import { randomUUID } from "node:crypto";
import { z } from "zod";
import { ConnectorError } from "../connector-error.js";
import { fill } from "../health/texts.js";
import type { Records } from "../records/records.js";
import type { ConnectorSettings } from "../settings.js";
import type { ConnectorContext } from "./context.js";

/** The store and connector that the database belongs to. */
const siteSchema = z.object({
  id: z.string().default(""),
  store: z.string(),
  connector: z.string(),
});

async function readSite(cursors: Records["cursors"]): Promise<z.output<typeof siteSchema> | null> {
  const stored = await cursors.read("site");
  return stored === null ? null : siteSchema.parse(JSON.parse(stored));
}

/** Returns the value of the `Tillgate-Site` header, by which Tillgate detects two sites that use the same credential. */
export async function siteHeader(
  cursors: Records["cursors"],
  { siteUrl }: Pick<ConnectorSettings, "siteUrl">,
): Promise<string> {
  const { host, pathname } = new URL(siteUrl);
  const id = (await readSite(cursors))?.id ?? "";
  return `${host}${pathname.replace(/\/$/, "")}${id === "" ? "" : `; id=${id}`}`;
}

/**
 * Checks that the database belongs to this store and connector: a clone (staging, a restored backup) contains the live store's open
 * payments and must not process them. A new database, or one in which the recorded store or connector URL equals `moved_from` or is
 * under it, is assigned to this site.
 * @throws ConnectorError `site_moved`
 */
export async function requireSite({ cursors, reporter, settings }: ConnectorContext): Promise<void> {
  const current = { store: settings.siteUrl, connector: settings.callbackUrl };
  const site = await readSite(cursors);
  if (site?.store === current.store && site.connector === current.connector) return;
  const hasMoved =
    site !== null && [site.store, site.connector].some((address) => isBelow(address, settings.movedFrom));
  if (site === null || hasMoved) {
    await cursors.write("site", JSON.stringify({ id: site?.id || randomUUID(), ...current }));
    await reporter.resolveProblem("site", "site");
    return;
  }
  const text = fill(
    "The connector’s database belongs to the shop {old_store} and the connector {old_connector}, but is used for {store} at {connector}. Nothing is processed until you decide: if it moved, set moved_from to the old URL in CONNECTOR_STORES; if this is a copy, give it an empty database and sandbox keys.",
    { ...current, old_store: site.store, old_connector: site.connector },
  );
  await reporter.reportProblem({ kind: "site", subject: "site", text });
  throw new ConnectorError("site_moved", text);
}

const isBelow = (address: string, from: string | null): boolean =>
  from !== null && (address === from || address.startsWith(`${from}/`));
