import { z } from "zod";
import { invalidValue } from "../errors.js";

/** RFC 5321. */
const MAX_LENGTH = 254;

/** Trimmed and lower case; null if the text is not an e-mail address. */
export function readEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return email.length <= MAX_LENGTH && z.email().safeParse(email).success ? email : null;
}

/** @throws OperationError InvalidValue. */
export function requireEmail(text: string): string {
  const email = readEmail(text);
  if (email === null) throw invalidValue(`${text.trim().toLowerCase()} is not an e-mail address.`);
  return email;
}
