import type { ReactNode } from "react";
import { usePage } from "./use-page";

/** Looks again: by hand, or every few seconds while the second button is pressed. */
export function LiveTools(): ReactNode {
  const { page, t } = usePage();
  return (
    <>
      <a className="button quiet" href={page.path}>
        {t("live.refresh")}
      </a>
      <button type="button" className="button quiet with-script" aria-pressed="false" data-follow="">
        {t("live.follow")}
      </button>
    </>
  );
}
