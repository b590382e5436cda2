import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { FieldRule } from "../errors/index.js";
import { displayName, text, timestamp } from "../fields.js";
import { isLoopbackHost, isSecureAddress, parseWebAddress } from "../parse-address.js";

/**
 * The OAuth 2.0 authorization code flow with PKCE (RFC 6749, RFC 7636): the shop redirects its owner to `GET /connect`, the console asks for consent,
 * and the shop exchanges the returned code at `POST /connect/token`.
 */
export const CONNECT_PATH = "/connect";

export const shopPlatformSchema = z.enum(["woocommerce", "connector"], {
  error: "must be woocommerce or connector",
});
export type ShopPlatform = z.infer<typeof shopPlatformSchema>;

const MAX_URL = 1_000;

const webAddress = text(MAX_URL).refine(
  (value) => {
    const url = parseWebAddress(value);
    return (
      url !== undefined &&
      url.username === "" &&
      url.password === "" &&
      url.hash === "" &&
      isSecureAddress(url)
    );
  },
  { error: "must be an https URL, or http on this machine, without credentials and fragment" },
);

/** 32 bytes in base64url: the SHA-256 of a code verifier. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** `GET /connect`: the console passes the query to the API. */
export const connectRequestSchema = z
  .object({
    platform: shopPlatformSchema,
    shop_name: displayName(100),
    shop_url: webAddress,
    /** Receives `code` or `error`, and `state`. */
    return_url: webAddress,
    state: z.string({ error: FieldRule.Required.text }).regex(/^[A-Za-z0-9_-]{16,200}$/, {
      error: "must be 16 to 200 letters, digits, - or _",
    }),
    code_challenge: z.string({ error: FieldRule.Required.text }).regex(CHALLENGE, {
      error: "must be a SHA-256 in base64url",
    }),
    code_challenge_method: z.literal("S256", { error: "must be S256" }),
  })
  .refine(({ platform, shop_url, return_url }) => isAllowedReturn(platform, shop_url, return_url), {
    path: ["return_url"],
    error: "must be on the shop's own address",
  });
export type ConnectRequest = z.output<typeof connectRequestSchema>;

/** Returns whether a code may be sent to a return URL: only to the shop shown to the owner, or to the connector on the owner's machine. */
function isAllowedReturn(platform: ShopPlatform, shopUrl: string, returnUrl: string): boolean {
  const [shop, back] = [parseWebAddress(shopUrl), parseWebAddress(returnUrl)];
  if (shop === undefined || back === undefined) return false;
  return shop.origin === back.origin || (platform === "connector" && isLoopbackHost(back.hostname));
}

export function buildReturnUrl(
  { return_url, state }: Pick<ConnectRequest, "return_url" | "state">,
  result: { code: string } | { error: "access_denied" },
): string {
  const url = new URL(return_url);
  for (const [name, value] of Object.entries({ ...result, state })) url.searchParams.set(name, value);
  return url.href;
}

/** `POST …/merchants/{merchant}/connections`: the owner consents. */
export const consoleConnectResponseSchema = successEnvelope(z.object({ return_to: z.string() }));

export const consoleConnectionSchema = z.object({
  connection_id: z.string(),
  platform: z.string(),
  shop_name: z.string(),
  shop_origin: z.string(),
  connected_at: timestamp,
});
export type ConsoleConnection = z.infer<typeof consoleConnectionSchema>;

/** `GET …/merchants/{merchant}/connections`: newest first. */
export const consoleConnectionsResponseSchema = successEnvelope(
  z.object({ connections: z.array(consoleConnectionSchema) }),
);

/** `POST /connect/token` */
export const connectTokenRequestSchema = z.object({
  grant_type: z.literal("authorization_code", { error: "must be authorization_code" }),
  code: text(200),
  /** RFC 7636: 43 to 128 characters. */
  code_verifier: z.string({ error: FieldRule.Required.text }).regex(/^[A-Za-z0-9._~-]{43,128}$/, {
    error: "must be 43 to 128 letters, digits, -, ., _ or ~",
  }),
  redirect_uri: text(MAX_URL),
});
export type ConnectTokenRequest = z.output<typeof connectTokenRequestSchema>;

const credentialSchema = z.object({ client_id: z.string(), client_secret: z.string() });

/** Pay API credentials. Secrets are shown once. */
export const connectTokenSchema = z.object({
  merchant_name: z.string(),
  /** The merchant's URL, to be followed by mode and page (`/sandbox/orders/POS-…`). Null without a console. */
  console_url: z.string().nullable(),
  sandbox: credentialSchema,
  /** Null for a shop without https, because live orders reject its URLs. */
  live: credentialSchema.nullable(),
});
export type ConnectToken = z.infer<typeof connectTokenSchema>;
