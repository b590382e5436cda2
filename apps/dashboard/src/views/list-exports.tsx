import type { ReactNode } from "react";
import { addressOf } from "./list-columns";
import { usePage } from "./use-page";

type Props = {
  /** The path of the list, without an ending. */
  path: string;
  filters: Readonly<Record<string, string>>;
  /** The columns of an export as shown, between commas. */
  columns: string;
};

/** Links to the whole filtered list as a file: with the columns that are shown, or with all. With the script they load in the page. */
export function ListExports({ path, filters, columns }: Props): ReactNode {
  const { t } = usePage();
  const links = (chosen: string, label: string) =>
    ["csv", "json"].map((format) => (
      <a
        key={`${chosen} ${format}`}
        href={addressOf(`${path}.${format}`, { ...filters, columns: chosen })}
        aria-label={`${label} ${format.toUpperCase()}`}
        download
        data-export=""
      >
        {format.toUpperCase()}
      </a>
    ));
  const kept = { rows: "{rows}", total: "{total}" };
  return (
    <div className="exports">
      <p>
        {t("export.shown")} {links(columns, t("export.shown"))}
        {" · "}
        {t("export.all")} {links("all", t("export.all"))}
      </p>
      <p
        hidden
        data-exporting=""
        data-progress={t("export.progress", kept)}
        data-saved={t("export.done", kept)}
        data-broken={t("export.broken")}
        data-cancelled={t("export.cancelled")}
        data-busy={t("export.busy")}
      >
        <span data-line="" data-testid="export-line" />{" "}
        <button type="button" className="button link">
          {t("export.cancel")}
        </button>
      </p>
    </div>
  );
}
