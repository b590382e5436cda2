import {
  type ConsoleRole,
  consoleMoneySchema,
  type consolePasskeySchema,
  type Mode,
} from "@tillgate/contract";
import { z } from "zod";
import type { languageSchema } from "#texts/languages.ts";
import { isTextKey, type TextKey, type TextValues } from "#texts/texts.ts";

const textKey = z.string().refine(isTextKey);
const textValues = z.record(z.string(), z.union([z.string(), z.number()]));

export const noticeSchema = z.object({
  tone: z.enum(["good", "bad", "note"]),
  text: textKey,
  values: textValues.optional(),
});
export type Notice = z.infer<typeof noticeSchema>;

export const secretSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("credential"), clientId: z.string().nullable(), secret: z.string() }),
  z.object({ kind: z.literal("endpoint"), secret: z.string() }),
  /** A link to the shop, to return there or to open the plugin's settings. */
  z.object({ kind: z.literal("return"), address: z.string(), shop: z.string() }),
  z.object({ kind: z.literal("password"), text: z.string() }),
  z.object({ kind: z.literal("recovery"), codes: z.array(z.string()) }),
  z.object({
    kind: z.literal("recipient"),
    token: z.string(),
    name: z.string(),
    currencies: z.array(z.string()),
    /** Amount and received currency of the payout to repeat, if any. */
    again: z.object({ money: consoleMoneySchema, received: z.string() }).optional(),
  }),
  z.object({
    kind: z.literal("quote"),
    id: z.string(),
    /** Idempotency key of the payout. */
    key: z.string(),
    name: z.string(),
    money: consoleMoneySchema,
    fee: consoleMoneySchema,
    total: consoleMoneySchema,
    received: consoleMoneySchema,
    rate: z.string(),
    expiresAt: z.string(),
  }),
  /** Name of a new passkey. `options` are the browser's options for creating the passkey, as JSON. */
  z.object({ kind: z.literal("passkey"), name: z.string(), options: z.string() }),
  z.object({ kind: z.literal("authenticator"), secret: z.string(), uri: z.string() }),
]);
/** A value that is shown once, or retained until the form that needs it is submitted. */
export type Secret = z.infer<typeof secretSchema>;

export const flashSchema = z.object({ notice: noticeSchema.optional(), secret: secretSchema.optional() });
export type Flash = z.infer<typeof flashSchema>;

/** An error of one field, or of the whole form (`field` is null). */
export type FormError = { field: string | null; text: TextKey; values?: TextValues };

/** A question that a form asks before it acts, with the amounts as parsed. */
export type Question = {
  text: TextKey;
  values?: TextValues;
  facts: { label: TextKey; value: string }[];
  button: TextKey;
  buttonValues?: TextValues;
};

export type FormState = {
  action: string;
  values: Record<string, string>;
  errors: FormError[];
  /** `digest` is submitted with the confirmation; if the question has changed since then, it is asked again. */
  question: (Question & { digest: string }) | null;
};

/** The merchant and mode in the URL. */
export type MerchantContext = { merchantId: string; name: string | null; mode: Mode; role: ConsoleRole };

export type Passkey = z.infer<typeof consolePasskeySchema>;

export type PageUser = {
  email: string;
  administrator: boolean;
  totp: boolean;
  passkeys: Passkey[];
  /** Whether the second factor was verified recently, so that it is not required now. */
  fresh: boolean;
  recoveryCodesLeft: number;
  merchants: { id: string; name: string; role: ConsoleRole }[];
};

export type Page = {
  language: z.infer<typeof languageSchema>;
  /** The zone of displayed times. */
  timeZone: string;
  timeZoneChosen: boolean;
  /** The path with its query; forms are submitted to it. */
  path: string;
  formToken: string;
  user: PageUser | null;
  merchant: MerchantContext | null;
  notice: Notice | null;
  secret: Secret | null;
  /** The secret, encrypted, for a hidden field of a form that needs it again. */
  sealed: string | null;
  form: FormState | null;
};

export type Problem =
  | "not_found"
  | "in_sandbox"
  | "in_live"
  | "link_over"
  | "unavailable"
  | "database_full"
  | "database_busy"
  | "forbidden"
  | "csrf"
  | "form_too_large"
  | "failed";

/** Temporary problems that a reload may resolve. */
export const TEMPORARY_PROBLEMS: readonly Problem[] = ["unavailable", "database_full", "database_busy"];

export type PageProps<Data> = { page: Page; data: Data } | { page: Page; problem: Problem };

/** Returns the page's data; undefined on Next's own error pages. */
export const getPage = (props: Partial<PageProps<unknown>> | undefined): Page | undefined => props?.page;
