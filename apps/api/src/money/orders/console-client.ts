import { randomBytes, randomUUID } from "node:crypto";
import { ErrorCode } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { Client, MerchantScope } from "../../identity/credentials/authenticate.js";

/**
 * Finds or creates the credential that the console, tills and payment links create orders with. No secret matches its hash.
 * @throws OperationError MerchantSuspended.
 */
export async function getConsoleClient(
  { database: { prisma } }: Context,
  { merchantId, mode }: MerchantScope,
): Promise<Client> {
  const merchant = await prisma.merchant.findUniqueOrThrow({
    where: { id: merchantId },
    select: { suspendedAt: true },
  });
  if (merchant.suspendedAt !== null) throw new OperationError(ErrorCode.MerchantSuspended);
  const key = { merchantId, mode, kind: "console" as const };
  const credential = await prisma.credential.findFirst({ where: key, select: { id: true } });
  if (credential) return { merchantId, mode, credentialId: credential.id };
  await prisma.credential.createMany({
    data: { ...key, id: randomUUID(), secretHash: randomBytes(32) },
    skipDuplicates: true,
  });
  const { id: credentialId } = await prisma.credential.findFirstOrThrow({ where: key, select: { id: true } });
  return { merchantId, mode, credentialId };
}
