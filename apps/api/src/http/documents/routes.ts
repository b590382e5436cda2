import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { openApiDocument } from "@tillgate/contract/openapi";
import type { Application, RequestHandler } from "express";
import { serve } from "../shared/routes.js";
import { REFERENCE_PAGE, START_SCRIPT } from "./reference-page.js";

/** What the reference page may load: its own files and the document, nothing from elsewhere, and no frame may show it. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The viewer keeps small pictures in its stylesheet.
  "img-src 'self' data:",
  // "Try it out" calls the APIs of this address.
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Files of the viewer change only with a release of Tillgate; a day is short enough to need no names with hashes. */
const VIEWER_CACHE = "public, max-age=86400";
const VIEWER_FILES = ["swagger-ui.css", "swagger-ui-bundle.js"] as const;

const viewerFolder = path.dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const compress = promisify(gzip);

/** One file of the viewer: packed at the first request for it, to a quarter, and kept. */
function viewerFile(file: (typeof VIEWER_FILES)[number]): RequestHandler {
  const read = (): Promise<Buffer> => readFile(path.join(viewerFolder, file));
  let packed: Promise<Buffer> | undefined;
  return async (request, response) => {
    response.type(path.extname(file));
    response.set({ "Cache-Control": VIEWER_CACHE, Vary: "Accept-Encoding" });
    if (!request.acceptsEncodings("gzip")) return void response.send(await read());
    packed ??= read().then((bytes) => compress(bytes));
    response.set("Content-Encoding", "gzip").send(await packed);
  };
}

/** `/openapi.json`: the OpenAPI document of the Pay API and the Partner API. `/docs`: the same for people. */
export function serveDocuments(app: Application): void {
  const text = JSON.stringify(openApiDocument());
  serve(app, "/openapi.json", {
    get: [
      (_request, response) => {
        // Public, and read by tools in browsers of any origin.
        response.set("Access-Control-Allow-Origin", "*");
        response.set("Cross-Origin-Resource-Policy", "cross-origin");
        response.type("json").send(text);
      },
    ],
  });
  serve(app, "/docs", {
    get: [
      (_request, response) => {
        response.set("Content-Security-Policy", PAGE_POLICY);
        response.type("html").send(REFERENCE_PAGE);
      },
    ],
  });
  serve(app, "/docs/start.js", {
    get: [
      (_request, response) => {
        response.type("js").send(START_SCRIPT);
      },
    ],
  });
  for (const file of VIEWER_FILES) serve(app, `/docs/${file}`, { get: [viewerFile(file)] });
}
