import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setAnswerHeaders } from "@tillgate/service/web/answer-headers";
import type { NextApiRequest, NextApiResponse } from "next";
import { config as settingsOf } from "../../../../../../config";
import { ApiUnreachable, EdgeRefusal, openFile } from "../../../../../../edge/console-edge";
import { identify } from "../../../../../../http/visitor";
import { logError } from "../../../../../../log";
import { single } from "../../../../../../page/request";
import { pathOf } from "../../../../../../place-path";

export const config = { api: { responseLimit: false } };

const PASSED_ON = ["content-type", "content-disposition", "x-tillgate-total"];

/** Passes a filtered list on as a file, while the api writes it. */
export default async function exportList(request: NextApiRequest, response: NextApiResponse): Promise<void> {
  const settings = settingsOf();
  setAnswerHeaders(response, settings);
  if (request.method !== "GET") {
    response.setHeader("Allow", "GET");
    return void response.status(405).end();
  }
  const { caller } = identify(request, settings);
  if (caller.session === null) return void response.redirect(303, "/sign-in");
  const { merchant = "", mode = "", file = "", format = "", ...query } = request.query;
  const path = pathOf("merchants", String(merchant), String(mode), `${file}.${format}`);
  const filters = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, single(value)]));
  const ending = new AbortController();
  response.once("close", () => ending.abort());
  try {
    const answer = await openFile(caller, path, filters, ending.signal);
    for (const name of PASSED_ON) {
      const value = answer.headers.get(name);
      if (value !== null) response.setHeader(name, value);
    }
    if (answer.body === null) throw new ApiUnreachable("The api sent no file");
    await pipeline(Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]), response);
  } catch (error) {
    if (response.headersSent) return;
    if (error instanceof EdgeRefusal) {
      if (error.status === 401 || error.status === 403) return void response.redirect(303, "/sign-in");
      return void response.status(error.status).end();
    }
    if (!(error instanceof ApiUnreachable)) throw error;
    logError("A list could not be exported", { fault: error.message });
    response.status(503).end();
  }
}
