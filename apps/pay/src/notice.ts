import { checkoutReasonSchema, MAX_IDENTIFIER_LENGTH } from "@tillgate/contract";
import { z } from "zod";

/** The page's message about the step before: a refusal of the api, or one of the page's own. */
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
  /** The typed phone or e-mail, to keep it in the form. Never the PIN. */
  identifier: z.string().max(MAX_IDENTIFIER_LENGTH).nullable(),
  /** Seconds until another try is allowed, when the api said so. */
  waitSeconds: z.int().positive().nullable(),
  /** What the wallet lacks, as the api formats money. */
  missing: z
    .string()
    .regex(/^[\d.]{1,32} [A-Z0-9]{2,10}$/)
    .nullable(),
});
export type Notice = z.infer<typeof noticeSchema>;

/** A notice with a code only. */
export const plainNotice = { identifier: null, waitSeconds: null, missing: null } as const;

/**
 * The notice as a cookie value. It holds only codes, numbers and the typed text, so a forged one can show only our own
 * texts.
 */
export function encodeNotice(notice: Notice): string {
  return Buffer.from(JSON.stringify(notice), "utf8").toString("base64url");
}

/** Reads a notice cookie; anything that is not one of ours is no notice. */
export function decodeNotice(value: string | undefined): Notice | null {
  if (value === undefined) return null;
  try {
    const parsed = noticeSchema.safeParse(JSON.parse(Buffer.from(value, "base64url").toString("utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
