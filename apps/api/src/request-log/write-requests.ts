import type pg from "pg";
import { maskedJson, maskText } from "./mask.js";
import type { ApiCallEntry, Gap, RequestLog } from "./request-log.js";

/** How many calls one statement writes. */
const BATCH = 500;
const MAX_PATH_CHARACTERS = 300;

// One statement is one transaction. Its commit does not wait for the disk: a crash of the database loses the log of a moment.
const WRITE = `
  WITH quick AS (SELECT set_config('synchronous_commit', 'off', true))
  INSERT INTO api_requests (merchant_id, mode, at, dropped, request_id, credential_id, method, path, status, error_code, duration_ms,
    client_address, about, request_body, answer_body)
  SELECT w.* FROM quick, unnest($1::uuid[], $2::mode[], $3::timestamptz[], $4::int[], $5::text[], $6::uuid[], $7::text[], $8::text[],
    $9::smallint[], $10::text[], $11::int[], $12::text[], $13::text[], $14::text[], $15::text[]) AS w`;

type Row = readonly (string | number | Date | null)[];

/** PostgreSQL keeps no NUL, and a body may hold one. */
const storable = (text: string): string => text.replaceAll("\u0000", "");

/** A body as it is kept: masked JSON, cut where it is long. Null: it had none. */
export function keptBody(body: unknown): string | null {
  if (body === null || body === undefined) return null;
  return storable(maskedJson(body));
}

const property = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** The order, refund or payout of a call: by its path, else by its answer. */
export function aboutOf(path: string, answer: unknown): string | null {
  const named = /\/(?:orders|refunds|payout|payouts|payments)\/([A-Za-z0-9_-]+)/.exec(path)?.[1];
  const data = property(answer, "data");
  const payout = property(property(data, "payout"), "payout_id");
  const made = payout ?? property(data, "refund_id") ?? property(data, "order_id");
  return named ?? textOf(made);
}

function rowOf(call: ApiCallEntry): Row {
  const path = maskText(call.path.split("?")[0] ?? "");
  return [
    call.merchantId,
    call.mode,
    call.at,
    0,
    call.requestId,
    call.credentialId,
    call.method,
    storable(path).slice(0, MAX_PATH_CHARACTERS),
    call.status,
    textOf(property(call.answer, "error_code")),
    // Rounded up: a timeline counts back to the call's beginning, which is never after what it did.
    Math.ceil(call.durationMs),
    call.clientAddress,
    aboutOf(call.path, call.answer),
    keptBody(call.requestBody),
    keptBody(call.answer),
  ];
}

const gapRow = ({ merchantId, mode, dropped }: Gap): Row => [
  ...[merchantId, mode, new Date(), dropped],
  ...Array.from({ length: 11 }, () => null),
];

/** Writes the calls that wait, batch by batch. What cannot be written waits on. @throws the database's error. */
export async function writeRequests(pool: pg.Pool, log: RequestLog): Promise<void> {
  for (;;) {
    const taken = log.take(BATCH);
    const rows = [...taken.calls.map(rowOf), ...taken.gaps.map(gapRow)];
    if (rows.length === 0) return;
    const columns = Array.from({ length: 15 }, (_, at) => rows.map((row) => row[at] ?? null));
    try {
      await pool.query(WRITE, columns);
    } catch (error) {
      log.giveBack(taken);
      throw error;
    }
  }
}
