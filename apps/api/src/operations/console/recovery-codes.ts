import { hashSecret } from "@tillgate/database";
import { Secret } from "otpauth";
import type { Transaction } from "../administration/change.js";

const CODES = 10;
/** 80 bits: 16 characters of base32. */
const CODE_BYTES = 10;

/** Typed in any case, with or without hyphens and spaces. */
const hashCode = (code: string): Uint8Array<ArrayBuffer> =>
  hashSecret(code.replace(/[\s-]/g, "").toUpperCase());

const newCode = (): string => new Secret({ size: CODE_BYTES }).base32.replace(/(.{4})(?=.)/g, "$1-");

/** Gives a user new recovery codes in place of all earlier ones. @returns them; the database keeps their hashes. */
export async function replaceRecoveryCodes(tx: Transaction, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode);
  await tx.consoleRecoveryCode.deleteMany({ where: { userId } });
  await tx.consoleRecoveryCode.createMany({
    data: codes.map((code) => ({ userId, codeHash: hashCode(code) })),
  });
  return codes;
}

/** Uses a recovery code up. @returns whether it was one of the user's that was not used: of two at once one is. */
export async function useRecoveryCode(tx: Transaction, userId: string, code: string): Promise<boolean> {
  const used = await tx.$executeRaw`UPDATE console_recovery_codes SET used_at = clock_timestamp()
    WHERE user_id = ${userId}::uuid AND code_hash = ${hashCode(code)} AND used_at IS NULL`;
  return used === 1;
}
