import { randomUUID } from "node:crypto";
import { z } from "zod";
import { ConnectorError } from "../connector-error.js";
import type { Records } from "../records/records.js";
import type { ConnectorSettings } from "../settings.js";
import type { ConnectorContext } from "./context.js";

/** The store and connector that the records belong to. */
const siteSchema = z.object({
  id: z.string().default(""),
  store: z.string(),
  connector: z.string(),
});

async function readSite(cursors: Records["cursors"]): Promise<z.output<typeof siteSchema> | null> {
  const stored = await cursors.read("site");
  return stored === null ? null : siteSchema.parse(JSON.parse(stored));
}

/** @returns the header `Tillgate-Site` of calls to Tillgate, by which Tillgate notices two sites that use one credential */
export async function siteHeader(
  cursors: Records["cursors"],
  { siteUrl }: Pick<ConnectorSettings, "siteUrl">,
): Promise<string> {
  const { host, pathname } = new URL(siteUrl);
  const id = (await readSite(cursors))?.id ?? "";
  return `${host}${pathname.replace(/\/$/, "")}${id === "" ? "" : `; id=${id}`}`;
}

/**
 * Checks that the records belong to this connector and this store. A clone of the database (staging, a restored backup) has the live store's
 * open payments, and must not act on them for another store or next to the live connector. Records that have no site yet get this one.
 *
 * @throws ConnectorError `site_moved`
 */
export async function requireSite({ cursors, reporter, settings }: ConnectorContext): Promise<void> {
  const here = { store: settings.siteUrl, connector: settings.callbackUrl };
  const site = await readSite(cursors);
  if (site?.store === here.store && site.connector === here.connector) return;
  const hasMoved =
    site !== null && [site.store, site.connector].some((one) => isBelow(one, settings.movedFrom));
  if (site === null || hasMoved) {
    await cursors.write("site", JSON.stringify({ id: site?.id || randomUUID(), ...here }));
    await reporter.settled("site", "site");
    return;
  }
  const text = `The connector's database belongs to the store ${site.store} and the connector ${site.connector}, but runs for ${here.store} at ${here.connector}. Nothing is done until you decide: if it moved, set moved_from to the old address in CONNECTOR_STORES; if this is a copy, give it an empty database and sandbox keys.`;
  await reporter.problem({ kind: "site", subject: "site", text });
  throw new ConnectorError("site_moved", text);
}

const isBelow = (address: string, from: string | null): boolean =>
  from !== null && (address === from || address.startsWith(`${from}/`));
