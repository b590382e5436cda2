import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { oneOfRule } from "../errors/field-errors.js";
import { displayName, modeSchema, optionalFilter, optionalText, text, timestamp } from "../fields.js";
import { consoleMoneySchema } from "./lists.js";
import { consoleEmail } from "./sign-in.js";

/** Calls under `/administration` are for administrators only. Amounts, rates and percentages are decimal strings, which the operations validate. */
const decimalText = text(64);
const MAX_NAME = 120;
export const merchantName = displayName(MAX_NAME);
const mode = z.enum(modeSchema.options, { error: oneOfRule(modeSchema.options).text });
const trueOrFalse = z.boolean({ error: "must be true or false" });
const requestsPerMinute = z.int({ error: "must be a whole number" }).nullable().optional();

/** `POST /administration/merchants`: invites the first owner by e-mail. */
export const createMerchantRequestSchema = z.object({ name: merchantName, owner_email: consoleEmail });
/** `POST /administration/merchants/{merchant}`: omitted fields stay unchanged. */
export const changeMerchantRequestSchema = z.object({
  suspended: trueOrFalse.optional(),
  partner_api: trueOrFalse.optional(),
  refunds_need_approval: trueOrFalse.optional(),
  /** Null restores the API's default. */
  pay_requests_per_minute: requestsPerMinute,
  partner_requests_per_minute: requestsPerMinute,
  /** Null sends notices to the merchant's console users. */
  notice_email: z.string().nullable().optional(),
});
const MAX_CURRENCY = 10;
/** `POST …/wallets`: opens or reopens a wallet, or closes an empty wallet. */
const changeWalletFields = { currency: text(MAX_CURRENCY), open: trueOrFalse };
/** `POST /administration/merchants/{merchant}/wallets`. */
export const changeMerchantWalletRequestSchema = z.object({ mode, ...changeWalletFields });
/** `POST /administration/shoppers/{mode}/{user}/wallets`. */
export const changeShopperWalletRequestSchema = z.object(changeWalletFields);

export const searchQuerySchema = z.object({ search: optionalFilter(254) });

export const administeredMerchantSchema = z.object({
  merchant_id: z.uuid(),
  name: z.string(),
  suspended_at: timestamp.nullable(),
  partner_api: z.boolean(),
  refunds_need_approval: z.boolean(),
  pay_requests_per_minute: z.int().nullable(),
  partner_requests_per_minute: z.int().nullable(),
  notice_email: z.string().nullable(),
  created_at: timestamp,
});
export const merchantListResponseSchema = successEnvelope(
  z.object({ merchants: z.array(administeredMerchantSchema) }),
);
export const merchantResponseSchema = successEnvelope(
  administeredMerchantSchema.extend({
    credentials: z.int(),
    wallets: z.array(
      z.object({
        mode: z.string(),
        currency: z.string(),
        balance: consoleMoneySchema,
        held: consoleMoneySchema,
        closed: z.boolean(),
      }),
    ),
  }),
);
export const merchantCreatedResponseSchema = successEnvelope(
  z.object({ merchant_id: z.uuid(), invitation_id: z.uuid() }),
);

/** `POST /administration/approvals/{payouts|refunds|requests}/{id}`. */
export const decisionRequestSchema = z.object({ approve: trueOrFalse, reason: optionalText(500) });
/** `GET /administration/approvals`: pending decisions, oldest first. */
export const approvalsResponseSchema = successEnvelope(
  z.object({
    payouts: z.array(
      z.object({
        payout_id: z.string(),
        mode: z.string(),
        merchant: z.string(),
        reference: z.string(),
        money: consoleMoneySchema,
        fee: consoleMoneySchema,
        received: consoleMoneySchema,
        recipient: z.string(),
        recipient_active: z.boolean(),
        created_at: timestamp,
      }),
    ),
    refunds: z.array(
      z.object({
        refund_id: z.string(),
        mode: z.string(),
        merchant: z.string(),
        order_id: z.string(),
        money: consoleMoneySchema,
        /** Refund in the payer's currency, if converted. */
        received: consoleMoneySchema.nullable(),
        /** The payer who receives the refund; null without a shopper's wallet. */
        recipient: z.string().nullable(),
        reason: z.string().nullable(),
        created_at: timestamp,
      }),
    ),
    /** Decided by an administrator other than the requester. */
    requests: z.array(
      z.object({
        request_id: z.uuid(),
        /** `deposit`, `withdrawal`, `single_limit`, `administrator_add`, `administrator_enable`. */
        kind: z.string(),
        mode: z.string().nullable(),
        money: consoleMoneySchema.nullable(),
        owner: z.string().nullable(),
        reference: z.string().nullable(),
        requested_by: z.string(),
        requested_at: timestamp,
      }),
    ),
  }),
);
/** `password_half`: second half of an approved administrator's password, shown only once. */
export const decisionResponseSchema = successEnvelope(
  z.object({ id: z.string(), status: z.string(), password_half: z.string().nullable() }),
);

/** `POST /administration/funds`: a deposit or withdrawal, idempotent by reference. */
export const fundsRequestSchema = z.object({
  kind: z.enum(["deposit", "withdrawal"], { error: "must be one of deposit, withdrawal" }),
  mode,
  currency: text(10),
  /** Exactly one of the two: a merchant's ID or name, or a wallet user's ID, phone or e-mail. */
  merchant: optionalText(254),
  user: optionalText(254),
  amount: decimalText,
  reference: text(120),
  /** Validates without booking. */
  dry_run: z.boolean({ error: "must be true or false" }).optional(),
});
export const fundsResponseSchema = successEnvelope(
  z.object({
    outcome: z.enum(["booked", "repeated", "requested", "waiting"]),
    id: z.uuid(),
    money: consoleMoneySchema,
    owner: z.string(),
  }),
);

export const shopperSchema = z.object({
  user_id: z.uuid(),
  name: z.string(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  active: z.boolean(),
  created_at: timestamp,
});
export const shopperListResponseSchema = successEnvelope(
  z.object({ shoppers: z.array(shopperSchema.extend({ currencies: z.array(z.string()) })) }),
);
const MAX_NEW_WALLETS = 20;
/** `POST /administration/shoppers/{mode}`: creates a shopper with a phone number (with country code), an e-mail address, or both. Returns the PIN. */
export const createShopperRequestSchema = z.object({
  name: displayName(MAX_NAME),
  phone: optionalText(64),
  email: optionalText(254),
  currencies: z
    .array(text(MAX_CURRENCY), { error: "must be a list of currencies" })
    .max(MAX_NEW_WALLETS, { error: `must name at most ${MAX_NEW_WALLETS} currencies` })
    .optional(),
});
/** `GET /administration/shoppers/{mode}/{user}`: `user` is an ID, phone or e-mail. */
export const shopperResponseSchema = successEnvelope(
  shopperSchema.extend({
    wallets: z.array(
      z.object({
        account_id: z.uuid(),
        currency: z.string(),
        balance: consoleMoneySchema,
        closed_at: timestamp.nullable(),
      }),
    ),
  }),
);
/** The PIN is shown only once. */
export const pinResponseSchema = successEnvelope(z.object({ user_id: z.uuid(), pin: z.string() }));

export const administratorRequestSchema = z.object({ email: consoleEmail });
export const administratorListResponseSchema = successEnvelope(
  z.object({
    administrators: z.array(
      z.object({
        user_id: z.uuid(),
        email: z.string(),
        created_at: timestamp,
        disabled_at: timestamp.nullable(),
      }),
    ),
  }),
);
/** `added`: the full password; `requested`: the requester's half, until another administrator approves. Shown only once. */
export const administratorRequestedResponseSchema = successEnvelope(
  z.object({
    outcome: z.enum(["added", "requested"]),
    id: z.uuid(),
    email: z.string(),
    password: z.string(),
  }),
);
export const changedResponseSchema = successEnvelope(z.object({ changed: z.boolean() }));
