import { type ConsolePaymentLink, MAX_COUNTED_USES } from "@tillgate/contract";
import type { ReactNode } from "react";
import { Money } from "./parts";
import { usePage } from "./use-page";

export function LinkAmount({ link }: { link: ConsolePaymentLink }): ReactNode {
  const { t } = usePage();
  return link.amount === null ? (
    <>
      {link.currency}, {t("link.openAmount")}
    </>
  ) : (
    <Money money={link.amount} />
  );
}

/** Renders the number of payments, with the maximum if the link has one; otherwise the number is capped at {@link MAX_COUNTED_USES}. */
export function LinkUses({ link: { paid, max_uses } }: { link: ConsolePaymentLink }): ReactNode {
  const { t } = usePage();
  if (max_uses !== null) return t("link.paidOf", { paid, most: max_uses });
  return paid >= MAX_COUNTED_USES ? t("link.paidMany", { most: MAX_COUNTED_USES }) : paid;
}

const TONES = { open: "good", used: "plain", expired: "late", closed: "bad" } as const;

export function LinkState({ link: { state } }: { link: ConsolePaymentLink }): ReactNode {
  const { t } = usePage();
  return (
    <span className={`badge ${TONES[state]}`} data-testid="link-state" data-status={state}>
      {t(`link.state.${state}`)}
    </span>
  );
}
