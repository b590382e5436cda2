import type { ReactNode } from "react";
import { WALLET_TOP_UP, withQuery } from "../http/wallet-address";
import { useWords } from "./use-words";

export type TopUpLinkProps = {
  token: string;
  /** What the payment needs, as the wire writes it. */
  amount: string | null;
};

/** In the sandbox a wallet that is short of money is topped up, and the way leads back to the payment. */
export function TopUpLink({ token, amount }: TopUpLinkProps): ReactNode {
  const { texts } = useWords();
  const [number = null, currency = null] = amount?.split(" ") ?? [];
  return (
    <a
      className="button main"
      href={withQuery(WALLET_TOP_UP, { order: token, amount: number, currency })}
      data-testid="pay-top-up"
    >
      {texts.account.topUp.title}
    </a>
  );
}
