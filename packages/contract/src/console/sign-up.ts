import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { optionalText } from "../fields.js";
import { merchantName } from "./administration.js";
import { consoleSessionTokenSchema, consoleToken, newConsoleEmail, newConsolePassword } from "./sign-in.js";

/** The longest path of the console, with its query, that a person may come back to: the question of a shop is long. */
export const MAX_CONSOLE_PATH = 6_000;

/** `GET /sign-up`: whether anybody may make a sandbox account. Where not, there is no other route below. */
export const signUpOpenResponseSchema = successEnvelope(z.object({ open: z.boolean() }));

/** `POST /sign-up`: answers the same whether the address has a user or not. `next` is the page that the person was on the way to. */
export const signUpRequestSchema = z.object({
  email: newConsoleEmail,
  next: optionalText(MAX_CONSOLE_PATH),
});
/** The link's token, where mails are files on this machine and reach nobody; else null: it is in the mail alone. */
export const signUpResponseSchema = successEnvelope(z.object({ token: z.string().nullable() }));

/** `POST /sign-up/link`: what a mailed link is for. */
export const readSignUpRequestSchema = z.object({ token: consoleToken });
export const readSignUpResponseSchema = successEnvelope(
  z.object({
    email: z.string(),
    /** The address has a user: it signs in, and there is no second account. */
    has_user: z.boolean(),
    next: z.string().nullable(),
  }),
);

/** `POST /sign-up/confirm`: the account, and its owner signed in. */
export const confirmSignUpRequestSchema = z.object({
  token: consoleToken,
  shop_name: merchantName,
  password: newConsolePassword,
});
export const confirmSignUpResponseSchema = successEnvelope(
  consoleSessionTokenSchema.extend({ next: z.string().nullable() }),
);
