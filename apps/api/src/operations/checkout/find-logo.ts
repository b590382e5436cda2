import { Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { OperationError } from "../../operation-error.js";

/**
 * A merchant's logo by the hash of its bytes.
 * @throws OperationError LogoNotFound.
 */
export async function findLogo(
  { database: { prisma } }: Context,
  id: string,
): Promise<{ bytes: Uint8Array; type: string }> {
  const found = await prisma.merchantBranding.findFirst({
    where: { logoId: id },
    select: { logo: true, logoType: true },
  });
  if (!found?.logo || found.logoType === null) throw new OperationError(Refusal.LogoNotFound);
  return { bytes: found.logo, type: found.logoType };
}
