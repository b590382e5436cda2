import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { type Mode, modeSchema } from "../fields.js";
import { MAX_EMBED_ORIGINS } from "../limits.js";
import { isLiveAddress, isLoopbackHost, parseWebAddress } from "../parse-address.js";
import { orderStatusSchema } from "../public/orders.js";
import { checkoutMerchantSchema } from "./checkout.js";

/** An origin that is safe in a content security policy, where `*`, `;` and `,` (valid in URL hosts) have a special meaning. */
const ORIGIN = /^https?:\/\/[a-z0-9][a-z0-9.-]*(:[0-9]{1,5})?$/;
export const MAX_ORIGIN_LENGTH = 200;

export const embedOriginSchema = z.string().max(MAX_ORIGIN_LENGTH).regex(ORIGIN);

/**
 * Parses the origin of an address that a user entered.
 * @returns null if the address is invalid or contains credentials; in live mode, also if it is not https or its host is a loopback host.
 */
export function parseEmbedOrigin(address: string, mode: Mode): string | null {
  const url = parseWebAddress(address.trim());
  if (url === undefined || url.username !== "" || url.password !== "") return null;
  if (mode === "live" && (!isLiveAddress(url.href) || isLoopbackHost(url.hostname))) return null;
  return embedOriginSchema.safeParse(url.origin).data ?? null;
}

/** `GET` and `POST /merchants/{merchant}/{mode}/embed-origins` */
export const consoleEmbedOriginsResponseSchema = successEnvelope(z.object({ origins: z.array(z.string()) }));
/** Replaces the whole list. */
export const consoleEmbedOriginsRequestSchema = z.object({
  origins: z.array(z.string().max(MAX_ORIGIN_LENGTH)).max(MAX_EMBED_ORIGINS),
});

/** `GET /checkout/v1/orders/{token}/embed`: the same for every visitor, without session, wallet and return URL. */
export const checkoutEmbedSchema = z.object({
  order: z.object({
    mode: modeSchema,
    status: orderStatusSchema,
    version: z.int().positive(),
    description: z.string().nullable(),
    reference: z.string().nullable(),
    /** Formatted, `41.50 EUR`. */
    amount: z.string(),
    refunded_amount: z.string().nullable(),
    refund_pending_amount: z.string().nullable(),
    locale: z.string().nullable(),
    qr_data: z.string().nullable(),
    payment_url: z.string(),
    expires_at: z.string(),
  }),
  merchant: checkoutMerchantSchema,
  expires_in_ms: z.int().nonnegative(),
  origins: z.array(embedOriginSchema),
  /** For the frame's test buttons; null in live mode. */
  form_token: z.string().nullable(),
});
export type CheckoutEmbed = z.infer<typeof checkoutEmbedSchema>;
