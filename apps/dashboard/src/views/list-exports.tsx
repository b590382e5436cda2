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

/** Links to the whole filtered list as a file: with the columns that are shown, or with all. */
export function ListExports({ path, filters, columns }: Props): ReactNode {
  const { t } = usePage();
  const links = (chosen: string, label: string) =>
    ["csv", "json"].map((format) => (
      <a
        key={`${chosen} ${format}`}
        href={addressOf(`${path}.${format}`, { ...filters, columns: chosen })}
        aria-label={`${label} ${format.toUpperCase()}`}
        download
      >
        {format.toUpperCase()}
      </a>
    ));
  return (
    <p className="exports">
      {t("export.shown")} {links(columns, t("export.shown"))}
      {" · "}
      {t("export.all")} {links("all", t("export.all"))}
    </p>
  );
}
