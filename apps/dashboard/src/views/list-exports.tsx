import { Fragment, type ReactNode } from "react";
import { withQuery } from "./list-columns";
import { usePage } from "./use-page";

type CollapsibleToolsProps = {
  filters: number;
  /** Whether the area is open at first, because a filter is invalid. */
  open?: boolean;
  children: ReactNode;
};

/** Collapses the area above a list on a phone, so that the list starts on the first screen. This works without scripts. */
export function CollapsibleTools({ filters, open = false, children }: CollapsibleToolsProps): ReactNode {
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

type Props = {
  /** The list's path, without an extension. */
  path: string;
  filters: Readonly<Record<string, string>>;
  /** The `columns` parameter for an export of the shown columns; undefined if exports of this list always have all columns. */
  columns?: string;
};

/** Spreadsheets in some languages expect semicolons and decimal commas. */
const FILES = [
  { format: "csv", dialect: {}, text: "export.comma" },
  { format: "csv", dialect: { dialect: "semicolon" }, text: "export.semicolon" },
  { format: "json", dialect: {}, text: "export.json" },
] as const;

/** Renders links that export the whole filtered list. The script downloads the files without leaving the page. */
export function ListExports({ path, filters, columns }: Props): ReactNode {
  const { t } = usePage();
  const links = (label: string, parameters: Readonly<Record<string, string>>) =>
    FILES.map(({ format, dialect, text }, index) => (
      <Fragment key={text}>
        {index > 0 ? ", " : null}
        <a
          href={withQuery(`${path}.${format}`, { ...filters, ...parameters, ...dialect })}
          aria-label={`${label} ${t(text)}`}
          download
          data-export=""
        >
          {t(text)}
        </a>
      </Fragment>
    ));
  const placeholders = { rows: "{rows}", total: "{total}" };
  return (
    <div className="exports">
      {columns === undefined ? (
        <p>
          {t("export.whole")} {links(t("export.whole"), {})}
        </p>
      ) : (
        <p>
          {t("export.shown")} {links(t("export.shown"), { columns })}
          {" · "}
          {t("export.all")} {links(t("export.all"), { columns: "all" })}
        </p>
      )}
      <p
        hidden
        data-exporting=""
        data-progress={t("export.progress", placeholders)}
        data-saved={t("export.done", placeholders)}
        data-broken={t("export.broken")}
        data-cancelled={t("export.cancelled")}
        data-busy={t("apiError.too_many_exports")}
      >
        <span data-line="" data-testid="export-line" />{" "}
        <button type="button" className="button link">
          {t("export.cancel")}
        </button>
      </p>
    </div>
  );
}
