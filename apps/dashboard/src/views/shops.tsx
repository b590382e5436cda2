import type { ConsoleShop } from "@tillgate/contract";
import type { ReactNode } from "react";
import { Time } from "./parts";
import { usePage } from "./use-page";

/** Returns a function that gets a shop's display name: the shop's address or, without an address, the API key. */
export function useShopName(): (shop: ConsoleShop) => string {
  const { t } = usePage();
  return ({ name, key }) => name ?? t("shops.ofKey", { key });
}

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
