import { createHash, randomBytes } from "node:crypto";
import {
  CONNECT_PATH,
  connectRequestSchema,
  connectTokenSchema,
  isSecureAddress,
  successEnvelope,
} from "@tillgate/contract";
import type { z } from "zod";
import { type CheckResponse, sendRequest } from "./check-request.js";
import { type Finding, fail } from "./finding.js";
import { listenForRedirect } from "./loopback-redirect.js";

/** Equals the validity of a sign-up link sent by e-mail, because the user may have to create an account first. */
const WAIT_MS = 30 * 60_000;
const RANDOM_BYTES = 32;
const USE_KEYS = "Or create an API key in the console and set --client-id and --client-secret.";

/** Requires only these fields, because an unexpected value elsewhere must not cause the new keys to be lost. */
const tokenResponseSchema = connectTokenSchema.pick({ merchant_name: true, sandbox: true, live: true });

export type ConsoleConnection = {
  tillgateUrl: string;
  shopName: string;
  shopUrl: string;
  show: (address: string) => void;
  waitMs?: number;
};

export type ConsoleResult = { keys: z.infer<typeof tokenResponseSchema> } | { finding: Finding };

/**
 * Requests API keys with the OAuth 2.0 authorization code flow with PKCE (RFC 6749, 7636, 8252), so that nobody has to copy keys.
 * @returns the keys, or a finding that says why there are none
 */
export async function connectByConsole(connection: ConsoleConnection): Promise<ConsoleResult> {
  const { tillgateUrl, shopName, shopUrl, show, waitMs = WAIT_MS } = connection;
  if (!isSecureAddress(new URL(tillgateUrl)))
    return { finding: fail("API keys aren't sent over plain HTTP.", "Use an https URL for Tillgate.") };
  const state = randomToken();
  const verifier = randomToken();
  const redirect = await listenForRedirect(state, waitMs);
  let outcome = "Your shop wasn't connected.";
  try {
    const request = {
      platform: "connector",
      shop_name: shopName,
      shop_url: shopUrl,
      return_url: redirect.url,
      state,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    };
    const issue = connectRequestSchema.safeParse(request).error?.issues[0];
    if (issue !== undefined) {
      const field = issue.path.join(".");
      return { finding: fail(`The console rejects this shop: ${field} ${issue.message}.`, USE_KEYS) };
    }
    show(`${tillgateUrl}${CONNECT_PATH}?${new URLSearchParams(request)}`);
    const params = await redirect.params;
    if (params === null)
      return { finding: fail("The connection wasn't approved in time.", `Try again. ${USE_KEYS}`) };
    if ("declined" in params) {
      outcome = "You declined. Nothing was connected.";
      return { finding: fail("The connection was declined.", `To connect, try again. ${USE_KEYS}`) };
    }
    const keys = await exchange(tillgateUrl, params.code, verifier, redirect.url);
    if ("keys" in keys) outcome = "Your shop is connected.";
    return keys;
  } finally {
    await redirect.close(outcome);
  }
}

/** Exchanges the authorization code for API keys. Not retried, because a second exchange would revoke the keys of the first. */
async function exchange(
  tillgateUrl: string,
  code: string,
  verifier: string,
  returnUrl: string,
): Promise<ConsoleResult> {
  const response = await sendRequest(`${tillgateUrl}${CONNECT_PATH}/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      grant_type: "authorization_code",
      code,
      code_verifier: verifier,
      redirect_uri: returnUrl,
    }),
  });
  const parsed =
    response.status === 200 ? successEnvelope(tokenResponseSchema).safeParse(response.body) : null;
  if (parsed?.success) return { keys: parsed.data.data };
  // Tillgate rejects with 4xx. After any other failure, it may have issued keys that were lost with its response.
  const isUnknown = response.status === null || response.status === 200 || response.status >= 500;
  return {
    finding: isUnknown
      ? fail(`It's unknown whether Tillgate issued API keys: ${failureText(response)}.`, CONNECT_AGAIN)
      : fail(`Tillgate didn't issue API keys: ${failureText(response)}.`, "Try again."),
  };
}

const CONNECT_AGAIN =
  "Run this command again to get new keys. If Tillgate did issue keys, those of an earlier connection of this shop expire within 24 hours.";

const failureText = (response: CheckResponse): string =>
  response.status === null ? response.reason : `HTTP ${response.status}`;

const randomToken = (): string => randomBytes(RANDOM_BYTES).toString("base64url");
