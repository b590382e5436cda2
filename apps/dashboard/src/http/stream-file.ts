import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setResponseHeaders } from "@tillgate/service/web/headers";
import type { NextApiRequest, NextApiResponse } from "next";
import { config as settingsOf } from "#config.ts";
import { ApiError, ApiUnreachable, openFile } from "#internal-api.ts";
import { logError } from "#log.ts";
import { translator } from "#texts/texts.ts";
import { identify, readLanguage } from "./visitor";

const FORWARDED_HEADERS = ["content-type", "content-disposition", "x-tillgate-total"];

const isClientDisconnected = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === "AbortError" || ("code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE"));

type Query = Readonly<Record<string, string | undefined>>;

/**
 * Streams a file from the API in response to GET. Redirects to the missing sign-in step, explains a 403 in plain text, and sends other API
 * errors as a status without a body. Aborts the connection if the file is truncated, so that no browser considers it complete.
 */
export async function streamFile(
  request: NextApiRequest,
  response: NextApiResponse,
  path: string,
  query: Query = {},
): Promise<void> {
  const settings = settingsOf();
  setResponseHeaders(response, settings);
  if (request.method !== "GET") {
    response.setHeader("Allow", "GET");
    return void response.status(405).end();
  }
  const { caller } = identify(request, settings);
  if (caller.session === null) return void response.redirect(303, "/sign-in");
  const ending = new AbortController();
  response.once("close", () => ending.abort());
  try {
    const file = await openFile(caller, path, query, ending.signal);
    for (const name of FORWARDED_HEADERS) {
      const value = file.headers.get(name);
      if (value !== null) response.setHeader(name, value);
    }
    if (file.body === null) throw new ApiUnreachable("The API sent no file");
    await pipeline(Readable.fromWeb(file.body as Parameters<typeof Readable.fromWeb>[0]), response);
  } catch (error) {
    if (response.headersSent) {
      if (!isClientDisconnected(error))
        logError("A file download was interrupted", { path, reason: String(error) });
      return void response.destroy();
    }
    if (error instanceof ApiError) {
      if (error.status === 401) return void response.redirect(303, "/sign-in");
      if (error.code === "second_factor_needed") return void response.redirect(303, "/second-factor");
      response.status(error.status);
      if (error.status !== 403) return void response.end();
      const t = translator(readLanguage(request, settings));
      response.setHeader("content-type", "text/plain; charset=utf-8");
      return void response.end(`${t("problem.forbidden.title")}\n\n${t("problem.forbidden.text")}\n`);
    }
    if (!(error instanceof ApiUnreachable)) throw error;
    logError("Failed to stream a file", { path, reason: error.message });
    response.status(503).end();
  }
}
