import {
  consolePayoutRequestSchema,
  consolePayoutsQuerySchema,
  lookupRequestSchema,
  quoteRequestSchema,
} from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { executePayout } from "../../money/payouts/create.js";
import { lookUpAgain, lookUpRecipient } from "../../money/payouts/lookup.js";
import { checkPayoutFields, quotePayout } from "../../money/payouts/quote.js";
import { browsePayouts, getPayout, viewPayout } from "../../money/payouts/read.js";
import { requirePayouts } from "../../money/payouts/rules.js";
import { requirePhone } from "../../platform/phone-numbers.js";
import { readTimeline } from "../../reports/timeline.js";
import { applyAllowance } from "../shared/admit.js";
import { parse, parseAndCheck, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { getRequestId } from "../shared/trace.js";
import { withRightInMode } from "./caller.js";
import { toList, toPayout, toPayoutView, toQuote, toTimeline } from "./shapes.js";

const BASE = "/merchants/:merchant/:mode/payouts";

/** Serves a merchant's payouts. A payout from the console uses the Partner API's operations. */
export function servePayouts(router: Router, context: Context): void {
  const allowed = withRightInMode(context);

  serve(router, BASE, {
    get: allowed("payments.view", async (access, request, response) => {
      const query = parse(consolePayoutsQuerySchema, request.query);
      const page = await browsePayouts(context, access, { ...query, timeZone: access.timeZone });
      const items = await Promise.all(page.items.map((item) => toPayout(context, item)));
      succeed(response, "Payouts retrieved", await toList(context, page, items));
    }),
    post: allowed("payouts.create", async ({ by, ...access }, request, response) => {
      applyAllowance(response, await requirePayouts(context, access));
      const fields = parse(consolePayoutRequestSchema, request.body);
      const act = { by, reason: fields.description ?? null, requestId: getRequestId(response) };
      const { payout } = await executePayout(context, access, fields, { act });
      succeed(response, "Payout created", await toPayout(context, payout));
    }),
  });

  serve(router, `${BASE}/lookup`, {
    post: allowed("payouts.create", async (access, request, response) => {
      applyAllowance(response, await requirePayouts(context, access));
      const fields = parse(lookupRequestSchema, request.body);
      if (fields.phone !== undefined) requirePhone(fields.phone);
      succeed(response, "Recipient found", await lookUpRecipient(context, access, fields));
    }),
  });

  serve(router, `${BASE}/quote`, {
    post: allowed("payouts.create", async (access, request, response) => {
      applyAllowance(response, await requirePayouts(context, access));
      const fields = await parseAndCheck(quoteRequestSchema, request.body, (validFields) =>
        checkPayoutFields(context, validFields),
      );
      const quoted = await quotePayout(context, access, fields, { payable: true });
      succeed(response, "Quote created", await toQuote(context, quoted));
    }),
  });

  serve(router, `${BASE}/:payout`, {
    get: allowed("payments.view", async (access, request, response) => {
      const view = await viewPayout(context, access, pathParameter(request, "payout"));
      succeed(response, "Payout retrieved", await toPayoutView(context, view));
    }),
  });

  serve(router, `${BASE}/:payout/lookup`, {
    post: allowed("payouts.create", async (access, request, response) => {
      applyAllowance(response, await requirePayouts(context, access));
      const recipient = await lookUpAgain(context, access, pathParameter(request, "payout"));
      succeed(response, "Recipient found", recipient);
    }),
  });

  serve(router, `${BASE}/:payout/timeline`, {
    get: allowed("payments.view", async (access, request, response) => {
      const { id: payoutId } = await getPayout(context, access, pathParameter(request, "payout"));
      const timeline = await readTimeline(context, access, { payoutId });
      succeed(response, "Timeline retrieved", await toTimeline(context, timeline));
    }),
  });
}
