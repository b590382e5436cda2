import { consoleBrandingResponseSchema } from "@tillgate/contract";
import { setResponseHeaders } from "@tillgate/service/web/headers";
import type { NextApiRequest, NextApiResponse } from "next";
import { config as settingsOf } from "#config.ts";
import { identify } from "#http/visitor.ts";
import { ApiError, ApiUnreachable, read } from "#internal-api.ts";
import { joinPath } from "#paths.ts";

const DATA_ADDRESS = /^data:(image\/(?:png|jpeg|webp));base64,(.+)$/;

/** Serves a merchant's logo for the brand preview, because the Content-Security-Policy allows images from our own origin only. */
export default async function showLogo(request: NextApiRequest, response: NextApiResponse): Promise<void> {
  const settings = settingsOf();
  setResponseHeaders(response, settings);
  const { caller } = identify(request, settings);
  if (caller.session === null) return void response.redirect(303, "/sign-in");
  if (request.method !== "GET") {
    response.setHeader("Allow", "GET");
    return void response.status(405).end();
  }
  try {
    const path = joinPath("merchants", String(request.query.merchant), "branding");
    const { logo } = await read(caller, path, consoleBrandingResponseSchema);
    const [, type, base64] = DATA_ADDRESS.exec(logo ?? "") ?? [];
    if (type === undefined || base64 === undefined) return void response.status(404).end();
    response.setHeader("Content-Type", type);
    response.send(Buffer.from(base64, "base64"));
  } catch (error) {
    if (!(error instanceof ApiError) && !(error instanceof ApiUnreachable)) throw error;
    response.status(error instanceof ApiError ? error.status : 503).end();
  }
}
