import type { ReactNode } from "react";

/** Tillgate's mark beside its name: the wallet is the shopper's own, not the shop's. The shop's colour does not touch it. */
export function WalletMark(): ReactNode {
  return (
    <svg className="wallet-mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M9 11h14M16 11v12" />
    </svg>
  );
}
