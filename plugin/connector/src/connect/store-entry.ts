import { chmod, readFile, rename, writeFile } from "node:fs/promises";
import { z } from "zod";
import type { ConnectOptions } from "./options.js";

const pairSchema = z.object({ client_id: z.string(), client_secret: z.string() });
type Pair = z.infer<typeof pairSchema>;
export type Mode = "sandbox" | "live";

/** Keys of Tillgate: pasted ones of one mode, or those of each mode that the store may use. */
export type TillgateKeys = { [Name in Mode]?: Pair | undefined } & { isPasted: boolean };

export type StoreEntry = {
  id: string;
  url: string;
  consumer_key: string;
  consumer_secret: string;
  webhook_secret: string;
  mode: Mode;
  return_url: string;
} & (Pair | { [Name in Mode]?: Pair });

/** The store's entry of CONNECTOR_STORES. @param keys they have those of the mode */
export function storeEntry(
  options: ConnectOptions,
  mode: Mode,
  { isPasted, ...keys }: TillgateKeys,
  webhookSecret: string,
): StoreEntry {
  const { sandbox, live } = keys;
  const ofMode = keys[mode];
  return {
    id: options.storeId,
    url: options.storeUrl,
    consumer_key: options.consumerKey,
    consumer_secret: options.consumerSecret,
    webhook_secret: webhookSecret,
    ...(isPasted && ofMode !== undefined
      ? ofMode
      : { ...(sandbox === undefined ? {} : { sandbox }), ...(live === undefined ? {} : { live }) }),
    mode,
    return_url: options.returnUrl,
  };
}

const entries = z.array(z.looseObject({ id: z.string() }));
const keptSchema = z.object({
  mode: z.enum(["sandbox", "live"]),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  sandbox: pairSchema.optional(),
  live: pairSchema.optional(),
});

/** The file is there but holds no CONNECTOR_STORES. */
export class StoresFileError extends Error {
  override readonly name = "StoresFileError";
}

/** The keys that a file has for a store, and its mode; null where it has none. @throws StoresFileError */
export async function storedKeys(
  file: string,
  storeId: string,
): Promise<{ mode: Mode; keys: TillgateKeys } | null> {
  const parsed = keptSchema.safeParse((await readEntries(file)).find(({ id }) => id === storeId));
  if (!parsed.success) return null;
  const { mode, client_id, client_secret, sandbox, live } = parsed.data;
  if (client_id !== undefined && client_secret !== undefined)
    return { mode, keys: { [mode]: { client_id, client_secret }, isPasted: true } };
  return sandbox === undefined && live === undefined
    ? null
    : { mode, keys: { sandbox, live, isPasted: false } };
}

/**
 * Puts the entry into a file that holds CONNECTOR_STORES, in the place of the one of the same store, of which it keeps
 * the settings that a set-up does not make. Keys that new ones take the place of become the ones before: payments that are
 * open are followed with them. Only its owner can read the file.
 *
 * @throws StoresFileError
 */
export async function writeEntry(file: string, entry: StoreEntry): Promise<void> {
  const before = await readEntries(file);
  const { client_id, client_secret, sandbox, live, ...kept } = before.find(({ id }) => id === entry.id) ?? {
    id: entry.id,
  };
  const replaced = replacedBy(
    entry,
    keptSchema.safeParse({ ...kept, client_id, client_secret, sandbox, live }).data,
  );
  const after = [...before.filter(({ id }) => id !== entry.id), { ...kept, ...replaced, ...entry }];
  // Written beside it and moved, so that the connector never reads half a file.
  const draft = `${file}.new`;
  await writeFile(draft, `${JSON.stringify(after, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, file);
}

/** The keys in use before, where the entry does not have them any more. */
function replacedBy(entry: StoreEntry, kept: z.infer<typeof keptSchema> | undefined) {
  if (kept === undefined) return {};
  const { mode, client_id, client_secret } = kept;
  const before =
    client_id === undefined || client_secret === undefined ? kept[mode] : { client_id, client_secret };
  const now = "client_id" in entry ? [entry] : [entry.sandbox, entry.live];
  if (before === undefined || now.some((one) => one?.client_secret === before.client_secret)) return {};
  return {
    previous_client_id: before.client_id,
    previous_client_secret: before.client_secret,
    previous_mode: mode,
  };
}

async function readEntries(file: string): Promise<z.infer<typeof entries>> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
  try {
    return entries.parse(JSON.parse(text));
  } catch {
    throw new StoresFileError(
      `${file} holds something else than a JSON array of stores; it is left as it is.`,
    );
  }
}
