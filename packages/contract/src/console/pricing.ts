import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { oneOfRule } from "../errors/field-errors.js";
import {
  displayName,
  modeSchema,
  optional,
  optionalFilter,
  optionalText,
  text,
  timestamp,
} from "../fields.js";
import { consoleMoneySchema } from "./lists.js";

/** Amounts, rates and percentages of calls under `/administration` are decimal strings, which the operations validate. */
const decimalText = text(64);
const MAX_NAME = 120;
const mode = z.enum(modeSchema.options, { error: oneOfRule(modeSchema.options).text });
const trueOrFalse = z.boolean({ error: "must be true or false" });
/** Null removes the limit. */
const limit = decimalText.nullable().optional();

export const addCurrencyRequestSchema = z.object({
  code: text(10),
  name: displayName(MAX_NAME),
  digits: z.int({ error: "must be a whole number" }).optional(),
  symbol: optionalText(10),
  type: optional(z.enum(["fiat", "crypto"], { error: "must be one of fiat, crypto" })),
});
export const activeRequestSchema = z.object({ active: trueOrFalse });
export const singleLimitRequestSchema = z.object({ amount: decimalText });
export const singleLimitResponseSchema = successEnvelope(
  z.object({
    outcome: z.enum(["set", "requested"]),
    request_id: z.uuid().nullable(),
    limit: consoleMoneySchema,
  }),
);
export const currencySchema = z.object({
  code: z.string(),
  name: z.string(),
  symbol: z.string(),
  digits: z.int(),
  type: z.string(),
  active: z.boolean(),
  /** Live deposits and withdrawals above it need a second administrator. */
  single_administrator_limit: consoleMoneySchema,
});
export const currencyListResponseSchema = successEnvelope(z.object({ currencies: z.array(currencySchema) }));
export const currencyResponseSchema = successEnvelope(currencySchema);

export const ratesQuerySchema = z.object({ past: z.literal("true", { error: "must be true" }).optional() });
export const setRateRequestSchema = z.object({
  base: text(10),
  quote: text(10),
  rate: decimalText,
  spread_percent: optionalText(16),
  effective_from: optionalText(40),
});
/** CSV with the columns base, quote and rate, and optionally spread_percent and effective_from. Larger files need the administration command. */
export const importRatesRequestSchema = z.object({ csv: text(60_000) });
export const rateListResponseSchema = successEnvelope(
  z.object({
    rates: z.array(
      z.object({
        base: z.string(),
        quote: z.string(),
        rate: z.string(),
        spread_percent: z.string(),
        rate_after_spread: z.string(),
        effective_from: timestamp,
        standing: z.string(),
      }),
    ),
  }),
);
export const ratesSetResponseSchema = successEnvelope(z.object({ rates: z.int() }));

/** `POST /administration/fees`: removes the schedule if `fixed` and `percent` are absent. */
export const setFeeRequestSchema = z.object({
  mode,
  currency: text(10),
  /** If absent, the default schedule is changed. */
  merchant: optionalText(MAX_NAME),
  fixed: optional(decimalText),
  percent: optional(decimalText),
});
export const feeSetResponseSchema = successEnvelope(z.object({}));
export const feeListResponseSchema = successEnvelope(
  z.object({
    fees: z.array(
      z.object({
        mode: z.string(),
        merchant: z.string().nullable(),
        fixed: consoleMoneySchema,
        percent: z.string(),
      }),
    ),
  }),
);

export const merchantQuerySchema = z.object({ merchant: optionalFilter(MAX_NAME) });
/** `POST /administration/limits`: null removes a limit; omitted fields stay unchanged. */
export const setLimitsRequestSchema = z.object({
  merchant: text(MAX_NAME),
  mode,
  currency: text(10),
  authorized: trueOrFalse.optional(),
  per_transaction: limit,
  daily: limit,
  monthly: limit,
  review_above: limit,
});
const money = consoleMoneySchema.nullable();
export const limitListResponseSchema = successEnvelope(
  z.object({
    limits: z.array(
      z.object({
        merchant: z.string(),
        mode: z.string(),
        currency: z.string(),
        authorized: z.boolean(),
        per_transaction: money,
        daily: money,
        monthly: money,
        review_above: money,
        used_today: consoleMoneySchema,
        used_this_month: consoleMoneySchema,
      }),
    ),
  }),
);
