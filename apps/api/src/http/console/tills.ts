import {
  type ConsoleTill,
  type ConsoleTillOrder,
  consoleTillChangeSchema,
  consoleTillOrderRequestSchema,
  consoleTillRequestSchema,
} from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Request, Router } from "express";
import { readStatus } from "../../checkout/status.js";
import type { Context } from "../../context.js";
import { createTillOrder, findOpenOrder, findTillOrder } from "../../money/tills/take-order.js";
import {
  changeTill,
  createTill,
  listTills,
  requireTill,
  type TillModel,
  viewTill,
} from "../../money/tills/till.js";
import { parse, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { paymentAddress, wireTime } from "../shared/shapes.js";
import { getRequestId } from "../shared/trace.js";
import { withRightInMode } from "./caller.js";
import { toMoney } from "./shapes.js";

const BASE = "/merchants/:merchant/:mode/tills";

export function serveTills(router: Router, context: Context): void {
  const allowed = withRightInMode(context);
  const readTillId = (request: Request): string => pathParameter(request, "till");

  serve(router, BASE, {
    get: allowed("tills.use", async (access, _request, response) => {
      const tills = await listTills(context, access);
      succeed(response, "Tills retrieved", {
        tills: await Promise.all(tills.map((till) => toTill(context, till))),
      });
    }),
    post: allowed("tills.change", async (access, request, response) => {
      const till = await createTill(context, access, parse(consoleTillRequestSchema, request.body));
      succeed(response, "Till created", { till: await toTill(context, till), open: null });
    }),
  });

  serve(router, `${BASE}/:till`, {
    get: allowed("tills.use", async (access, request, response) => {
      const till = await requireTill(context, access, readTillId(request));
      const open = await findOpenOrder(context, till);
      succeed(response, "Till retrieved", {
        till: await toTill(context, till),
        open: open && (await toTillOrder(context, open)),
      });
    }),
    post: allowed("tills.change", async (access, request, response) => {
      const fields = parse(consoleTillChangeSchema, request.body);
      const till = await changeTill(context, { ...access, tillId: readTillId(request) }, fields);
      succeed(response, "Till changed", { till: await toTill(context, till), open: null });
    }),
  });

  serve(router, `${BASE}/:till/orders`, {
    post: allowed("tills.use", async (access, request, response) => {
      const fields = parse(consoleTillOrderRequestSchema, request.body);
      const order = await createTillOrder(context, access, readTillId(request), {
        ...fields,
        requestId: getRequestId(response),
      });
      succeed(response, "Order created", { order: await toTillOrder(context, order) });
    }),
  });

  serve(router, `${BASE}/:till/orders/:order`, {
    get: allowed("tills.use", async (access, request, response) => {
      const till = await requireTill(context, access, readTillId(request));
      const order = await findTillOrder(context, till, pathParameter(request, "order"));
      succeed(response, "Order retrieved", { order: await toTillOrder(context, order) });
    }),
  });
}

async function toTill(context: Context, till: TillModel): Promise<ConsoleTill> {
  const { id, name, terminalId, currency, paused, token, createdAt } = await viewTill(context, till);
  return {
    till_id: id,
    name,
    terminal_id: terminalId,
    currency: currency.code,
    digits: currency.digits,
    paused,
    code_url: `${context.config.payUrl}/t/${token}`,
    created_at: wireTime(createdAt),
  };
}

async function toTillOrder(context: Context, order: OrderModel): Promise<ConsoleTillOrder> {
  const { status, expires_in_ms } = await readStatus(context, order.token);
  return {
    order_id: order.id,
    status,
    money: await toMoney(context, order.amount, order.currency),
    description: order.description,
    trx_id: order.trxId,
    payment_url: paymentAddress(context.config.payUrl, order),
    expires_in_ms,
    created_at: wireTime(order.createdAt),
    paid_at: order.paidAt && wireTime(order.paidAt),
  };
}
