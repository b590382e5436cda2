import type { ConsoleShop } from "@tillgate/contract";
import type { ReactNode } from "react";
import { Time } from "./parts";
import { usePage } from "./use-page";

/** Returns a function that gets the display name of a shop: its address or, without one, its API key. */
export function useShopName(): (shop: ConsoleShop) => string {
  const { t } = usePage();
  return ({ name, key }) => name ?? t("shops.ofKey", { key });
}

/** Renders when a shop's last comparison was completed, whether another is in progress, and whether the next one is overdue. */
export function LastComparison({
  shop: { completed_at, running, overdue },
}: {
  shop: ConsoleShop;
}): ReactNode {
  const { t } = usePage();
  return (
    <>
      {completed_at === null ? t("shops.noneCompleted") : <Time at={completed_at} />}
      {running ? <span className="soft"> {t("shops.running")}</span> : null}
      {overdue ? (
        <>
          {" "}
          <span className="badge bad" data-status="overdue">
            {t("shops.overdue")}
          </span>
        </>
      ) : null}
    </>
  );
}
