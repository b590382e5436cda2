import { z } from "zod";
import { invalidValue } from "../errors.js";

/** Maximum length of an address (RFC 5321). */
const MAX_LENGTH = 254;

/** Returns the address, trimmed and in lower case; null if the text is not an e-mail address. */
export function readEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return email.length <= MAX_LENGTH && z.email().safeParse(email).success ? email : null;
}

/** Like {@link readEmail}. @throws OperationError InvalidValue if the text is not an e-mail address. */
export function requireEmail(text: string): string {
  const email = readEmail(text);
  if (email === null) throw invalidValue(`${text.trim().toLowerCase()} is not an e-mail address.`);
  return email;
}
