import { hash } from "node:crypto";

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

const canonicalText = (value: unknown): string =>
  typeof value === "object" && value !== null
    ? JSON.stringify(Object.entries(value).sort(byName))
    : String(value);

/** Hashes a request, to compare it with later requests that have the same key. Amounts must be minor units. The order of fields does not matter. */
export function requestHash(
  fields: Record<string, string | number | bigint | Record<string, string> | null | undefined>,
): Buffer {
  const normalised = Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]): [string, string] => [name, canonicalText(value)])
    .sort(byName);
  return hash("sha256", JSON.stringify(normalised), "buffer");
}
