import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { INVALID_CURSOR_TEXT, optionalFilter, pageFields, timestamp } from "../fields.js";
import { csvFileQuerySchema } from "./exports.js";

/** Records of earlier versions may have other actions. */
export const AUDIT_ACTIONS = [
  "administrator.add",
  "administrator.disable",
  "administrator.password",
  "administrator.add.request",
  "administrator.add.approve",
  "administrator.add.reject",
  "administrator.enable.request",
  "administrator.enable.approve",
  "administrator.enable.reject",
  "console_user.joined",
  "console_user.signed_up",
  "console_user.password",
  "console_user.passkey_on",
  "console_user.passkey_off",
  "console_user.totp_on",
  "console_user.totp_off",
  "console_user.recovery_codes",
  "console_user.recovery_code_used",
  "credential.connect",
  "credential.create",
  "credential.rename",
  "credential.rotate",
  "credential.revoke",
  "currency.add",
  "currency.activate",
  "currency.deactivate",
  "currency.single_limit",
  "currency.single_limit.request",
  "currency.single_limit.approve",
  "currency.single_limit.reject",
  "fee.set",
  "fee.remove",
  "ledger.prove",
  "member.invite",
  "member.withdraw",
  "member.role",
  "member.remove",
  "merchant.create",
  "merchant.suspend",
  "merchant.resume",
  "merchant.partner_api",
  "merchant.refund_approval",
  "merchant.notice_email",
  "merchant.rate_limits",
  "merchant.mails",
  "merchant.brand",
  "merchant.embed_origins",
  "order.cancel",
  "payment_link.create",
  "payment_link.close",
  "payment_link.open",
  "payout.create",
  "payout.approve",
  "payout.reject",
  "payout_batch.create",
  "payout_batch.check",
  "payout_batch.confirm",
  "payout_batch.discard",
  "payout_terms.set",
  "rate.set",
  "rate.import",
  "receiver.create",
  "receiver.change",
  "receiver.pause",
  "receiver.resume",
  "receiver.enable",
  "receiver.remove",
  "receiver.rotate_secret",
  "receiver.resend_delivery",
  "receiver.resend_failed",
  "receiver.resend_all",
  "receiver.send_missed",
  "receiver.replay",
  "receiver.replay_cancel",
  "receiver.replay_resume",
  "refund.create",
  "refund.approve",
  "refund.reject",
  "test_payout.approve",
  "test_payout.reject",
  "shop.remove",
  "till.create",
  "till.change",
  "user.create",
  "user.activate",
  "user.deactivate",
  "user.reset_pin",
  "wallet.open",
  "wallet.close",
  "wallet.deposit",
  "wallet.deposit.request",
  "wallet.deposit.approve",
  "wallet.deposit.reject",
  "wallet.withdrawal",
  "wallet.withdrawal.request",
  "wallet.withdrawal.approve",
  "wallet.withdrawal.reject",
  "wallet.top_up",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

const MAX_NAME = 120;

/** `GET /administration/audit`: newest first. */
export const auditQuerySchema = z.object({
  merchant: optionalFilter(MAX_NAME),
  subject: optionalFilter(254),
  /** Such as `payout.approve`; with a trailing dot (`payout.`), a prefix. */
  action: optionalFilter(64),
  /** The author's e-mail at the time of the change. */
  by: optionalFilter(254),
  before: z
    .string({ error: "must be given once" })
    .regex(/^\d{1,18}$/, { error: INVALID_CURSOR_TEXT })
    .optional(),
  per_page: pageFields.per_page,
});
export const auditListResponseSchema = successEnvelope(
  z.object({
    records: z.array(
      z.object({
        record_id: z.string(),
        at: timestamp,
        merchant: z.string().nullable(),
        number: z.int(),
        by: z.string(),
        action: z.string(),
        subject: z.string(),
        details: z.record(z.string(), z.unknown()),
        hash: z.string(),
      }),
    ),
    next: z.string().nullable(),
  }),
);
/** `GET /administration/audit.csv` and `.json`: all records that match a filter, oldest first. `details` is the text that was hashed. */
export const auditExportQuerySchema = auditQuerySchema
  .omit({ before: true, per_page: true })
  .extend(csvFileQuerySchema.shape);
export const AUDIT_EXPORT_COLUMNS = [
  "record_id",
  "at",
  "merchant_id",
  "merchant",
  "number",
  "by",
  "action",
  "subject",
  "details",
  "previous_hash",
  "hash",
] as const;
/** `GET /administration/audit/check`; `noted`: a chain's latest hash from an earlier check. */
export const auditCheckQuerySchema = z.object({ noted: optionalFilter(64) });
export const auditCheckResponseSchema = successEnvelope(
  z.object({
    sound: z.boolean(),
    violations: z.array(z.string()),
    chains: z.array(z.object({ merchant: z.string().nullable(), records: z.int(), last_hash: z.string() })),
    found_noted: z.boolean().nullable(),
  }),
);

/** `GET /administration/audit/confirmations`: verifies the evidence of passkey payments, for one order or for all orders. */
export const confirmationsCheckQuerySchema = z.object({ order: optionalFilter(64) });
export const confirmationsCheckResponseSchema = successEnvelope(
  z.object({ sound: z.boolean(), checked: z.int(), violations: z.array(z.string()) }),
);

/** `GET /administration/proofs`. `POST` requests a proof, or returns the unfinished proof. */
export const ledgerProofSchema = z.object({
  proof_id: z.uuid(),
  /** Null for the nightly proof. */
  requested_by: z.string().nullable(),
  requested_at: timestamp,
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  /** Null while open, or if the proof could not run. */
  sound: z.boolean().nullable(),
  faults: z.array(z.string()),
  /** Why the proof could not run. */
  error: z.string().nullable(),
});
export const ledgerProofsResponseSchema = successEnvelope(z.object({ proofs: z.array(ledgerProofSchema) }));
export const ledgerProofRequestedResponseSchema = successEnvelope(
  z.object({ proof_id: z.uuid(), already_open: z.boolean() }),
);

/** Shared by the console's health page and the alert rules of deploy/monitoring. */
export const HEALTH_LIMITS = {
  /** Offset between the clocks of an API process and the database. Well below the 300 s at which receivers reject a signature. */
  clockOffsetMs: 5_000,
  /** Complete WAL segments that wait for the archive. */
  waitingSegments: 3,
  /** Delay of the oldest scheduled delivery. */
  deliveryDelaySeconds: 60,
  /** Age of the last verified backup. */
  backupAgeHours: 36,
  proofAgeHours: 36,
} as const;

/** `GET /administration/health`. */
export const healthResponseSchema = successEnvelope(
  z.object({
    /** How far this process's clock is ahead of the database's; null until first compared. */
    clock_offset_ms: z.number().nullable(),
    /** Why writes fail; null if they work. */
    database_trouble: z.enum(["silent", "full", "busy"]).nullable(),
    /** `overdue_orders`: past their expiry but not yet EXPIRED. `expiry_failures`: orders that could not be expired. */
    overdue_orders: z.int(),
    expiry_failures: z.int(),
    /** `overdue_seconds`: delay of the oldest due delivery. */
    deliveries: z.object({ due: z.int(), retrying: z.int(), leased: z.int(), overdue_seconds: z.number() }),
    /** Failing and disabled endpoints, worst first. */
    endpoints: z.array(
      z.object({
        receiver_id: z.uuid(),
        merchant_id: z.uuid(),
        merchant: z.string(),
        mode: z.string(),
        address: z.string(),
        failures_in_row: z.int(),
        failing_since: timestamp.nullable(),
        disabled_at: timestamp.nullable(),
      }),
    ),
    mails: z.object({ waiting: z.int(), given_up: z.int() }),
    /** Null if there is no backup. `error`: why the latest backup failed. `proved_at`: when a backup was last restored and verified. */
    backup: z
      .object({ finished_at: timestamp, error: z.string().nullable(), proved_at: timestamp.nullable() })
      .nullable(),
    /** Null if archiving is off. `waiting_segments` is null until a segment is archived. */
    archiving: z
      .object({
        archived_at: timestamp.nullable(),
        failing_since: timestamp.nullable(),
        waiting_segments: z.int().nullable(),
      })
      .nullable(),
    unfolded_counts: z.int(),
    waiting: z.object({ payouts: z.int(), refunds: z.int(), requests: z.int() }),
  }),
);
