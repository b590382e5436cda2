import { createHash } from "node:crypto";

/**
 * SHA-256 of the parsed and normalised fields of a request, for idempotency: 10, 10.0 and "10.00" are one amount
 * because amounts come here as minor units, and the order of the fields does not matter.
 */
export function requestHash(fields: Record<string, string | number | bigint | null | undefined>): Buffer {
  const normalised = Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, String(value)])
    .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(normalised)).digest();
}
