import type { Router } from "express";
import type { Context } from "../../context.js";
import { findLogo } from "../../operations/checkout/find-logo.js";
import { pathParameter } from "../shared/path-parameter.js";
import { serve } from "../shared/routes.js";

/** The address is the hash of the bytes, so the content of an address never changes. */
const KEEP = "public, max-age=31536000, immutable";

/** The logos of merchants. The page serves them under its own origin. */
export function serveLogos(router: Router, context: Context): void {
  serve(router, "/logos/:id", {
    get: [
      async (request, response) => {
        const id = pathParameter(request, "id");
        const { bytes, type } = await findLogo(context, id);
        const etag = `"${id}"`;
        response.set({
          "Content-Type": type,
          "Cache-Control": KEEP,
          ETag: etag,
          "X-Content-Type-Options": "nosniff",
        });
        const known = (request.get("if-none-match") ?? "")
          .split(",")
          .map((tag) => tag.trim().replace(/^W\//, ""));
        if (known.includes(etag) || known.includes("*")) {
          response.status(304).end();
          return;
        }
        response.send(Buffer.from(bytes));
      },
    ],
  });
}
