import { chmod, readFile, rename, writeFile } from "node:fs/promises";
import { z } from "zod";
import type { ConnectOptions } from "./options.js";

const keyPairSchema = z.object({ client_id: z.string(), client_secret: z.string() });
type KeyPair = z.infer<typeof keyPairSchema>;
export type Mode = "sandbox" | "live";

/** Tillgate API keys: pasted ones for one mode, or one pair per mode from the console. */
export type TillgateKeys = { [Name in Mode]?: KeyPair | undefined } & { isPasted: boolean };

export type StoreEntry = {
  id: string;
  url: string;
  consumer_key: string;
  consumer_secret: string;
  webhook_secret: string;
  mode: Mode;
  return_url: string;
} & (KeyPair | { [Name in Mode]?: KeyPair });

/** @param keys must include those of `mode` */
export function createEntry(
  options: ConnectOptions,
  mode: Mode,
  { isPasted, ...keys }: TillgateKeys,
  webhookSecret: string,
): StoreEntry {
  const { sandbox, live } = keys;
  const modeKeys = keys[mode];
  return {
    id: options.storeId,
    url: options.storeUrl,
    consumer_key: options.consumerKey,
    consumer_secret: options.consumerSecret,
    webhook_secret: webhookSecret,
    ...(isPasted && modeKeys !== undefined
      ? modeKeys
      : { ...(sandbox === undefined ? {} : { sandbox }), ...(live === undefined ? {} : { live }) }),
    mode,
    return_url: options.returnUrl,
  };
}

const entries = z.array(z.looseObject({ id: z.string() }));
const storedEntrySchema = z.object({
  mode: z.enum(["sandbox", "live"]),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  sandbox: keyPairSchema.optional(),
  live: keyPairSchema.optional(),
});

/** The file exists but is not a JSON array of stores with IDs. */
export class StoresFileError extends Error {
  override readonly name = "StoresFileError";
}

/** @returns null if the file, the store or its keys are missing, or the store's entry is invalid @throws StoresFileError */
export async function readStoredKeys(
  file: string,
  storeId: string,
): Promise<{ mode: Mode; keys: TillgateKeys } | null> {
  const parsed = storedEntrySchema.safeParse((await readEntries(file)).find(({ id }) => id === storeId));
  if (!parsed.success) return null;
  const { mode, client_id, client_secret, sandbox, live } = parsed.data;
  if (client_id !== undefined && client_secret !== undefined)
    return { mode, keys: { [mode]: { client_id, client_secret }, isPasted: true } };
  return sandbox === undefined && live === undefined
    ? null
    : { mode, keys: { sandbox, live, isPasted: false } };
}

/**
 * Adds or updates the store's entry and preserves its other settings. Keys that were in use and are not in the new entry are stored as
 * `previous_…`, because open payments still need them.
 * @throws StoresFileError
 */
export async function writeEntry(file: string, entry: StoreEntry): Promise<void> {
  const before = await readEntries(file);
  const { client_id, client_secret, sandbox, live, ...existing } = before.find(
    ({ id }) => id === entry.id,
  ) ?? {
    id: entry.id,
  };
  const replaced = previousKeys(
    entry,
    storedEntrySchema.safeParse({ ...existing, client_id, client_secret, sandbox, live }).data,
  );
  const after = [...before.filter(({ id }) => id !== entry.id), { ...existing, ...replaced, ...entry }];
  // Written to a temporary file and renamed, so that the connector never reads a partial file.
  const draft = `${file}.new`;
  await writeFile(draft, `${JSON.stringify(after, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, file);
}

function previousKeys(entry: StoreEntry, existing: z.infer<typeof storedEntrySchema> | undefined) {
  if (existing === undefined) return {};
  const { mode, client_id, client_secret } = existing;
  const before =
    client_id === undefined || client_secret === undefined ? existing[mode] : { client_id, client_secret };
  const now = "client_id" in entry ? [entry] : [entry.sandbox, entry.live];
  if (before === undefined || now.some((pair) => pair?.client_secret === before.client_secret)) return {};
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
    throw new StoresFileError(`${file} isn't a JSON array of stores. It was not changed.`);
  }
}
