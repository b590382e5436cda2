import { limits } from "../config.js";
import { oneRow, type Queryable } from "../database/database.js";

/** One entry of an order's, item's or refund's meta data. */
export interface MetaEntry {
  id: number;
  key: string;
  value: unknown;
}

/** One entry as it is sent: without an id it is found by its key. */
export interface MetaChange {
  id?: number;
  key: string;
  value: unknown;
}

/** Thrown when an order would carry more entries than it may. */
export class TooManyMetaEntries extends Error {
  override readonly name = "TooManyMetaEntries";
}

/**
 * Meta data is text in WordPress's tables: a number comes back as text, true as "1", false as "". Lists and objects
 * keep their shape.
 */
const asStored = (value: unknown): unknown => {
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? "1" : "";
  return value;
};

/**
 * Merges entries as WooCommerce does: by id when there is one, else by key, else a new one; the value null removes.
 *
 * @returns the new list; the given one is left alone.
 * @throws TooManyMetaEntries
 */
export async function mergeMetaData(
  queryable: Queryable,
  current: MetaEntry[],
  changes: MetaChange[],
): Promise<MetaEntry[]> {
  let merged = [...current];
  for (const { id, key, value } of changes) {
    const found =
      (id ? merged.find((entry) => entry.id === id) : undefined) ?? merged.find((entry) => entry.key === key);
    if (value === null || value === undefined) {
      merged = merged.filter((entry) => entry !== found);
    } else if (found) {
      const changed = { id: found.id, key, value: asStored(value) };
      merged = merged.map((entry) => (entry === found ? changed : entry));
    } else {
      merged.push({ id: await nextMetaId(queryable), key, value: asStored(value) });
    }
  }
  if (merged.length > limits.metaEntries) throw new TooManyMetaEntries();
  return merged;
}

async function nextMetaId(queryable: Queryable): Promise<number> {
  const { id } = await oneRow<{ id: bigint }>(queryable, "SELECT nextval('meta_id') AS id");
  return Number(id);
}

/** The value of the first entry with that key, or undefined. */
export const metaValue = (entries: MetaEntry[], key: string): unknown =>
  entries.find((entry) => entry.key === key)?.value;
