import { z } from "zod";
import { invalidValue } from "../errors.js";

/** The longest address that mail can be sent to (RFC 5321). */
const MAX_LENGTH = 254;

/** An e-mail address in the form that is kept: trimmed, lower case; null for a text that is none. */
export function readEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return email.length <= MAX_LENGTH && z.email().safeParse(email).success ? email : null;
}

/** The same of a text that must be one. @throws OperationError InvalidValue. */
export function requireEmail(text: string): string {
  const email = readEmail(text);
  if (email === null) throw invalidValue(`${text.trim().toLowerCase()} is no e-mail address.`);
  return email;
}
