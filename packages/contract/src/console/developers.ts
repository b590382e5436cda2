import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { FieldRule, oneOfRule } from "../errors/field-errors.js";
import { displayName, modeSchema, optional, optionalFilter, timestamp } from "../fields.js";
import { consolePageSchema } from "./lists.js";

const CREDENTIAL_KINDS = ["client", "api_token"] as const;

export const consoleCredentialSchema = z.object({
  credential_id: z.uuid(),
  /** `client`: client ID and secret of the Pay API; `api_token`: Bearer token of the Partner API. */
  kind: z.enum(CREDENTIAL_KINDS),
  name: z.string().nullable(),
  scope: z.enum(["pay", "partner"]),
  /** Shared by both secrets of a rotation; null for a token. */
  client_id: z.string().nullable(),
  /** Whether writes are rejected. */
  read_only: z.boolean(),
  /** Whether the only allowed writes are those about orders, such as creating and cancelling them. */
  order_only: z.boolean(),
  reports_only: z.boolean(),
  /** Null if not recorded. */
  created_by: z.string().nullable(),
  /** `rotated_out`: the old secret of a rotation, which works until `expires_at`. */
  standing: z.enum(["active", "rotated_out", "expired", "revoked"]),
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  /** Accurate to a minute. */
  last_used_at: timestamp.nullable(),
  /** The client's address at `last_used_at`. */
  last_used_address: z.string().nullable(),
  /** Sites that were named in calls (`Tillgate-Site`), and callback hosts of orders, in the last seven days. */
  sites: z.array(z.string()),
});
export type ConsoleCredential = z.infer<typeof consoleCredentialSchema>;

const name = optional(displayName(100));

/** `GET …/credentials`: newest first. */
export const consoleCredentialListResponseSchema = successEnvelope(
  z.object({ credentials: z.array(consoleCredentialSchema) }),
);

/** `POST …/credentials` */
export const consoleCredentialRequestSchema = z.object({
  kind: z.enum(CREDENTIAL_KINDS, { error: oneOfRule(CREDENTIAL_KINDS).text }),
  name,
  read_only: z.boolean({ error: "must be true or false" }).optional(),
  /** Without `read_only`, `order_only` or `reports_only`, only an owner or an administrator can create the key. */
  order_only: z.boolean({ error: "must be true or false" }).optional(),
  /** Whether the key can only read reports, such as a key for an accountant. */
  reports_only: z.boolean({ error: "must be true or false" }).optional(),
});
/** The secret is shown only once. */
export const consoleCredentialSecretResponseSchema = successEnvelope(
  z.object({
    credential_id: z.uuid(),
    kind: z.enum(CREDENTIAL_KINDS),
    client_id: z.string().nullable(),
    secret: z.string(),
    /** Expiry of the old secret after a rotation. */
    old_secret_expires_at: timestamp.nullable(),
  }),
);

/** `POST …/credentials/{credential}` */
export const consoleCredentialChangeSchema = z.object({ name });
export const consoleCredentialChangedResponseSchema = successEnvelope(
  z.object({ name: z.string().nullable() }),
);

/** `POST …/credentials/{credential}/rotate`: how long both secrets work; a day by default. */
export const consoleRotateRequestSchema = z.object({
  overlap_seconds: z
    .int({ error: FieldRule.WholeSeconds.text })
    .min(0, { error: "must be at least 0" })
    .max(7 * 86_400, { error: "must not be greater than 604800" })
    .optional(),
});
/** False if already revoked. */
export const consoleRevokedCredentialResponseSchema = successEnvelope(z.object({ revoked: z.boolean() }));

const STATUS_CLASSES = ["2xx", "4xx", "5xx"] as const;
const METHODS = ["GET", "POST"] as const;
const MAX_PATH = 200;
const MAX_REQUEST_ID = 64;

/** `GET …/requests`: calls of the Pay and Partner API, newest first. */
export const consoleRequestsQuerySchema = consolePageSchema.omit({ after: true }).extend({
  status: z.enum(STATUS_CLASSES, { error: oneOfRule(STATUS_CLASSES).text }).optional(),
  method: z.enum(METHODS, { error: oneOfRule(METHODS).text }).optional(),
  path: optionalFilter(MAX_PATH),
  credential: z.uuid({ error: "must be the id of a credential" }).optional(),
  request_id: optionalFilter(MAX_REQUEST_ID),
  about: optionalFilter(MAX_REQUEST_ID),
});
export type ConsoleRequestsQuery = z.output<typeof consoleRequestsQuerySchema>;

/** An API call, or a gap of `dropped` calls that arrived faster than they could be logged. */
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
/** `GET …/requests/{request}` */
export const consoleRequestResponseSchema = successEnvelope(
  consoleRequestSchema.extend({
    mode: modeSchema,
    /** The ID of the order, refund or payout that the call concerns. */
    about: z.string().nullable(),
    /** JSON with secrets, tokens and personal data masked; null if no body was stored, such as for a read. */
    request_body: z.string().nullable(),
    answer_body: z.string().nullable(),
  }),
);
