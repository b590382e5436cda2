import { z } from "zod";
import { invalidValue } from "../../operation-error.js";

/** The longest address that mail can be sent to (RFC 5321). */
const MAX_LENGTH = 254;

/** An e-mail address in the form that is kept: trimmed, lower case. @throws OperationError InvalidValue. */
export function requireEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > MAX_LENGTH || !z.email().safeParse(email).success)
    throw invalidValue(`${email} is no e-mail address.`);
  return email;
}
