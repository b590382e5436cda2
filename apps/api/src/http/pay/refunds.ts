import {
  createRefundRequestSchema,
  listRefundsQuerySchema,
  type Mode,
  type Refund,
} from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { getCurrency } from "../../money/currencies.js";
import { checkRefundFields, refundPayment } from "../../money/refunds/create.js";
import { getRefund, listRefunds, type RefundOfPayment } from "../../money/refunds/read.js";
import { parse, parseIdempotent, pathParameter } from "../shared/parse.js";
import { serve, succeed, toListPosition } from "../shared/routes.js";
import { getRequestId } from "../shared/trace.js";
import { withClient } from "./authenticate.js";
import { toRefund } from "./shapes.js";

export function serveRefunds(router: Router, context: Context, mode: Mode): void {
  const authenticated = withClient(context, mode);
  const serialize = async (refund: RefundOfPayment): Promise<Refund> =>
    toRefund(refund, await getCurrency(context, refund.currency));

  serve(router, "/refunds", {
    post: authenticated(async (client, request, response) => {
      const fields = await parseIdempotent(createRefundRequestSchema, request, (validFields) =>
        checkRefundFields(context, client, validFields),
      );
      const { refund, replayed } = await refundPayment(context, client, fields, {
        ...client,
        requestId: getRequestId(response),
      });
      if (replayed) response.set("Idempotent-Replayed", "true");
      succeed(response, "Refund created successfully", await serialize(refund));
    }),
    get: authenticated(async (client, request, response) => {
      const query = parse(listRefundsQuerySchema, request.query);
      const page = await listRefunds(context, client, query);
      const refunds = await Promise.all(page.rows.map(serialize));
      succeed(response, "Refunds retrieved", { refunds, ...toListPosition(query, page) });
    }),
  });

  serve(router, "/refunds/:refundId", {
    get: authenticated(async (client, request, response) => {
      const refund = await getRefund(context, client, pathParameter(request, "refundId"));
      succeed(response, "Refund details retrieved", await serialize(refund));
    }),
  });
}
