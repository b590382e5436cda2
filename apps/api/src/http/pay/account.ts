import type { Account, Mode } from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { readMerchantName } from "../../operations/connections/read-account.js";
import { succeed } from "../shared/answer.js";
import { consolePageOf } from "../shared/console-page.js";
import { serve } from "../shared/routes.js";
import { authenticate } from "./authenticate.js";

/** `/account`. */
export function serveAccount(router: Router, context: Context, mode: Mode): void {
  serve(router, "/account", {
    get: [
      async (request, response) => {
        const client = await authenticate(context, mode, request, response);
        const account: Account = {
          merchant_name: await readMerchantName(context, client),
          mode,
          console_url: consolePageOf(context.config.consoleUrl, client.merchantId),
        };
        succeed(response, "Account retrieved", account);
      },
    ],
  });
}
