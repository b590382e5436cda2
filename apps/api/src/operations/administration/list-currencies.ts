import type { CurrencyModel } from "@tillgate/database";
import type { Context } from "../../context.js";

/** Every currency, by its code. */
export const listCurrencies = ({ database: { prisma } }: Context): Promise<CurrencyModel[]> =>
  prisma.currency.findMany({ orderBy: { code: "asc" } });
