import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Refusal } from "@tillgate/contract";
import { openApiDocument } from "@tillgate/contract/openapi";
import type { Application, Request, RequestHandler } from "express";
import { z } from "zod";
import { OperationError } from "../../operation-error.js";
import { serve } from "../shared/routes.js";
import { drawPage, drawResults } from "./layout.js";
import { documentationPages, drawLlms, type Page } from "./pages.js";
import { REFERENCE_STYLE } from "./reference-style.js";
import { searchOver } from "./search-pages.js";
import { START_SCRIPT, TRY_PAGE, TRY_STYLE } from "./try-page.js";

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
  // The search.
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** Files of the pages change only with a release of Tillgate; a day is short enough to need no names with hashes. */
const VIEWER_CACHE = "public, max-age=86400";
const VIEWER_FILES = ["swagger-ui.css", "swagger-ui-bundle.js"] as const;

const viewerFolder = path.dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const compress = promisify(gzip);

/** A text that is packed at the first request for it, to a quarter, and kept. */
function packedText(
  type: string,
  read: () => Promise<Buffer> | string,
  headers: Record<string, string> = {},
): RequestHandler {
  let packed: Promise<Buffer> | undefined;
  return async (request, response) => {
    response.type(type);
    response.set({ Vary: "Accept-Encoding", ...headers });
    if (!request.acceptsEncodings("gzip")) return void response.send(await read());
    packed ??= Promise.resolve(read()).then((text) => compress(text));
    response.set("Content-Encoding", "gzip").send(await packed);
  };
}

const OF_PAGE = { "Content-Security-Policy": PAGE_POLICY };
const querySchema = z.object({ q: z.string().catch("") });

/** All pages with their search, and the OpenAPI document. */
type Documentation = {
  pages: readonly Page[];
  answers: ReadonlyMap<string, RequestHandler>;
  find: ReturnType<typeof searchOver>;
  openApi: string;
};

let drawn: Documentation | undefined;

/** Drawn once a process, at the first request: to read every schema takes longer than the rest of a start. */
function documentation(): Documentation {
  drawn ??= drawDocumentation();
  return drawn;
}

/** The pages of the documentation, and the same as Markdown. HTML is drawn at the first request for a page. */
function drawDocumentation(): Documentation {
  const pages = documentationPages();
  const answers = new Map<string, RequestHandler>();
  for (const page of pages) {
    answers.set(
      page.path,
      packedText("html", () => drawPage(page), OF_PAGE),
    );
    answers.set(
      `${page.path}.md`,
      packedText("text/markdown", () => page.markdown),
    );
  }
  return { pages, answers, find: searchOver(pages), openApi: JSON.stringify(openApiDocument()) };
}

function servePages(app: Application): void {
  const show: RequestHandler = (request, response, next) => {
    const answer = documentation().answers.get(request.path);
    if (!answer) throw new OperationError(Refusal.UnknownRoute);
    return answer(request, response, next);
  };
  const search: RequestHandler = ({ query }: Request, response) => {
    const { q } = querySchema.parse(query);
    response
      .set(OF_PAGE)
      .type("html")
      .send(drawResults(q, documentation().find(q)));
  };
  serve(app, "/llms.txt", { get: [packedText("text/plain", () => drawLlms(documentation().pages))] });
  serve(app, "/docs/search", { get: [search] });
  for (const path of ["/docs", "/docs.md", "/docs/:page", "/docs/guides/:page", "/docs/operations/:page"])
    serve(app, path, { get: [show] });
}

/**
 * `/openapi.json`: the OpenAPI document of the Pay API and the Partner API. `/docs`: guides and the same for people, as pages and as
 * Markdown, with a search. `/docs/try`: a viewer that makes calls.
 */
export function serveDocuments(app: Application): void {
  // Public, and read by tools in browsers of any origin.
  const forAnybody = { "Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin" };
  const kept = { "Cache-Control": VIEWER_CACHE };
  const files: Record<string, RequestHandler> = {
    "/openapi.json": packedText("json", () => documentation().openApi, forAnybody),
    "/docs/reference.css": packedText("css", () => REFERENCE_STYLE, kept),
    "/docs/try": packedText("html", () => TRY_PAGE, OF_PAGE),
    "/docs/try.css": packedText("css", () => TRY_STYLE, kept),
    "/docs/start.js": packedText("js", () => START_SCRIPT, kept),
  };
  for (const file of VIEWER_FILES)
    files[`/docs/${file}`] = packedText(
      path.extname(file),
      () => readFile(path.join(viewerFolder, file)),
      kept,
    );
  for (const [address, answer] of Object.entries(files)) serve(app, address, { get: [answer] });
  servePages(app);
}
