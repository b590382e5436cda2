import {
  CALL_CONTROLS,
  type CallControl,
  PAYMENT_CONTROLS,
  PAYOUT_CONTROLS,
  type PaymentControl,
} from "@tillgate/contract";
import { queryFirstRow } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";

export const IS_USABLE_CONTROL = "remaining > 0 AND expires_at > clock_timestamp()";

/** Consumes one use of the oldest control of the merchant `$1` and the kinds `$2`. Concurrent calls wait for each other. */
export const TAKE_CONTROL = `
  UPDATE test_controls SET remaining = remaining - 1 WHERE ${IS_USABLE_CONTROL} AND id = (
    SELECT id FROM test_controls WHERE merchant_id = $1 AND control = ANY ($2) AND ${IS_USABLE_CONTROL}
    ORDER BY created_at, id LIMIT 1 FOR UPDATE)
  RETURNING control, seconds`;

const callSchema = z.object({ control: z.enum(CALL_CONTROLS), seconds: z.int() });

/** Consumes a control for the merchant's current API call; undefined if there is none. */
export const takeCallControl = (
  { database }: Pick<Context, "database">,
  merchantId: string,
): Promise<{ control: CallControl; seconds: number } | undefined> =>
  queryFirstRow(database.pool, callSchema, TAKE_CONTROL, [merchantId, CALL_CONTROLS]);

const paymentSchema = z.object({ control: z.enum(PAYMENT_CONTROLS) });

/** Consumes a control for the current payment of an order; undefined if there is none. */
export const takePaymentControl = async (
  { database }: Pick<Context, "database">,
  merchantId: string,
): Promise<PaymentControl | undefined> =>
  (await queryFirstRow(database.pool, paymentSchema, TAKE_CONTROL, [merchantId, PAYMENT_CONTROLS]))?.control;

/** Consumes a control that requires approval of the current payout. @returns whether a control was consumed. */
export const takePayoutControl = async (
  { database }: Pick<Context, "database">,
  merchantId: string,
): Promise<boolean> =>
  (await queryFirstRow(database.pool, z.unknown(), TAKE_CONTROL, [merchantId, PAYOUT_CONTROLS])) !==
  undefined;
