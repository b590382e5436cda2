import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { FieldRule, oneOfRule } from "../errors/field-errors.js";
import { displayName, modeSchema, optional, optionalFilter, timestamp } from "../fields.js";
import { consolePageSchema } from "./lists.js";

const CREDENTIAL_KINDS = ["client", "api_token"] as const;

export const consoleCredentialSchema = z.object({
  credential_id: z.uuid(),
  /** `client`: client id and secret of the Pay API; `api_token`: Bearer token of the Partner API. */
  kind: z.enum(CREDENTIAL_KINDS),
  /** What its owners call it. */
  name: z.string().nullable(),
  /** Which API it opens. */
  scope: z.enum(["pay", "partner"]),
  /** The two secrets of a rotation share it; a token has none. */
  client_id: z.string().nullable(),
  /** Whether calls that would change something are refused. */
  read_only: z.boolean(),
  /** Whether it creates and cancels orders, and changes nothing else. */
  order_only: z.boolean(),
  /** The console user who created it; null where nobody is recorded. */
  created_by: z.string().nullable(),
  /** `rotated_out`: the old secret of a rotation, which works until `expires_at`. */
  standing: z.enum(["active", "rotated_out", "expired", "revoked"]),
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  /** To a minute. */
  last_used_at: timestamp.nullable(),
  /** Whence, at that time. */
  last_used_address: z.string().nullable(),
  /** Sites that used it in the last seven days: as named in `Tillgate-Site`, else the callback hosts of its orders. */
  sites: z.array(z.string()),
});
export type ConsoleCredential = z.infer<typeof consoleCredentialSchema>;

/** What its owners call a key. */
const name = optional(displayName(100));

/** `GET …/credentials`: newest first. */
export const consoleCredentialListResponseSchema = successEnvelope(
  z.object({ credentials: z.array(consoleCredentialSchema) }),
);

/** `POST …/credentials`. */
export const consoleCredentialRequestSchema = z.object({
  kind: z.enum(CREDENTIAL_KINDS, { error: oneOfRule(CREDENTIAL_KINDS).text }),
  name,
  /** For reports and the like: its calls may read and change nothing. */
  read_only: z.boolean({ error: "must be true or false" }).optional(),
  /** A client that creates and cancels orders, and changes nothing else. Without one of the two, only an owner creates it. */
  order_only: z.boolean({ error: "must be true or false" }).optional(),
});
/** A new secret is shown only here. */
export const consoleCredentialSecretResponseSchema = successEnvelope(
  z.object({
    credential_id: z.uuid(),
    kind: z.enum(CREDENTIAL_KINDS),
    client_id: z.string().nullable(),
    secret: z.string(),
    /** After a rotation: until when the old secret works. */
    old_secret_expires_at: timestamp.nullable(),
  }),
);

/** `POST …/credentials/{credential}`: another name, or none. */
export const consoleCredentialChangeSchema = z.object({ name });
export const consoleCredentialChangedResponseSchema = successEnvelope(
  z.object({ name: z.string().nullable() }),
);

/** `POST …/credentials/{credential}/rotate`: seconds for which the old secret works beside the new one; a day unless it says less. */
export const consoleRotateRequestSchema = z.object({
  overlap_seconds: z
    .int({ error: FieldRule.WholeSeconds.text })
    .min(0, { error: "must be at least 0" })
    .max(7 * 86_400, { error: "must not be greater than 604800" })
    .optional(),
});
/** Whether this call ended it: a second one finds it ended. */
export const consoleRevokedCredentialResponseSchema = successEnvelope(z.object({ revoked: z.boolean() }));

const STATUS_CLASSES = ["2xx", "4xx", "5xx"] as const;
const METHODS = ["GET", "POST"] as const;
const MAX_PATH = 200;
const MAX_REQUEST_ID = 64;

/** `GET …/requests`: calls of the Pay and Partner API, newest first. */
export const consoleRequestsQuerySchema = consolePageSchema.omit({ after: true }).extend({
  status: z.enum(STATUS_CLASSES, { error: oneOfRule(STATUS_CLASSES).text }).optional(),
  method: z.enum(METHODS, { error: oneOfRule(METHODS).text }).optional(),
  /** A part of the path. */
  path: optionalFilter(MAX_PATH),
  credential: z.uuid({ error: "must be the id of a credential" }).optional(),
  request_id: optionalFilter(MAX_REQUEST_ID),
  /** The id of an order, refund or payout. */
  about: optionalFilter(MAX_REQUEST_ID),
});
export type ConsoleRequestsQuery = z.output<typeof consoleRequestsQuerySchema>;

/** A call, or a gap: so many calls were not kept, because they came faster than they could be written. */
export const consoleRequestSchema = z.object({
  entry_id: z.string(),
  at: timestamp,
  dropped: z.int(),
  request_id: z.string().nullable(),
  method: z.string().nullable(),
  path: z.string().nullable(),
  status: z.int().nullable(),
  error_code: z.string().nullable(),
  duration_ms: z.int().nullable(),
  credential_id: z.string().nullable(),
  client_id: z.string().nullable(),
  client_address: z.string().nullable(),
});
export type ConsoleRequest = z.infer<typeof consoleRequestSchema>;

export const consoleRequestListResponseSchema = successEnvelope(
  z.object({ items: z.array(consoleRequestSchema), next: z.string().nullable(), partial: z.boolean() }),
);
/** `GET …/requests/{request}`. */
export const consoleRequestResponseSchema = successEnvelope(
  consoleRequestSchema.extend({
    mode: modeSchema,
    /** The order, refund or payout that it made, changed or read. */
    about: z.string().nullable(),
    /** As JSON, with secrets, tokens and what names a person masked; null for reads. */
    request_body: z.string().nullable(),
    answer_body: z.string().nullable(),
  }),
);
