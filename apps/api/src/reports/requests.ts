import { type ConsoleRequestsQuery, ErrorCode, modeSchema } from "@tillgate/contract";
import { queryFirstRow, queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import type { MerchantScope } from "../identity/credentials/authenticate.js";
import { invalidCursor } from "../pagination/keyset-page.js";

/** Calls scanned for a filter without an index. */
const MAX_SCANNED = 20_000;
/** PostgreSQL's maximum bigint. */
const MAX_ID = "9223372036854775807";
const ID = /^\d{1,19}$/;

const requestSchema = z.object({
  id: z.string(),
  at: z.date(),
  dropped: z.int(),
  requestId: z.string().nullable(),
  method: z.string().nullable(),
  path: z.string().nullable(),
  status: z.int().nullable(),
  errorCode: z.string().nullable(),
  durationMs: z.int().nullable(),
  credentialId: z.string().nullable(),
  clientId: z.string().nullable(),
  clientAddress: z.string().nullable(),
});
/** A call, or a gap: `dropped` calls were not logged. */
export type LoggedRequest = z.output<typeof requestSchema>;

const COLUMNS = `
  r.id::text, r.at, r.dropped, r.request_id AS "requestId", r.method, r.path, r.status, r.error_code AS "errorCode",
  r.duration_ms AS "durationMs", r.credential_id AS "credentialId", c.client_id AS "clientId", r.client_address AS "clientAddress"`;
const CREDENTIAL = "LEFT JOIN credentials c ON c.id = r.credential_id AND c.merchant_id = r.merchant_id";

const BROWSE = `
  SELECT ${COLUMNS} FROM (
    SELECT * FROM api_requests WHERE merchant_id = $1 AND mode = $2 AND id < $3 ORDER BY id DESC LIMIT $4) AS r ${CREDENTIAL}
  WHERE ($6::int IS NULL OR r.status / 100 = $6) AND ($7::text IS NULL OR r.method = $7)
    AND ($8::text IS NULL OR position(lower($8) IN lower(r.path)) > 0) AND ($9::uuid IS NULL OR r.credential_id = $9)
    AND ($10::text IS NULL OR r.about = $10)
  ORDER BY r.id DESC LIMIT $5`;
const BY_REQUEST_ID = `
  SELECT ${COLUMNS} FROM api_requests r ${CREDENTIAL}
  WHERE r.merchant_id = $1 AND r.mode = $2 AND r.request_id = $3 ORDER BY r.id DESC LIMIT 10`;
const LAST_SCANNED = `
  SELECT id::text FROM api_requests WHERE merchant_id = $1 AND mode = $2 AND id < $3 ORDER BY id DESC OFFSET $4 LIMIT 1`;
const READ = `
  SELECT ${COLUMNS}, r.mode, r.about, r.request_body AS "requestBody", r.answer_body AS "answerBody"
  FROM api_requests r ${CREDENTIAL} WHERE r.id = $3 AND r.merchant_id = $1 AND r.mode = $2`;

type Page = { items: LoggedRequest[]; next: string | null; partial: boolean };

/**
 * Lists logged calls, newest first. With a request ID, lists only that call, regardless of other filters.
 * @throws OperationError InvalidFields for an invalid cursor.
 */
export async function browseRequests(
  { database: { pool } }: Context,
  { merchantId, mode }: MerchantScope,
  query: ConsoleRequestsQuery,
): Promise<Page> {
  const { before = MAX_ID, per_page: size, request_id: requestId } = query;
  if (requestId !== undefined) {
    const items = await queryRows(pool, requestSchema, BY_REQUEST_ID, [merchantId, mode, requestId]);
    return { items, next: null, partial: false };
  }
  if (!ID.test(before) || BigInt(before) > BigInt(MAX_ID)) throw invalidCursor("before");
  const { status, method, path, credential, about } = query;
  const rows = await queryRows(pool, requestSchema, BROWSE, [
    ...[merchantId, mode, before, MAX_SCANNED, size + 1],
    ...[status === undefined ? null : Number(status[0]), method ?? null, path ?? null, credential ?? null],
    about ?? null,
  ]);
  const items = rows.slice(0, size);
  if (rows.length > size) return { items, next: items.at(-1)?.id ?? null, partial: false };
  const filtered = [status, method, path, credential, about].some((filter) => filter !== undefined);
  const last = filtered
    ? await queryFirstRow(pool, z.object({ id: z.string() }), LAST_SCANNED, [
        ...[merchantId, mode, before, MAX_SCANNED - 1],
      ])
    : undefined;
  return { items, next: last?.id ?? null, partial: last !== undefined };
}

const detailedSchema = requestSchema.extend({
  mode: modeSchema,
  about: z.string().nullable(),
  requestBody: z.string().nullable(),
  answerBody: z.string().nullable(),
});
export type DetailedRequest = z.output<typeof detailedSchema>;

/** Reads a logged call, with masked bodies. @throws OperationError ApiRequestNotFound, including for another merchant's call. */
export async function getRequest(
  { database: { pool } }: Context,
  { merchantId, mode }: MerchantScope,
  id: string,
): Promise<DetailedRequest> {
  const canExist = ID.test(id) && BigInt(id) <= BigInt(MAX_ID);
  const row = canExist ? await queryFirstRow(pool, detailedSchema, READ, [merchantId, mode, id]) : undefined;
  if (!row) throw new OperationError(ErrorCode.ApiRequestNotFound);
  return row;
}
