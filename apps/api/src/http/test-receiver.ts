import { MAX_BODY_BYTES, TEST_RECEIVER_PATH } from "@tillgate/contract";
import express, { type Express } from "express";
import type { Context } from "../context.js";
import { spendTestWebhook } from "../credentials/request-limits.js";
import { receiveTestWebhook } from "../operations/sandbox/receive-test-webhook.js";
import { clientAddressOf } from "./shared/client-address.js";
import { pathParameter } from "./shared/path-parameter.js";
import { applyAllowance } from "./shared/rate-limit.js";
import { serve } from "./shared/routes.js";

/** The exact bytes: they are what was signed. */
const read = express.raw({ limit: MAX_BODY_BYTES, inflate: false, type: () => true });

/** Receives webhooks of the sandbox for merchants who have no shop yet: 200 where one is genuine, otherwise 401. */
export function serveTestReceiver(app: Express, context: Context): void {
  serve(app, `${TEST_RECEIVER_PATH}/:merchant`, {
    post: [
      read,
      async (request, response) => {
        applyAllowance(response, await spendTestWebhook(context, clientAddressOf(request)));
        const { headers } = request;
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const genuine = await receiveTestWebhook(context, pathParameter(request, "merchant"), {
          headers,
          body,
        });
        response.status(genuine ? 200 : 401).json({ outcome: genuine ? "received" : "bad_signature" });
      },
    ],
  });
}
