import { createHash, randomBytes, randomInt } from "node:crypto";

/** A–Z and 0–9 without the look-alikes I, O, 0 and 1. */
const CHARACTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const DIGITS = "0123456789";

/** Merchants are spread over as many slots as two digits can say: every id of a merchant, of whichever kind, says the same. */
const SLOTS = 100;
const SLOT_LENGTH = 2;
/** By how many characters ids grow at most. The records of the WordPress plugin hold 40 characters. */
const MAX_GROWTH = 12;
/** Two collisions within this many new ids mean that the space fills up. A group of 64 then rarely has a collision. */
const CROWDED_IDS = 4_096;

/** How ids of a kind look: prefix, UTC day of creation if `dated`, and a code: the merchant's slot and random characters. */
type IdKind = {
  prefix: string;
  dated?: boolean;
  alphabet: string;
  /** Characters of the code while its space is nearly empty. */
  shortest: number;
  /** The constraint that refuses an id that is taken. */
  unique: string;
};

/** The ids of one kind that a process makes. */
export type IdSpace = {
  unique: string;
  /** An id of this merchant. Whether it is still free, only the database knows. */
  next: (merchantId: string) => string;
  /** Learns that an id was taken, so that the next ones are longer where the space fills. */
  learnTaken: (id: string) => void;
};

/** The ids that are given out, at their shortest. */
export const ID_KINDS = {
  order: { prefix: "POS-", dated: true, alphabet: CHARACTERS, shortest: 6, unique: "orders_pkey" },
  refund: { prefix: "RF-", dated: true, alphabet: CHARACTERS, shortest: 6, unique: "refunds_pkey" },
  payment: { prefix: "TRX-", alphabet: DIGITS, shortest: 12, unique: "orders_trx_id_key" },
  payout: { prefix: "PO", alphabet: CHARACTERS, shortest: 8, unique: "payouts_pkey" },
  partnerTransaction: { prefix: "PP", alphabet: DIGITS, shortest: 10, unique: "payouts_trx_id_key" },
} satisfies Record<string, IdKind>;

/** By kind. */
export type IdSpaces = Record<keyof typeof ID_KINDS, IdSpace>;

/** The spaces of a new process: it begins with the shortest ids and learns from those that are taken. */
export const createIdSpaces = (): IdSpaces => ({
  order: createIdSpace(ID_KINDS.order),
  refund: createIdSpace(ID_KINDS.refund),
  payment: createIdSpace(ID_KINDS.payment),
  payout: createIdSpace(ID_KINDS.payout),
  partnerTransaction: createIdSpace(ID_KINDS.partnerTransaction),
});

/** One space of ids. */
export function createIdSpace(kind: IdKind, maxGrowth = MAX_GROWTH): IdSpace {
  const { alphabet, shortest, unique } = kind;
  let length = shortest;
  let madeSinceTaken = 0;
  const characterOf = (number: number) => alphabet[number % alphabet.length];
  return {
    unique,
    next(merchantId) {
      madeSinceTaken += 1;
      const slot = slotOf(merchantId);
      const random = Array.from({ length: length - SLOT_LENGTH }, () =>
        characterOf(randomInt(alphabet.length)),
      );
      return [
        startOf(kind),
        characterOf(Math.floor(slot / alphabet.length)),
        characterOf(slot),
        ...random,
      ].join("");
    },
    learnTaken(id) {
      // Of many that collide at the same time, one makes the ids longer.
      if (id.length < startOf(kind).length + length) return;
      if (madeSinceTaken <= CROWDED_IDS) length = Math.min(length + 1, shortest + maxGrowth);
      madeSinceTaken = 0;
    },
  };
}

const startOf = ({ prefix, dated }: IdKind): string =>
  dated ? `${prefix}${new Date().toISOString().slice(0, 10).replaceAll("-", "")}-` : prefix;

/** Where a merchant belongs, for good: ids that were given out say it. */
const slotOf = (merchantId: string): number =>
  createHash("sha256").update(merchantId).digest().readUInt32BE() % SLOTS;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text can be an issued id; PostgreSQL refuses to compare other texts with one. */
export const isIssuedId = (text: string): boolean => UUID.test(text);

const TOKEN_BYTES = 24;

/** The unguessable part of a payment page's address: 192 random bits. */
export const newPaymentToken = () => randomBytes(TOKEN_BYTES).toString("base64url");
