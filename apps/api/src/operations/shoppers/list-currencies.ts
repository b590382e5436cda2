import type { Currency } from "@tillgate/money";
import type { Context } from "../../context.js";
import { wrongField } from "../../operation-error.js";

/** The active currencies, in which wallets may be opened. */
export const listOpenCurrencies = async ({
  database: { prisma },
}: Context): Promise<{ code: string; name: string }[]> =>
  prisma.currency.findMany({
    where: { active: true },
    select: { code: true, name: true },
    orderBy: { code: "asc" },
  });

/** @throws OperationError InvalidFields for a currency that is not active, naming the field. */
export async function findOpenCurrency(
  { database: { prisma } }: Context,
  code: string,
  field = "currency",
): Promise<Currency> {
  const found = await prisma.currency.findFirst({
    where: { code, active: true },
    select: { code: true, digits: true },
  });
  if (!found) throw wrongField(field, "must be a currency that is active");
  return found;
}
