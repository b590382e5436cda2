import { passkeyOptionsResponseSchema } from "@tillgate/contract";
import { readSameOriginForm } from "@tillgate/service/web/form";
import { setResponseHeaders } from "@tillgate/service/web/headers";
import type { NextApiRequest, NextApiResponse } from "next";
import { config as settingsOf } from "#config.ts";
import { isValidFormToken } from "#http/seal.ts";
import { identify } from "#http/visitor.ts";
import { ApiError, ApiUnreachable, change } from "#internal-api.ts";

export const config = { api: { bodyParser: false } };

const MAX_FORM_BYTES = 1_000;

/** Returns the session's passkey challenge to the script. Requires a form token, like every change. */
export default async function requestPasskeyChallenge(
  request: NextApiRequest,
  response: NextApiResponse,
): Promise<void> {
  const settings = settingsOf();
  setResponseHeaders(response, settings);
  const { id, known, caller } = identify(request, settings);
  if (caller.session === null) return void response.redirect(303, "/sign-in");
  if (request.method !== "POST") {
    response.setHeader("Allow", "POST");
    return void response.status(405).end();
  }
  const form = await readSameOriginForm(request, response, {
    origin: settings.consoleOrigin,
    maxBytes: MAX_FORM_BYTES,
  });
  if (
    !(form instanceof URLSearchParams) ||
    !known ||
    !isValidFormToken(form.get("form_token"), id, caller.session)
  )
    return void response.status(403).end();
  try {
    const { options } = await change(caller, "/second-factor/passkey/start", passkeyOptionsResponseSchema);
    response.status(200).json(options);
  } catch (error) {
    if (!(error instanceof ApiError) && !(error instanceof ApiUnreachable)) throw error;
    response.status(error instanceof ApiError ? error.status : 503).end();
  }
}
