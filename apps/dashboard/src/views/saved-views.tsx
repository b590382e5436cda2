import { type ConsoleView, normalizeViewQuery, type ViewedList } from "@tillgate/contract";
import type { ReactNode } from "react";
import { Button, Confirmation, ConfirmedForm, Field, Form, useRedisplayed } from "./form";
import { useMerchantPage, usePage } from "./use-page";

type Props = {
  list: ViewedList;
  views: readonly ConsoleView[];
  /** Filters and columns in the URL. */
  query: Readonly<Record<string, string>>;
};

export function SavedViews({ list, views, query }: Props): ReactNode {
  const { t, to } = useMerchantPage();
  const now = normalizeViewQuery(list, new URLSearchParams(query).toString());
  const currentView = views.find((view) => view.query === now);
  if (views.length === 0 && !now) return null;
  const path = to(list);
  return (
    <div className="views">
      {views.length === 0 ? null : (
        <nav aria-label={t("view.views")}>
          {views.map((view) => (
            <a
              key={view.view_id}
              className="view"
              href={`${path}?${view.query}`}
              aria-current={view === currentView ? "page" : undefined}
            >
              {view.name}
            </a>
          ))}
        </nav>
      )}
      {currentView ? <ChangeView view={currentView} /> : null}
      {now && !currentView ? (
        <ConfirmedForm label={t("view.save")} testId="save-view" action="save-view">
          <input type="hidden" name="query" value={now} />
          <Field name="name" label={t("view.name")} hint={t("view.nameHint")} />
          <Button>{t("view.save")}</Button>
        </ConfirmedForm>
      ) : null}
    </div>
  );
}

function ChangeView({ view: { view_id, name } }: { view: ConsoleView }): ReactNode {
  const { t } = usePage();
  const wasRedisplayed = useRedisplayed(["rename-view", "remove-view"], view_id);
  return (
    <Confirmation label={t("view.change")} open={wasRedisplayed} testId="change-view">
      <Form action="rename-view" of={view_id}>
        <Field name="name" label={t("view.name")} value={name} />
        <Button kind="quiet">{t("view.rename")}</Button>
      </Form>
      <Form action="remove-view" of={view_id}>
        <Button kind="danger">{t("view.remove")}</Button>
      </Form>
    </Confirmation>
  );
}
