import type { RowReader } from "@tillgate/service";
import { z } from "zod";
import { Prisma } from "../generated/prisma/client.js";
import {
  Mode,
  OrderState,
  OrderStatus,
  PaymentMethod,
  PayoutStatus,
  RefundStatus,
} from "../generated/prisma/enums.js";
import type { OrderModel, PayoutModel, RefundModel } from "../generated/prisma/models.js";

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;
const toCamelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

export type RowSchema<Row> = RowReader<Row> & { columns: readonly string[] };

/** Creates a schema for rows whose properties are named after their columns. */
export const toRowSchema = <Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
): RowSchema<z.output<z.ZodObject<Shape>>> => ({
  columns: Object.keys(schema.shape),
  parse: (row) => schema.parse(row),
});

/** Creates a schema for rows whose properties have Prisma's names. */
function table<Shape extends z.ZodRawShape>(shape: Shape) {
  const schema = z.object(shape);
  const columns = Object.keys(shape);
  const columnNames = columns.map((column) => [column, toCamelCase(column)] as const);
  const parse = (found: unknown) => {
    const row: Record<string, unknown> = schema.parse(found);
    return Object.fromEntries(columnNames.map(([column, name]) => [name, row[column]])) as {
      [Name in keyof Shape & string as CamelCase<Name>]: z.output<Shape[Name]>;
    };
  };
  return { columns, parse };
}

const text = z.string();
const maybe = text.nullable();
const when = z.date();

export const orderRow: RowSchema<OrderModel> = table({
  id: text,
  mode: z.enum(Mode),
  merchant_id: text,
  credential_id: text,
  token: text,
  amount: z.bigint(),
  currency: text,
  payment_method: z.enum(PaymentMethod),
  status: z.enum(OrderStatus),
  state: z.enum(OrderState),
  reference: maybe,
  description: maybe,
  terminal_id: maybe,
  order_number: maybe,
  custom: maybe,
  callback_url: maybe,
  return_url: maybe,
  cancel_url: maybe,
  expires_at: when,
  created_at: when,
  paid_at: when.nullable(),
  trx_id: maybe,
  transfer_id: maybe,
  payer_account_id: maybe,
  refunded: z.bigint(),
  refund_pending: z.bigint(),
  version: z.int(),
  payer_currency: maybe,
  payer_amount: z.bigint().nullable(),
  quote_id: maybe,
  metadata: maybe,
  locale: maybe,
  cancel_request_id: maybe,
  pay_request_id: maybe,
  traceparent: maybe,
  create_request_id: maybe,
});

export const refundRow: RowSchema<RefundModel> = table({
  id: text,
  mode: z.enum(Mode),
  merchant_id: text,
  order_id: text,
  amount: z.bigint(),
  currency: text,
  status: z.enum(RefundStatus),
  reason: maybe,
  reference: maybe,
  transfer_id: maybe,
  hold_transfer_id: maybe,
  created_at: when,
  settled_at: when.nullable(),
  payer_amount: z.bigint().nullable(),
  metadata: maybe,
  credential_id: maybe,
  request_id: maybe,
});

export const payoutRow: RowSchema<PayoutModel> = table({
  id: text,
  mode: z.enum(Mode),
  merchant_id: text,
  reference: text,
  quote_id: maybe,
  wallet_user_id: text,
  recipient_account_id: text,
  amount: z.bigint(),
  sender_currency: text,
  fee: z.bigint(),
  rate: text.transform((rate) => new Prisma.Decimal(rate)),
  receiver_amount: z.bigint(),
  receiver_currency: text,
  status: z.enum(PayoutStatus),
  description: maybe,
  trx_id: maybe,
  transfer_id: maybe,
  hold_transfer_id: maybe,
  created_at: when,
  processed_at: when.nullable(),
  metadata: maybe,
  traceparent: maybe,
});
