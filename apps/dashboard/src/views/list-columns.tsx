import type { EXPORT_COLUMNS, ExportKind } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { Column } from "./parts";
import { usePage } from "./use-page";

/** A list column. Exports use the same name. */
export type ListColumn<Item, Kind extends ExportKind = ExportKind> = Column<Item> & {
  name: (typeof EXPORT_COLUMNS)[Kind][number];
  /** Further export columns that belong to this column, such as the currency of an amount. */
  with?: readonly (typeof EXPORT_COLUMNS)[Kind][number][];
  /** Whether the column is shown by default. */
  usual?: boolean;
};

/** Returns the first column, which identifies the row, then the columns in the URL in their order or, if the URL has none, the default columns. */
export function pickShownColumns<Item>(
  columns: readonly ListColumn<Item>[],
  chosen: readonly string[],
): ListColumn<Item>[] {
  const known = [...new Set(chosen)].flatMap((name) => columns.find((column) => column.name === name) ?? []);
  const [first] = columns;
  if (known.length === 0) return columns.filter((column) => column === first || column.usual);
  return first === undefined ? [] : [first, ...known.filter((column) => column !== first)];
}

/** Returns an export's `columns` parameter: the shown columns and those required with them, such as an amount's currency. */
export const listExportedColumns = (shown: readonly ListColumn<never>[]): string =>
  [...new Set(shown.flatMap(({ name, with: others = [] }) => [name, ...others]))].join(",");

export function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const parameters = new URLSearchParams(query);
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

/** Renders hidden fields for the query parameters that a GET form preserves. */
export const HiddenFields = ({ fields }: { fields: Readonly<Record<string, string>> }): ReactNode =>
  Object.entries(fields).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);

type Props = {
  columns: readonly ListColumn<never>[];
  shown: readonly ListColumn<never>[];
  /** Other query parameters, which the form preserves. */
  filters: Readonly<Record<string, string>>;
};

/** Renders the column picker as a GET form. The shown columns come first, in their order. */
export function ColumnsForm({ columns, shown, filters }: Props): ReactNode {
  const { page, t } = usePage();
  const path = page.path.split("?")[0] ?? "";
  const choices = [...new Set([...shown, ...columns])].filter((column) => column !== columns[0]);
  return (
    <details className="more">
      <summary>{t("columns.choose")}</summary>
      <form method="get" action={path} className="column-choice" data-testid="columns">
        <HiddenFields fields={filters} />
        <fieldset className="checks">
          <legend className="unseen">{t("columns.choose")}</legend>
          {choices.map((column) => (
            <label key={column.name}>
              <input
                type="checkbox"
                name="columns"
                value={column.name}
                defaultChecked={shown.includes(column)}
              />{" "}
              {column.title}
            </label>
          ))}
        </fieldset>
        <button type="submit" className="button quiet">
          {t("columns.show")}
        </button>
      </form>
    </details>
  );
}
