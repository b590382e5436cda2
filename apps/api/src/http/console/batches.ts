import {
  BATCH_RESULT_COLUMNS,
  batchLinesQuerySchema,
  confirmBatchRequestSchema,
  createBatchRequestSchema,
  csvFileQuerySchema,
  MAX_BATCH_LINES,
} from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { checkBatchAgain, confirmBatch, discardBatch } from "../../operations/payout-batches/change-batch.js";
import { createBatch } from "../../operations/payout-batches/create-batch.js";
import {
  batchLines,
  findBatch,
  LINES_A_PAGE,
  listBatches,
  viewBatch,
} from "../../operations/payout-batches/view-batch.js";
import { requirePayouts } from "../../operations/payouts/require-payouts.js";
import { succeed } from "../shared/answer.js";
import { parse } from "../shared/parse.js";
import { pathParameter } from "../shared/path-parameter.js";
import { applyAllowance } from "../shared/rate-limit.js";
import { serve } from "../shared/routes.js";
import { requestIdOf } from "../shared/trace.js";
import { resultRow, shapeBatch, shapeLine, shapeTotal } from "./batch-shapes.js";
import { allowedInModeOn } from "./caller.js";
import { csvWriter } from "./csv.js";

const BASE = "/merchants/:merchant/:mode/payouts/batches";

/** Payouts by a file: it is read, looked up and priced, shown, confirmed, and paid line by line. */
export function serveBatches(router: Router, context: Context): void {
  const allowed = allowedInModeOn(context);

  serve(router, BASE, {
    get: [
      allowed("payments.view", async (access, _request, response) => {
        const batches = await listBatches(context, access);
        succeed(response, "Files of payouts retrieved", { batches: batches.map(shapeBatch) });
      }),
    ],
    post: [
      allowed("payouts.create", async (access, request, response) => {
        applyAllowance(response, await requirePayouts(context, access));
        const file = parse(createBatchRequestSchema, request.body);
        const made = await createBatch(context, access, { ...file, requestId: requestIdOf(response) });
        succeed(response, made.batchId === null ? "File of payouts not kept" : "File of payouts kept", {
          batch_id: made.batchId,
          problems: made.problems,
          problem_count: made.problemCount,
        });
      }),
    ],
  });

  serve(router, `${BASE}/:batch`, {
    get: [
      allowed("payments.view", async (access, request, response) => {
        const view = await viewBatch(context, access, pathParameter(request, "batch"));
        const { batch, repeats, counts, totals } = view;
        succeed(response, "File of payouts retrieved", {
          ...shapeBatch(batch),
          round: batch.round,
          repeats,
          counts,
          totals: await Promise.all(totals.map((total) => shapeTotal(context, total))),
        });
      }),
    ],
  });

  serve(router, `${BASE}/:batch/lines`, {
    get: [
      allowed("payments.view", async (access, request, response) => {
        const { state, after } = parse(batchLinesQuerySchema, request.query);
        const { id } = await findBatch(context, access, pathParameter(request, "batch"));
        const asked = { state, after: Number(after ?? 0), limit: LINES_A_PAGE + 1 };
        const found = await batchLines(context, id, asked);
        const page = found.slice(0, LINES_A_PAGE);
        const last = found.length > LINES_A_PAGE ? page.at(-1) : undefined;
        succeed(response, "Lines retrieved", {
          lines: await Promise.all(page.map((line) => shapeLine(context, line))),
          next: last ? String(last.number) : null,
        });
      }),
    ],
  });

  serve(router, `${BASE}/:batch/result.csv`, {
    get: [
      allowed("payments.view", async (access, request, response) => {
        const { id } = await findBatch(context, access, pathParameter(request, "batch"));
        const lines = await batchLines(context, id, { limit: MAX_BATCH_LINES });
        const rows = await Promise.all(lines.map((line) => resultRow(context, line)));
        const { dialect } = parse(csvFileQuerySchema, request.query);
        const file = csvWriter(BATCH_RESULT_COLUMNS, dialect, access.timeZone);
        response.type("text/csv; charset=utf-8; header=present");
        response.set("cache-control", "no-store");
        response.attachment(`payouts-${id}.csv`);
        response.send(file.start + rows.map(file.row).join(""));
      }),
    ],
  });

  serve(router, `${BASE}/:batch/confirm`, {
    post: [
      allowed("payouts.create", async (access, request, response) => {
        const { round } = parse(confirmBatchRequestSchema, request.body);
        const asked = { batchId: pathParameter(request, "batch"), requestId: requestIdOf(response), round };
        succeed(response, "File of payouts confirmed", { lines: await confirmBatch(context, access, asked) });
      }),
    ],
  });

  const changes = [
    ["again", "File of payouts checked again", checkBatchAgain],
    ["discard", "File of payouts discarded", discardBatch],
  ] as const;
  for (const [name, done, change] of changes)
    serve(router, `${BASE}/:batch/${name}`, {
      post: [
        allowed("payouts.create", async (access, request, response) => {
          const asked = { batchId: pathParameter(request, "batch"), requestId: requestIdOf(response) };
          succeed(response, done, { lines: await change(context, access, asked) });
        }),
      ],
    });
}
