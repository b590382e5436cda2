import { listSortSchema, MAX_SORTED_ROWS, type ViewedList } from "@tillgate/contract";
import { Fragment, type ReactNode } from "react";
import type { ListProps, ListTotals } from "#server/lists.ts";
import { type TextGroup, textOfCase } from "#texts/texts.ts";
import { EmptyList } from "./empty-list";
import { Frame } from "./frame";
import {
  ColumnsForm,
  HiddenFields,
  type ListColumn,
  listExportedColumns,
  pickShownColumns,
  withQuery,
} from "./list-columns";
import { CollapsibleTools, ListExports } from "./list-exports";
import { Card, Money, Pages, Table } from "./parts";
import { SavedViews } from "./saved-views";
import { useMerchantPage, usePage } from "./use-page";

const SORTED = ["created_at", "amount"];

/** Adds sort links to column headings: descending first, then ascending. */
function withSortLinks<Item>(
  columns: readonly ListColumn<Item>[],
  path: string,
  query: Readonly<Record<string, string>>,
): ListColumn<Item>[] {
  const now = listSortSchema.safeParse(query.sort).data ?? "-created_at";
  return columns.map((column) => {
    const { name } = column;
    if (!SORTED.includes(name)) return column;
    const href = withQuery(path, { ...query, sort: now === `-${name}` ? name : `-${name}` });
    const direction = { [name]: "ascending" as const, [`-${name}`]: "descending" as const }[now];
    return { ...column, sorting: direction ? { href, now: direction } : { href } };
  });
}

type FilterProps = {
  filters: Readonly<Record<string, string>>;
  statuses: readonly string[];
  methods?: readonly string[];
  /** Columns and page size, preserved by the form. */
  display: Readonly<Record<string, string>>;
};

/** Renders filters as a GET form. The list page names invalid filters below the form. */
function ListFilters({ filters, statuses, methods, display }: FilterProps): ReactNode {
  const { page, t } = usePage();
  const path = page.path.split("?")[0] ?? "";
  const options = (values: readonly string[], group: TextGroup) =>
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
      <HiddenFields fields={display} />
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
            <option value="">{t("list.allFeminine")}</option>
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
      {Object.keys(filters).length > 0 ? <a href={withQuery(path, display)}>{t("filter.clear")}</a> : null}
    </form>
  );
}

type Props<Item> = ListProps<Item> & {
  name: ViewedList;
  statuses: readonly string[];
  methods?: readonly string[];
  columns: readonly ListColumn<Item>[];
  keyOf: (item: Item) => string;
  tools?: ReactNode;
  act?: (item: Item) => ReactNode;
};

const omitPage = ({ before: _before, after: _after, per_page: _size, ...filters }: Record<string, string>) =>
  filters;

/** Renders a list whose state is in its URL: views, filters, columns, pages and exports. */
export function ListPage<Item>(props: Props<Item>): ReactNode {
  const { t, f, to } = useMerchantPage();
  const { name, items, invalidFilters, partial } = props;
  const filters = omitPage(props.filters);
  const filtered = Object.keys(filters).length > 0;
  const shown = pickShownColumns(props.columns, props.chosen);
  const path = to(name);
  const chosen = props.chosen.length === 0 ? "" : shown.map((column) => column.name).join(",");
  const { per_page: size } = props.filters;
  // Columns and page size are preserved when filters are cleared.
  const display: Record<string, string> = {
    ...(chosen === "" ? {} : { columns: chosen }),
    ...(size === undefined ? {} : { per_page: size }),
  };
  const query = { ...filters, ...display };
  const byAmount = filters.sort?.endsWith("amount");
  // The label of the `Pages` button that continues a partial scan in its direction.
  const sorted = filters.sort !== undefined;
  const [back, forward] = sorted
    ? (["list.before", "list.behind"] as const)
    : (["list.newer", "list.older"] as const);
  const continues = props.filters.after === undefined ? forward : back;
  return (
    <Frame title={t(`nav.${name}`)} tools={props.tools}>
      <SavedViews list={name} views={props.views} query={query} />
      <CollapsibleTools filters={Object.keys(filters).length} open={invalidFilters.length > 0}>
        <ListFilters
          filters={filters}
          statuses={props.statuses}
          {...(props.methods ? { methods: props.methods } : {})}
          display={display}
        />
        <ColumnsForm
          columns={props.columns}
          shown={shown}
          filters={{ ...filters, ...(size === undefined ? {} : { per_page: size }) }}
        />
        <ListExports path={path} filters={omitPage(props.apiFilters)} columns={listExportedColumns(shown)} />
      </CollapsibleTools>
      {invalidFilters.length > 0 ? (
        <p className="box bad" role="alert">
          {t("filter.invalid", {
            names: invalidFilters.map((field) => textOfCase(t, "filterName", field)).join(", "),
          })}
        </p>
      ) : null}
      {items.length === 0 ? (
        <EmptyList {...props} filtered={filtered} clearPath={withQuery(path, display)} />
      ) : (
        <Card>
          <Totals totals={props.totals} withoutFees={name === "payouts"} />
          <Table
            caption={t(`nav.${name}`)}
            columns={[
              ...withSortLinks(shown, path, query),
              ...(props.act ? [{ title: t("list.actions"), cell: props.act, words: true }] : []),
            ]}
            rows={items}
            keyOf={props.keyOf}
          />
        </Card>
      )}
      {partial && items.length > 0 ? (
        <p className="box note">
          {byAmount
            ? t("list.partialSorted", { rows: MAX_SORTED_ROWS })
            : t("list.partialTo", { time: f.minute(props.looked_to ?? ""), button: t(continues) })}
        </p>
      ) : null}
      <Pages next={props.next} previous={props.previous} sorted={sorted} />
      <PageSizes path={path} query={query} totals={props.totals} />
    </Frame>
  );
}

function Totals({ totals, withoutFees }: { totals: ListTotals; withoutFees: boolean }): ReactNode {
  const { t } = usePage();
  const { count, sums, partial } = totals;
  return (
    <p className="totals" data-testid="totals">
      <strong>{t(partial ? "list.totalsPartial" : "list.totals", { count })}</strong>
      {sums.map((sum) => (
        <Fragment key={sum.currency}>
          {" · "}
          <Money money={sum} />
        </Fragment>
      ))}
      {withoutFees && sums.length > 0 ? ` ${t("list.totalsWithoutFees")}` : null}
    </p>
  );
}

const PAGE_SIZES = ["20", "50", "100"];

/** Renders the choice of rows per page. Another page size restarts at the first page. */
function PageSizes({
  path,
  query,
  totals,
}: {
  path: string;
  query: Readonly<Record<string, string>>;
  totals: ListTotals;
}): ReactNode {
  const { t } = usePage();
  const [usual = ""] = PAGE_SIZES;
  const { per_page: now = usual, ...rest } = query;
  if (!totals.partial && totals.count <= Number(usual)) return null;
  return (
    <nav className="sizes" aria-label={t("list.rows")}>
      <span aria-hidden="true">{t("list.rows")}</span>
      {PAGE_SIZES.map((size) => (
        <a
          key={size}
          href={withQuery(path, size === usual ? rest : { ...rest, per_page: size })}
          aria-current={size === now ? "true" : undefined}
        >
          {size}
        </a>
      ))}
    </nav>
  );
}
