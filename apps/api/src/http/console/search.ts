import { consoleSearchQuerySchema } from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { type SearchHit, search } from "../../operations/search/search.js";
import { succeed } from "../shared/answer.js";
import { parse } from "../shared/parse.js";
import { serve } from "../shared/routes.js";
import { wireTime } from "../shared/wire-time.js";
import { allowedInModeOn } from "./caller.js";
import { shapeMoney } from "./money.js";

const shapeHit = async (context: Context, { amount, currency, at, ...hit }: SearchHit) => ({
  ...hit,
  money: amount === null || currency === null ? null : await shapeMoney(context, amount, currency),
  at: wireTime(at),
});

/** The one search box of a merchant. */
export function serveSearch(router: Router, context: Context): void {
  const allowed = allowedInModeOn(context);

  serve(router, "/merchants/:merchant/:mode/search", {
    get: [
      allowed("payments.view", async (access, request, response) => {
        const { q } = parse(consoleSearchQuerySchema, request.query);
        const { hits, more } = await search(context, access, q);
        succeed(response, "Found", {
          hits: await Promise.all(hits.map((hit) => shapeHit(context, hit))),
          more,
        });
      }),
    ],
  });
}
