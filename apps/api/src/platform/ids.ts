import { hash, randomFillSync, randomInt } from "node:crypto";

/** A–Z and 0–9 without the look-alikes I, O, 0 and 1. */
const CHARACTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const DIGITS = "0123456789";

/** Merchants are spread over as many slots as two digits can represent; all IDs of a merchant start with the same slot. */
const SLOTS = 100;
const SLOT_LENGTH = 2;
/** Maximum growth of an ID, in characters. The WordPress plugin stores IDs of up to 40 characters. */
const MAX_GROWTH = 12;
/** Two collisions within this many new IDs mean that the space is filling up. Even then, a group of 64 rarely has a collision. */
const CROWDED_IDS = 4_096;

/** Format of a kind of ID: a prefix, the UTC day of creation if `dated`, and a code of the merchant's slot and random characters. */
type IdKind = {
  prefix: string;
  dated?: boolean;
  alphabet: string;
  /** Characters of the code while its space is nearly empty. */
  shortest: number;
  /** The unique constraint that a taken ID violates. */
  unique: string;
};

export type IdSpace = {
  unique: string;
  /** Only the database knows whether the ID is free. */
  next: (merchantId: string) => string;
  /** Makes the next IDs longer if the space is filling up. */
  recordCollision: (id: string) => void;
};

export const ID_KINDS = {
  order: { prefix: "POS-", dated: true, alphabet: CHARACTERS, shortest: 6, unique: "orders_pkey" },
  refund: { prefix: "RF-", dated: true, alphabet: CHARACTERS, shortest: 6, unique: "refunds_pkey" },
  payment: { prefix: "TRX-", alphabet: DIGITS, shortest: 12, unique: "orders_trx_id_key" },
  payout: { prefix: "PO", alphabet: CHARACTERS, shortest: 8, unique: "payouts_pkey" },
  partnerTransaction: { prefix: "PP", alphabet: DIGITS, shortest: 10, unique: "payouts_trx_id_key" },
} satisfies Record<string, IdKind>;

export type IdSpaces = Record<keyof typeof ID_KINDS, IdSpace>;

export const createIdSpaces = (): IdSpaces => ({
  order: createIdSpace(ID_KINDS.order),
  refund: createIdSpace(ID_KINDS.refund),
  payment: createIdSpace(ID_KINDS.payment),
  payout: createIdSpace(ID_KINDS.payout),
  partnerTransaction: createIdSpace(ID_KINDS.partnerTransaction),
});

/** Creates a generator of IDs, which become longer as their space fills up. @param maxGrowth the maximum growth, in characters. */
export function createIdSpace(kind: IdKind, maxGrowth = MAX_GROWTH): IdSpace {
  const { alphabet, shortest, unique } = kind;
  let length = shortest;
  let madeSinceTaken = 0;
  const toCharacter = (number: number) => alphabet[number % alphabet.length];
  return {
    unique,
    next(merchantId) {
      madeSinceTaken += 1;
      const slot = getSlot(merchantId);
      const random = Array.from({ length: length - SLOT_LENGTH }, () =>
        toCharacter(randomInt(alphabet.length)),
      );
      return [
        idPrefix(kind),
        toCharacter(Math.floor(slot / alphabet.length)),
        toCharacter(slot),
        ...random,
      ].join("");
    },
    recordCollision(id) {
      // Only one of several concurrent collisions makes the IDs longer.
      if (id.length < idPrefix(kind).length + length) return;
      if (madeSinceTaken <= CROWDED_IDS) length = Math.min(length + 1, shortest + maxGrowth);
      madeSinceTaken = 0;
    },
  };
}

const idPrefix = ({ prefix, dated }: IdKind): string =>
  dated ? `${prefix}${new Date().toISOString().slice(0, 10).replaceAll("-", "")}-` : prefix;

/** Returns a merchant's slot. It must never change, because issued IDs contain it. */
const getSlot = (merchantId: string): number => hash("sha256", merchantId, "buffer").readUInt32BE() % SLOTS;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns whether the text is a UUID. PostgreSQL raises an error if other text is compared with a `uuid`. */
export const isIssuedId = (text: string): boolean => UUID.test(text);

const TOKEN_BYTES = 24;
/** Random bytes of the next tokens, each used once. Generating them one token at a time takes twenty times as long. */
const randomPool = Buffer.alloc(128 * TOKEN_BYTES);
let usedBytes = randomPool.length;

/** Creates the secret part of the URL of a payment page, payment link or till: 192 random bits. */
export function createPaymentToken(): string {
  if (usedBytes === randomPool.length) {
    randomFillSync(randomPool);
    usedBytes = 0;
  }
  usedBytes += TOKEN_BYTES;
  return randomPool.toString("base64url", usedBytes - TOKEN_BYTES, usedBytes);
}
