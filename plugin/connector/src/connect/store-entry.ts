import { chmod, readFile, rename, writeFile } from "node:fs/promises";
import { z } from "zod";
import type { ConnectOptions } from "./options.js";

export type StoreEntry = {
  id: string;
  url: string;
  consumer_key: string;
  consumer_secret: string;
  webhook_secret: string;
  client_id: string;
  client_secret: string;
  mode: "sandbox" | "live";
  return_url: string;
};

/** The store's entry of CONNECTOR_STORES. */
export const storeEntry = (options: ConnectOptions, webhookSecret: string): StoreEntry => ({
  id: options.storeId,
  url: options.storeUrl,
  consumer_key: options.consumerKey,
  consumer_secret: options.consumerSecret,
  webhook_secret: webhookSecret,
  client_id: options.clientId,
  client_secret: options.clientSecret,
  mode: options.mode,
  return_url: options.returnUrl,
});

const entries = z.array(z.looseObject({ id: z.string() }));

/** The file is there but holds no CONNECTOR_STORES. */
export class StoresFileError extends Error {
  override readonly name = "StoresFileError";
}

/**
 * Puts the entry into a file that holds CONNECTOR_STORES, in the place of the one of the same store, of which it keeps
 * the settings that a set-up does not make. Only its owner can read the file.
 *
 * @throws StoresFileError
 */
export async function writeEntry(file: string, entry: StoreEntry): Promise<void> {
  const before = await readEntries(file);
  const kept = before.find(({ id }) => id === entry.id);
  const after = [...before.filter(({ id }) => id !== entry.id), { ...kept, ...entry }];
  // Written beside it and moved, so that the connector never reads half a file.
  const draft = `${file}.new`;
  await writeFile(draft, `${JSON.stringify(after, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, file);
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
