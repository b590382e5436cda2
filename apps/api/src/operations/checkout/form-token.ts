import { createHash } from "node:crypto";
import type { Keyring } from "@tillgate/database";
import { errors, jwtVerify, SignJWT } from "jose";
import type { Context } from "../../context.js";
import { OperationError, Refusal } from "../errors.js";
import { signingKey } from "../signing-key.js";

/** A page left open overnight still works; an older one is drawn anew. */
const LIFETIME = "24h";

/** Who a form belongs to: the page's visitor, and the wallet session, whatever token it has by now. */
export type FormOwner = { orderId: string; visitor: string; sessionId: string | null };

/** @throws OperationError FormRejected for a token of a key that is gone. */
function keyFor(keyring: Keyring, keyId: string): Uint8Array {
  const key = signingKey(keyring, keyId, "form token");
  if (!key) throw new OperationError(Refusal.FormRejected);
  return key;
}

const binding = ({ visitor, sessionId }: FormOwner): string =>
  createHash("sha256")
    .update(`${visitor}\n${sessionId ?? ""}`)
    .digest("base64url");

/** Signs a token that makes a form of one order usable by one visitor and session only. */
export const signFormToken = ({ keyring }: Pick<Context, "keyring">, owner: FormOwner): Promise<string> =>
  new SignJWT({ own: binding(owner) })
    .setProtectedHeader({ alg: "HS256", kid: keyring.current })
    .setSubject(owner.orderId)
    .setIssuedAt()
    .setExpirationTime(LIFETIME)
    .sign(keyFor(keyring, keyring.current));

/** @throws OperationError FormRejected for a token that is forged, old, or somebody else's. */
export async function verifyFormToken(
  { keyring }: Pick<Context, "keyring">,
  token: string,
  owner: FormOwner,
): Promise<void> {
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => keyFor(keyring, kid ?? ""), {
      algorithms: ["HS256"],
      subject: owner.orderId,
    });
    if (payload.own === binding(owner)) return;
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
  }
  throw new OperationError(Refusal.FormRejected);
}
