import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import {
  amount,
  currencyCode,
  displayName,
  MAX_KEY_LENGTH,
  optionalText,
  text,
  timestamp,
} from "../fields.js";
import { orderStatusSchema } from "../public/orders.js";
import { consoleMoneySchema } from "./lists.js";

export const TILL_ORDER_SECONDS = 900;

export const consoleTillSchema = z.object({
  till_id: z.string(),
  name: z.string(),
  /** The `terminal_id` of the till's orders; unique among a merchant's tills in one mode. */
  terminal_id: z.string(),
  currency: z.string(),
  digits: z.int(),
  paused: z.boolean(),
  /** The URL in the printed code, which opens the till's open order. */
  code_url: z.string(),
  created_at: timestamp,
});
export type ConsoleTill = z.infer<typeof consoleTillSchema>;

export const consoleTillOrderSchema = z.object({
  order_id: z.string(),
  status: orderStatusSchema,
  money: consoleMoneySchema,
  description: z.string().nullable(),
  trx_id: z.string().nullable(),
  payment_url: z.string(),
  /** Measured by the database's clock; 0 when the order has expired. */
  expires_in_ms: z.int().nonnegative(),
  created_at: timestamp,
  paid_at: timestamp.nullable(),
});
export type ConsoleTillOrder = z.infer<typeof consoleTillOrderSchema>;

/** `GET …/tills` */
export const consoleTillsResponseSchema = successEnvelope(z.object({ tills: z.array(consoleTillSchema) }));

/** `GET …/tills/{till}` */
export const consoleTillResponseSchema = successEnvelope(
  z.object({ till: consoleTillSchema, open: consoleTillOrderSchema.nullable() }),
);

/** `POST …/tills` */
export const consoleTillRequestSchema = z.object({
  name: displayName(80),
  terminal_id: text(64),
  currency: currencyCode,
});

/** `POST …/tills/{till}`: omitted fields stay unchanged. */
export const consoleTillChangeSchema = z.object({
  name: displayName(80).optional(),
  paused: z.boolean({ error: "must be true or false" }).optional(),
});

/** `POST …/tills/{till}/orders`: idempotent by key. */
export const consoleTillOrderRequestSchema = z.object({
  amount,
  note: optionalText(500),
  idempotency_key: text(MAX_KEY_LENGTH),
});

export const consoleTillOrderResponseSchema = successEnvelope(z.object({ order: consoleTillOrderSchema }));
