import {
  type ComparedOrder,
  type ComparisonRequest,
  comparedOrderSchema,
  comparisonCallSchema,
  ErrorCode,
  FieldRule,
  fieldErrors,
  MAX_COMPARED_REFUNDS,
  type Mode,
} from "@tillgate/contract";
import type { Request, Response, Router } from "express";
import { z } from "zod";
import type { Context } from "../../context.js";
import { invalidField, OperationError } from "../../errors.js";
import type { Client } from "../../identity/credentials/authenticate.js";
import { UnavailableError } from "../../platform/availability.js";
import { inTurns } from "../../platform/in-turns.js";
import { reserveSlot } from "../../platform/slots.js";
import { compareShop } from "../../reports/comparisons/compare-shop.js";
import { getCallOrigin } from "../shared/admit.js";
import { isObject, parse, pathParameter } from "../shared/parse.js";
import { readJson } from "../shared/read-body.js";
import { serve, succeed } from "../shared/routes.js";
import { authenticate } from "./authenticate.js";

/** Maximum concurrent comparisons in a process, per merchant and mode and in total. Each may have a large body. */
export const MAX_COMPARISONS_PER_MERCHANT = 2;
export const MAX_COMPARISONS = 8;
const ALL = "all";
const RETRY_AFTER_SECONDS = 1;

/** Serves comparisons. The caller is admitted before the body is read, because the body may be large. */
export function serveComparisons(router: Router, context: Context, mode: Mode): void {
  const callers = new WeakMap<Request, Client>();
  serve(router, "/comparisons/:day", {
    put: [
      async (request, response, next) => {
        const client = await authenticate(context, mode, request, response);
        // If the database became unavailable meanwhile, the call was rejected, and "close" will not be emitted again to release the slot.
        if (response.destroyed) return;
        reserveComparison(context, client, response);
        callers.set(request, client);
        next();
      },
      readJson,
      async (request, response) => {
        const client = callers.get(request);
        if (client === undefined) throw new Error("The caller of a comparison was not authenticated.");
        const comparison = await parseComparison(request);
        const { site } = getCallOrigin(request);
        succeed(response, "Orders compared", await compareShop(context, client, site, comparison));
      },
    ],
  });
}

/**
 * Reserves one of the merchant's slots and one of the process's slots until the response closes.
 * @throws OperationError TooManyRequests if the merchant has no free slot; UnavailableError if the process has none.
 */
function reserveComparison(
  { memory: { comparisons } }: Context,
  { merchantId, mode }: Client,
  response: Response,
): void {
  const releaseOwn = reserveSlot(comparisons, `${mode} ${merchantId}`, MAX_COMPARISONS_PER_MERCHANT);
  if (releaseOwn === null)
    throw new OperationError(ErrorCode.TooManyRequests, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  response.once("close", releaseOwn);
  const release = reserveSlot(comparisons, ALL, MAX_COMPARISONS);
  if (release === null) throw new UnavailableError("too many comparisons are in progress", "busy");
  response.once("close", release);
}

/** @throws OperationError InvalidFields, naming the invalid fields of the first invalid orders. */
async function parseComparison(request: Request): Promise<ComparisonRequest> {
  const { body } = request;
  const input = isObject(body) ? { ...body, day: pathParameter(request, "day") } : body;
  const { orders: rows, ...call } = parse(comparisonCallSchema, input);
  const orders: ComparedOrder[] = [];
  await inTurns(rows, (turn, start) => {
    const parsed = z.array(comparedOrderSchema).safeParse(turn);
    if (!parsed.success) throw invalidOrders(parsed.error, start);
    orders.push(...parsed.data);
  });
  const ids = [...orders.map(({ order_id }) => order_id), ...(call.skipped_orders ?? [])];
  if (new Set(ids).size < ids.length) throw invalidField("orders", FieldRule.NotRepeated.text);
  const refunds = orders.reduce((sum, { shop_order }) => sum + (shop_order?.refunds.length ?? 0), 0);
  if (refunds > MAX_COMPARED_REFUNDS) throw invalidField("orders", FieldRule.FewRefunds.text);
  return { ...call, orders };
}

/** @param start index of the first parsed order in the request. */
function invalidOrders({ issues }: z.ZodError, start: number): OperationError {
  const located = issues.map(({ path: [at, ...path], ...issue }) => ({
    ...issue,
    path: ["orders", start + Number(at), ...path],
  }));
  return new OperationError(ErrorCode.InvalidFields, { fields: fieldErrors(new z.ZodError(located)) });
}
