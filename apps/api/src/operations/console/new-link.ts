import { randomUUID } from "node:crypto";
import { hashSecret, newSecret, seal } from "@tillgate/database";
import type { Context } from "../../context.js";

/** How long a link lasts that somebody asked for themselves, and how soon another is mailed to them, in seconds. */
export const LINK_SECONDS = 1_800;
export const MAIL_AGAIN_SECONDS = 120;

/** A link to be mailed: the database keeps the token's hash, and the token itself sealed until it is mailed. */
export function newLink({ keyring }: Pick<Context, "keyring">) {
  const id = randomUUID();
  const token = newSecret("tgl_");
  return { id, token, tokenHash: hashSecret(token), ...seal(keyring, id, token) };
}
