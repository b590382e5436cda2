import type { Mode } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { findMerchant } from "./find-merchant.js";

export type ListedCredential = {
  id: string;
  mode: Mode;
  kind: "client" | "api_token";
  clientId: string | null;
  standing: "active" | "rotated out" | "expired" | "revoked";
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  lastUsedAddress: string | null;
};

/** A merchant's credentials, of one mode or of both, newest first; secrets cannot be shown again. @throws OperationError NotFound. */
export async function listCredentials(
  context: Context,
  { merchant, mode }: { merchant: string; mode?: Mode | undefined },
): Promise<ListedCredential[]> {
  const { id: merchantId } = await findMerchant(context, merchant);
  const credentials = await context.database.prisma.credential.findMany({
    where: { merchantId, ...(mode === undefined ? {} : { mode }) },
    orderBy: [{ mode: "asc" }, { createdAt: "desc" }],
  });
  const now = new Date();
  return credentials.map(
    ({
      id,
      mode: itsMode,
      kind,
      clientId,
      revokedAt,
      expiresAt,
      createdAt,
      lastUsedAt,
      lastUsedAddress,
    }) => ({
      id,
      mode: itsMode,
      kind,
      clientId,
      standing: revokedAt
        ? "revoked"
        : expiresAt === null
          ? "active"
          : expiresAt > now
            ? "rotated out"
            : "expired",
      createdAt,
      expiresAt,
      lastUsedAt,
      lastUsedAddress,
    }),
  );
}
