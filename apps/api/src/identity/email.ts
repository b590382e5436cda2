import { z } from "zod";
import { invalidValue } from "../errors.js";

/** Maximum length of an address (RFC 5321). */
const MAX_LENGTH = 254;

/** Reads an e-mail address in canonical form: trimmed, lower case; null if it is not an address. */
export function readEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return email.length <= MAX_LENGTH && z.email().safeParse(email).success ? email : null;
}

/** Like {@link readEmail}, for required input. @throws OperationError InvalidValue. */
export function requireEmail(text: string): string {
  const email = readEmail(text);
  if (email === null) throw invalidValue(`${text.trim().toLowerCase()} is not an e-mail address.`);
  return email;
}
