import { type FieldErrors, FieldRule, fieldError } from "@tillgate/contract";
import type { Request } from "express";

const FIELD = "idempotency_key";

/** Node reads header bytes one by one. A key in UTF-8 must be the same key as in a body. */
const asSent = (header: string): string => Buffer.from(header, "latin1").toString("utf8");

const isObject = (body: unknown): body is Record<string, unknown> =>
  typeof body === "object" && body !== null && !Array.isArray(body);

/**
 * The body of a request with the key of its `Idempotency-Key` header in it, for every route with that field. An empty
 * header counts as an empty key.
 * @returns also what is wrong: two headers, or a header and a field, that differ.
 */
export function keyedBody(request: Request): { body: unknown; wrong: FieldErrors } {
  const body: unknown = request.body;
  const headers = new Set(request.headersDistinct["idempotency-key"]?.map(asSent));
  const [key] = headers;
  if (key === undefined) return { body, wrong: {} };
  const wrong = (rule: string) => ({ body, wrong: { [FIELD]: [fieldError(FIELD, rule)] } });
  if (headers.size > 1) return wrong(FieldRule.OneKeyHeader.text);
  // A body that is no object is refused as a whole. A request without a body has none to merge with.
  if (!isObject(body)) return { body, wrong: {} };
  const field = body[FIELD] ?? undefined;
  if (field !== undefined && field !== key) return wrong(FieldRule.KeyAsInHeader.text);
  return { body: { ...body, [FIELD]: key }, wrong: {} };
}
