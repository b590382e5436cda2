import type { Mode } from "@tillgate/contract";
import { readView } from "../../edge/checkout-edge";
import { paymentToken } from "../../http/shopper";
import { one } from "../../http/wallet-address";
import type { FromOrder } from "../../views/wallet/wallet-screen";
import type { Visit } from "./wallet-page";

/** The payment that the address names, which may be none. @throws ApiUnreachable */
export async function fromOrder({
  caller,
  query,
}: Pick<Visit, "caller" | "query">): Promise<(FromOrder & { mode: Mode }) | null> {
  const token = paymentToken(one(query, "order") ?? undefined);
  const read = token === null ? null : await readView(token, caller);
  if (token === null || !read?.ok) return null;
  const { order, merchant } = read.data;
  const { amount, currency, mode } = order;
  return { token, merchant: merchant.name, amount, currency, mode };
}

/** An amount of the wire without its currency. */
export const bareAmount = (amount: string): string => amount.split(" ")[0] ?? "";
