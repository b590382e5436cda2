import type { MerchantModel } from "@tillgate/database";
import type { Context } from "../context.js";
import { invalidValue, notFound } from "../errors.js";
import { isIssuedId } from "../platform/ids.js";

/** Finds a merchant by ID or exact name. @throws OperationError SubjectNotFound; InvalidValue if several merchants have that name. */
export async function findMerchant(
  { database: { prisma } }: Context,
  idOrName: string,
): Promise<MerchantModel> {
  const merchants = await prisma.merchant.findMany({
    where: isIssuedId(idOrName) ? { id: idOrName } : { name: idOrName },
    take: 2,
  });
  const [merchant, another] = merchants;
  if (!merchant) throw notFound(`merchant ${idOrName}`);
  if (another) throw invalidValue(`Several merchants are named ${idOrName}. Use the ID.`);
  return merchant;
}
