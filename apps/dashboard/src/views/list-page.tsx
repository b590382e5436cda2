import { MAX_SORTED, type ViewedList } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { ListProps } from "../page/load-list";
import { placePath } from "../place-path";
import { textOfCase } from "../texts/texts";
import { Frame } from "./frame";
import { ColumnsForm, exportedColumns, type ListColumn, shownColumns } from "./list-columns";
import { ListExports } from "./list-exports";
import { ListFilters } from "./list-filters";
import { sortable } from "./list-sorting";
import { Card, Empty, Pages, Table } from "./parts";
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
  const { page, t } = usePage();
  const { name, items, wrong, partial } = props;
  if (page.place === null) return null;
  const filters = withoutPage(props.filters);
  const filtered = Object.keys(filters).length > 0;
  const shown = shownColumns(props.columns, props.chosen);
  const path = placePath(page.place.merchantId, page.place.mode, name);
  const chosen = props.chosen.length === 0 ? "" : shown.map((column) => column.name).join(",");
  const query = chosen === "" ? filters : { ...filters, columns: chosen };
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
        <Empty title={t(filtered ? "list.noneFound" : `list.none.${name}`)}>
          {filtered ? null : <p>{t(`list.noneText.${name}`)}</p>}
        </Empty>
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
      {partial ? (
        <p className="box note">
          {t(byAmount ? "list.partialSorted" : "list.partial", { rows: MAX_SORTED })}
        </p>
      ) : null}
      <Pages next={props.next} previous={props.previous} sorted={filters.sort !== undefined} />
    </Frame>
  );
}
