import { checkoutReasonSchema, MAX_IDENTIFIER_LENGTH } from "@tillgate/contract";
import { z } from "zod";

/** Result of the last step: an API error code or one of the page's own. */
export const noticeCodeSchema = z.enum([
  ...checkoutReasonSchema.options,
  "declined",
  "passkey_added",
  "passkey_not_added",
  "wrong_pins_before",
  "unavailable",
  "unconfirmed",
  "invalid_pin",
  "pins_differ",
  "cookies_needed",
]);
export type NoticeCode = z.infer<typeof noticeCodeSchema>;

const noticeSchema = z.object({
  code: noticeCodeSchema,
  /** Entered phone number or e-mail address, to refill the form; never the PIN. */
  identifier: z.string().max(MAX_IDENTIFIER_LENGTH).nullable(),
  waitSeconds: z.int().positive().nullable(),
  /** The missing amount as formatted by the API. */
  missing: z
    .string()
    .regex(/^[\d.]{1,32} [A-Z0-9]{2,10}$/)
    .nullable(),
});
export type Notice = z.infer<typeof noticeSchema>;

export const plainNotice = { identifier: null, waitSeconds: null, missing: null } as const;

/** Encodes a notice as a cookie value. It contains only codes, numbers, an amount and an identifier, so a forged cookie shows only our own texts. */
export function encodeNotice(notice: Notice): string {
  return Buffer.from(JSON.stringify(notice), "utf8").toString("base64url");
}

/** Decodes a notice cookie; null if the cookie is missing or malformed. */
export function decodeNotice(value: string | undefined): Notice | null {
  if (value === undefined) return null;
  try {
    const parsed = noticeSchema.safeParse(JSON.parse(Buffer.from(value, "base64url").toString("utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
