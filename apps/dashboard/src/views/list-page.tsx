import { MAX_SORTED, type ViewedList } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { ListProps } from "../page/load-list";
import { placePath } from "../place-path";
import { textOfCase } from "../texts/texts";
import { EmptyList } from "./empty-list";
import { Frame } from "./frame";
import { addressOf, ColumnsForm, exportedColumns, type ListColumn, shownColumns } from "./list-columns";
import { ListExports } from "./list-exports";
import { ListFilters } from "./list-filters";
import { sortable } from "./list-sorting";
import { Card, Pages, Table } from "./parts";
import { SavedViews } from "./saved-views";
import { usePage } from "./use-page";

type Props<Item> = ListProps<Item> & {
  name: ViewedList;
  statuses: readonly string[];
  methods?: readonly string[];
  columns: readonly ListColumn<Item>[];
  keyOf: (item: Item) => string;
  tools?: ReactNode;
};

const withoutPage = ({
  before: _before,
  after: _after,
  per_page: _size,
  ...filters
}: Record<string, string>) => filters;

/** A list that is its address: views, filters, columns, pages and exports of it. */
export function ListPage<Item>(props: Props<Item>): ReactNode {
  const { page, t, f } = usePage();
  const { name, items, wrong, partial } = props;
  if (page.place === null) return null;
  const filters = withoutPage(props.filters);
  const filtered = Object.keys(filters).length > 0;
  const shown = shownColumns(props.columns, props.chosen);
  const path = placePath(page.place.merchantId, page.place.mode, name);
  const chosen = props.chosen.length === 0 ? "" : shown.map((column) => column.name).join(",");
  const columnsOnly: Record<string, string> = chosen === "" ? {} : { columns: chosen };
  const query = { ...filters, ...columnsOnly };
  const byAmount = filters.sort?.endsWith("amount");
  return (
    <Frame title={t(`nav.${name}`)} tools={props.tools}>
      <SavedViews list={name} views={props.views} query={query} />
      <div className="list-tools">
        <ListFilters
          filters={filters}
          statuses={props.statuses}
          {...(props.methods ? { methods: props.methods } : {})}
          columns={chosen}
        />
        <ColumnsForm columns={props.columns} shown={shown} filters={filters} />
        <ListExports path={path} filters={withoutPage(props.asked)} columns={exportedColumns(shown)} />
      </div>
      {wrong.length > 0 ? (
        <p className="box bad" role="alert">
          {t("filter.wrong", { names: wrong.map((field) => textOfCase(t, "filterName", field)).join(", ") })}
        </p>
      ) : null}
      {items.length === 0 ? (
        <EmptyList {...props} filtered={filtered} clearPath={addressOf(path, columnsOnly)} />
      ) : (
        <Card>
          <Table
            caption={t(`nav.${name}`)}
            columns={sortable(shown, path, query)}
            rows={items}
            keyOf={props.keyOf}
          />
        </Card>
      )}
      {partial && items.length > 0 ? (
        <p className="box note">
          {byAmount
            ? t("list.partialSorted", { rows: MAX_SORTED })
            : t("list.partialTo", { time: f.minute(props.looked_to ?? "") })}
        </p>
      ) : null}
      <Pages next={props.next} previous={props.previous} sorted={filters.sort !== undefined} />
    </Frame>
  );
}
