import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { optionalText } from "../fields.js";
import { merchantName } from "./administration.js";
import { consoleSessionTokenSchema, consoleToken, newConsoleEmail, newConsolePassword } from "./sign-in.js";

/** Longest path to return to: connection requests of shops are long. */
export const MAX_CONSOLE_PATH = 6_000;

/** `GET /sign-up`: if sign-up is not open, the routes below do not exist. */
export const signUpOpenResponseSchema = successEnvelope(z.object({ open: z.boolean() }));

/** `POST /sign-up`: same response whether or not the address has a user. `next` is the page to return to. */
export const signUpRequestSchema = z.object({
  email: newConsoleEmail,
  next: optionalText(MAX_CONSOLE_PATH),
});
/** The link's token if e-mails are written to local files; otherwise null, because only the e-mail contains it. */
export const signUpResponseSchema = successEnvelope(z.object({ token: z.string().nullable() }));

/** `POST /sign-up/link` */
export const readSignUpRequestSchema = z.object({ token: consoleToken });
export const readSignUpResponseSchema = successEnvelope(
  z.object({
    email: z.string(),
    /** Whether the address already has a user, who should sign in instead. */
    has_user: z.boolean(),
    next: z.string().nullable(),
  }),
);

/** `POST /sign-up/confirm`: creates the account and signs its owner in. */
export const confirmSignUpRequestSchema = z.object({
  token: consoleToken,
  shop_name: merchantName,
  password: newConsolePassword,
});
export const confirmSignUpResponseSchema = successEnvelope(
  consoleSessionTokenSchema.extend({ next: z.string().nullable() }),
);
