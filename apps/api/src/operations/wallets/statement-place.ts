import { createHmac, timingSafeEqual } from "node:crypto";
import type { Keyring } from "@tillgate/database";
import { signingKey } from "../../credentials/signing-key.js";

/**
 * A place in a wallet's statement: an entry, and the balance after it, in minor units. So a page far away need not add up all
 * that came later.
 */
export type StatementPlace = { entryId: bigint; balance: bigint };

/** Bytes of the signature: a place that somebody made up would show wrong balances. */
const SIGNATURE_BYTES = 16;

function signatureOf(keyring: Keyring, keyId: string, accountId: string, signed: string): Buffer | null {
  const key = signingKey(keyring, keyId, "statement place");
  const made = key && createHmac("sha256", key).update(`${accountId} ${signed}`).digest();
  return made ? made.subarray(0, SIGNATURE_BYTES) : null;
}

/** The place as a text for the address of a page of one account. */
export function writePlace(
  keyring: Keyring,
  accountId: string,
  { entryId, balance }: StatementPlace,
): string {
  const signed = `${entryId}.${balance}`;
  const signature = signatureOf(keyring, keyring.current, accountId, signed);
  if (!signature) throw new Error("the current encryption key is missing");
  return `${signed}.${signature.toString("base64url")}`;
}

const PLACE = /^(\d{1,18})\.(\d{1,18})\.([\w-]{22})$/;

/** The place that a text names, or null for one that was not written here for this account. */
export function readPlace(keyring: Keyring, accountId: string, text: string): StatementPlace | null {
  const [, entryId, balance, given] = PLACE.exec(text) ?? [];
  if (entryId === undefined || balance === undefined || given === undefined) return null;
  const signature = Buffer.from(given, "base64url");
  const known = [...keyring.keys.keys()].some((keyId) => {
    const right = signatureOf(keyring, keyId, accountId, `${entryId}.${balance}`);
    return right !== null && right.length === signature.length && timingSafeEqual(right, signature);
  });
  return known ? { entryId: BigInt(entryId), balance: BigInt(balance) } : null;
}
