import { z } from "zod";
import { ConnectorError } from "../connector-error.js";
import type { ConnectorContext } from "./context.js";

const siteSchema = z.object({ store: z.string(), connector: z.string() });

/**
 * Whether these records belong to this connector and this store. A clone of the database (staging, a restored backup) holds the live store's
 * open payments, and must not act on them for another store or next to the live connector.
 *
 * @throws ConnectorError `site_moved`
 */
export async function checkSite({ cursors, reporter, settings }: ConnectorContext): Promise<void> {
  const here = { store: settings.siteUrl, connector: settings.callbackUrl };
  const stored = await cursors.read("site");
  const site = stored === null ? null : siteSchema.parse(JSON.parse(stored));
  const isHere = site?.store === here.store && site.connector === here.connector;
  const hasMoved =
    site !== null && [site.store, site.connector].some((one) => isBelow(one, settings.movedFrom));
  if (site === null || (!isHere && hasMoved)) await cursors.write("site", JSON.stringify(here));
  if (site === null || isHere || hasMoved) {
    await reporter.settled("site", "site");
    return;
  }
  const text = `The connector's database belongs to the store ${site.store} and the connector ${site.connector}, but runs for ${here.store} at ${here.connector}. Nothing is done until you decide: if it moved, set moved_from to the old address in CONNECTOR_STORES; if this is a copy, give it an empty database and sandbox keys.`;
  await reporter.problem({ kind: "site", subject: "site", text });
  throw new ConnectorError("site_moved", text);
}

const isBelow = (address: string, from: string | null): boolean =>
  from !== null && (address === from || address.startsWith(`${from}/`));
