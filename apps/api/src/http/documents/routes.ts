import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { ErrorCode } from "@tillgate/contract";
import { openApiDocument } from "@tillgate/contract/openapi";
import type { Application, Request, RequestHandler } from "express";
import { z } from "zod";
import { OperationError } from "../../errors.js";
import { serve } from "../shared/routes.js";
import { renderPage, renderResults } from "./layout.js";
import { createPages, type Page, renderLlms } from "./pages.js";
import { START_SCRIPT, TRY_PAGE, TRY_STYLE } from "./try-page.js";

const REFERENCE_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5d9e0, #38414f); --soft: light-dark(#f3f4f7, #1a212c); --link: light-dark(#1f44c9, #9db4ff); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem 1rem 4rem; background: light-dark(#fff, #10151d); color: light-dark(#1b2330, #e7eaf0);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header { padding-bottom: 0.75rem; border-bottom: 1px solid var(--line); }
h1 { margin: 1.5rem 0 0.5rem; font-size: 1.75rem; line-height: 1.25; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.25rem; }
h3 { margin: 1.25rem 0 0.25rem; font-size: 1rem; }
a { color: var(--link); }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
nav a { padding: 0.375rem 0; min-height: 1.5rem; }
form { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; padding-top: 0.5rem; }
input, button { min-height: 2.5rem; padding: 0.25rem 0.75rem; border: 1px solid light-dark(#6b7482, #8b96a8); border-radius: 0.5rem;
  background: light-dark(#fff, #10151d); color: inherit; font: inherit; }
input { flex: 1 1 12rem; min-width: 0; }
li { margin: 0.25rem 0; }
small { color: light-dark(#4b5563, #aab4c3); }
code, pre { font: 0.875rem/1.5 ui-monospace, monospace; }
pre { overflow: auto; margin: 0.5rem 0; padding: 0.75rem; border-radius: 0.5rem; background: var(--soft); overflow-wrap: normal; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; overflow-wrap: break-word; }
th, td { padding: 0.375rem 0.75rem 0.375rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
@media (max-width: 40rem) { td + td + td { min-width: 12rem; } }
footer { margin-top: 2rem; border-top: 1px solid var(--line); }
`;

const MAX_FOUND = 30;
const MAX_WORDS = 8;
const MAX_QUERY_LENGTH = 100;

/** Weights of a match, by its location. */
const IN_TITLE = 20;
const IN_PATH = 10;
const MAX_IN_TEXT = 5;

const splitWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word !== "");

/**
 * Returns a search function. It finds the pages where every query word occurs in the path or begins a word of the title, group or text;
 * best match first.
 */
function searchOver(pages: readonly Page[]): (query: string) => Page[] {
  const indexed = pages.map((page) => ({
    page,
    name: splitWords(`${page.title} ${page.group}`),
    address: page.path.toLowerCase(),
    text: splitWords(page.markdown),
  }));
  return (query) => {
    const words = splitWords(query.slice(0, MAX_QUERY_LENGTH)).slice(0, MAX_WORDS);
    if (words.length === 0) return [];
    return indexed
      .map(({ page, name, address, text }) => {
        const weights = words.map(
          (word) =>
            (name.some((titleWord) => titleWord.startsWith(word)) ? IN_TITLE : 0) +
            (address.includes(word) ? IN_PATH : 0) +
            Math.min(text.filter((textWord) => textWord.startsWith(word)).length, MAX_IN_TEXT),
        );
        return { page, weight: weights.includes(0) ? 0 : weights.reduce((sum, weight) => sum + weight, 0) };
      })
      .filter(({ weight }) => weight > 0)
      .sort((first, second) => second.weight - first.weight)
      .slice(0, MAX_FOUND)
      .map(({ page }) => page);
  };
}

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The viewer embeds small images in its stylesheet.
  "img-src 'self' data:",
  // "Try it out" calls the APIs of this origin.
  "connect-src 'self'",
  "base-uri 'none'",
  // The search form.
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** The viewer's files change only with a release, so they can be cached for a day without content hashes in their names. */
const VIEWER_CACHE = "public, max-age=86400";
const VIEWER_FILES = ["swagger-ui.css", "swagger-ui-bundle.js"] as const;

const viewerFolder = path.dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const compress = promisify(gzip);

/** Compresses the text at the first request and caches the result. */
function serveCompressedText(
  type: string,
  load: () => Promise<Buffer> | string,
  headers: Record<string, string> = {},
): RequestHandler {
  let packed: Promise<Buffer> | undefined;
  return async (request, response) => {
    response.type(type);
    response.set({ Vary: "Accept-Encoding", ...headers });
    if (!request.acceptsEncodings("gzip")) return void response.send(await load());
    packed ??= Promise.resolve(load()).then((text) => compress(text));
    response.set("Content-Encoding", "gzip").send(await packed);
  };
}

const OF_PAGE = { "Content-Security-Policy": PAGE_POLICY };
const querySchema = z.object({ q: z.string().catch("") });

type Documentation = {
  pages: readonly Page[];
  handlers: ReadonlyMap<string, RequestHandler>;
  find: ReturnType<typeof searchOver>;
  openApi: string;
};

let built: Documentation | undefined;

/** Renders the documentation at the first request, because that takes longer than the rest of startup. */
function getDocumentation(): Documentation {
  built ??= renderDocumentation();
  return built;
}

/** Creates all pages. A page's HTML is rendered at its first request. */
function renderDocumentation(): Documentation {
  const pages = createPages();
  const handlers = new Map<string, RequestHandler>();
  for (const page of pages) {
    handlers.set(
      page.path,
      serveCompressedText("html", () => renderPage(page), OF_PAGE),
    );
    handlers.set(
      `${page.path}.md`,
      serveCompressedText("text/markdown", () => page.markdown),
    );
  }
  return { pages, handlers, find: searchOver(pages), openApi: JSON.stringify(openApiDocument()) };
}

function servePages(app: Application): void {
  const show: RequestHandler = (request, response, next) => {
    const handler = getDocumentation().handlers.get(request.path);
    if (!handler) throw new OperationError(ErrorCode.UnknownRoute);
    return handler(request, response, next);
  };
  const search: RequestHandler = ({ query }: Request, response) => {
    const { q } = querySchema.parse(query);
    response
      .set(OF_PAGE)
      .type("html")
      .send(renderResults(q, getDocumentation().find(q)));
  };
  serve(app, "/llms.txt", {
    get: serveCompressedText("text/plain", () => renderLlms(getDocumentation().pages)),
  });
  serve(app, "/docs/search", { get: search });
  for (const path of ["/docs", "/docs.md", "/docs/:page", "/docs/guides/:page", "/docs/operations/:page"])
    serve(app, path, { get: show });
}

/** Serves `/openapi.json` (Pay and Partner APIs), the searchable guides and reference (`/docs`), and an API explorer (`/docs/try`). */
export function serveDocuments(app: Application): void {
  // The document is public, so browser tools of any origin may read it.
  const publicHeaders = {
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
  };
  const cacheHeaders = { "Cache-Control": VIEWER_CACHE };
  const files: Record<string, RequestHandler> = {
    "/openapi.json": serveCompressedText("json", () => getDocumentation().openApi, publicHeaders),
    "/docs/reference.css": serveCompressedText("css", () => REFERENCE_STYLE, cacheHeaders),
    "/docs/try": serveCompressedText("html", () => TRY_PAGE, OF_PAGE),
    "/docs/try.css": serveCompressedText("css", () => TRY_STYLE, cacheHeaders),
    "/docs/start.js": serveCompressedText("js", () => START_SCRIPT, cacheHeaders),
  };
  for (const file of VIEWER_FILES)
    files[`/docs/${file}`] = serveCompressedText(
      path.extname(file),
      () => readFile(path.join(viewerFolder, file)),
      cacheHeaders,
    );
  for (const [address, send] of Object.entries(files)) serve(app, address, { get: send });
  servePages(app);
}
