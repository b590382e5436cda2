import type { Mode } from "@tillgate/contract";
import type { Prisma } from "@tillgate/database";
import type { Context } from "../../context.js";
import { findMerchant } from "../merchants.js";

export type ListedCredential = {
  id: string;
  mode: Mode;
  kind: "client" | "api_token";
  name: string | null;
  clientId: string | null;
  readOnly: boolean;
  orderOnly: boolean;
  /** E-mail of the console user who created it; null where nobody is recorded. */
  createdBy: string | null;
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
    include: { createdBy: { select: { email: true } } },
    orderBy: [{ mode: "asc" }, { createdAt: "desc" }],
  });
  return credentials.flatMap(({ kind, revokedAt, ...credential }) => {
    // Nobody holds the secret of the console's own.
    if (kind === "console") return [];
    const standing = standingOf({ revokedAt, expiresAt: credential.expiresAt });
    const {
      id,
      mode: itsMode,
      name,
      clientId,
      readOnly,
      orderOnly,
      createdBy,
      createdAt,
      expiresAt,
      lastUsedAt,
      lastUsedAddress,
    } = credential;
    return [
      {
        ...{ id, mode: itsMode, kind, name, clientId, readOnly, orderOnly, standing },
        createdBy: createdBy?.email ?? null,
        ...{ createdAt, expiresAt, lastUsedAt, lastUsedAddress },
      },
    ];
  });
}

function standingOf({
  revokedAt,
  expiresAt,
}: Pick<Prisma.CredentialGetPayload<object>, "revokedAt" | "expiresAt">): ListedCredential["standing"] {
  if (revokedAt !== null) return "revoked";
  if (expiresAt === null) return "active";
  return expiresAt > new Date() ? "rotated out" : "expired";
}
