import type { ReactNode } from "react";
import { textOfCase } from "../texts/texts";
import { addressOf, Kept } from "./list-columns";
import { usePage } from "./use-page";

type Props = {
  filters: Readonly<Record<string, string>>;
  statuses: readonly string[];
  methods?: readonly string[];
  /** Columns and size of the address; the form keeps them. */
  display: Readonly<Record<string, string>>;
};

/** Filters that are the address: a plain GET form. A wrong one is said at its field by the list's page. */
export function ListFilters({ filters, statuses, methods, display }: Props): ReactNode {
  const { page, t } = usePage();
  const path = page.path.split("?")[0] ?? "";
  const options = (values: readonly string[], group: string) =>
    values.map((value) => (
      <option key={value} value={value}>
        {textOfCase(t, group, value)}
      </option>
    ));
  const input = (name: string, label: string, type = "text") => (
    <label>
      <span>{label}</span>
      <input type={type} name={name} defaultValue={filters[name]} autoComplete="off" />
    </label>
  );
  return (
    <form className="filters" method="get" action={path} data-testid="filters">
      <Kept fields={display} />
      {input("q", t("filter.q"), "search")}
      <label>
        <span>{t("list.status")}</span>
        <select name="status" defaultValue={filters.status ?? ""}>
          <option value="">{t("list.all")}</option>
          {options(statuses, "status")}
        </select>
      </label>
      {methods ? (
        <label>
          <span>{t("filter.method")}</span>
          <select name="method" defaultValue={filters.method ?? ""}>
            <option value="">{t("list.all")}</option>
            {options(methods, "method")}
          </select>
        </label>
      ) : null}
      <details
        className="more"
        open={["currency", "min_amount", "max_amount", "from", "to"].some((name) => filters[name])}
      >
        <summary>{t("filter.more")}</summary>
        <div className="filters">
          {input("currency", t("filter.currency"))}
          {input("min_amount", t("filter.min"))}
          {input("max_amount", t("filter.max"))}
          {input("from", t("filter.from"), "date")}
          {input("to", t("filter.to"), "date")}
          <label>
            <span>{t("filter.sort")}</span>
            <select name="sort" defaultValue={filters.sort ?? ""}>
              <option value="">{t("sort.newest")}</option>
              <option value="created_at">{t("sort.oldest")}</option>
              <option value="-amount">{t("sort.largest")}</option>
              <option value="amount">{t("sort.smallest")}</option>
            </select>
          </label>
        </div>
      </details>
      <button type="submit" className="button quiet">
        {t("filter.apply")}
      </button>
      {Object.keys(filters).length > 0 ? <a href={addressOf(path, display)}>{t("filter.clear")}</a> : null}
    </form>
  );
}
