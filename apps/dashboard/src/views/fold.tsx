import type { ReactNode } from "react";
import { usePage } from "./use-page";

type Props = {
  /** How many filters are set. */
  filters: number;
  /** A filter is wrong: it is shown. */
  open?: boolean;
  children: ReactNode;
};

/** What stands above a list. A phone folds it, so that the list begins on its first screen; also without scripts. */
export function Fold({ filters, open = false, children }: Props): ReactNode {
  const { t } = usePage();
  return (
    <div className="fold">
      <input type="checkbox" id="fold" className="fold-switch" defaultChecked={open} autoComplete="off" />
      <label htmlFor="fold" className="button quiet fold-label">
        {t("list.tools", { filters })}
      </label>
      <div className="list-tools">{children}</div>
    </div>
  );
}
