import { setResponseHeaders } from "@tillgate/service/web/headers";
import type { NextApiRequest, NextApiResponse } from "next";
import { config as settingsOf } from "#config.ts";
import { identify, parsePaymentToken, readSameOriginForm } from "#http/shopper.ts";
import { ApiUnreachable, requestPasskeyOptions } from "#internal-api/checkout.ts";
import { RETRY_SECONDS } from "#limits.ts";
import { logError } from "#log.ts";

export const config = { api: { bodyParser: false } };

/** Returns the passkey challenge to the script. Errors have no text: the script then submits the form, whose response explains the error. */
export default async function passkeyOptions(
  request: NextApiRequest,
  response: NextApiResponse,
): Promise<void> {
  const settings = settingsOf();
  setResponseHeaders(response, settings);
  const token = parsePaymentToken(request.query.token);
  if (token === null) return void response.status(404).json({ reason: "not_found" });
  if (request.method !== "POST") {
    response.setHeader("Allow", "POST");
    return void response.status(405).json({ reason: "method_not_allowed" });
  }
  const { caller, known } = identify(request, settings);
  const form = await readSameOriginForm(request, response, settings);
  if ("why" in form || !known) {
    const status = "why" in form ? form.status : 403;
    return void response.status(status).json({ reason: "form_rejected" });
  }
  try {
    const outcome = await requestPasskeyOptions(token, caller, {
      use: request.query.use === "add" ? "add" : "confirm",
      fields: Object.fromEntries(form),
    });
    if (outcome.ok) response.status(200).json(outcome.data.options);
    else response.status(409).json({ reason: outcome.reason });
  } catch (error) {
    if (!(error instanceof ApiUnreachable)) throw error;
    logError("Failed to request a passkey challenge", { reason: error.message });
    response.setHeader("Retry-After", String(RETRY_SECONDS));
    response.status(503).json({ reason: "unavailable" });
  }
}
