import { firstRowOf } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";

const nameSchema = z.object({ name: z.string() });

/** @returns the name of the merchant whose credentials a call has */
export async function readMerchantName(
  { database: { pool } }: Context,
  { merchantId }: MerchantScope,
): Promise<string> {
  const found = await firstRowOf(pool, nameSchema, "SELECT name FROM merchants WHERE id = $1", [merchantId]);
  if (found === undefined) throw new Error(`The merchant ${merchantId} of a credential is gone.`);
  return found.name;
}
