import { MAX_SORTED_ROWS, type ViewedList } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { ListProps } from "#server/lists.ts";
import type { TextKey } from "#texts/texts.ts";
import { Empty, withCursor } from "./parts";
import { usePage } from "./use-page";

export function NoResults({
  filtered,
  none,
  path,
}: {
  filtered: boolean;
  none: TextKey;
  path: string;
}): ReactNode {
  const { t } = usePage();
  return filtered ? (
    <Empty title={t("list.noneFound")}>
      <p className="tools">
        <a className="button quiet" href={path}>
          {t("filter.clear")}
        </a>
      </p>
    </Empty>
  ) : (
    <Empty title={t(none)} />
  );
}

/** Renders {@link NoResults} for a list whose only filter is `FindForm`'s search field. */
export function NoSearchResults({ none }: { none: TextKey }): ReactNode {
  const { page } = usePage();
  const [path = "", query] = page.path.split("?");
  const searched = Boolean(new URLSearchParams(query).get("search")?.trim());
  return <NoResults filtered={searched} none={none} path={path} />;
}

type Props = Pick<ListProps<unknown>, "next" | "previous" | "looked_to" | "filters" | "invalidFilters"> & {
  name: ViewedList;
  filtered: boolean;
  clearPath: string;
};

/** Renders the empty state of a list; nothing if filters are invalid. After a partial scan, shows how far the API searched. */
export function EmptyList(props: Props): ReactNode {
  const { page, t, f } = usePage();
  const { name, filtered, filters, looked_to: scannedTo, invalidFilters } = props;
  if (invalidFilters.length > 0) return null;
  const clear = filtered ? (
    <a className="button quiet" href={props.clearPath}>
      {t("filter.clear")}
    </a>
  ) : null;
  if (scannedTo !== null) {
    const [direction, cursor] =
      filters.after === undefined ? (["before", props.next] as const) : (["after", props.previous] as const);
    return (
      <Empty title={t("list.noneSoFar")}>
        <p>
          {cursor === null
            ? t("list.partialSorted", { rows: MAX_SORTED_ROWS })
            : t("list.searchedTo", { time: f.minute(scannedTo) })}
        </p>
        <p className="tools">
          {cursor === null ? null : (
            <a
              className="button main"
              href={withCursor(page.path, direction, cursor)}
              data-testid="keep-looking"
            >
              {t("list.continueSearch")}
            </a>
          )}
          {clear}
        </p>
      </Empty>
    );
  }
  if (filters.before !== undefined || filters.after !== undefined)
    return <Empty title={t("list.noneFurther")} />;
  return (
    <Empty title={t(filtered ? "list.noneFound" : `list.none.${name}`)}>
      {filtered ? <p className="tools">{clear}</p> : <p>{t(`list.noneText.${name}`)}</p>}
    </Empty>
  );
}
