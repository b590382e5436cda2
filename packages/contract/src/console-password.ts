import { z } from "zod";
import { text } from "./fields.js";

/** The longest e-mail address (RFC 5321), and the longest password: what is hashed has a limit. */
const MAX_EMAIL = 254;
const MAX_PASSWORD = 1_000;
const MIN_PASSWORD = 12;
/** Longer than any token. */
const MAX_TOKEN = 100;

export const consoleEmail = text(MAX_EMAIL);
/** Of somebody who gets their first mail there. */
export const newConsoleEmail = consoleEmail.refine((text) => z.email().safeParse(text.trim()).success, {
  error: "must be an e-mail address",
});
export const consolePassword = text(MAX_PASSWORD);
/** A password that is set now. Length is what makes it hard to guess (NIST SP 800-63B): no rule asks for kinds of characters. */
export const newConsolePassword = consolePassword.refine((password) => [...password].length >= MIN_PASSWORD, {
  error: `must have at least ${MIN_PASSWORD} characters`,
});

export const consoleToken = text(MAX_TOKEN);

/** `POST /password-reset`: answers the same whether the address is known or not. */
export const consoleResetRequestSchema = z.object({ email: consoleEmail });
/** `POST /password-reset/link`: whether the mailed link still works. */
export const readResetLinkSchema = z.object({ token: consoleToken });
/** `POST /password-reset/confirm`: the token of the mailed link. */
export const consoleResetConfirmSchema = z.object({ token: consoleToken, password: newConsolePassword });
