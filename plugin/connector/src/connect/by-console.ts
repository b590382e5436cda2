import { createHash, randomBytes } from "node:crypto";
import {
  CONNECT_PATH,
  connectRequestSchema,
  connectTokenSchema,
  isSecureAddress,
  successEnvelope,
} from "@tillgate/contract";
import type { z } from "zod";
import { type Answer, ask } from "./answer.js";
import { type Finding, fix } from "./finding.js";
import { listenForReturn } from "./loopback-return.js";

/** How long the owner has to sign in or make an account, and agree, in milliseconds: as long as a mailed link lasts. */
const WAIT_MS = 30 * 60_000;
const RANDOM_BYTES = 32;
const PASTE = "Or give --client-id and --client-secret, which the console shows.";

/** What is needed of Tillgate's answer: keys that were made are not lost for something else in it. */
const answerSchema = connectTokenSchema.pick({ merchant_name: true, sandbox: true, live: true });

export type RequestedConnection = {
  /** The address of Tillgate. */
  tillgateUrl: string;
  shopName: string;
  shopUrl: string;
  /** Shows the owner the address to go to, and opens it where it can. */
  show: (address: string) => void;
  waitMs?: number;
};

/** The outcome: keys, or why there are none. */
export type Connected = { keys: z.infer<typeof answerSchema> } | { finding: Finding };

/**
 * Connects a store without copying keys: OAuth 2.0's authorization code with PKCE (RFC 6749, 7636, 8252), as the WordPress plugin
 * does. The owner agrees in the console and comes back with a code, which only this program can exchange, once.
 */
export async function connectByConsole(asked: RequestedConnection): Promise<Connected> {
  const { tillgateUrl, shopName, shopUrl, show, waitMs = WAIT_MS } = asked;
  if (!isSecureAddress(new URL(tillgateUrl)))
    return { finding: fix("Keys would come over plain HTTP.", "Use an https URL of Tillgate.") };
  const state = random();
  const verifier = random();
  const back = await listenForReturn(state, waitMs);
  let words = "This was not connected.";
  try {
    const request = {
      platform: "connector",
      shop_name: shopName,
      shop_url: shopUrl,
      return_url: back.url,
      state,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    };
    const refused = connectRequestSchema.safeParse(request).error?.issues[0];
    if (refused !== undefined) {
      const field = refused.path.join(".");
      return { finding: fix(`The console cannot be asked: ${field} ${refused.message}.`, PASTE) };
    }
    show(`${tillgateUrl}${CONNECT_PATH}?${new URLSearchParams(request)}`);
    const returned = await back.returned;
    if (returned === null)
      return { finding: fix("Nobody agreed in the console in time.", `Run this again. ${PASTE}`) };
    if ("declined" in returned) {
      words = "You declined. Nothing was connected.";
      return { finding: fix("It was declined in the console.", `Run this again to connect. ${PASTE}`) };
    }
    const keys = await exchange(tillgateUrl, returned.code, verifier, back.url);
    if ("keys" in keys) words = "Your shop is connected.";
    return keys;
  } finally {
    await back.close(words);
  }
}

/** Once: a second exchange of a code revokes what the first one got. */
async function exchange(
  tillgateUrl: string,
  code: string,
  verifier: string,
  returnUrl: string,
): Promise<Connected> {
  const answer = await ask(`${tillgateUrl}${CONNECT_PATH}/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      grant_type: "authorization_code",
      code,
      code_verifier: verifier,
      redirect_uri: returnUrl,
    }),
  });
  const parsed = answer.status === 200 ? successEnvelope(answerSchema).safeParse(answer.body) : null;
  if (parsed?.success) return { keys: parsed.data.data };
  return {
    finding: fix(`Tillgate gave no keys: ${reasonIn(answer)}.`, "Run this again, and agree once more."),
  };
}

const reasonIn = (answer: Answer): string =>
  answer.status === null ? answer.reason : `it answered HTTP ${answer.status}`;

const random = (): string => randomBytes(RANDOM_BYTES).toString("base64url");
